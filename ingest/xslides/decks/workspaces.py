"""Session folders of DeepPresenter: one deck each, as PPTX, as PDF, or as a PDF named .pptx.

A session is a folder with `.input_request.json`. The PPTX is made out of HTML as well as that
goes; where it fails, the PDF is delivered under the name that was asked for. So PPTX and PDF of
one session are one deck, and only their bytes say what they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from ingest.xslides.decks.candidates import DECK_SUFFIXES, Candidate, fact, read_foreign_json
from ingest.xslides.decks.files import PDF, deck_format
from ingest.xslides.user_files import UserFiles
from warehouse import storage

LAYOUT = "deeppresenter"
REQUEST_FILE = ".input_request.json"
MAX_ATTACHMENTS = 50
_STATED = ("num_pages", "template", "powerpoint_type", "convert_type")


def session_folders(listed: UserFiles) -> list[str]:
    """Return the sessions of a listing, relative to the listed folder."""
    return [
        PurePosixPath(name).parent.as_posix()
        for name in listed.ignored
        if PurePosixPath(name).name == REQUEST_FILE
    ]


def find_sessions(root: Path, listed: UserFiles) -> tuple[list[Candidate], list[str]]:
    """Return the decks of all sessions, and notes about files that say nothing new."""
    sessions = session_folders(listed)
    candidates: list[Candidate] = []
    notes: list[str] = []
    for unit in sessions:
        candidates.extend(_session(root / unit, unit, notes))
    known = {storage.sha256_file(one.path) for one in candidates if one.path is not None}
    for path in listed.files:
        unit = path.relative_to(root).as_posix()
        is_in_session = any(_is_below(unit, session) for session in sessions)
        if is_in_session or path.suffix.lower() not in DECK_SUFFIXES:
            continue
        if storage.sha256_file(path) in known:
            notes.append(f"`{path}` was left out: it is a copy of the deck of a session")
        else:
            candidates.append(Candidate(path, unit, LAYOUT, names=(path.stem,), system=LAYOUT))
    return candidates, notes


def _session(folder: Path, unit: str, notes: list[str]) -> Iterator[Candidate]:
    request = read_foreign_json(folder / REQUEST_FILE)
    request = request if isinstance(request, dict) else {}
    files = _decks(folder)
    instruction = request.get("instruction")
    common: dict[str, Any] = {
        "unit": unit,
        "layout": LAYOUT,
        "names": (folder.name,),
        "source_hashes": _attachments(folder, request.get("attachments")),
        "prompt": instruction if isinstance(instruction, str) else "",
        "system": LAYOUT,
    }
    facts = _facts(folder, request, files)
    if not files:
        failure = "the session holds no deck"
        yield Candidate(None, **common, failure=failure, facts=facts)
    seen: dict[str, Path] = {}
    for path in files:
        first = seen.setdefault(storage.sha256_file(path), path)
        if first is path:
            yield Candidate(path, **common, facts=facts)
        else:
            notes.append(f"`{path}` was left out: it is a copy of `{first}`")


def _decks(folder: Path) -> list[Path]:
    """Return the deck files of a session; only those of the final one where it is named."""
    files = sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() in DECK_SUFFIXES and not path.is_symlink() and path.is_file()
    )
    output = read_foreign_json(folder / "intermediate_output.json")
    final = output.get("final") if isinstance(output, dict) else None
    # Only the name counts: the path is that of the machine that made it.
    stem = PurePosixPath(final.replace("\\", "/")).stem if isinstance(final, str) else None
    return [path for path in files if path.stem == stem] or files


def _attachments(folder: Path, stated: Any) -> frozenset[str]:
    """Return the hashes of the documents that a session was given, as far as they are there."""
    names = [str(name) for name in stated] if isinstance(stated, list) else []
    wanted = {PurePosixPath(name.replace("\\", "/")).name for name in names}
    inside = folder / "attachments"
    if inside.is_symlink() or not inside.is_dir():
        return frozenset()
    files = sorted(path for path in inside.iterdir() if path.is_file() and not path.is_symlink())
    named = [path for path in files if path.name in wanted] or files
    return frozenset(storage.sha256_file(path) for path in named[:MAX_ATTACHMENTS])


def _facts(folder: Path, request: dict[str, Any], files: Sequence[Path]) -> dict[str, Any]:
    stated = {name: fact(request[name]) for name in _STATED if request.get(name) is not None}
    misnamed = any(path.suffix.lower() != ".pdf" and deck_format(path) == PDF for path in files)
    has_failed = misnamed or (folder / ".html2pptx-error.txt").exists()
    slides = folder / "slides"
    pages = sum(1 for _ in slides.glob("slide_*.html")) if slides.is_dir() else None
    return {
        "session": fact(folder.name),
        **stated,
        "is_conversion_fallback": has_failed,
        **({} if pages is None else {"html_page_count": pages}),
    }


def _is_below(unit: str, session: str) -> bool:
    return session == "." or unit.startswith(f"{session}/")
