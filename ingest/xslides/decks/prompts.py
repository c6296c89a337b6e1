"""What a generator is asked for: one prompt file a case and condition, shared by all systems.

The name of a prompt file holds the version of the text and a hash of its content, so that a
changed text or audience profile makes a new file and never changes one that was used.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from ingest.judge.exchange import AudienceProfile
from ingest.xslides.source_metadata import SourceMetadata
from ingest.xslides.tree import AGNOSTIC, CONDITIONED, ArtifactTree, DeckKey
from warehouse import storage

PROMPTS_FOLDER = "prompts"
MAX_TITLE_CHARS = 300
_FILE = Path(__file__).with_name("prompts") / "deck.md"
_FORM = re.compile(
    r"version: (\d+)\n+# all\n+(.+?)\n+# agnostic\n+(.+?)\n+# conditioned\n+(.+)", re.DOTALL
)
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


def prompt_text(case: SourceMetadata, profile: AudienceProfile | None) -> str:
    """Return the prompt for one case; `profile` None asks for the agnostic deck."""
    _, common, agnostic, conditioned = _parts()
    values = {"title": _one_line(case.title)[:MAX_TITLE_CHARS]}
    if profile is not None:
        values |= {
            "audience_title": _one_line(profile.title),
            "expertise": profile.expertise.replace("_", "-"),
            "minutes": f"{profile.minutes:g}",
            "description": _one_line(profile.description),
        }
    text = f"{common}\n\n{agnostic if profile is None else conditioned}\n"
    # One pass: a title cannot ask for another field.
    return _PLACEHOLDER.sub(lambda found: values[found[1]], text)


def prompt_file(tree: ArtifactTree, run: str, key: DeckKey, text: str) -> Path:
    """Return where the prompt of a deck lies; the name follows from the text."""
    version, *_ = _parts()
    digest = storage.sha256_bytes(text.encode("utf-8"))[:8]
    parts = (key.condition, key.audience, key.case_label)
    return prompts_folder(tree, run).joinpath(*parts, f"v{version}-{digest}.md")


def prompts_folder(tree: ArtifactTree, run: str) -> Path:
    """Return the folder of a run's prompt files."""
    return tree.run_folder(run) / PROMPTS_FOLDER


def key_of_prompt(tree: ArtifactTree, run: str, text: str) -> tuple[str, str, str] | None:
    """Return condition, audience and case of the one prompt of a run that has this text.

    White space at the ends does not count. None when no prompt or several have the text.
    """
    wanted = text.strip()
    found = set()
    for path in sorted(prompts_folder(tree, run).glob("*/*/*/*.md")):
        parts = path.relative_to(prompts_folder(tree, run)).parts
        if path.is_file() and path.read_text(encoding="utf-8", errors="replace").strip() == wanted:
            found.add((parts[0], parts[1], parts[2]))
    return found.pop() if len(found) == 1 else None


@cache
def _parts() -> tuple[str, str, str, str]:
    text = _FILE.read_text(encoding="utf-8").replace("\r\n", "\n").strip()
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError(f"the prompt needs a version and the parts all, {AGNOSTIC}, {CONDITIONED}")
    version, common, agnostic, conditioned = found.groups()
    return version, common, agnostic, conditioned


def _one_line(text: str) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())
