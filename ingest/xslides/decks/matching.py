"""Which deck a found file is: by the user's mapping, by its folders, or by evidence.

Evidence, strongest first: the words of a prompt of this run, the bytes of a source among the
attachments, a name. What two kinds of evidence contradict, or one leaves open, is not guessed.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from ingest.xslides.audiences import read_audiences
from ingest.xslides.decks.candidates import Candidate
from ingest.xslides.decks.mapping import DeckMapping, mapped_path, read_mapping
from ingest.xslides.decks.prompts import key_of_prompt
from ingest.xslides.tree import (
    AGNOSTIC,
    CONDITIONED,
    CONDITIONS,
    ArtifactTree,
    DeckKey,
    check_name,
    split_variant,
)
from warehouse import storage
from warehouse.errors import InputError, UsageError


class Matcher:
    """Finds the deck key of candidates.

    Args:
        tree: the artifact tree whose cases are matched to.
        run: the run whose prompts count as evidence.
        system: system of all decks; None where folders, mapping or layout name it.
        place: condition and audience of decks that nothing else says it of.
        mapping: the user's mapping file, if any.

    Raises:
        InputError: when the mapping cannot be read or a name is not usable.
        UsageError: when the place is none.
    """

    def __init__(
        self,
        tree: ArtifactTree,
        run: str,
        system: str | None = None,
        place: tuple[str, str] = (AGNOSTIC, AGNOSTIC),
        mapping: Path | None = None,
    ) -> None:
        self._tree = tree
        self._run = run
        self._system = None if system is None else check_name("system id", system)
        labels = tree.case_labels() or [split_variant(name)[0] for name in tree.bank_folders()]
        self._labels = _Labels(labels)
        stated = tree.audiences_csv if tree.audiences_csv.is_file() else None
        self._audiences = {profile.audience for profile in read_audiences(stated)}
        self._place = self._checked_place(*place)
        self._hashes: dict[str, list[str]] | None = None
        self.used: set[str] = set()
        self.mapping = DeckMapping()
        if mapping is not None:
            self.mapping = read_mapping(mapping, labels, self._audiences)

    def key_of(self, candidate: Candidate, file: str) -> DeckKey:
        """Return the deck that a candidate is.

        Args:
            candidate: what was found.
            file: its file relative to the imported folder, empty when there is none.

        Raises:
            InputError: when it matches no case, or several.
        """
        for text in (file, candidate.unit):
            place = mapped_path(text) if text else ""
            if place in self.mapping.keys:
                self.used.add(place)
                return self.mapping.keys[place]
        if candidate.folders is not None:
            return self._by_folders(candidate.folders, candidate.names[0], candidate.system)
        system = self._system or check_name("system id", candidate.system or "")
        return DeckKey(system, *self._by_evidence(candidate))

    def _by_folders(self, folders: Sequence[str], stem: str, told: str | None) -> DeckKey:
        rest = list(folders)
        system = self._system or told
        if system is None:
            if not rest:
                raise InputError("no folder names the system; name it with `--system`")
            system = check_name("system id", rest.pop(0))
        elif told is not None and rest[:1] == [system]:
            rest.pop(0)
        condition = AGNOSTIC
        if rest and rest[0] in CONDITIONS:
            condition = rest.pop(0)
        audience = AGNOSTIC
        if condition == CONDITIONED:
            if not rest or rest[0] not in self._audiences:
                known = ", ".join(sorted(self._audiences))
                raise InputError(
                    f"a conditioned deck needs the folder of an audience out of {known}"
                )
            audience = rest.pop(0)
        elif rest and rest[0] == AGNOSTIC:
            rest.pop(0)
        if len(rest) > 1:
            raise InputError(f"`{'/'.join(rest)}` is deeper than system/condition/audience/case")
        return DeckKey(system, condition, audience, self._labels.find(rest[0] if rest else stem))

    def _by_evidence(self, candidate: Candidate) -> tuple[str, str, str]:
        prompted = key_of_prompt(self._tree, self._run, candidate.prompt)
        cases = self._cases_with(candidate.source_hashes)
        if prompted is not None:
            if cases and prompted[2] not in cases:
                raise InputError("its prompt and its attachments are those of different cases")
            return prompted
        if len(cases) > 1:
            raise InputError(
                f"its attachments are the sources of several cases: {', '.join(cases)}"
            )
        if cases:
            return (*self._place, cases[0])
        named = {self._found(name) for name in candidate.names} - {None}
        if len(named) == 1:
            return (*self._place, str(named.pop()))
        self._labels.find(candidate.names[0])
        raise InputError(f"its names are those of several cases: {', '.join(candidate.names)}")

    def _found(self, name: str) -> str | None:
        try:
            return self._labels.find(name)
        except InputError:
            return None

    def _cases_with(self, hashes: frozenset[str]) -> list[str]:
        """Return the cases whose source is one of these documents, sorted."""
        if not hashes:
            return []
        if self._hashes is None:
            self._hashes = defaultdict(list)
            for label in self._tree.case_labels():
                source = self._tree.source_file(label)
                if source is not None:
                    self._hashes[storage.sha256_file(source)].append(label)
        return sorted({case for one in hashes for case in self._hashes.get(one, ())})

    def _checked_place(self, condition: str, audience: str) -> tuple[str, str]:
        if condition == AGNOSTIC and audience == AGNOSTIC:
            return condition, audience
        if condition == CONDITIONED and audience in self._audiences:
            return condition, audience
        raise UsageError(
            f"`{condition}` decks for `{audience}` are none",
            expected=f"agnostic without an audience, or conditioned with one out of "
            f"{', '.join(sorted(self._audiences))}",
        )


class _Labels:
    """Case labels that names are matched to: exactly in NFC, then without regard to case."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._exact = {unicodedata.normalize("NFC", label): label for label in labels}
        self._folded: dict[str, list[str]] = defaultdict(list)
        for name, label in sorted(self._exact.items()):
            self._folded[name.casefold()].append(label)

    def find(self, text: str) -> str:
        name = unicodedata.normalize("NFC", text)
        if name in self._exact:
            return self._exact[name]
        alike = self._folded.get(name.casefold(), [])
        if len(alike) == 1:
            return alike[0]
        if alike:
            raise InputError(f"`{name}` matches several cases: {', '.join(alike)}")
        raise InputError(f"`{name}` matches no case")
