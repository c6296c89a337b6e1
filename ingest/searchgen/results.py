"""Results of a release: the tree of evaluation files, one row for each prompt and model.

Layout: `<results>/<release_row>/<lane>/<generator>/<evaluation file>`. Every model has a row
for every prompt in the lane that boards show, and in each further lane that holds any of its
results: what is absent is a status and never an absent row. Links are not followed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest.searchgen.extractors import Extract
from ingest.searchgen.model_registry import Model
from ingest.searchgen.result_files import (
    MISSING_GENERATION,
    Outcome,
    invalid,
    missing,
    read_result,
)
from warehouse.errors import InputError
from warehouse.findings import Finding
from warehouse.findings import Outcome as FindingOutcome
from warehouse.landing import Row
from warehouse.manifests import InputFile

UNKNOWN_CHECK = "result_folders_belong_to_models"
Place = tuple[str, str]
"""Lane and generator: the two folders below a prompt's folder."""


@dataclass(frozen=True)
class Results:
    """What a results tree holds: landing rows, files read, folders that belong to no model."""

    rows: list[Row]
    inputs: list[InputFile]
    findings: list[Finding]


@dataclass
class ResultsTree:
    """Reads one results tree.

    Attributes:
        root: the tree.
        scoring_source: name of the evaluation files.
        models: models of the release.
        extract: makes components of a parsed evaluation.
    """

    root: Path
    scoring_source: str
    models: Sequence[Model]
    extract: Extract
    _links: dict[str, bool] = field(default_factory=dict)
    _unknown: Counter[Place] = field(default_factory=Counter)

    def read(self, prompts: Sequence[Row], weights: Mapping[str, Mapping[str, Any]]) -> Results:
        """Return a row for every prompt and model.

        Args:
            prompts: landing rows of the prompts; `release_row` is a checked relative path.
            weights: weights of rubrics by sample id.

        Raises:
            InputError: when no folder of any model is there, which is a wrong path.
        """
        outcomes: dict[tuple[str, str, str], tuple[str, Outcome]] = {}
        lanes = {(one.source_id, one.lane) for one in self.models}
        for prompt in prompts:
            sample_id = prompt["sample_id"]
            found = self._prompt(prompt["release_row"], weights.get(sample_id, {}))
            for model, lane, place, outcome in found:
                lanes.add((model.source_id, lane))
                outcomes[sample_id, model.source_id, lane] = (place, outcome)
        if prompts and not outcomes:
            raise InputError(
                f"`{self.root}` holds no results of these models for these prompts",
                expected="<release_row>/<lane>/<generator>/" + self.scoring_source,
                got=self._got(prompts),
                fix="give the folder that the release rows of the prompts start in",
            )
        return self._results(prompts, sorted(lanes), outcomes)

    def _results(
        self,
        prompts: Sequence[Row],
        lanes: Sequence[tuple[str, str]],
        outcomes: Mapping[tuple[str, str, str], tuple[str, Outcome]],
    ) -> Results:
        generators = {one.source_id: one.generator for one in self.models}
        absent = missing(MISSING_GENERATION, "no_folder")
        rows, inputs = [], []
        for prompt in prompts:
            for source_id, lane in lanes:
                place = f"{prompt['release_row']}/{lane}/{generators[source_id]}"
                key = (prompt["sample_id"], source_id, lane)
                file, outcome = outcomes.get(key, (place, absent))
                rows.append(_row(prompt, source_id, lane, file, outcome))
                if outcome.sha256 is not None:
                    inputs.append(InputFile(file, outcome.sha256, outcome.bytes))
        return Results(rows, inputs, self._unknown_folders())

    def _prompt(
        self, release_row: str, weights: Mapping[str, Any]
    ) -> Iterator[tuple[Model, str, str, Outcome]]:
        """Yield model, lane, place and outcome of each folder of results of one prompt."""
        folder = f"{self.root}/{release_row}"
        if self._passes_a_link(release_row):
            outcome = invalid("symbolic_link", "the prompt's folder is a link")
            for model in self.models:
                yield model, model.lane, f"{release_row}/{model.lane}", outcome
            return
        for lane in _folders(folder):
            for generator in _folders(f"{folder}/{lane.name}"):
                owner = self._owner((lane.name, generator.name))
                if owner is None:
                    continue
                place = f"{release_row}/{lane.name}/{generator.name}"
                if lane.is_symlink() or generator.is_symlink():
                    outcome = invalid("symbolic_link", "the folder of the result is a link")
                else:
                    path = f"{self.root}/{place}"
                    outcome = read_result(path, self.scoring_source, self.extract, weights)
                    if outcome.sha256 is not None:
                        place = f"{place}/{self.scoring_source}"
                yield owner, lane.name, place, outcome

    def _owner(self, place: Place) -> Model | None:
        """Return the model whose results lie in a folder: first by lane and generator."""
        lane, generator = place
        same = [one for one in self.models if one.generator == generator]
        exact = [one for one in same if one.lane == lane]
        if exact:
            return exact[0]
        if len(same) == 1:
            return same[0]
        self._unknown[place] += 1
        return None

    def _passes_a_link(self, release_row: str) -> bool:
        """Return whether a folder on the way to a prompt is a link."""
        path = str(self.root)
        for part in release_row.split("/"):
            path = f"{path}/{part}"
            if path not in self._links:
                self._links[path] = os.path.islink(path)  # noqa: PTH114
            if self._links[path]:
                return True
        return False

    def _unknown_folders(self) -> list[Finding]:
        return [
            Finding(
                UNKNOWN_CHECK,
                _printable(f"{lane}/{generator}"),
                f"{count} prompts have results in this folder, which belongs to no one model",
                outcome=FindingOutcome.WARNED,
            )
            for (lane, generator), count in sorted(self._unknown.items())
        ]

    def _got(self, prompts: Sequence[Row]) -> str:
        if self._unknown:
            names = ", ".join(_printable("/".join(one)) for one in sorted(self._unknown)[:5])
            return f"folders that belong to no model: {names}"
        return f"no folder `{prompts[0]['release_row']}` with a lane and a generator in it"


def _folders(path: str) -> list[os.DirEntry[str]]:
    """Return the folders in a folder, links to folders included, hidden ones left out."""
    try:
        with os.scandir(path) as entries:
            return [one for one in entries if not one.name.startswith(".") and one.is_dir()]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _printable(name: str) -> str:
    """Return the name of a foreign folder for a message, without bytes that are no text."""
    shown = name.encode("utf-8", "backslashreplace").decode()
    return "".join(one if one.isprintable() else "?" for one in shown)


def _row(prompt: Row, source_id: str, lane: str, file: str, outcome: Outcome) -> Row:
    return {
        "run_id": prompt["run_id"],
        "dataset_id": prompt["dataset_id"],
        "sample_id": prompt["sample_id"],
        "source_id": source_id,
        "lane": lane,
        "status": outcome.status,
        "status_reason": outcome.reason,
        **outcome.components,
        "stated_overall_9": None,
        "stated_overall_10": None,
        "evaluation_sha256": outcome.sha256,
        "source_file": file,
        "source_line": None,
    }
