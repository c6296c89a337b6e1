"""Landing of what an evaluation folder holds: judgments, claims, deck counts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest import land_fields as fields
from ingest.land_fields import FieldError, FileReader
from ingest.xslides.land_banks import BankInfo
from warehouse import identity
from warehouse.contracts import xslides as contracts
from warehouse.landing import Row, keep_unique

SCORES_FILE = "probe_scores.jsonl"
CORRECTNESS_FILE = "correctness.json"
DECK_STATS_FILE = "deck_stats.json"


@dataclass(frozen=True)
class EvaluationIds:
    """Ids that the rows of one evaluation carry."""

    evaluation_id: str
    evaluation_key: int
    weight_set_key: int | None


def read_scores(
    reader: FileReader, folder: Path, ids: EvaluationIds, bank: BankInfo | None
) -> list[Row]:
    """Return the judgments of one evaluation; orphans and repeated probes are rejects."""
    path = folder / SCORES_FILE
    if not path.is_file():
        return []
    if bank is None:
        message = "the case has no probe bank that the judgments could be joined to"
        reader.reject(contracts.PROBE_SCORES.table, path, "no_probe_bank", path.name, message)
        return []
    file = reader.relative(path)

    def build(row: Row, line: int) -> Row:
        return _score_row(row, line, ids, bank, file)

    rows = reader.rows(path, contracts.PROBE_SCORES.table, build, "probe_id")
    return keep_unique(contracts.PROBE_SCORES, rows, reader.log, subject="probe_id")


def _score_row(row: Row, line: int, ids: EvaluationIds, bank: BankInfo, file: str) -> Row:
    probe_id = fields.label(row, "probe_id")
    ordinal = bank.ordinals.get(probe_id)
    if ordinal is None:
        raise FieldError("orphan_probe", f"probe `{probe_id}` is not in the probe bank")
    metadata = fields.mapping(row, "metadata")
    covered = fields.boolean(row, "covered")
    holder = row if row.get("confidence") is not None else metadata
    confidence = fields.optional_number(holder, "confidence")
    stated = metadata.get("judgment_status")
    if stated is None:
        # The seed fills a missing judgment as uncovered with zero confidence.
        stated = "filled" if confidence == 0 and not covered else "judged"
    verdict = metadata.get("verdict") or ("covered" if covered else "uncovered")
    if (verdict == "covered") != covered:
        raise FieldError("verdict_mismatch", f"covered is {covered}, the verdict `{verdict}`")
    status = fields.choice(stated, contracts.JUDGMENT_STATUSES, "metadata.judgment_status")
    repeats = _repeat_verdicts(metadata.get("repeats"), verdict if status == "judged" else None)
    return {
        "evaluation_key": ids.evaluation_key,
        "weight_key": None
        if ids.weight_set_key is None
        else identity.weight_key(ids.weight_set_key, ordinal),
        "evaluation_id": ids.evaluation_id,
        "bank_id": bank.bank_id,
        "probe_id": probe_id,
        "covered": covered,
        "verdict": fields.choice(verdict, contracts.VERDICTS, "metadata.verdict"),
        "judgment_status": status,
        "confidence": confidence,
        "answer": fields.optional_text(row, "answer"),
        "cited_evidence": fields.optional_text(row, "cited_evidence"),
        "metadata": fields.json_text(metadata),
        "source_file": file,
        "source_line": line,
        "repeat_verdicts": repeats,
    }


def _repeat_verdicts(repeats: Any, own: str | None) -> list[str | None] | None:
    """Return the verdicts of all samples in order, None for a missing one; `own` is the row's."""
    if repeats is None:
        return None
    if not isinstance(repeats, list):
        raise FieldError("wrong_type", f"field `metadata.repeats` is {fields.kind(repeats)}")
    least, most = contracts.REPEATS_MIN, contracts.REPEATS_MAX
    if not least <= len(repeats) <= most:
        message = f"field `metadata.repeats` has {len(repeats)} entries, not {least} to {most}"
        raise FieldError("wrong_count", message)
    verdicts = [None if one is None else _repeat_verdict(one) for one in repeats]
    if verdicts[0] != own:
        message = f"the first of `metadata.repeats` says `{verdicts[0]}`, the row itself `{own}`"
        raise FieldError("verdict_mismatch", message)
    return verdicts


