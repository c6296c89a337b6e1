"""Presentation guidelines for one row of SlideTailor: what this audience wants of the slides.

The form is that of the preferences which the tool distils from a sample pair; the content comes
from the audience profile, so that two rows of one case differ in nothing else.
"""

from __future__ import annotations

from typing import Any

from ingest.judge.exchange import AudienceProfile

_COMMON_FLOW = (
    "Open with what the document is about and why it matters.",
    "Close with what follows from it; no slide of thanks.",
)
_AGNOSTIC_FLOW = ("Question, way of answering it, findings, certainty, limits, in this order.",)
_BY_EXPERTISE = {
    "expert": (
        "Method and conditions first, results with their uncertainty, limits in full.",
        ("background that any colleague knows",),
    ),
    "intermediate": (
        "Terms and context before results; one worked example; steps before fine points.",
        ("derivations that the result does not need",),
    ),
    "non_technical": (
        "Finding and consequence first, cost and risk next, inner workings last and short.",
        ("formulas", "details of implementation"),
    ),
}


def presentation_guidelines(profile: AudienceProfile | None) -> dict[str, Any]:
    """Return the preference file of a row; `profile` None gives the agnostic one."""
    flow, omitted = [*_COMMON_FLOW], ["references", "acknowledgements"]
    if profile is None:
        flow += _AGNOSTIC_FLOW
        handling = "Cover what any careful reader would want to know."
        comments = "The audience is not known."
    else:
        order, left_out = _BY_EXPERTISE[profile.expertise]
        flow.append(order)
        omitted += left_out
        handling = profile.description or order
        comments = (
            f"For {profile.title} ({profile.expertise.replace('_', '-')}); "
            f"the talk takes {profile.minutes:g} minutes."
        )
    return {
        "presentation_guidelines": {
            "narrative_flow_preference": flow,
            "section_level_preferences": [
                {
                    "section_name": "all sections",
                    "content_handling": handling,
                    "formatting_preferences": "Short lines; numbers with units; one idea a slide.",
                    "additional_comments": comments,
                }
            ],
            "omitted_sections": omitted,
        }
    }
