"""Result folders of PPTAgent and of SlideTailor: which deck is whose, and which are missing."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from ingest.xslides.decks.candidates import DECK_SUFFIXES, Candidate, fact, read_foreign_json
from ingest.xslides.user_files import UserFiles
from warehouse import storage

PPTAGENT = "pptagent"
SLIDETAILOR = "slidetailor"
BASELINES = ("docpres", "kctv")
MAX_PDFS = 20
_FINAL = ("final.pptx", "final.pdf")
# Start, four hexadecimal digits, sample pair, target: names may hold `_tgt`, the last one counts.
_RUN = re.compile(r"\d{8}_\d{6}_[0-9a-f]{4}_ref(.*)_tgt(.+)")
_DATASET_FOLDERS = frozenset({"slide_templates", "slide_paper_pairs", "target_papers", "cache"})


def find_experiments(root: Path, files: Sequence[Path]) -> list[Candidate]:
    """Return the decks of a PPTAgent experiment tree.

    `<topic>/pptx/<template deck>/<setting>/<pdf>/final.pptx` is a deck of the system `<setting>`,
    `<topic>/pdf/<pdf>/<docpres or kctv>/<model>/final.*` one of the baseline `<name>-<model>`.
    """
    found = []
    for path in files:
        parts = path.relative_to(root).parts
        if parts[-1] not in _FINAL or len(parts) < 5:
            continue
        kind, first, second, third = parts[-5:-1]
        if kind == "pptx":
            system, document = second, third
            facts = {"template_deck": fact(first), "setting": fact(second)}
        elif kind == "pdf" and second in BASELINES:
            system, document = f"{second}-{third}", first
            facts = {"baseline": second, "model": fact(third)}
        else:
            continue
        topic = root.joinpath(*parts[:-5])
        found.append(
            Candidate(
                path,
                "/".join(parts[:-1]),
                PPTAGENT,
                names=(document,),
                source_hashes=_pdf_hashes(topic / "pdf" / document),
                system=system,
                facts=facts,
            )
        )
    return found


def run_folders(root: Path) -> list[Path]:
    """Return the run folders of SlideTailor in a folder, in its `runs/`, or the folder itself."""
    found = []
    for parent in (root, root / "runs"):
        if parent.is_dir() and not parent.is_symlink():
            found += [
                path
                for path in sorted(parent.iterdir())
                if _RUN.fullmatch(path.name) and path.is_dir() and not path.is_symlink()
            ]
    return found


def find_runs(root: Path, listed: UserFiles) -> tuple[list[Candidate], list[str]]:
    """Return the decks of SlideTailor's runs, those that failed, and notes about copies."""
    cases = _cases_of_targets(root)
    candidates = [one for path in run_folders(root) for one in _run(root, path, cases)]
    known = {storage.sha256_file(one.path) for one in candidates if one.path is not None}
    folders = [f"{path.relative_to(root).as_posix()}/" for path in run_folders(root)]
    notes = []
    for path in listed.files:
        unit = path.relative_to(root).as_posix()
        is_known = any(unit.startswith(folder) for folder in folders)
        is_data = not _DATASET_FOLDERS.isdisjoint(PurePosixPath(unit).parts[:-1])
        if is_known or is_data or path.suffix.lower() not in DECK_SUFFIXES:
            continue
        if storage.sha256_file(path) in known:
            notes.append(f"`{path}` was left out: it is a copy of the deck of a run")
        else:
            names = _names(path.stem, cases)
            candidates.append(Candidate(path, unit, SLIDETAILOR, names=names, system=SLIDETAILOR))
    candidates += _failed_without_folder(root, candidates, cases)
    return candidates, notes


def _run(root: Path, folder: Path, cases: dict[str, str]) -> Iterator[Candidate]:
    matched = _RUN.fullmatch(folder.name)
    assert matched is not None
    reference, target = matched.groups()
    common: dict[str, Any] = {
        "unit": folder.relative_to(root).as_posix(),
        "layout": SLIDETAILOR,
        "names": _names(target, cases),
        "system": SLIDETAILOR,
        "facts": {"target": fact(target), "reference": fact(reference)},
    }
    files = [folder / name for name in _FINAL]
    files = [path for path in files if path.is_file() and not path.is_symlink()]
    for path in files:
        yield Candidate(path, **common)
    if not files:
        error = _errors(root).get(target)
        failure = "the run holds no final.pptx" + (f": {error}" if error else "")
        yield Candidate(None, **common, failure=failure)


def _failed_without_folder(
    root: Path, candidates: Sequence[Candidate], cases: dict[str, str]
) -> Iterator[Candidate]:
    told = {str(one.facts.get("target")) for one in candidates}
    for target, error in _errors(root).items():
        if target not in told:
            failure = f"the summary says that it failed: {error or 'no reason is given'}"
            names, facts = _names(target, cases), {"target": fact(target)}
            yield Candidate(
                None,
                f"summary of {target}",
                SLIDETAILOR,
                names=names,
                system=SLIDETAILOR,
                failure=failure,
                facts=facts,
            )


def _errors(root: Path) -> dict[str, str]:
    """Return the targets that every summary calls failed, with the reason."""
    failed: dict[str, str] = {}
    made = set()
    for path in sorted([*root.glob("summary_*.json"), *root.glob("runs/summary_*.json")]):
        entries = read_foreign_json(path)
        for entry in entries if isinstance(entries, list) else []:
            target = entry.get("target") if isinstance(entry, dict) else None
            if not isinstance(target, str):
                continue
            target = target.removesuffix(".pdf")
            if entry.get("success") is True:
                made.add(target)
            else:
                failed[target] = str(fact(entry.get("error")) or "")
    return {target: error for target, error in failed.items() if target not in made}


def _cases_of_targets(root: Path) -> dict[str, str]:
    """Return case labels by target name, out of a prepared dataset in the folder or above it."""
    for folder in (root, root.parent):
        path = folder / "target_papers" / "mapping.csv"
        if path.is_file() and not path.is_symlink():
            try:
                text = path.read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError):
                continue
            reader = csv.DictReader(io.StringIO(text))
            if {"target", "case_label"} <= set(reader.fieldnames or ()):
                return {(row["target"] or ""): (row["case_label"] or "") for row in reader}
    return {}


def _names(target: str, cases: dict[str, str]) -> tuple[str, ...]:
    return (cases[target],) if cases.get(target) else (target,)


def _pdf_hashes(folder: Path) -> frozenset[str]:
    """Return the hashes of the source documents that lie in a document's folder."""
    if folder.is_symlink() or not folder.is_dir():
        return frozenset()
    files = [path for path in sorted(folder.glob("*.pdf")) if path.is_file()]
    return frozenset(
        storage.sha256_file(path) for path in files[:MAX_PDFS] if not path.is_symlink()
    )
