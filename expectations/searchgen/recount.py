"""The recount: every figure of a published searchgen folder, made again from its prompts.

Reads `manifest.json` and `prompt_scores.jsonl`, rebuilds all boards in exact arithmetic
(`expectations/searchgen/aggregates.py`) and compares: counts exactly, unrounded scores to
1e-12, rounded ones to the digit. It shares no code with the SQL or with the exporter.
"""

from __future__ import annotations

from pathlib import Path

from expectations.searchgen import boards, canonical, folder, policies, prompts
from expectations.searchgen.aggregates import Recount
from expectations.verdict import Verdict

CHECKS: tuple[str, ...] = (
    folder.FILES_READ,
    folder.LISTED,
    folder.HASHES,
    *prompts.CHECKS,
    *boards.CHECKS,
    *policies.CHECKS,
)


def check(path: Path, canonical_file: Path | None = None) -> Verdict:
    """Recount a published folder.

    Args:
        path: folder that `podium publish searchgen` wrote.
        canonical_file: output of the owner's recomputation, to hold Overall-10 against.

    Raises:
        InputError: when the folder has no usable manifest, or the canonical file no usable
            form.
    """
    published = folder.read(path)
    findings = [*published.findings, *prompts.check(published)]
    checks = CHECKS
    if published.prompts:
        recount = Recount(published)
        findings += boards.check(published, recount)
        findings += policies.check(published, recount)
        if canonical_file is not None:
            checks = (*checks, canonical.CANONICAL)
            findings += canonical.check(published, recount, canonical_file)
    return Verdict("recount of searchgen", checks, tuple(findings))
