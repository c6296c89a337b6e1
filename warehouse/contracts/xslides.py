"""Landing tables of the `xslides` benchmark (seed: Artifact Data Formats)."""

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

CONDITIONS = ("agnostic", "conditioned")
JUDGE_KINDS = ("llm", "heuristic", "human", "imported", "unstated")
DECK_STATUSES = (
    "ok",
    "ok_with_warnings",
    "empty",
    "image_only",
    "encrypted",
    "legacy_binary",
    "not_a_zip",
    "damaged",
    "missing",
    "too_large",
    "unsupported",
)
VERDICTS = ("covered", "uncovered", "abstain")
JUDGMENT_STATUSES = ("judged", "filled", "failed")

_DATASET = required("dataset_id", TEXT, "Artifact root that the row belongs to.")
_CASE = required("case_id", TEXT, "Source document, from source_metadata.json or its label.")

CASES = Contract(
    "xslides",
    "cases",
    "One source document of one dataset.",
    (
        _DATASET,
        _CASE,
        required("case_label", TEXT, "Folder name of the case in the artifact tree (NFC)."),
        Column("title", TEXT, "Title of the document."),
        required("scene", TEXT, "Presentation scene; an open set, `unstated` when not given."),
        Column("source_type", TEXT, "Format of the source file: pdf, html, md, txt."),
        Column("source_path", TEXT, "Path of the source as the metadata states it."),
        Column("source_sha256", TEXT, "SHA-256 of the source file; NULL when it is not there."),
        Column("valid_audiences", TEXT_LIST, "Audiences declared valid; NULL when undeclared."),
        Column("active_audiences", TEXT_LIST, "Audiences that the case is judged for."),
        Column("display_name", TEXT, "Name for tables and pages."),
        Column("category", TEXT, "Category of the topic; an open set."),
        Column("topic", TEXT, "Topic; an open set."),
        Column("metadata", TEXT, "All further metadata as JSON text."),
        *provenance(),
    ),
    key=("dataset_id", "case_id"),
)

PROBE_BANKS = Contract(
    "xslides",
    "probe_banks",
    "One probe bank of one case; two banks of a case stand side by side.",
    (
        required("bank_id", TEXT, "Content hash of dataset, case and probe rows."),
        _DATASET,
        _CASE,
        required("case_label", TEXT, "Folder name of the case, without its variant."),
        required("probe_count", INTEGER, "Probes that landed in this bank."),
        Column("generator_id", TEXT, "Judge or model that generated the probes."),
        Column("source_parser", TEXT, "Fingerprint of the parser that read the source."),
        Column("is_source_truncated", BOOLEAN, "Whether max_chars cut the source text."),
        required("probes_sha256", TEXT, "SHA-256 of the bytes of probes_deduped.jsonl."),
        *provenance(),
    ),
    key=("bank_id",),
)

PROBES = Contract(
    "xslides",
    "probes",
    "One source-grounded question of one probe bank.",
    (
        required("bank_id", TEXT, "Probe bank that the probe belongs to."),
        required("probe_id", TEXT, "Id of the probe, unique only inside its bank."),
        required(
            "probe_ordinal", INTEGER, "1-based position among the probe ids of the bank, sorted."
        ),
        _DATASET,
        _CASE,
        required("question", TEXT, "Question that a deck should answer."),
        required("answer", TEXT, "Answer that the source supports."),
        Column("evidence", TEXT, "Evidence spans as JSON text: locator and text."),
        Column("level", INTEGER, "Depth of the question, 1 to 4."),
        Column("modality", TEXT, "Modality of the evidence; an open set."),
        Column("theme", TEXT, "Theme of the probe; an open set, no domain label."),
        Column("stated_domain", TEXT, "Domain that the probe's metadata states, if any."),
        required("theme_tokens", TEXT, "Normalised words of the theme, blank padded."),
        required("question_tokens", TEXT, "Normalised words of the question, blank padded."),
        required("answer_tokens", TEXT, "Normalised words of the answer, blank padded."),
        required("modality_tokens", TEXT, "Normalised words of the modality, blank padded."),
        Column("metadata", TEXT, "All further metadata as JSON text."),
        *provenance(),
    ),
    key=("bank_id", "probe_id"),
)

WEIGHT_SETS = Contract(
    "xslides",
    "weight_sets",
    "One audience's weights over one probe bank.",
    (
        required("weight_set_id", TEXT, "Content hash of bank, audience, profile, judge, k, rows."),
        required("weight_set_key", INTEGER, "Integer key of the weight set."),
        required("bank_id", TEXT, "Probe bank that is weighted."),
        _DATASET,
        _CASE,
        required("audience", TEXT, "Audience that the weights speak for."),
        required("judge_id", TEXT, "Utility judge; `unstated` when the rows do not say."),
        required("judge_kind", TEXT, "Kind of the utility judge.", values=JUDGE_KINDS),
        Column("k", INTEGER, "Judgments per weight; NULL when unstated or mixed."),
        required("weight_scope", TEXT, "Judge and k in one text: weights that may be pooled."),
        required("weight_count", INTEGER, "Weight rows that landed."),
        required("weights_sha256", TEXT, "SHA-256 of the bytes of the weight file."),
        *provenance(),
    ),
    key=("weight_set_id",),
)

