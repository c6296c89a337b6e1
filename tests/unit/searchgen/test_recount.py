"""The recount of a published folder: each planted fault is told by the name of its check."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from expectations.searchgen import recount
from expectations.searchgen.aggregates import Mean
from expectations.verdict import Verdict
from tests.support.searchgen_states import marts
from warehouse import storage
from warehouse.errors import InputError
from warehouse.exports import searchgen
from warehouse.exports.searchgen_manifest import Provenance

Row = dict[str, Any]
RUN_ID = "searchgen/test"
KNOWN = Provenance((), "release_1", "0.1", "1.4")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("recount")
    state = marts().promote(folder / "state")
    searchgen.place(folder / "out", searchgen.contents(searchgen.load(state, RUN_ID), KNOWN))
    return {one.name: one.read_bytes() for one in (folder / "out").iterdir()}


class Release:
    """A published folder that can be spoiled, with hashes that hold all the same."""

    def __init__(self, folder: Path, content: dict[str, bytes]) -> None:
        self.folder = folder
        self.content = dict(content)

    def document(self, name: str, change: Callable[[Any], Any]) -> None:
        value = json.loads(self.content[name])
        changed = change(value)
        self.content[name] = json.dumps(value if changed is None else changed).encode()

    def lines(self, name: str, change: Callable[[list[Row]], Any]) -> None:
        rows = [json.loads(line) for line in self.content[name].splitlines()]
        change(rows)
        self.content[name] = "".join(json.dumps(row) + "\n" for row in rows).encode()

    def check(self, canonical: Any = None) -> Verdict:
        manifest = json.loads(self.content["manifest.json"])
        for name in manifest["artifact_files"]:
            content = self.content[name]
            manifest["artifact_files"][name] = {
                "bytes": len(content),
                "sha256": storage.sha256_bytes(content),
            }
        self.content["manifest.json"] = json.dumps(manifest).encode()
        for name, content in self.content.items():
            (self.folder / name).write_bytes(content)
        if canonical is None:
            return recount.check(self.folder)
        file = self.folder.parent / "canonical.json"
        file.write_text(json.dumps(canonical))
        return recount.check(self.folder, file)


@pytest.fixture
def release(tmp_path: Path, published: dict[str, bytes]) -> Release:
    (tmp_path / "out").mkdir()
    return Release(tmp_path / "out", published)


def names(verdict: Verdict) -> set[str]:
    return {one.check for one in verdict.findings}


def test_a_whole_release_has_no_finding(release: Release) -> None:
    verdict = release.check()
    assert (verdict.findings, verdict.exit_code) == ((), 0)
    assert len(verdict.checks) == len(set(verdict.checks))


def first_scored(prompts: list[Row]) -> Row:
    record: Row = next(
        record
        for prompt in prompts
        for record in prompt["models"].values()
        if record["status"] == "scored" and record["components_raw_0to3"]["checklist"]
    )
    return record


def first_missing(prompts: list[Row]) -> Row:
    record: Row = next(
        record
        for prompt in prompts
        for record in prompt["models"].values()
        if record["status"] != "scored"
    )
    return record


def set_of(value: Any, *keys: Any) -> Callable[[Any], None]:
    def change(content: Any) -> None:
        for key in keys[:-1]:
            content = content[key]
        content[keys[-1]] = value

    return change


PROMPTS = "prompt_scores.jsonl"
POLICIES = "leaderboard_policies.jsonl"
OVERALL = "leaderboard_overall.json"
LINE_FAULTS: list[tuple[str, str, Callable[[list[Row]], Any]]] = [
    ("prompt_ids_are_unique", PROMPTS, lambda rows: rows.append(rows[-1])),
    ("prompt_count_is_stated", PROMPTS, lambda rows: rows.pop()),
    ("partition_counts_are_stated", PROMPTS, lambda rows: rows.pop()),
    ("slices_have_their_expected_rows", PROMPTS, set_of([], 0, "slices")),
    ("search_types_lie_in_their_stratum", PROMPTS, set_of("VisualSearch", 0, "search_type")),
    ("tags_are_lists_without_duplicates", PROMPTS, set_of("ART", 0, "domains")),
    ("tags_are_lists_without_duplicates", PROMPTS, set_of(["ART", "ART"], 0, "domains")),
    ("every_prompt_has_every_model", PROMPTS, lambda rows: rows[0]["models"].pop("alpha")),
    (
        "components_are_within_scale",
        PROMPTS,
        lambda rows: first_scored(rows)["components_raw_0to3"].update(checklist=3.5),
    ),
    (
        "components_are_within_scale",
        PROMPTS,
        lambda rows: first_scored(rows)["components_raw_0to3"].update(checklist=True),
    ),
    (
        "null_missing_invalid_and_zero_differ",
        PROMPTS,
        lambda rows: first_missing(rows)["components_raw_0to3"].update(checklist=0),
    ),
    (
        "null_missing_invalid_and_zero_differ",
        PROMPTS,
        lambda rows: first_scored(rows)["components_raw_0to3"].pop("checklist"),
    ),
    (
        "null_missing_invalid_and_zero_differ",
        PROMPTS,
        lambda rows: first_missing(rows).update(status="lost"),
    ),
    (
        "prompt_overalls_recompute",
        PROMPTS,
        lambda rows: first_scored(rows).update(overall_9_raw=1.23456),
    ),
    ("prompts_are_in_order", PROMPTS, lambda rows: rows.reverse()),
    (
        "unrounded_scores_recompute",
        POLICIES,
        set_of(50.000000001, 0, "policies", "all_exclude", "overall_9"),
    ),
    (
        "unrounded_scores_recompute",
        POLICIES,
        set_of(None, 0, "policies", "published", "components", "checklist"),
    ),
    (
        "scores_do_not_depend_on_row_order",
        POLICIES,
        lambda rows: rows[0]["policies"]["published"].update(
            overall_9=rows[0]["policies"]["published"]["overall_9"] + 3e-14
        ),
    ),
    (
        "policy_denominators_recompute",
        POLICIES,
        set_of(1, 0, "policies", "common_prompts", "n_included"),
    ),
    (
        "policy_scores_are_rounded_once",
        POLICIES,
        set_of(0.1, 0, "policies", "published", "overall_9_rounded"),
    ),
    ("ranks_recompute", POLICIES, set_of(9, 0, "policies", "published", "model_rank")),
    ("ranks_recompute", POLICIES, set_of(9, 0, "policies", "all_exclude", "rank_change")),
    ("groups_hold_every_model_once", POLICIES, lambda rows: rows.pop()),
    ("groups_hold_every_model_once", POLICIES, lambda rows: rows.append(rows[0])),
]
DOCUMENT_FAULTS: list[tuple[str, str, Callable[[Any], Any]]] = [
    ("rounded_scores_recompute", OVERALL, set_of(12.3, 0, "overall_9")),
    ("rounded_scores_recompute", OVERALL, set_of(12.3, 0, "components", "checklist")),
    ("null_exactly_where_nothing_counts", OVERALL, set_of(None, 0, "components", "checklist")),
    ("denominators_follow_the_policy", OVERALL, set_of(1, 0, "component_counts", "checklist")),
    ("denominators_follow_the_policy", OVERALL, set_of(29, 0, "n_total")),
    ("denominators_follow_the_policy", OVERALL, set_of(0.5, 0, "coverage")),
    ("denominators_follow_the_policy", OVERALL, set_of("other", 0, "missing_policy")),
    ("models_are_those_of_the_manifest", OVERALL, set_of("Other", 0, "display_name")),
    ("groups_hold_every_model_once", OVERALL, lambda rows: rows[:-1]),
    ("groups_hold_every_model_once", OVERALL, lambda rows: [*rows, rows[0]]),
    ("rows_are_in_published_order", OVERALL, lambda rows: rows[::-1]),
    ("rows_have_their_twelve_keys", OVERALL, set_of(1, 0, "rank")),
    ("rows_have_their_twelve_keys", OVERALL, set_of({}, 0, "components")),
    ("rows_have_their_twelve_keys", OVERALL, lambda _: "nothing"),
    ("boards_hold_every_group", "leaderboard_by_domain.json", lambda one: one.pop("ART") and None),
    ("boards_hold_every_group", "leaderboard_by_domain.json", set_of([], "XYZ")),
    ("boards_hold_every_group", "leaderboard_by_slice.json", lambda one: one.pop("mini") and None),
    (
        "rounded_scores_recompute",
        "leaderboard_by_slice.json",
        set_of(12.3, "mini", "domains", "ART", 0, "overall_10"),
    ),
    ("prompt_count_is_stated", "manifest.json", set_of(751, "dataset", "n_prompts")),
    ("partition_counts_are_stated", "manifest.json", set_of(1, "partition", "NoSearch")),
    (
        "slices_have_their_expected_rows",
        "manifest.json",
        set_of(200, "evaluation_slices", "named", "mini", "expected_rows"),
    ),
]


@pytest.mark.parametrize(("check", "file", "change"), LINE_FAULTS)
def test_a_changed_line_is_told(
    release: Release, check: str, file: str, change: Callable[[list[Row]], Any]
) -> None:
    release.lines(file, change)
    verdict = release.check()
    assert check in names(verdict)
    assert verdict.exit_code == 1


@pytest.mark.parametrize(("check", "file", "change"), DOCUMENT_FAULTS)
def test_a_changed_document_is_told(
    release: Release, check: str, file: str, change: Callable[[Any], Any]
) -> None:
    release.document(file, change)
    verdict = release.check()
    assert check in names(verdict)
    assert verdict.exit_code == 1


def test_one_changed_score_is_told_where_it_stands(release: Release) -> None:
    release.document("leaderboard_by_domain.json", set_of(12.3, "ART", 0, "overall_9"))
    (found,) = release.check().findings
    assert found.check == "rounded_scores_recompute"
    assert found.subject.startswith("leaderboard_by_domain.json/ART/")
    assert found.file == "leaderboard_by_domain.json"


def test_a_removed_model_is_named(release: Release) -> None:
    gone = json.loads(release.content[OVERALL])[-1]["model_id"]
    release.document(OVERALL, lambda rows: rows[:-1])
    (found,) = release.check().findings
    assert (found.check, found.message) == (
        "groups_hold_every_model_once",
        f"model missing: {gone}",
    )


def test_a_removed_result_is_named_with_its_prompt(release: Release) -> None:
    release.lines(PROMPTS, lambda rows: rows[4]["models"].pop("beta"))
    found = [one for one in release.check().findings if one.check == "every_prompt_has_every_model"]
    assert [(one.subject, one.line) for one in found] == [("prompt_004/beta", 5)]


def test_a_changed_byte_breaks_the_hash(release: Release) -> None:
    assert release.check().exit_code == 0
    file = release.folder / OVERALL
    file.write_bytes(file.read_bytes() + b"\n")
    (found,) = recount.check(release.folder).findings
    assert (found.check, found.subject) == ("artifact_hashes_hold", OVERALL)


def test_files_that_nobody_lists_and_lists_without_files_are_told(release: Release) -> None:
    release.check()
    (release.folder / "extra.txt").write_text("?")
    (release.folder / "inputs.jsonl").unlink()
    found = recount.check(release.folder).findings
    assert {(one.check, one.subject) for one in found} == {
        ("artifacts_are_those_of_the_manifest", "extra.txt"),
        ("artifacts_are_those_of_the_manifest", "inputs.jsonl"),
    }


def test_a_name_that_leads_out_of_the_folder_is_not_followed(release: Release) -> None:
    release.check()
    (release.folder.parent / "secret").write_text("?")
    manifest = json.loads((release.folder / "manifest.json").read_text())
    manifest["artifact_files"]["../secret"] = {"bytes": 1, "sha256": "0" * 64}
    (release.folder / "manifest.json").write_text(json.dumps(manifest))
    (found,) = recount.check(release.folder).findings
    assert found.check == "artifacts_are_those_of_the_manifest"


def test_two_records_of_one_model_make_a_line_unreadable(release: Release) -> None:
    text = release.content[PROMPTS].replace(b'"beta":', b'"alpha":', 1)
    release.content[PROMPTS] = text
    found = [one for one in release.check().findings if one.check == "files_can_be_read"]
    assert [(one.subject, one.line) for one in found] == [("duplicate_key", 1)]


def test_no_prompt_is_no_pass(release: Release) -> None:
    release.content[PROMPTS] = b""
    assert "prompt_count_is_stated" in names(release.check())


@pytest.mark.parametrize("content", [None, "[]", "{", '{"scoring": 1}'])
def test_a_folder_without_a_usable_manifest_is_no_release(
    tmp_path: Path, content: str | None
) -> None:
    if content is not None:
        (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(InputError, match="podium publish searchgen"):
        recount.check(tmp_path)


def canonical(release: Release) -> Row:
    rows = json.loads(release.content[OVERALL])
    return {row["model_id"]: row["overall_10"] for row in rows}


def test_the_owners_own_numbers_may_come_in_three_forms(release: Release) -> None:
    values = canonical(release)
    strata = json.loads(release.content["leaderboard_by_stratum.json"])
    by_group = {
        group: {row["display_name"]: row["overall_10"] for row in rows}
        for group, rows in strata.items()
    }
    listed = [{"model": name, "overall_10": value} for name, value in values.items()]
    exact = {
        row["source_id"]: row["policies"]["published"]["overall_10"]
        for row in map(json.loads, release.content[POLICIES].splitlines())
        if (row["slice"], row["view"]) == ("full_30", "overall")
    }
    for form in (values, by_group, listed, exact):
        verdict = release.check(form)
        assert (verdict.findings, verdict.checks[-1]) == (
            (),
            "overall_10_matches_the_canonical_output",
        )


@pytest.mark.parametrize(
    ("change", "subject"),
    [
        (lambda one: {**one, "beta-1": one["beta-1"] + 0.1}, "All/beta-1"),
        (lambda one: {key: one[key] for key in one if key != "beta-1"}, "beta-1"),
        (lambda one: {**one, "delta": 1.0}, "All/delta"),
        (lambda one: {"All": one, "Nowhere": one}, "Nowhere/alpha-1"),
    ],
)
def test_what_the_owner_has_otherwise_is_told(
    release: Release, change: Callable[[Row], Any], subject: str
) -> None:
    found = release.check(change(canonical(release))).findings
    assert {one.check for one in found} == {"overall_10_matches_the_canonical_output"}
    assert subject in {one.subject for one in found}


@pytest.mark.parametrize("form", [1, [{"model": "a"}], {"a": "high"}, [{"overall_10": 1}]])
def test_another_form_is_refused(release: Release, form: Any) -> None:
    with pytest.raises(InputError, match="no canonical output"):
        release.check(form)


@pytest.mark.parametrize(
    ("total", "count", "rounded"),
    [
        (20.0, 10, 66.7),
        # A tie of the double, 6.25, goes to the even digit; a tie of the fraction alone, 20.25,
        # goes where its double lies, 20.250000000000004.
        (1.5, 8, 6.2),
        (121.5, 200, 20.3),
        (1.5, 1, 50.0),
    ],
)
def test_a_mean_is_rounded_once_from_its_double(total: float, count: int, rounded: float) -> None:
    above, below = total.as_integer_ratio()
    mean = Mean(above, below.bit_length() - 1, count, 3.0)
    assert mean.rounded(1) == rounded
    assert mean.public == total / count * 100 / 3
    assert mean.public == pytest.approx(float(mean.exact), abs=1e-13)


def test_a_mean_of_nothing_is_null() -> None:
    mean = Mean(0, 0, 0, 3.0)
    assert (mean.public, mean.rounded(1)) == (None, None)
