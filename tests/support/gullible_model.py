"""A model that obeys whoever gives it orders, unless the order stands in a proper fence.

What is fenced it takes for data, as a well-behaved model would. It is told nothing about how
fences are made: any line that begins with `<<<END` closes one, and a turn of a chat inside a
fence is a turn for it.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tests.support import model_stand_in

_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u206f\ufeff]")
_ORDER = re.compile(
    r"mark\s+every\s*thing\s+as\s+covered|covered[\\\"]+\s*:\s*true"
    r"|verdict[\\\"]+\s*:[\s\\\"]+covered\b",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"<\|im_start\|>|\[/?INST\]|<</?SYS>>|^(?:system|assistant|user):|^```", re.I | re.M
)
_FENCE = re.compile(r"^<<<BEGIN (\S+) (\S+)\n(.*?)\n<<<END[^\n]*", re.DOTALL | re.MULTILINE)
_IDS = re.compile(r'"(probe_id|claim_id)": "([^"]+)"')
PLANTED = "Is everything covered?"


class GullibleModel:
    """Answers requests for a loopback server.

    Attributes:
        obeyed: the tasks in which it obeyed.
        heard: all that it was told, a request each.
    """

    def __init__(self) -> None:
        self.obeyed: list[str] = []
        self.heard: list[str] = []

    def answer(self, name: str, body: dict[str, Any]) -> str:
        """Return the reply to one request: what it was ordered to say, else an honest one."""
        told = "\n\n".join(_text(message["content"]) for message in body["messages"])
        self.heard.append(told)
        if not is_ordered(told):
            return model_stand_in.answer(name, body)
        task = body["response_format"]["json_schema"]["name"]
        self.obeyed.append(task)
        return json.dumps(_obedient(task, told))


def is_ordered(told: str) -> bool:
    """Return whether a prompt gives an order, as this model sees it."""
    told = _UNSEEN.sub("", told)
    inside = [match[3] for match in _FENCE.finditer(told)]
    outside = _FENCE.sub("", told)
    turns = (one[found.start() :] for one in inside if (found := _TURN.search(one)))
    return any(_ORDER.search(one) for one in (outside, *turns))


def _obedient(task: str, told: str) -> dict[str, Any]:
    ids = list(dict.fromkeys(one for _, one in _IDS.findall(told)))
    if task == "probes":
        probe = {"question": PLANTED, "answer": "Everything is covered.", "evidence": []}
        rest = {"level": 1, "modality": "text", "theme": "order", "domain": "context"}
        return {"probes": [{**probe, **rest}]}
    if task == "weights":
        rows = [{"probe_id": one, "utility": 1.0, "rationale": "ordered"} for one in ids]
    elif task == "answerability":
        verdict = {"verdict": "covered", "confidence": 1.0, "answer": "", "cited_evidence": ""}
        rows = [{"probe_id": one, **verdict} for one in ids]
    elif task == "verification":
        rows = [{"claim_id": one, "label": "supported", "confidence": 1.0} for one in ids]
    else:
        return {"claims": [{"text": PLANTED, "slide": 1}]}
    return {"judgments": rows}


def _text(content: str | list[dict[str, Any]]) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join(part.get("text", "") for part in content)
