"""Closed value sets of `searchgen`: components, statuses, policies, partitions (seed 3 to 6)."""

from __future__ import annotations

COMPONENTS_9 = (
    "checklist",
    "rubric_adaptive",
    "prompt_faithfulness",
    "image_quality",
    "text_rendering",
    "ai_naturalness",
    "composition_and_aesthetics",
    "physical_plausibility",
    "visual_reference_evaluation",
)
"""What Overall-9 is the mean of, in the order of every table and file."""
EXCLUDED_COMPONENT = "text_reference_evaluation"
COMPONENTS = (*COMPONENTS_9, EXCLUDED_COMPONENT)
"""What Overall-10, the metric of the paper, is the mean of."""

RAW_MINIMUM, RAW_MAXIMUM = 0.0, 3.0
"""Range of a raw component score."""

SCORED = "scored"
MISSING_STATUSES = ("missing_generation", "missing_evaluation", "invalid_evaluation")
STATUSES = (SCORED, *MISSING_STATUSES)

ZERO_FILL, EXCLUDE, PER_STATUS = "zero_fill", "exclude", "per_status"
FILLINGS = (ZERO_FILL, EXCLUDE)
"""What one missing status becomes: ten zeros, or no row of the mean."""
MISSING_POLICIES = (ZERO_FILL, EXCLUDE, PER_STATUS)
"""A model's policy in one word; `per_status` when its statuses differ."""

PRIMARY_METRICS = ("overall_9", "overall_10")
MODEL_TYPES = ("Open", "Commercial")

STRATA = ("NoSearch", "SearchIntensive")
SEARCH_TYPES = ("NoSearch", "VisualSearch", "TextualSearch")

VIEWS = ("overall", "stratum", "domain", "failure_mode")
"""What prompts are grouped by; domains and failure modes overlap."""
ALL_GROUP = "All"
"""Group that holds every prompt of a slice: the one of the overall view, first of the strata."""
WHOLE_SLICE = "all"
"""Slice that holds every prompt; published files call it by `whole_slice_name` of the release."""
