"""Publishing: what must hold before `current` becomes a release."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from expectations.verdict import Verdict
from podium import run, settings
from podium.run import Say
from warehouse import manifests, releases, standing
from warehouse.errors import InputError
from warehouse.locks import build_lock
from warehouse.paths import WarehousePaths
from warehouse.releases import Publication
from warehouse.standing import Standing


@dataclass(frozen=True)
class PublishOutcome:
    """How publishing ended; `publication` is None when the verdict did not allow it."""

    verdict: Verdict
    publication: Publication | None

    @property
    def exit_code(self) -> int:
        """Return 0 for a release, else the code of the verdict that refused it."""
        return self.verdict.exit_code if self.publication is None else 0


def publish(
    paths: WarehousePaths, say: Say, *, keep: int, allow_incomplete: bool
) -> PublishOutcome:
    """Make a release of `current` when both gates let it pass.

    Args:
        paths: the warehouse.
        say: told what happens.
        keep: releases that stay, at least 1.
        allow_incomplete: also publish what is incomplete; the release says so.

    Raises:
        InputError: when nothing stands, or the landing gate never saw these rows.
        LockedError: when another process builds or publishes.
    """
    with build_lock(paths):
        known = releases.standing_of_current(paths)
        if not known.has_landing_verdict:
            known = _with_landing_verdict(paths, known, say)
        verdict = run.verdict_of(known)
        if not releases.is_publishable(known.verdict, allow_incomplete=allow_incomplete):
            return PublishOutcome(verdict, None)
        publication = releases.publish(
            paths,
            known,
            code_version=settings.code_version(),
            published_at=datetime.now(UTC).isoformat(timespec="seconds"),
            keep=keep,
            allow_incomplete=allow_incomplete,
        )
        return PublishOutcome(verdict, publication)


def _with_landing_verdict(paths: WarehousePaths, known: Standing, say: Say) -> Standing:
    """Return what stands with the landing gate's verdict, which a plain build leaves out."""
    if known.landing_state_id != manifests.state_id(manifests.read_all(paths)):
        raise InputError(
            "the landing gate never saw the rows of `current`",
            expected="the landing state that it was built from",
            got="rows that were landed since",
            fix="podium build, then podium publish",
        )
    say("publish: the landing gate is running")
    full = run.check_landing(paths).merged(run.verdict_of(known))
    verdict = Verdict("gates", full.checks, full.findings)
    complete = replace(known, verdict=verdict.as_record(), has_landing_verdict=True)
    standing.write(paths, complete)
    return complete
