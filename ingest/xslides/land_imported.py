"""Landing of imported metrics: one row for each value of each foreign metrics file.

A file is landed whole or not at all, so that no cell of a summary ever stands on half a
file. What the metrics mean: docs/metrics-xslides.md, Imported metrics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ingest import land_fields as fields
from ingest.land_fields import FieldError, FileReader
from ingest.xslides.land_cases import CaseInfo
from ingest.xslides.land_imported_files import ImportedFile, Mapping, read_mapping
from ingest.xslides.land_manifests import UNSTATED, EvaluationPlace, check_agreement, place_of
from ingest.xslides.tree import EvaluationKey, split_variant
from warehouse import identity
from warehouse.contracts.xslides_imported import (
    IMPORTED_CONDITIONS,
    IMPORTED_METRICS,
    METRICS,
    QUANTITIES,
)
from warehouse.landing import Row

TABLE = IMPORTED_METRICS.table
# The seed's name of a metric that counts words.
ALIASES = {"efficiency_word": "efficiency_token"}
# Summaries hold values as integers of 10^-9; sums stay exact far beyond this, not without end.
MAX_VALUE = 1e6
_THOUSANDTH_SLACK = 1e-6


@dataclass(frozen=True)
class _Identified:
    """One file with its identity: the place after the mapping, the case, the threshold."""

    file: ImportedFile
    place: EvaluationPlace
    case: CaseInfo
    tau_a_thousandths: int
    values: dict[str, float | None]

    @property
    def identity(self) -> tuple[Any, ...]:
        """Return what two files must not share within a run."""
        place = self.place
        who = (place.system_id, place.condition, place.audience, self.case.case_id, place.variant)
        return (*who, self.tau_a_thousandths)


def read_imported(
    reader: FileReader,
    dataset_id: str,
    run: str,
    files: list[ImportedFile],
    cases: dict[str, CaseInfo],
) -> list[Row]:
    """Return the rows of `imported_metrics` of one run.

    Args:
        reader: reads files and keeps rejects.
        dataset_id: artifact root that the rows belong to.
        run: name of the run, `unstated` when none is named.
        files: foreign metrics files of that run.
        cases: known cases by label; a metrics file may speak of others.
    """
    mapping = read_mapping(reader)
    read = (_identify(reader, dataset_id, run, one, cases, mapping) for one in files)
    found = [one for one in read if one is not None]
    counts = Counter(one.identity for one in found)
    rows: list[Row] = []
    for one in found:
        if counts[one.identity] == 1:
            rows += _rows(reader, dataset_id, run, one)
            continue
        message = f"{counts[one.identity]} files share this identity; all of them are set aside"
        reader.reject(TABLE, one.file.path, "duplicate_identity", one.place.subject, message)
    return rows


def _identify(
    reader: FileReader,
    dataset_id: str,
    run: str,
    file: ImportedFile,
    cases: dict[str, CaseInfo],
    mapping: Mapping,
) -> _Identified | None:
    """Return a file with identity and values, or None after a reject that names it."""
    content = reader.document(file.path, TABLE)
    manifest = reader.document(file.manifest, TABLE) if file.manifest else {}
    if content is None or manifest is None:
        return None
    subject = file.path.parent.name if file.manifest else file.path.stem

    def case_of(label: str) -> CaseInfo:
        return cases.get(label) or _unknown_case(dataset_id, label, manifest)

    try:
        place, case = _identity_of(file, manifest, run, case_of)
        subject = place.subject
        mapped = _map(place, mapping)
        _check_content(content, place, mapped, case)
        return _Identified(file, mapped, case, _threshold(content), _values(content))
    except FieldError as error:
        reader.reject(TABLE, file.path, error.reason, subject, str(error))
        return None


def _identity_of(
    file: ImportedFile, manifest: dict[str, Any], run: str, case_of: Callable[[str], CaseInfo]
) -> tuple[EvaluationPlace, CaseInfo]:
    if file.is_compact:
        if len(file.parts) != 4:
            raise FieldError("odd_place", "expected metrics/<system>/<audience>/<case>.json")
        place = _place(file.parts[1], UNSTATED, file.parts[2], file.path.stem)
    elif file.path_key is not None:
        place = place_of(EvaluationKey(*file.path_key))
    elif file.manifest is None:
        raise FieldError("no_manifest", "no run_manifest.json beside it, and its path says nothing")
    else:
        place = _stated_place(manifest)
    case = case_of(place.case_label)
    check_agreement(manifest, place, file.path_run or run, case)
    return place, case


def _stated_place(manifest: dict[str, Any]) -> EvaluationPlace:
    condition = fields.text(manifest, "condition", default=UNSTATED)
    label = fields.optional_text(manifest, "case_label") or fields.label(manifest, "case_id")
    return _place(
        fields.label(manifest, "system_id"),
        fields.choice(condition, IMPORTED_CONDITIONS, "condition"),
        fields.label(manifest, "audience"),
        label,
    )


def _place(system_id: str, condition: str, audience: str, folder: str) -> EvaluationPlace:
    label, variant = split_variant(identity.normalize_label(folder))
    return EvaluationPlace(
        identity.normalize_label(system_id),
        condition,
        identity.normalize_label(audience),
        label,
        variant or "",
    )


def _unknown_case(dataset_id: str, label: str, manifest: dict[str, Any]) -> CaseInfo:
    """Return a case that no source speaks of; its manifest may give id and label apart."""
    case_id = fields.optional_text(manifest, "case_id")
    if case_id is None or fields.optional_text(manifest, "case_label") is None:
        case_id = label
    return CaseInfo(dataset_id, identity.normalize_label(case_id), label, None)


def _map(place: EvaluationPlace, mapping: Mapping) -> EvaluationPlace:
    """Return the place with the system id split, where nothing else states the condition."""
    if place.condition != UNSTATED or place.system_id not in mapping:
        return place
    system_id, condition = mapping[place.system_id]
    return replace(place, system_id=system_id, condition=condition)


def _check_content(
    content: dict[str, Any], place: EvaluationPlace, mapped: EvaluationPlace, case: CaseInfo
) -> None:
    allowed = {
        "audience": (place.audience,),
        "system_id": (place.system_id, mapped.system_id),
        "case_id": case.names,
        "case_label": (case.case_label, f"{case.case_label}@{place.variant}"),
    }
    for name, names in allowed.items():
        value = content.get(name)
        if value is None:
            continue
        if not isinstance(value, str) or identity.normalize_label(value) not in names:
            raise FieldError(
                "path_mismatch", f"the file says {name} `{value}`, its place says `{names[0]}`"
            )


def _threshold(content: dict[str, Any]) -> int:
    tau_a = fields.number(content, "tau_a")
    thousandths = round(tau_a * 1000)
    if not 0 <= tau_a <= 1 or abs(tau_a * 1000 - thousandths) > _THOUSANDTH_SLACK:
        raise FieldError("invalid_threshold", f"`tau_a` is {tau_a}, not 0 to 1 in thousandths")
    return thousandths


def _values(content: dict[str, Any]) -> dict[str, float | None]:
    """Return what the file states, by our names; unknown fields are no metrics."""
    if "coverage" not in content:
        raise FieldError("missing_field", "field `coverage` is missing")
    values: dict[str, float | None] = {}
    for name in (*METRICS, *QUANTITIES):
        stated = [one for one in (name, ALIASES.get(name)) if one is not None and one in content]
        for one in stated:
            value = fields.optional_number(content, one)
            if value is not None and abs(value) > MAX_VALUE:
                raise FieldError(
                    "number_too_large", f"field `{one}` is {value}, over {MAX_VALUE:g}"
                )
            if values.get(name, value) != value:
                raise FieldError("contradicting_fields", f"{' and '.join(stated)} differ")
            values[name] = value
    fields.optional_integer(content, "included_probe_count")
    return values


def _rows(reader: FileReader, dataset_id: str, run: str, one: _Identified) -> list[Row]:
    place = one.place
    return [
        {
            "dataset_id": dataset_id,
            "run_id": f"{dataset_id}/{run}",
            "is_run_stated": one.file.run is not None,
            "system_id": place.system_id,
            "condition": place.condition,
            "audience": place.audience,
            "case_id": one.case.case_id,
            "case_label": place.case_label,
            "variant": place.variant,
            "tau_a_thousandths": one.tau_a_thousandths,
            "metric": metric,
            "is_metric": metric in METRICS,
            "value": value,
            "judge_kind": "imported",
            "source_file": reader.relative(one.file.path),
            "source_line": None,
        }
        for metric, value in one.values.items()
    ]
