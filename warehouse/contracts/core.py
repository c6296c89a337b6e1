"""Landing tables that belong to no single benchmark."""

from __future__ import annotations

from warehouse.contracts.base import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    TEXT,
    Column,
    Contract,
    provenance,
    required,
)
from warehouse.contracts.xslides_values import JUDGE_KINDS
from warehouse.findings import Outcome

LANDED_FILES = Contract(
    "core",
    "landed_files",
    "One landed Parquet file, as its manifest states it.",
    (
        required("benchmark", TEXT, "Benchmark of the table."),
        required("unit", TEXT, "Landing unit: what was imported together."),
        required("shard", TEXT, "Shard of the unit, `0-of-1` when unsharded."),
        required("landing_table", TEXT, "`<benchmark>/<noun>`."),
        required("landed_file", TEXT, "File, relative to the landing folder.", is_volatile=True),
        required("row_count", INTEGER, "Rows in the file."),
        required("file_sha256", TEXT, "SHA-256 of the file.", is_volatile=True),
        required("contract_version", INTEGER, "Version of the table's contract."),
        required("input_sha256", TEXT, "Hash of all inputs of the unit.", is_volatile=True),
        required("input_count", INTEGER, "Input files of the unit."),
        required("source_root", TEXT, "Folder that was landed.", is_volatile=True),
        required("code_version", TEXT, "Version that landed it.", is_volatile=True),
    ),
    key=("benchmark", "unit", "shard", "landing_table", "landed_file"),
)

REJECTS = Contract(
    "core",
    "rejects",
    "One row or file that could not be landed, with the reason and its raw text.",
    (
        required("benchmark", TEXT, "Benchmark of the table it was meant for."),
        required("dataset_id", TEXT, "Artifact root that it belongs to."),
        required("unit", TEXT, "Landing unit."),
        required("landing_table", TEXT, "Table that it was meant for."),
        required("reason", TEXT, "Stable reason code, e.g. `duplicate_key`, `torn_line`."),
        required("subject", TEXT, "Id of the row as far as it could be read."),
        required("message", TEXT, "What is wrong, in one sentence."),
        Column("raw", TEXT, "Raw text, cut at 2,000 characters."),
        *provenance(),
    ),
    key=("benchmark", "unit", "landing_table", "source_file", "source_line", "reason", "subject"),
)

EXPECTATION_RESULTS = Contract(
    "core",
    "expectation_results",
    "How one expectation of one gate ended on one landing state.",
    (
        required("landing_state_id", TEXT, "Landing state that was checked.", is_volatile=True),
        required("gate", TEXT, "landing or marts.", values=("landing", "marts")),
        required("benchmark", TEXT, "Benchmark that was checked."),
        required("expectation", TEXT, "Name of the expectation."),
        required("relation", TEXT, "Relation that it reads."),
        required("outcome", TEXT, "How it ended.", values=tuple(one.value for one in Outcome)),
        required("finding_count", INTEGER, "Offending rows."),
        Column("detail", TEXT, "First offending rows, or the error."),
        required("checked_at", TEXT, "When, in UTC.", is_volatile=True),
    ),
    key=("landing_state_id", "gate", "benchmark", "expectation"),
)

ACCEPTED_FINDINGS = Contract(
    "core",
    "accepted_findings",
    "One finding that the owners of a dataset accept, with the reason.",
    (
        required("benchmark", TEXT, "Benchmark that it concerns."),
        required("dataset_id", TEXT, "Artifact root that it belongs to."),
        required("expectation", TEXT, "Name of the expectation."),
        required("subject", TEXT, "Subject of the finding."),
        required("reason", TEXT, "Why it is accepted."),
        Column("accepted_until", TEXT, "Last day, YYYY-MM-DD; NULL without an end."),
        *provenance(),
    ),
    key=("benchmark", "dataset_id", "expectation", "subject"),
)

JUDGE_ROLES = ("generator", "utility_judge", "answerability_judge", "claim_judge")
CALL_STATUSES = (
    "answered",
    "refused",
    "truncated",
    "invalid_reply",
    "rate_limited",
    "timed_out",
    "unavailable",
    "rejected",
    "stopped",
)

