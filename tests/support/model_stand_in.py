"""A model's part in tests: reads a prompt as a model would, and answers it by the offline rules.

It knows nothing but what was sent: what it judges it finds between the fences, and on pictures.
A picture it "reads" by its colour, which `SEEN` translates.
"""

from __future__ import annotations

import base64
import io
import json
import re
from typing import Any

from PIL import Image

from ingest.judge.exchange import (
    AnswerabilityRequest,
    AudienceProfile,
    Claim,
    ClaimRequest,
    ClaimWithSnippets,
    DeckPage,
    Evidence,
    Probe,
    ProbeRequest,
    Reply,
    VerificationRequest,
    WeightRequest,
)
from ingest.judge.offline import OfflineJudge

_FENCE = re.compile(r"<<<BEGIN (\S+) (\S+)\n(.*?)\n?<<<END \1 \2", re.DOTALL)
_JUDGE = OfflineJudge()
SEEN: dict[tuple[int, int, int], str] = {}


def _color(url: str) -> tuple[int, int, int]:
    """Return the colour of the middle of a picture."""
    data = base64.b64decode(url.removeprefix("data:image/png;base64,"))
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    pixel = picture.getpixel((picture.width // 2, picture.height // 2))
    assert isinstance(pixel, tuple)
    return int(pixel[0]), int(pixel[1]), int(pixel[2])


def task_of(body: dict[str, Any]) -> str:
    """Return the task of a request, by what is fenced in it and not by a schema's name.

    A server that takes no schema is not told its name.
    """
    content = body["messages"][-1]["content"]
    parts = [{"text": content}] if isinstance(content, str) else content
    text = "\n".join(part.get("text", "") for part in parts)
    labels = {label for label, _, _ in _FENCE.findall(text)}
    marks = {"source": "probes", "audience": "weights", "claims": "verification"}
    for label, task in marks.items():
        if label in labels:
            return task
    return "answerability" if "probes" in labels else "claims"


def answer(_: str, body: dict[str, Any]) -> str:
    """Return the reply to one chat completions request of any task."""
    task = task_of(body)
    content = body["messages"][-1]["content"]
    parts: list[dict[str, Any]] = (
        [{"type": "text", "text": content}] if isinstance(content, str) else content
    )
    text = "\n\n".join(part["text"] for part in parts if part["type"] == "text")
    fenced = {label: inner for label, _, inner in _FENCE.findall(text)}
    pictures = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    if pictures:
        assert "deck" not in fenced
        numbers = [int(number) for number in re.findall(r"^Slide (\d+):$", text, re.MULTILINE)]
        assert len(numbers) == len(pictures)
        fenced["deck"] = "\n".join(
            json.dumps({"slide": number, "title": "", "text": SEEN[_color(url)]})
            for number, url in zip(numbers, pictures, strict=True)
        )
    return json.dumps(_ANSWERS[task](fenced, text), ensure_ascii=False)


def _probes(fenced: dict[str, str], text: str) -> dict[str, Any]:
    part = re.search(r"Part (\d+) of (\d+)\. This is pass (\d+)", text)
    assert part is not None
    index, count, number = map(int, part.groups())
    request = ProbeRequest("case", "", fenced["source"], index, count, number)
    drafts = _items(_JUDGE.generate_probes(request))
    return {
        "probes": [
            {
                "question": one.question,
                "answer": one.answer,
                "evidence": [{"locator": e.locator, "text": e.text} for e in one.evidence],
                "level": one.level,
                "modality": one.modality if one.modality in ("text", "table") else "text",
                "theme": one.theme,
                "domain": one.domain or "context",
            }
            for one in drafts
        ]
    }


def _weights(fenced: dict[str, str], _: str) -> dict[str, Any]:
    told = json.loads(fenced["audience"])
    audience = AudienceProfile(
        "learners", told["audience"], told["expertise"], told["minutes"], told["description"]
    )
    request = WeightRequest(audience, "", _probes_of(fenced), 0)
    return {
        "judgments": [
            {"probe_id": one.probe_id, "utility": one.utility, "rationale": one.rationale}
            for one in _items(_JUDGE.weigh_probes(request))
        ]
    }


def _answerability(fenced: dict[str, str], _: str) -> dict[str, Any]:
    request = AnswerabilityRequest(_pages_of(fenced), "", _probes_of(fenced))
    return {
        "judgments": [
            {
                "probe_id": one.probe_id,
                "verdict": one.verdict.value,
                "confidence": one.confidence,
                "answer": one.answer,
                "cited_evidence": one.cited_evidence,
            }
            for one in _items(_JUDGE.judge_answerability(request))
        ]
    }


def _claims(fenced: dict[str, str], _: str) -> dict[str, Any]:
    found = _items(_JUDGE.extract_claims(ClaimRequest(_pages_of(fenced))))
    return {"claims": [{"text": one.text, "slide": one.slide} for one in found]}


def _verification(fenced: dict[str, str], _: str) -> dict[str, Any]:
    claims = tuple(
        ClaimWithSnippets(
            Claim(row["claim_id"], row["claim"], None),
            tuple(Evidence(one["locator"], one["text"]) for one in row["passages"]),
        )
        for row in _rows(fenced["claims"])
    )
    return {
        "judgments": [
            {"claim_id": one.claim_id, "label": one.label, "confidence": one.confidence}
            for one in _items(_JUDGE.verify_claims(VerificationRequest(claims)))
        ]
    }


def _items(reply: Reply[Any]) -> tuple[Any, ...]:
    return reply.items


def _probes_of(fenced: dict[str, str]) -> tuple[Probe, ...]:
    rows = _rows(fenced["probes"])
    return tuple(Probe(row["probe_id"], row["question"], row["expected_answer"]) for row in rows)


def _pages_of(fenced: dict[str, str]) -> tuple[DeckPage, ...]:
    return tuple(
        DeckPage(row["slide"], row["text"], row["title"] or None) for row in _rows(fenced["deck"])
    )


def _rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


_ANSWERS = {
    "probes": _probes,
    "weights": _weights,
    "answerability": _answerability,
    "claims": _claims,
    "verification": _verification,
}
