"""Why batches end a command, and what mends it."""

from __future__ import annotations

from warehouse.errors import PodiumError

LOOK = (
    "look at the provider whether there is a batch of this file; if there is none, remove its "
    "folder from judge_batches/ and give the same command again"
)


class BatchError(PodiumError):
    """The provider takes no batch, or not this one."""


class BatchPendingError(PodiumError):
    """The provider has batches whose replies could not be taken yet."""

    exit_code = 4


class MissingError(Exception):
    """What was asked for is not at the provider (404); told by the caller."""


def unknown(file_id: str, reason: str) -> BatchError:
    """Return the error that nobody can know whether a batch was made of a file."""
    return BatchError(
        f"whether a batch was made of file `{file_id}` cannot be known",
        expected="a list of batches from the provider",
        got=reason,
        fix=LOOK,
    )


def refused(what: str, reason: str, http_status: int | None) -> BatchError:
    """Return the error that a provider does not do something."""
    fix = "ask without --batch, if the endpoint has no batch API"
    if http_status in (401, 403):
        fix = "set PODIUM_JUDGE_API_KEY to a key that may use the batch API"
    return BatchError(f"the endpoint refuses {what}", got=reason, fix=fix)
