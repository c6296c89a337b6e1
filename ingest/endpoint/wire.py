"""The chat completions API as it stands on the wire: bodies out, completions in.

Bodies are built from the request alone. What comes in is read strictly: a body that is no
chat completion is a fault of the endpoint, not an answer.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

from ingest.endpoint.reply import Usage
from ingest.endpoint.request import ImagePart, Request, TextPart
from ingest.endpoint.settings import OutputMode
from warehouse import jsonl

INSTRUCTION = (
    "Reply with one JSON value and nothing else: no code fence, no comment, no text around it. "
    "It must keep this JSON schema:\n"
)


class BodyError(ValueError):
    """A body of a 2xx response that is no chat completion."""


@dataclass(frozen=True)
class Completion:
    """A chat completion: text, refusal, why it ended, who says it answered, tokens."""

    text: str | None
    refusal: str | None
    finish_reason: str | None
    model: str | None
    usage: Usage


def chat_body(
    request: Request, model: str, mode: OutputMode, limit: int, limit_name: str
) -> dict[str, Any]:
    """Return the body of one chat completions request.

    Args:
        request: what is asked.
        model: model to name.
        mode: `json_schema`, `json_object` or `text`; the last two get the schema in words.
        limit: output tokens.
        limit_name: `max_tokens` or `max_completion_tokens`.
    """
    messages: list[dict[str, Any]] = [
        {"role": one.role, "content": [_part(part) for part in one.parts]}
        for one in request.messages
    ]
    if mode is not OutputMode.JSON_SCHEMA:
        _instruct(messages, INSTRUCTION + request.schema_text)
    for message in messages:
        # Servers without pictures often take plain text only.
        if all(part["type"] == "text" for part in message["content"]):
            message["content"] = "\n\n".join(part["text"] for part in message["content"])
    body: dict[str, Any] = {"model": model, "messages": messages, limit_name: limit}
    sampling = request.sampling
    for name in ("temperature", "top_p", "seed"):
        if getattr(sampling, name) is not None:
            body[name] = getattr(sampling, name)
    if mode is OutputMode.JSON_SCHEMA:
        schema = {"name": request.schema_name, "schema": request.schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif mode is OutputMode.JSON_OBJECT:
        body["response_format"] = {"type": "json_object"}
    return body


def read_completion(content: bytes) -> Completion:
    """Read the body of a 2xx response.

    Raises:
        BodyError: when it is no JSON, or no chat completion.
    """
    try:
        body = jsonl.parse(content)
    except jsonl.StrictJsonError as error:
        raise BodyError(f"the body is no JSON: {error.reason}") from None
    return completion_of(body)


def completion_of(body: Any) -> Completion:
    """Read the parsed body of a 2xx response.

    Raises:
        BodyError: when it is no chat completion.
    """
    choices = body.get("choices") if isinstance(body, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        error_text = body.get("error") if isinstance(body, dict) else None
        told = f": {str(error_text)[:200]}" if error_text else ""
        raise BodyError(f"the body is no chat completion{told}")
    return Completion(
        text=_text_of(message.get("content")),
        refusal=_string(message.get("refusal")),
        finish_reason=_string(choice.get("finish_reason")),
        model=_string(body.get("model")),
        usage=_usage(body.get("usage")),
    )


def _part(part: TextPart | ImagePart) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    data = base64.b64encode(part.data).decode("ascii")
    url = f"data:{part.media_type};base64,{data}"
    return {"type": "image_url", "image_url": {"url": url, "detail": part.detail}}


def _instruct(messages: list[dict[str, Any]], text: str) -> None:
    """Add words to the system message, else to the last message, after all that is there."""
    system = [one for one in messages if one["role"] == "system"]
    (system or messages)[-1]["content"].append({"type": "text", "text": text})


def _text_of(content: Any) -> str | None:
    if isinstance(content, list):
        parts = [one.get("text") for one in content if isinstance(one, dict)]
        return "".join(part for part in parts if isinstance(part, str)) or None
    return _string(content)


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _usage(value: Any) -> Usage:
    if not isinstance(value, dict):
        return Usage()
    details = value.get("prompt_tokens_details")
    return Usage(
        input_tokens=_count(value.get("prompt_tokens")),
        cached_input_tokens=_count(
            details.get("cached_tokens") if isinstance(details, dict) else None
        ),
        output_tokens=_count(value.get("completion_tokens")),
    )


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count else None