JUDGE_CALLS = Contract(
    "core",
    "judge_calls",
    "One attempt at a request to a judge behind an endpoint, or one reply from its cache.",
    (
        required("call_id", TEXT, "Id of the call."),
        required("request_key", TEXT, "SHA-256 of all that may change the answer."),
        required("benchmark", TEXT, "Benchmark that it served."),
        Column("dataset_id", TEXT, "Artifact root that it served; NULL for none of its own."),
        Column("run_id", TEXT, "Run that it served; NULL for work that all runs share."),
        Column("case_label", TEXT, "Folder of the case that it was about; NULL where not told."),
        Column("system_id", TEXT, "System whose deck it was about; NULL for no single one."),
        Column("condition", TEXT, "Condition of that deck; NULL for no single one."),
        Column("audience", TEXT, "Audience that it served; NULL where several share it."),
        Column("task", TEXT, "What the judge was to do, e.g. answerability; NULL where not told."),
        required("role", TEXT, "Part that the model played.", values=JUDGE_ROLES),
        required("base_url", TEXT, "Address that was asked."),
        required("model_asked", TEXT, "Model named in the request."),
        Column("model_served", TEXT, "Model named in the reply."),
        required("prompt_id", TEXT, "Prompt behind the messages."),
        required("prompt_version", TEXT, "Version of the prompt."),
        required("prompt_sha256", TEXT, "Hash of the prompt version."),
        required("sample_index", INTEGER, "0-based; tells repeats of one request apart."),
        required("schema_version", INTEGER, "Version of the schema that the reply must keep."),
        required("attempt", INTEGER, "1-based attempt at the request; 0 from the cache."),
        required("status", TEXT, "How the attempt ended.", values=CALL_STATUSES),
        required("is_cached", BOOLEAN, "Whether the cache answered and nothing was sent."),
        Column("output_mode", TEXT, "json_schema, json_object or text."),
        Column("parse_level", TEXT, "strict, fenced, embedded or repaired; NULL unless answered."),
        Column("http_status", INTEGER, "Status code; NULL without a response."),
        Column("finish_reason", TEXT, "Why the reply ended, as the server told it."),
        Column("input_token_count", INTEGER, "Tokens sent, as the server counted them."),
        Column("cached_input_token_count", INTEGER, "Tokens sent that cost less, being known."),
        Column("output_token_count", INTEGER, "Tokens received, as the server counted them."),
        Column("latency_ms", INTEGER, "Wall time in milliseconds.", is_volatile=True),
        Column("cost_usd", NUMBER, "Cost in US dollars; NULL without price or token counts."),
        Column("price_date", TEXT, "Day from which the price is valid, YYYY-MM-DD."),
        Column("message", TEXT, "What went wrong, in one sentence."),
        required("started_at", TEXT, "When it began, in UTC.", is_volatile=True),
        *provenance(),
    ),
    key=("call_id",),
    version=3,
    readable_from=2,
)

ANCHOR_JUDGMENTS = Contract(
    "core",
    "anchor_judgments",
    "What a judge said to one item of a frozen set in one anchor run.",
    (
        required("anchor_run_id", TEXT, "Anchor run; each asks anew."),
        required("set_name", TEXT, "Name of the file of items."),
        required("set_sha256", TEXT, "Hash of the file of items, which names the set."),
        required("item_id", TEXT, "Item of the set."),
        required("kind", TEXT, "Kind of the item, e.g. negation."),
        required("task", TEXT, "answerability or verification."),
        required("expected", TEXT, "Right verdict or label."),
        required("verdict", TEXT, "Verdict or label of the judge; failed without a usable one."),
        required("is_correct", BOOLEAN, "Whether it is right; an abstention is not covered."),
        required("judge_kind", TEXT, "Kind of the judge.", values=JUDGE_KINDS),
        required("judge_id", TEXT, "Judge of the task."),
        required("prompt_sha256", TEXT, "Hash of the prompt or the rules of the task."),
        Column("model_served", TEXT, "Model that answered, as the server told it."),
        required("started_at", TEXT, "Start of the anchor run in UTC, which orders runs."),
        required("asked_at", TEXT, "When the item was answered, in UTC.", is_volatile=True),
        *provenance(),
    ),
    key=("anchor_run_id", "item_id"),
)

CONTRACTS = (
    LANDED_FILES,
    REJECTS,
    EXPECTATION_RESULTS,
    ACCEPTED_FINDINGS,
    JUDGE_CALLS,
    ANCHOR_JUDGMENTS,
)