WEIGHTS = Contract(
    "xslides",
    "weights",
    "One probe's utility for one audience.",
    (
        required("weight_key", INTEGER, "Integer key: weight set in the high bits, ordinal low."),
        required("weight_set_id", TEXT, "Weight set that the row belongs to."),
        required("bank_id", TEXT, "Probe bank that is weighted."),
        required("probe_id", TEXT, "Probe that is weighted."),
        required("audience", TEXT, "Audience that the weight speaks for."),
        required("utility_weight", NUMBER, "Utility as stated, 0 to 1."),
        Column("sample_count", INTEGER, "k: number of samples behind the mean; NULL if none."),
        Column("sample_tenths_sum", INTEGER, "Sum of the snapped samples in tenths."),
        Column("sample_tenths_square_sum", INTEGER, "Sum of squares of the samples in tenths."),
        Column("reason", TEXT, "Rationale of the judge."),
        Column("metadata", TEXT, "All further metadata as JSON text."),
        *provenance(),
    ),
    key=("weight_set_id", "probe_id"),
)

EVALUATION_CONFIGS = Contract(
    "xslides",
    "evaluation_configs",
    "One way of judging decks: judges, prompts, settings, parser, word rule.",
    (
        required("evaluation_config_id", TEXT, "Content hash of all columns below."),
        required("judge_id", TEXT, "Answerability judge; `unstated` when no manifest says."),
        required("judge_kind", TEXT, "Kind of the answerability judge.", values=JUDGE_KINDS),
        Column("judge_model", TEXT, "Model of the answerability judge."),
        Column("prompt_sha256", TEXT, "Hash of the answerability prompt or rule set."),
        Column("claim_judge_id", TEXT, "Claim judge."),
        Column("claim_judge_kind", TEXT, "Kind of the claim judge."),
        Column("claim_judge_model", TEXT, "Model of the claim judge."),
        Column("claim_prompt_sha256", TEXT, "Hash of the claim prompt or rule set."),
        Column("judge_input_mode", TEXT, "What the judge saw: text or image."),
        Column("settings", TEXT, "Batch size, parser, word rule and the like as JSON text."),
        *provenance(),
    ),
    key=("evaluation_config_id",),
)

EVALUATIONS = Contract(
    "xslides",
    "evaluations",
    "One deck judged, or to be judged, for one audience: the full expected grid.",
    (
        required("evaluation_id", TEXT, "Content hash of the nine parts of an evaluation."),
        required("evaluation_key", INTEGER, "Integer key of the evaluation."),
        _DATASET,
        required("run_id", TEXT, "`<dataset_id>/<run>`."),
        required("system_id", TEXT, "System that made the deck."),
        required("condition", TEXT, "agnostic or conditioned.", values=CONDITIONS),
        Column("deck_audience", TEXT, "Audience the deck was made for; NULL when agnostic."),
        required("audience", TEXT, "Audience that the deck is judged for."),
        _CASE,
        required("case_label", TEXT, "Folder name of the case, without its variant."),
        required("variant", TEXT, "Variant of the case folder, blank for the plain one."),
        Column("evaluation_config_id", TEXT, "How it was judged; NULL if never and unclear."),
        required("judge_id", TEXT, "Answerability judge."),
        required("judge_kind", TEXT, "Kind of the answerability judge.", values=JUDGE_KINDS),
        Column("bank_id", TEXT, "Probe bank that was asked; NULL when the case has none."),
        Column("weight_set_id", TEXT, "Weights applied; NULL when the file is missing."),
        Column("weight_set_key", INTEGER, "Integer key of the weight set."),
        required("is_found", BOOLEAN, "Whether an evaluation folder is there."),
        required("is_hash_verified", BOOLEAN, "Whether manifest hashes match the tree."),
        Column("hash_mismatch", TEXT, "Inputs that changed since: probes, weights, deck."),
        Column("reported_status", TEXT, "Status that the evaluate stage wrote."),
        Column("status_message", TEXT, "Message beside that status."),
        Column("stated_correctness", NUMBER, "Correctness scalar as the file states it."),
        Column("deck_sha256", TEXT, "SHA-256 of the judged deck, from the manifest."),
        Column("started_at", TEXT, "Start of the evaluation.", is_volatile=True),
        Column("code_version", TEXT, "Version of the code that ran it.", is_volatile=True),
        *provenance(),
    ),
    key=("evaluation_id",),
)

