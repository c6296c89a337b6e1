"""Identity of one evaluation folder: what its path says, and its manifest must not deny."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest import land_fields as fields
from ingest.land_fields import FieldError
from ingest.xslides.land_cases import CaseInfo
from ingest.xslides.tree import AGNOSTIC, CONDITIONS, EvaluationKey, split_variant
from warehouse import identity
from warehouse.contracts.xslides import JUDGE_KINDS, JUDGMENT_ORIGINS
from warehouse.landing import Row

UNSTATED = "unstated"


@dataclass(frozen=True)
class EvaluationPlace:
    """Where an evaluation stands in the grid, from its path alone (all names in NFC)."""

    system_id: str
    condition: str
    audience: str
    case_label: str
    variant: str

    @property
    def subject(self) -> str:
        """Return the id that rejects and findings carry."""
        folder = f"{self.case_label}@{self.variant}" if self.variant else self.case_label
        return "/".join((self.system_id, self.condition, self.audience, folder))


def place_of(key: EvaluationKey) -> EvaluationPlace:
    """Return the place of an evaluation folder.

    Raises:
        FieldError: when its condition is none.
    """
    condition = fields.choice(key.condition, CONDITIONS, "condition")
    label, variant = split_variant(identity.normalize_label(key.case_folder))
    return EvaluationPlace(
        identity.normalize_label(key.system_id),
        condition,
        identity.normalize_label(key.audience),
        label,
        variant or "",
    )


def check_agreement(
    manifest: dict[str, Any], place: EvaluationPlace, run: str, case: CaseInfo
) -> None:
    """Refuse a manifest that contradicts the path it stands on.

    Raises:
        FieldError: with reason `path_mismatch`, naming field, path value and manifest value.
    """
    expected: dict[str, tuple[str | None, ...]] = {
        "run": (run,),
        "system_id": (place.system_id,),
        "condition": (place.condition,),
        "audience": (place.audience,),
        "case_id": case.names,
        "case_label": (case.case_label, f"{place.case_label}@{place.variant}"),
    }
    if place.condition == AGNOSTIC:
        expected["deck_audience"] = (None, AGNOSTIC)
    for name, allowed in expected.items():
        value = manifest.get(name)
        if value is None:
            continue
        if not isinstance(value, str) or identity.normalize_label(value) not in allowed:
            raise FieldError(
                "path_mismatch", f"manifest says {name} `{value}`, the path says `{allowed[0]}`"
            )


def deck_audience_of(manifest: dict[str, Any], place: EvaluationPlace) -> str | None:
    """Return the audience the deck was made for; None for an agnostic deck."""
    if place.condition == AGNOSTIC:
        return None
    stated = manifest.get("deck_audience")
    return identity.normalize_label(stated) if isinstance(stated, str) else place.audience


def config_row(manifest: dict[str, Any], file: str) -> Row:
    """Return the row of `evaluation_configs` that a manifest spells out.

    Without a manifest the judge is `unstated`: such rows never mix with rows of a known one.
    """
    judge, claim_judge = _judge(manifest, "judge"), _judge(manifest, "claim_judge")
    kind = judge.get("kind")
    row: Row = {
        "judge_id": judge.get("id") or judge.get("model") or UNSTATED,
        "judge_kind": kind if kind in JUDGE_KINDS else UNSTATED,
        "judge_model": judge.get("model"),
        "prompt_sha256": judge.get("prompt_sha256"),
        "claim_judge_id": claim_judge.get("id"),
        "claim_judge_kind": claim_judge.get("kind"),
        "claim_judge_model": claim_judge.get("model"),
        "claim_prompt_sha256": claim_judge.get("prompt_sha256"),
        "judge_input_mode": fields.optional_text(manifest, "judge_input_mode"),
        "settings": fields.json_text(fields.mapping(manifest, "settings")),
    }
    config_id = identity.content_id("config", row)
    return {"evaluation_config_id": config_id, **row, "source_file": file, "source_line": None}


class PeerConfigs:
    """Configurations of evaluations, to find the one that an unjudged peer counts under."""

    def __init__(self, configs: Mapping[EvaluationPlace, Row]) -> None:
        self._counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        self._rows: dict[tuple[str, ...], dict[str, Row]] = defaultdict(dict)
        for place, row in configs.items():
            for group in _groups(place):
                self._counts[group][row["evaluation_config_id"]] += 1
                self._rows[group].setdefault(row["evaluation_config_id"], row)

    def inherited(self, place: EvaluationPlace) -> Row | None:
        """Return the most frequent configuration of a place's system, condition and audience.

        Without one it is that of its system, else of the run; of equally frequent ones the
        smaller id. None without any peer.
        """
        for group in _groups(place):
            counts = self._counts.get(group)
            if counts:
                return self._rows[group][min(counts, key=lambda one: (-counts[one], one))]
        return None


def _groups(place: EvaluationPlace) -> tuple[tuple[str, ...], ...]:
    return ((place.system_id, place.condition, place.audience), (place.system_id,), ())


def origin_of(manifest: dict[str, Any]) -> str | None:
    """Return where the judgments come from; None when the manifest does not say.

    Raises:
        FieldError: when it says something else than own, shared or cached.
    """
    stated = fields.optional_text(manifest, "judgments")
    return None if stated is None else fields.choice(stated, JUDGMENT_ORIGINS, "judgments")


def hash_state(manifest: dict[str, Any], actual: dict[str, str | None]) -> tuple[bool, str | None]:
    """Return whether all hashes are stated and right, and which inputs have changed since.

    Args:
        manifest: the run manifest.
        actual: hash now in the tree by input name (probes, weights, deck); None if absent.
    """
    stated = {name: manifest.get(f"{name}_sha256") for name in actual}
    changed = [
        name
        for name in sorted(actual)
        if stated[name] is not None and actual[name] is not None and stated[name] != actual[name]
    ]
    verified = not changed and all(stated[name] is not None for name in ("probes", "weights"))
    return verified, ", ".join(changed) or None


def manifest_path(folder: Path) -> Path:
    """Return where the run manifest of an evaluation folder stands."""
    return folder / "run_manifest.json"


def _judge(manifest: dict[str, Any], name: str) -> dict[str, str | None]:
    content = fields.mapping(manifest, name)
    return {
        part: fields.optional_text(content, part)
        for part in ("id", "kind", "model", "prompt_sha256")
    }
