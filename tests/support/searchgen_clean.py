"""One clean little release of searchgen, for tests that spoil it."""

from __future__ import annotations

from pathlib import Path

from tests.support.searchgen_gates import land_files, landed_tables, state_overalls
from tests.support.searchgen_releases import (
    BROKEN,
    GENERATED,
    ReleaseFiles,
    evaluation,
    model,
    prompt,
    write_release,
)
from tests.support.spoiled_tables import Tables

RUN = "searchgen/test"
RUNS, PROMPTS = "searchgen.runs", "searchgen.prompts"
MODELS, SCORES = "searchgen.models", "searchgen.prompt_scores"
LINES = [
    prompt("n_1", "NoSearch", bench_id="b1", domains=["ART"], subset=["NoSearch", "mini"]),
    prompt("v_1", bench_id="b2", domains=["ART", "HIS"], failure_modes=["CCS"], subset="mini"),
    prompt("v_2", bench_id="b3", failure_modes=["CCS", "VUR"], subset=[]),
    prompt("texthard_1", "TextualSearch", domains=["HIS"], subset=[]),
]
TABLE = [
    model("alpha", expected_scored_count=3),
    model("beta", lane="fast", missing_policy="exclude"),
]
RELEASE = {
    "minimum_coverage": 0.5,
    "missing_policy": {"default": "zero_fill"},
    "slices": {"mini": {"include_tags": ["mini"], "match": "any", "expected_rows": 2}},
}


def write_clean(folder: Path) -> ReleaseFiles:
    """Write a release with nulls, a zero, three kinds of gaps and a lane that no board shows."""
    folder.mkdir()
    full = evaluation(2.0, checklist=2.25, image_quality=0.0, text_rendering=None)
    tenth = evaluation(1.0, text_reference_evaluation=None)
    write_release(
        folder,
        LINES,
        TABLE,
        {("n_1", "beta"): full, ("v_1", "beta"): tenth, ("v_2", "beta"): GENERATED},
        lane="fast",
        **RELEASE,
    )
    results = {
        **{(line["sample_id"], "alpha"): full for line in LINES},
        ("v_2", "alpha"): BROKEN,
        ("n_1", "beta"): evaluation(1.5),
    }
    return write_release(folder, LINES, TABLE, results, **RELEASE)


def clean_tables(folder: Path) -> Tables:
    """Return the release landed, with the overalls that public records would state."""
    paths, report = land_files(folder / "warehouse", write_clean(folder / "release"))
    assert report.findings == []
    tables = landed_tables(paths)
    state_overalls(row for row in tables.rows[SCORES] if row["status"] == "scored")
    return tables
