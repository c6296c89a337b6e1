"""Landing tables of the `searchgen` benchmark (seed: sections 3, 4 and 9)."""

from __future__ import annotations

from warehouse.contracts.base import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    TEXT,
    TEXT_LIST,
    Column,
    Contract,
    provenance,
    required,
)
from warehouse.contracts.searchgen_values import (
    COMPONENTS,
    FILLINGS,
    MISSING_POLICIES,
    MODEL_TYPES,
    PRIMARY_METRICS,
    SEARCH_TYPES,
    STATUSES,
    STRATA,
    VIEWS,
)
from warehouse.contracts.xslides_values import JUDGE_KINDS

DATASET = required("dataset_id", TEXT, "Data set that the release belongs to.")
RUN = required("run_id", TEXT, "`<dataset_id>/<release>`: one release of the data set.")
SAMPLE = required("sample_id", TEXT, "Prompt; the only id that anything is joined by.")
SOURCE = required("source_id", TEXT, "Model under its stable id, the name of its result folder.")

RUNS = Contract(
    "searchgen",
    "runs",
    "One release of per-prompt results: its judge, its policies, what it promises.",
    (
        RUN,
        DATASET,
        required("release", TEXT, "Name of the release."),
        required("benchmark_name", TEXT, "Name of the benchmark for people."),
        required("primary_metric", TEXT, "What ranks are made of.", values=PRIMARY_METRICS),
        required("published_lane", TEXT, "Lane that boards show where a model names no other."),
        required("minimum_coverage", NUMBER, "Scored share below which a row is flagged, 0 to 1."),
        required("missing_policy_default", TEXT, "Policy of the release.", values=MISSING_POLICIES),
        required("missing_policies", TEXT, "Default and exceptions by model as JSON text."),
        required("evaluation_config_id", TEXT, "Hash of judge, judge settings and extraction."),
        required("judge_id", TEXT, "Who judged; `unstated` when nothing says it."),
        required("judge_kind", TEXT, "Kind of the judge.", values=JUDGE_KINDS),
        Column("scoring_source", TEXT, "Name of the evaluation files."),
        required("judge_settings", TEXT, "Judge settings as stated, as JSON text."),
        required("extractor", TEXT, "What read components out of evaluations, and how."),
        Column("prompts_file", TEXT, "Name of the prompt metadata file."),
        Column("prompts_sha256", TEXT, "SHA-256 of the prompt metadata file."),
        Column("source_commit", TEXT, "Commit of the code that made the results."),
        required("whole_slice_name", TEXT, "What published files call the slice of all prompts."),
        required("subset_field", TEXT, "Field of a prompt's metadata that holds its labels."),
        required("slices", TEXT, "Named slices as JSON text: tags, match, expected rows."),
        Column("profile", TEXT, "Profile of seeds/expected/searchgen.csv that counts must have."),
        *provenance(),
    ),
    key=("run_id",),
    version=2,
    readable_from=2,
)

PROMPTS = Contract(
    "searchgen",
    "prompts",
    "One evaluation prompt of one release with its tags.",
    (
        RUN,
        DATASET,
        SAMPLE,
        Column("prompt_index", INTEGER, "0-based position for people; never joined by."),
        Column("release_row", TEXT, "Folder of the prompt's results below the results root."),
        Column("bench_id", TEXT, "Id of the prompt in the public data set."),
        required("stratum", TEXT, "NoSearch or SearchIntensive.", values=STRATA),
        required("search_type", TEXT, "Part that the prompt is in.", values=SEARCH_TYPES),
        required("domains", TEXT_LIST, "Domain tags, as stated; a prompt may have several."),
        required("failure_modes", TEXT_LIST, "Failure mode tags, as stated."),
        required("subsets", TEXT_LIST, "Subset labels, as stated; one label or a list."),
        required("slices", TEXT_LIST, "Named slices that hold the prompt, without that of all."),
        Column("difficulty", TEXT, "Difficulty, as stated."),
        Column("language", TEXT, "Language, as stated."),
        Column("generation_task_type", TEXT, "Kind of generation task, as stated."),
        Column("is_miniset", BOOLEAN, "Whether the prompt is in the small set, as stated."),
        required("metadata", TEXT, "All further metadata as JSON text."),
        *provenance(),
    ),
    key=("run_id", "sample_id"),
)

MODELS = Contract(
    "searchgen",
    "models",
    "One image model of one release: names, type, lane and policy for what is missing.",
    (
        RUN,
        DATASET,
        SOURCE,
        required("model_id", TEXT, "Public id; it changes between releases."),
        required("display_name", TEXT, "Name for people; it changes between releases."),
        required("model_type", TEXT, "Open or Commercial.", values=MODEL_TYPES),
        required("model_order", INTEGER, "1-based position in the model table."),
        required("aliases", TEXT_LIST, "Other names that searches should find."),
        required("lane", TEXT, "Lane whose results boards show."),
        required(
            "missing_policy",
            TEXT,
            "Policy in one word, `per_status` when statuses differ.",
            values=MISSING_POLICIES,
        ),
        *(
            required(f"{status}_policy", TEXT, f"What {status} becomes.", values=FILLINGS)
            for status in STATUSES[1:]
        ),
        Column("expected_scored_count", INTEGER, "Scored prompts that the release promises."),
        *provenance(),
    ),
    key=("run_id", "source_id"),
)