DECK_STATS = Contract(
    "xslides",
    "deck_stats",
    "Counts of the deck of one evaluation, as its deck_stats.json states them.",
    (
        required("evaluation_key", INTEGER, "Integer key of the evaluation."),
        required("evaluation_id", TEXT, "Evaluation that the counts belong to."),
        Column("deck_path", TEXT, "Path of the deck, as stated."),
        required("deck_status", TEXT, "How reading the deck ended.", values=DECK_STATUSES),
        Column("slide_count", INTEGER, "Visible slides; NULL when unknown."),
        Column("hidden_slide_count", INTEGER, "Hidden slides; NULL when unknown."),
        Column("visible_word_count", INTEGER, "Visible words; NULL when unknown."),
        Column("parser", TEXT, "Reader of the deck."),
        Column("word_rule", TEXT, "Rule by which words were counted."),
        Column("text_policy", TEXT, "Policy that says which text is visible."),
        Column("warnings", TEXT_LIST, "Warnings of the reader."),
        *provenance(),
    ),
    key=("evaluation_key",),
)

PROBE_SCORES = Contract(
    "xslides",
    "probe_scores",
    "One judgment: whether one deck answers one probe.",
    (
        required("evaluation_key", INTEGER, "Integer key of the evaluation."),
        Column("weight_key", INTEGER, "Integer key of the probe's weight; NULL without weights."),
        required("evaluation_id", TEXT, "Evaluation that the judgment belongs to."),
        required("bank_id", TEXT, "Probe bank that was asked."),
        required("probe_id", TEXT, "Probe that was asked."),
        required("covered", BOOLEAN, "Whether the deck answers the probe."),
        required("verdict", TEXT, "covered, uncovered or abstain.", values=VERDICTS),
        required("judgment_status", TEXT, "judged, filled, failed.", values=JUDGMENT_STATUSES),
        Column("confidence", NUMBER, "Confidence of the judge, 0 to 1."),
        Column("answer", TEXT, "Answer that the deck supports."),
        Column("cited_evidence", TEXT, "Where in the deck."),
        Column("metadata", TEXT, "All further metadata as JSON text."),
        *provenance(),
    ),
    key=("evaluation_key", "probe_id"),
)

CLAIMS = Contract(
    "xslides",
    "claims",
    "One atomic claim of a deck with its verdict.",
    (
        required("evaluation_key", INTEGER, "Integer key of the evaluation."),
        required("evaluation_id", TEXT, "Evaluation that the claim belongs to."),
        required("claim_id", TEXT, "Id of the claim inside its evaluation."),
        required("label", TEXT, "Verdict on the claim; an open set, unknown labels are counted."),
        Column("text", TEXT, "The claim."),
        Column("slide", INTEGER, "1-based slide that makes the claim."),
        Column("confidence", NUMBER, "Confidence of the judge, 0 to 1."),
        Column("snippets", TEXT, "Source snippets as JSON text."),
        *provenance(),
    ),
    key=("evaluation_key", "claim_id"),
)

DECKS = Contract(
    "xslides",
    "decks",
    "One deck file of a run, read by our own readers.",
    (
        required("run_id", TEXT, "`<dataset_id>/<run>`."),
        required("system_id", TEXT, "System that made the deck."),
        required("condition", TEXT, "agnostic or conditioned.", values=CONDITIONS),
        required("deck_audience", TEXT, "Audience folder of the deck; `agnostic` if none."),
        _CASE,
        required("variant", TEXT, "Variant of the case folder, blank for the plain one."),
        required("deck_path", TEXT, "Path of the deck, relative to the data root."),
        required("deck_sha256", TEXT, "SHA-256 of the deck."),
        Column("format", TEXT, "Format by content: pptx or pdf."),
        required("deck_status", TEXT, "How reading the deck ended.", values=DECK_STATUSES),
        Column("slide_count", INTEGER, "Visible slides; NULL when unknown."),
        Column("hidden_slide_count", INTEGER, "Hidden slides; NULL when unknown."),
        Column("visible_word_count", INTEGER, "Visible words; NULL when unknown."),
        Column("parser", TEXT, "Fingerprint of parser, policy and word rule."),
        Column("warnings", TEXT_LIST, "Warnings of the reader."),
        *provenance(),
    ),
    key=("run_id", "system_id", "condition", "deck_audience", "case_id", "variant", "deck_path"),
)

CONTRACTS = (
    CASES,
    PROBE_BANKS,
    PROBES,
    WEIGHT_SETS,
    WEIGHTS,
    EVALUATION_CONFIGS,
    EVALUATIONS,
    DECK_STATS,
    PROBE_SCORES,
    CLAIMS,
    DECKS,
)
