"""Prompts of the five tasks: versioned files, hashed, filled in one pass.

A placeholder is filled once: text that is put in is never looked at for further ones, so a deck
cannot ask for another field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ingest.endpoint.neutralise import RULES
from ingest.endpoint.request import Message, Prompt
from ingest.judge.exchange import Task
from warehouse import storage

FOLDER = Path(__file__).with_name("prompts")
_FORM = re.compile(r"version: (\d+)\n+# system\n+(.+?)\n+# user\n+(.+)", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True)
class Template:
    """The prompt of one task.

    Attributes:
        prompt: id, version and hash, as they stand on every row that came of it.
        system: what the judge is told about the task.
        user: what it is given; both may hold placeholders.
    """

    prompt: Prompt
    system: str
    user: str

    def messages(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """Return both messages with every placeholder filled.

        Raises:
            KeyError: when a placeholder has no value.
        """
        filled = {"rules": RULES, **values}
        return tuple(
            Message.of(role, _PLACEHOLDER.sub(lambda found: filled[found[1]], text))
            for role, text in (("system", self.system), ("user", self.user))
        )


def template_of(task: Task) -> Template:
    """Return the prompt of a task."""
    return read_template(FOLDER, task.value)


@cache
def read_template(folder: Path, name: str) -> Template:
    """Return a prompt of a folder; its hash covers the whole file and the rules put into it.

    Raises:
        ValueError: when the file has no version, system and user part.
    """
    text = (folder / f"{name}.md").read_text(encoding="utf-8").replace("\r\n", "\n")
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"the prompt `{name}` has no version, system and user part")
    version, system, user = found.groups()
    sha256 = storage.sha256_bytes(f"{text}\n{RULES}".encode())
    return Template(Prompt(name, version, sha256), system, user)
