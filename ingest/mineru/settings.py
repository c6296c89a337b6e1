"""Which MinerU is asked, how long, and for what. Plain values; the command reads variables."""

from __future__ import annotations

import ipaddress
import math
import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from ingest.documents.policy import MIB
from ingest.endpoint.settings import SHORTEST_SECRET, ApiKey, checked_base_url
from warehouse.errors import UsageError

HOSTED_BASE_URL = "https://mineru.net"
HOSTED_PATH = "/api/v4"
OWN_PATH = "/file_parse"
# What the hosted API takes; a larger file would be refused after the upload.
HOSTED_FILE_BYTES = 200 * MIB
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


class Api(StrEnum):
    """The two ways in: `hosted` (mineru.net, /api/v4) and `own` (a mineru-api server)."""

    HOSTED = "hosted"
    OWN = "own"


@dataclass(frozen=True)
class ParseOptions:
    """What a result depends on besides the file: part of the cache key and of the fingerprint.

    Attributes:
        api: which API.
        model: `model_version` of the hosted API, `backend` of a server of one's own. `pipeline`
            does not write text that is not there, as models of vision and language may.
        language: language hint for OCR; `ch` covers Chinese and English.
    """

    api: Api
    model: str = "pipeline"
    language: str = "ch"

    def __post_init__(self) -> None:
        for variable, value in (
            ("PODIUM_MINERU_MODEL", self.model),
            ("PODIUM_MINERU_LANGUAGE", self.language),
        ):
            if not _NAME.fullmatch(value):
                raise UsageError(
                    f"`{variable}` cannot be sent",
                    expected="letters, digits, dot, dash and underscore, at most 64",
                    got=repr(value[:80]),
                    fix=f"set {variable}",
                )


@dataclass(frozen=True)
class MineruSettings:
    """One MinerU and the limits on asking it.

    Attributes:
        options: API, model and language.
        base_url: address without `/api/v4` or `/file_parse`, user, query or fragment.
        api_key: key of the hosted API; a server of one's own is sent none.
        total_seconds: time of one PDF with uploads, waits and all attempts, above 0.
        attempt_seconds: time of one small request, above 0.
        transfer_seconds: time of one upload or download of a file, above 0.
        max_attempts: attempts of one request, at least 1.
        backoff_seconds: upper end of the first random wait; it doubles each time.
        poll_seconds: wait before the first look at a batch; it grows to five times that.
        in_flight: files that are parsed at once, 1 to 64. A server of one's own may have room
            for one at a time only.
    """

    options: ParseOptions
    base_url: str
    api_key: ApiKey | None = None
    total_seconds: float = 1800.0
    attempt_seconds: float = 60.0
    transfer_seconds: float = 600.0
    max_attempts: int = 5
    backoff_seconds: float = 1.0
    poll_seconds: float = 3.0
    in_flight: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_url", _base_url(self.options.api, self.base_url))
        if (self.options.api is Api.HOSTED) is (self.api_key is None):
            raise UsageError(
                "the hosted MinerU needs a key, and a server of your own is sent none",
                fix="set MINERU_API_KEY, or MINERU_API_URL",
            )
        if not 0 < self.total_seconds < math.inf:
            raise UsageError(
                "`PODIUM_MINERU_TOTAL_SECONDS` must be above 0", got=str(self.total_seconds)
            )

        if not 1 <= self.in_flight <= 64:
            raise UsageError(
                "`PODIUM_MINERU_CONCURRENCY` is out of range",
                expected="1 to 64",
                got=str(self.in_flight),
            )

    @property
    def secrets(self) -> tuple[str, ...]:
        """Return the key, for the one purpose of striking it out of texts."""
        key = "" if self.api_key is None else self.api_key.reveal()
        return (key,) if len(key) >= SHORTEST_SECRET else ()


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine, by its literal name."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def may_be_fetched(url: str, base_url: str) -> bool:
    """Return whether an address out of a reply may be followed.

    A reply could name anything: a file, a service of this machine or of the network that it
    stands in. What is taken is https to a public name, and the host that the user configured.

    Args:
        url: the address out of a reply.
        base_url: the configured address.
    """
    try:
        parts, own = urlsplit(url), urlsplit(base_url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    if not host or parts.username is not None or not url.isascii() or not url.isprintable():
        return False
    if host == own.hostname and parts.scheme in (own.scheme, "https"):
        return True
    return parts.scheme == "https" and _is_public(host)


def _is_public(host: str) -> bool:
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return False
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        # A host of digits and dots that is no address may be one to the resolver: 127.1.
        return "." in host and not host.rsplit(".", 1)[-1].isdigit()


def _base_url(api: Api, url: str) -> str:
    variable = "MINERU_BASE_URL" if api is Api.HOSTED else "MINERU_API_URL"
    try:
        checked = checked_base_url(url)
    except UsageError as error:
        raise UsageError(
            f"the address in `{variable}` cannot be used",
            expected="such as https://host",
            got=error.got,
            fix=f"set {variable}",
        ) from None
    parts = urlsplit(checked)
    if api is Api.HOSTED and parts.scheme != "https" and not is_loopback(parts.hostname or ""):
        raise UsageError(
            f"the address in `{variable}` would send the key unencrypted",
            expected="https, or this machine",
            got=parts.scheme,
            fix=f"set {variable}",
        )
    return checked.removesuffix(HOSTED_PATH if api is Api.HOSTED else OWN_PATH)