PROMPT_SCORES = Contract(
    "searchgen",
    "prompt_scores",
    "One prompt's result of one model in one lane: status, and ten components, 0 to 3.",
    (
        RUN,
        DATASET,
        SAMPLE,
        SOURCE,
        required("lane", TEXT, "Lane of the generation."),
        required("status", TEXT, "What became of the pair.", values=STATUSES),
        Column("status_reason", TEXT, "Why an evaluation is invalid or missing; NULL if scored."),
        *(
            Column(name, NUMBER, f"{name}, 0 to 3; NULL when not applicable or not scored.")
            for name in COMPONENTS
        ),
        Column("stated_overall_9", NUMBER, "Overall-9 that the file states, 0 to 3."),
        Column("stated_overall_10", NUMBER, "Overall-10 that the file states, 0 to 3."),
        Column("evaluation_sha256", TEXT, "SHA-256 of the evaluation file; NULL if none."),
        *provenance(),
    ),
    key=("run_id", "sample_id", "source_id", "lane"),
)

PUBLISHED_RELEASES = Contract(
    "searchgen",
    "published_releases",
    "The manifest of one published release of aggregates.",
    (
        RUN,
        DATASET,
        required("release", TEXT, "Name of the release."),
        required("schema_version", TEXT, "Version that the manifest states."),
        required("shape_fingerprint", TEXT, "Hash of the key sets: versions do not tell shapes."),
        required("primary_metric", TEXT, "What ranks are made of.", values=PRIMARY_METRICS),
        required("missing_policy_default", TEXT, "As stated.", values=MISSING_POLICIES),
        required("missing_policy_exceptions", TEXT, "Policy by model id, as JSON text."),
        required("scoring_source", TEXT, "Name of the evaluation files: the judge."),
        required("prompts_file", TEXT, "Name of the prompt metadata file."),
        required("prompts_sha256", TEXT, "SHA-256 of it, as stated."),
        required("prompt_count", INTEGER, "Prompts, as stated."),
        required("partition", TEXT, "Prompts by part, as JSON text."),
        required("whole_slice_name", TEXT, "What the slice of all prompts is called."),
        Column("generated_at", TEXT, "When the release was made, as stated."),
        required("rounding_decimals", INTEGER, "Decimals of public scores, as stated."),
        required("manifest", TEXT, "The whole manifest as JSON text."),
        *provenance(),
    ),
    key=("run_id",),
)

PUBLISHED_AGGREGATES = Contract(
    "searchgen",
    "published_aggregates",
    "One row of a published board: one model in one group of one view of one slice.",
    (
        RUN,
        DATASET,
        required("artifact", TEXT, "Name of the file; the slice file repeats the others."),
        required("slice", TEXT, "Slice; `all` is the one of all prompts."),
        required("view", TEXT, "What prompts are grouped by.", values=VIEWS),
        required("group_name", TEXT, "Group of the view; `All` holds every prompt."),
        required("row_position", INTEGER, "1-based position of the row in its group."),
        required("model_id", TEXT, "Public id of the model."),
        Column("source_id", TEXT, "Stable id of the model, from the manifest."),
        required("display_name", TEXT, "Name for people."),
        required("model_type", TEXT, "Open or Commercial.", values=MODEL_TYPES),
        required("missing_policy", TEXT, "Policy of the row.", values=MISSING_POLICIES),
        required("n_total", INTEGER, "Prompts of the group."),
        required("n_scored", INTEGER, "Prompts with a valid evaluation."),
        required("n_included", INTEGER, "Prompts in the mean."),
        Column("coverage", NUMBER, "n_scored / n_total, rounded to 4 decimals."),
        Column("overall_9", NUMBER, "Overall-9, 0 to 100, rounded to one decimal."),
        Column("overall_10", NUMBER, "Overall-10, 0 to 100, rounded to one decimal."),
        *(
            Column(name, NUMBER, f"{name}, 0 to 100, rounded to one decimal.")
            for name in COMPONENTS
        ),
        *(
            Column(f"{name}_count", INTEGER, f"Prompts behind {name}; NULL if it is not published.")
            for name in COMPONENTS
        ),
        *provenance(),
    ),
    key=("run_id", "artifact", "slice", "view", "group_name", "model_id"),
)

CONTRACTS = (RUNS, PROMPTS, MODELS, PROMPT_SCORES, PUBLISHED_RELEASES, PUBLISHED_AGGREGATES)
