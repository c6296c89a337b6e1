"""The probes behind one value: question, weight, judgment, and the sums that they give.

Rows come from what is landed, not from the models, and are joined by their text ids, so the
sums are made a second time by another way. The rule of inclusion is that of decision 0005.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import duckdb

from warehouse import manifests, relations
from warehouse.errors import UsageError
from warehouse.passport import Passport, Sum
from warehouse.passport_cells import IMPORTED, Row, rows_of
from warehouse.paths import PROJECT_ROOT, WarehousePaths

CLAIM_METRICS = ("correctness", "safe_efficiency_time")
_RAN = ("ok", "incomplete_scores")

_PROBES = """
with evaluation as (select * from xslides.evaluations where evaluation_id = $evaluation_id),
joined as (
    select
        probes.probe_id,
        probes.question,
        domains.domain,
        domains.domain_rule,
        weights.utility_weight,
        weights.sample_count,
        weights.sample_tenths_sum,
        case
            when weights.sample_count is not null
                then 100 * weights.sample_tenths_sum >= weights.sample_count * $tau
            else cast(round(weights.utility_weight * 1e12) as bigint) + 1000
                >= $tau * cast(1000000000 as bigint)
        end as is_included,
        scores.covered,
        scores.verdict,
        coalesce(scores.judgment_status, 'missing') as judgment_status,
        coalesce(scores.covered and scores.judgment_status = 'judged', false) as is_covered,
        case
            when weights.sample_count is null then 0
            when 720720 % weights.sample_count = 0
                then weights.sample_tenths_sum * (720720 // weights.sample_count)
            else 0
        end as sampled_units,
        case
            when weights.sample_count is null
                then cast(round(weights.utility_weight * 1e12) as bigint)
            when 720720 % weights.sample_count = 0 then 0
            else cast(
                round(1e11 * weights.sample_tenths_sum / weights.sample_count) as bigint
            )
        end as stated_units,
        weights.reason,
        scores.answer,
        scores.cited_evidence,
        probes.source_file as probe_file,
        probes.source_line as probe_line,
        weights.source_file as weight_file,
        weights.source_line as weight_line,
        scores.source_file as judgment_file,
        scores.source_line as judgment_line
    from evaluation
    inner join xslides.probes on evaluation.bank_id = probes.bank_id
    left join published.main.dim_xslides__probes as domains
        on probes.bank_id = domains.bank_id and probes.probe_id = domains.probe_id
    left join xslides.weights
        on evaluation.weight_set_id = weights.weight_set_id
        and probes.probe_id = weights.probe_id
    left join xslides.probe_scores as scores
        on evaluation.evaluation_id = scores.evaluation_id
        and probes.probe_id = scores.probe_id
)
select * from joined where $domain is null or domain = $domain order by probe_id
"""
_CLAIMS = """
select claims.claim_id, claims.text, claims.slide, claims.label, labels.label_weight,
    coalesce(labels.is_settled, false) as is_settled, claims.source_file, claims.source_line
from xslides.claims
left join read_csv($labels, header = true, hive_partitioning = false) as labels
    on claims.label = labels.label
where claims.evaluation_id = $evaluation_id
order by claims.claim_id
"""


@dataclass(frozen=True)
class Evidence:
    """What one value of a case was made of.

    Attributes:
        row: the row of the fact.
        reading: deck, parser, word rule and text policy, and the judges of the weights.
        probes: one row a probe of the bank, or of the domain of the cell's slice.
        claims: one row a claim, for the metrics that need them.
        inputs: files that these rows came from, with the hash that they were landed with.
        sums: utilities and counts made again from the rows.
    """

    row: Row
    reading: Row
    probes: tuple[Row, ...]
    claims: tuple[Row, ...]
    inputs: tuple[Row, ...]
    sums: tuple[Sum, ...]


def read(
    connection: duckdb.DuckDBPyConnection, paths: WarehousePaths, passport: Passport, case: str
) -> tuple[Evidence, ...]:
    """Return what the values of one case in a cell were made of.

    Args:
        connection: sees the marts of the cell's state as `published.main`.
        paths: the warehouse whose landed rows are read.
        passport: the cell.
        case: case id.

    Raises:
        UsageError: when the cell has no row of this case, or its values were imported.
    """
    if passport.cell["judge_kind"] == IMPORTED:
        raise UsageError(
            "an imported value has no judgments here",
            fix="ask without --case, or for the computed value",
        )
    rows = [row for row in passport.rows if row["case_id"] == case]
    if not rows:
        known = ", ".join(sorted({row["case_id"] for row in passport.rows}))
        raise UsageError(f"case `{case}` is not in this cell", expected=known)
    relations.register(connection, relations.current_state(paths))
    return tuple(_evidence(connection, paths, passport.cell, row) for row in rows)


def _evidence(
    connection: duckdb.DuckDBPyConnection, paths: WarehousePaths, cell: Row, row: Row
) -> Evidence:
    domain = cell["slice"] if cell["slice_type"] == "domain" else None
    evaluation_id = row["evaluation_id"]
    probes = _run(
        connection,
        _PROBES,
        evaluation_id=evaluation_id,
        tau=cell["tau_a_thousandths"],
        domain=domain,
    )
    claims: list[Row] = []
    if cell["metric"] in CLAIM_METRICS:
        labels = PROJECT_ROOT / "seeds" / "registries" / "claim_label_weights.csv"
        claims = _run(connection, _CLAIMS, evaluation_id=evaluation_id, labels=str(labels))
    reading = _reading(connection, evaluation_id)
    files = {one[name] for one in probes for name in ("probe_file", "weight_file", "judgment_file")}
    files |= {one["source_file"] for one in claims}
    files |= {reading.get(name) for name in ("evaluation_file", "stats_file", "deck_path")}
    return Evidence(
        row,
        reading,
        tuple(probes),
        tuple(claims),
        tuple(_inputs(paths, row["dataset_id"], files)),
        (*_probe_sums(row, probes), *_claim_sums(row, claims, cell["metric"])),
    )


def _run(connection: duckdb.DuckDBPyConnection, query: str, **parameters: Any) -> list[Row]:
    cursor = connection.execute(query, parameters)
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]


def _reading(connection: duckdb.DuckDBPyConnection, evaluation_id: str) -> Row:
    found = rows_of(
        connection,
        "select stats.deck_path, evaluations.deck_sha256, stats.deck_status, stats.parser, "
        "stats.word_rule, stats.text_policy, stats.slide_count, stats.visible_word_count, "
        "sets.judge_id as utility_judge_id, sets.judge_kind as utility_judge_kind, sets.k, "
        "evaluations.hash_mismatch, evaluations.source_file as evaluation_file, "
        "stats.source_file as stats_file "
        "from xslides.evaluations "
        "left join xslides.deck_stats as stats using (evaluation_id) "
        "left join xslides.weight_sets as sets using (weight_set_id) where evaluation_id = ?",
        evaluation_id,
    )
    return found[0] if found else {}


def _probe_sums(row: Row, probes: list[Row]) -> list[Sum]:
    """Return utilities and counts of the included probes against those of the fact.

    What the fact leaves NULL by its status is not compared: there is no number to explain.
    """
    included = [one for one in probes if one["is_included"]]
    covered = [one for one in included if one["is_covered"]]
    sums = []
    for members, utility, count in (
        (included, "available_utility", "included_probe_count"),
        (covered, "recovered_utility", "covered_probe_count"),
    ):
        is_null = row[utility] is None and row["evaluation_status"] not in _RAN
        if not is_null:
            sums.append(Sum(utility, row["evaluation_id"], _utility(members), row[utility]))
            sums.append(Sum(count, row["evaluation_id"], len(members), row[count]))
    return sums


def _utility(probes: list[Row]) -> float:
    """Return the sum of weights from the two integer units of decision 0005."""
    sampled = sum(one["sampled_units"] for one in probes)
    stated = sum(one["stated_units"] for one in probes)
    return float(sampled / 7207200 + stated / 1e12)


def _claim_sums(row: Row, claims: list[Row], metric: str) -> list[Sum]:
    if metric not in CLAIM_METRICS or row["evaluation_status"] not in _RAN:
        return []
    settled = [one for one in claims if one["is_settled"]]
    total = sum(one["label_weight"] for one in settled)
    correctness = total / len(settled) if settled else None
    count = len(claims) or None
    return [
        Sum("claim_count", row["evaluation_id"], count, row["claim_count"]),
        Sum("correctness", row["evaluation_id"], correctness, row["correctness"]),
    ]


def _inputs(paths: WarehousePaths, dataset_id: str, files: set[str | None]) -> list[Row]:
    """Return name, hash and size of input files as their manifests state them."""
    found = {
        (one.file, one.sha256, one.bytes, manifest.unit)
        for manifest in manifests.read_all(paths)
        if manifest.dataset_id == dataset_id and manifest.benchmark == "xslides"
        for one in manifest.inputs
        if one.file in files
    }
    return [
        {"file": file, "sha256": digest, "bytes": size, "unit": unit}
        for file, digest, size, unit in sorted(found)
    ]
