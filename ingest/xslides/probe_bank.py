"""Probe banks on disk: reading one, whoever wrote it, and writing ours."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ingest.judge.exchange import Evidence, Probe, ProbeDraft
from ingest.xslides.stage import incomplete
from ingest.xslides.tree import PROBES_FILE, ArtifactTree
from warehouse import jsonl, storage
from warehouse.findings import Finding

# A question about the list of references says nothing about the subject of the source.
_REFERENCE_ONLY = re.compile(
    r"""\b(
        (which|what|whose|how\ many|list|name)\b.{0,60}\b
            (references?|citations?|bibliograph\w+|works?\ cited|papers?\ (are|is)\ cited|cited)\b
      | (is|are|was|were)\ (cited|referenced)\ (as|in|by|at)\b
      | (reference|citation)\ (number|list|entry|\[?\d+\]?)
      | (doi|isbn|issn|arxiv\ (id|number|identifier))\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_CITATION_LIST = re.compile(
    r"""^\W*(
        (references?|bibliography|works\ cited|literature)\W*$
      | (\[\d+\]|\(\d+\))\s+\S+.*\b(19|20)\d\d\b
      | ([\[(]\d+([,;\u2013-]\s*\d+)*[\])]\W*)+$
      | (\w[\w'\u2019-]+,\s+\w\.(\s*\w\.)*[,;&]?\s*(and\s+)?)+\(?(19|20)\d\d\)?.*$
    )""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True)
class ProbeBank:
    """One case folder's probes: `sha256` is that of the file's bytes."""

    case_folder: str
    probes: tuple[Probe, ...]
    sha256: str


def is_reference_only(draft: ProbeDraft) -> bool:
    """Return whether a draft asks for citations or is answered by a reference list alone."""
    if _REFERENCE_ONLY.search(draft.question):
        return True
    texts = [draft.answer, *(evidence.text for evidence in draft.evidence)]
    stated = [text for text in texts if text.strip()]
    return bool(stated) and any(_CITATION_LIST.match(text.strip()) for text in stated)


def read_bank(tree: ArtifactTree, case_folder: str) -> tuple[ProbeBank | None, list[Finding]]:
    """Read the probes of one case folder; rows that cannot be used become findings."""
    path = tree.probe_folder(case_folder) / PROBES_FILE
    file = tree.relative(path)
    try:
        content = jsonl.read_jsonl(path)
        sha256 = storage.sha256_file(path)
    except OSError:
        message = "the case has no probe bank"
        return None, [incomplete("probe_bank_exists", case_folder, message, file)]
    findings = [
        Finding("probe_row_is_valid", case_folder, reject.message, file, reject.line)
        for reject in content.rejects
    ]
    probes: dict[str, Probe] = {}
    for row in content.rows:
        probe = parse_probe(row.value)
        if probe is None or probe.probe_id in probes:
            message = "the row is no probe" if probe is None else "the probe id stands twice"
            findings.append(Finding("probe_row_is_valid", case_folder, message, file, row.line))
            continue
        probes[probe.probe_id] = probe
    if not probes:
        message = "the probe bank holds no usable probe"
        findings.append(incomplete("probe_bank_has_probes", case_folder, message, file))
        return None, findings
    return ProbeBank(case_folder, tuple(probes.values()), sha256), findings


def parse_probe(row: dict[str, Any]) -> Probe | None:
    """Return the probe of one row, or None when id, question or answer is no text."""
    texts = [row.get(name) for name in ("probe_id", "question", "answer")]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        return None
    probe_id, question, answer = (str(text) for text in texts)
    metadata = row.get("metadata")
    domain = metadata.get("domain") if isinstance(metadata, dict) else None
    level = row.get("level")
    return Probe(
        probe_id=probe_id,
        question=question,
        answer=answer,
        evidence=_evidence(row.get("evidence")),
        level=level if isinstance(level, int) and not isinstance(level, bool) else 1,
        modality=str(row.get("modality") or "text"),
        theme=str(row.get("theme") or ""),
        domain=domain if isinstance(domain, str) else None,
    )


def _evidence(value: Any) -> tuple[Evidence, ...]:
    """Read evidence given as a list of objects, one object, or plain texts."""
    items = value if isinstance(value, list) else [value]
    found = []
    for item in items:
        if isinstance(item, dict) and isinstance(item.get("text"), str):
            found.append(Evidence(str(item.get("locator") or ""), item["text"]))
        elif isinstance(item, str):
            found.append(Evidence("", item))
    return tuple(found)