def _repeat_verdict(repeat: Any) -> str:
    if not isinstance(repeat, dict):
        raise FieldError("wrong_type", f"a repeat is {fields.kind(repeat)}")
    confidence = fields.number(repeat, "confidence")
    if not 0 <= confidence <= 1:
        raise FieldError("out_of_range", f"a repeat has confidence {confidence}, not 0 to 1")
    return fields.choice(
        fields.text(repeat, "verdict"), contracts.VERDICTS, "metadata.repeats.verdict"
    )


def read_claims(
    reader: FileReader, folder: Path, ids: EvaluationIds
) -> tuple[list[Row], float | None]:
    """Return the claims of one evaluation and the correctness that the file states."""
    path = folder / CORRECTNESS_FILE
    table = contracts.CLAIMS.table
    content = reader.document(path, table) if path.is_file() else None
    if content is None:
        return [], None
    claims = content.get("claims")
    try:
        stated = fields.optional_number(content, "correctness")
        if claims is not None and not isinstance(claims, list):
            raise FieldError("wrong_type", f"field `claims` is {fields.kind(claims)}")
    except FieldError as error:
        reader.reject(table, path, error.reason, path.name, str(error))
        return [], None
    file = reader.relative(path)
    rows = []
    for position, claim in enumerate(claims or [], start=1):
        try:
            if not isinstance(claim, dict):
                raise FieldError("wrong_type", f"a claim is {fields.kind(claim)}")
            rows.append(_claim_row(claim, position, ids, file))
        except FieldError as error:
            reader.reject(table, path, error.reason, f"claim {position}", str(error))
    return keep_unique(contracts.CLAIMS, rows, reader.log, subject="claim_id"), stated


def _claim_row(claim: dict[str, Any], position: int, ids: EvaluationIds, file: str) -> Row:
    claim_id = claim.get("claim_id")
    if isinstance(claim_id, int) and not isinstance(claim_id, bool):
        claim = {**claim, "claim_id": str(claim_id)}
    return {
        "evaluation_key": ids.evaluation_key,
        "evaluation_id": ids.evaluation_id,
        "claim_id": fields.text(claim, "claim_id", default=f"claim_{position:04d}"),
        "label": fields.text(claim, "label").strip().lower(),
        "text": fields.optional_text(claim, "text"),
        "slide": fields.optional_integer(claim, "slide"),
        "confidence": fields.optional_number(claim, "confidence"),
        "snippets": fields.json_text(claim.get("snippets")),
        "source_file": file,
        "source_line": None,
    }


def read_deck_stats(reader: FileReader, folder: Path, ids: EvaluationIds) -> list[Row]:
    """Return the deck counts of one evaluation as its file states them, or nothing."""
    path = folder / DECK_STATS_FILE
    table = contracts.DECK_STATS.table
    content = reader.document(path, table) if path.is_file() else None
    if content is None:
        return []
    try:
        warnings = content.get("warnings") or []
        if not isinstance(warnings, list):
            raise FieldError("wrong_type", f"field `warnings` is {fields.kind(warnings)}")
        status = fields.text(content, "status", default="ok")
        return [
            {
                "evaluation_key": ids.evaluation_key,
                "evaluation_id": ids.evaluation_id,
                "deck_path": fields.optional_text(content, "deck_path"),
                "deck_status": fields.choice(status, contracts.DECK_STATUSES, "status"),
                "slide_count": _count(content, "slide_count"),
                "hidden_slide_count": _count(content, "hidden_slide_count"),
                "visible_word_count": _count(content, "visible_word_count"),
                "parser": fields.optional_text(content, "parser"),
                "word_rule": fields.optional_text(content, "word_rule"),
                "text_policy": fields.optional_text(content, "text_policy"),
                "warnings": [str(one) for one in warnings],
                "source_file": reader.relative(path),
                "source_line": None,
                "injection_suspected_count": _count(content, "injection_suspected"),
                "unseen_injection_suspected_count": _count(content, "unseen_injection_suspected"),
            }
        ]
    except FieldError as error:
        reader.reject(table, path, error.reason, path.name, str(error))
        return []


def _count(content: dict[str, Any], name: str) -> int | None:
    value = fields.optional_integer(content, name)
    if value is not None and value < 0:
        raise FieldError("negative_count", f"field `{name}` is {value}")
    return value
