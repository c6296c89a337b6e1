"""What a request is about. It is told of the call and changes nothing of the answer."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class CallSubject:
    """What one request serves, in the words of the artifact tree; None: nothing single.

    Attributes:
        case_label: folder of the case.
        system_id: system whose deck is judged.
        condition: agnostic or conditioned.
        audience: audience that is judged for; None for a request that several share.
        task: what the judge is asked to do, such as `answerability`.
    """

    case_label: str | None = None
    system_id: str | None = None
    condition: str | None = None
    audience: str | None = None
    task: str | None = None


SUBJECT_NAMES = tuple(one.name for one in fields(CallSubject))
