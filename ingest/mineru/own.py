"""A mineru-api server of one's own: one request that lasts as long as the parse.

`POST /file_parse` takes the file as a form and answers with `results`, one entry a file, whose
`md_content` is the text. No key is sent: the server has none, and the hosted one is not its.
"""

from __future__ import annotations

from ingest.mineru import replies
from ingest.mineru.outcome import Outcome, Parsed, ParseFailureError
from ingest.mineru.settings import OWN_PATH, MineruSettings
from ingest.mineru.wire import Call, Wire

# A document that kills its parse would do so each time, at the price of a parse.
PARSES = 3
_SERVER_ERROR = 500


async def parse_own(wire: Wire, settings: MineruSettings, data: bytes, sha256: str) -> Parsed:
    """Return what a server of one's own makes of a PDF.

    Raises:
        ParseFailureError: any outcome but parsed.
    """
    options = settings.options
    form = {
        "backend": options.model,
        "lang_list": options.language,
        "parse_method": "auto",
        "formula_enable": "true",
        "table_enable": "true",
        "return_md": "true",
    }
    # One attempt may take all the time: a parse that was given up would go on over there.
    call = Call(
        "POST",
        f"{settings.base_url}{OWN_PATH}",
        "the parse",
        settings.total_seconds,
        body={"data": form, "files": {"files": (f"{sha256}.pdf", data, "application/pdf")}},
        max_attempts=min(PARSES, settings.max_attempts),
    )
    try:
        answer = await wire.send(call)
    except ParseFailureError as failure:
        if failure.http_status == _SERVER_ERROR:
            # What the server tells of a file that it cannot parse.
            raise ParseFailureError(Outcome.FAILED, failure.message) from None
        raise
    if not answer.is_ok:
        told = wire.clean(answer.body[:200].decode("utf-8", "replace"))
        is_large = answer.status == 413
        outcome = Outcome.TOO_LARGE if is_large else Outcome.FAILED
        raise ParseFailureError(outcome, f"the parse: HTTP {answer.status}: {told}")
    return Parsed(*replies.markdown_of_results(replies.read_object(answer.body, "the answer")))
