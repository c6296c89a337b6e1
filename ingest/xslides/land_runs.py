"""Landing of one run: its grid of evaluations with judgments, claims, counts and decks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest.land_fields import FieldError, FileReader
from ingest.xslides import land_scores as scores
from ingest.xslides.land_banks import BankInfo, Banks
from ingest.xslides.land_cases import CaseInfo
from ingest.xslides.land_decks import read_decks
from ingest.xslides.land_grid import expected_evaluations
from ingest.xslides.land_manifests import (
    EvaluationPlace,
    PeerConfigs,
    check_agreement,
    config_row,
    deck_audience_of,
    hash_state,
    manifest_path,
    origin_of,
    place_of,
)
from ingest.xslides.land_scores_fast import ScoreFile, read_clean
from ingest.xslides.tree import AGNOSTIC, ArtifactTree, DeckKey, EvaluationKey, is_plain_file
from warehouse import identity, storage
from warehouse.contracts import xslides as contracts
from warehouse.findings import Finding
from warehouse.landing import Chunk, Row


@dataclass
class RunLander:
    """Reads one run. Rows come in chunks per (system, condition), so memory stays bounded."""

    tree: ArtifactTree
    reader: FileReader
    dataset_id: str
    run: str
    cases: dict[str, CaseInfo]
    banks: Banks
    configured: set[str] | None
    findings: list[Finding] = field(default_factory=list)

    @property
    def run_id(self) -> str:
        """Return the id of the run across datasets."""
        return f"{self.dataset_id}/{self.run}"

    def chunks(self) -> Iterator[Chunk]:
        """Yield (contract, rows, parsed rows); a table may come in several chunks."""
        found: dict[EvaluationPlace, tuple[EvaluationKey, dict[str, Any]]] = {}
        for key in self.tree.evaluation_keys(self.run):
            self._find(key, found)
        configs = self._configs(found)
        unique = {row["evaluation_config_id"]: row for row in reversed(list(configs.values()))}
        yield contracts.EVALUATION_CONFIGS, list(unique.values()), None
        evaluations = []
        groups: dict[tuple[str, str], list[EvaluationPlace]] = defaultdict(list)
        for place in sorted(found, key=lambda one: one.subject):
            groups[(place.system_id, place.condition)].append(place)
        for places in groups.values():
            tables: dict[str, list[Row]] = defaultdict(list)
            files: list[ScoreFile] = []
            for place in places:
                row = self._land_one(place, *found[place], configs[place], tables, files)
                evaluations.append(row)
            clean, rest = read_clean(self.reader, files)
            for file in rest:
                tables["probe_scores"] += scores.read_scores(
                    self.reader, file.folder, file.ids, file.bank
                )
            yield contracts.PROBE_SCORES, tables["probe_scores"], clean
            yield contracts.CLAIMS, tables["claims"], None
            yield contracts.DECK_STATS, tables["deck_stats"], None
        evaluations += self._missing(found, configs)
        yield contracts.EVALUATIONS, evaluations, None
        decks = read_decks(self.tree, self.reader, self.run, self.run_id, self.cases)
        yield contracts.DECKS, decks, None

    def _find(
        self,
        key: EvaluationKey,
        found: dict[EvaluationPlace, tuple[EvaluationKey, dict[str, Any]]],
    ) -> None:
        """Keep an evaluation folder whose path and manifest agree; reject any other."""
        folder = self.tree.evaluation_folder(self.run, key)
        path = manifest_path(folder)
        place_file = path if path.is_file() else folder
        try:
            place = place_of(key)
            if place.case_label not in self.cases:
                raise FieldError("no_case", "its case could not be landed")
            if place in found:
                raise FieldError("label_collision", "two folders have this name after NFC")
            manifest = self.reader.document(path, "xslides/evaluations") if path.is_file() else {}
            if manifest is None:
                return
            check_agreement(manifest, place, self.run, self.cases[place.case_label])
            config_row(manifest, "")
            origin_of(manifest)
        except FieldError as error:
            self.reader.reject(
                contracts.EVALUATIONS.table, place_file, error.reason, key.subject, str(error)
            )
            return
        found[place] = (key, manifest)

    def _file(self, key: EvaluationKey, manifest: dict[str, Any]) -> str:
        folder = self.tree.evaluation_folder(self.run, key)
        return self.reader.relative(manifest_path(folder) if manifest else folder)

    def _land_one(
        self,
        place: EvaluationPlace,
        key: EvaluationKey,
        manifest: dict[str, Any],
        config: Row,
        tables: dict[str, list[Row]],
        files: list[ScoreFile],
    ) -> Row:
        folder = self.tree.evaluation_folder(self.run, key)
        deck_audience = deck_audience_of(manifest, place)
        row, bank = self._evaluation_row(place, deck_audience, config, self._file(key, manifest))
        ids = scores.EvaluationIds(
            row["evaluation_id"], row["evaluation_key"], row["weight_set_key"]
        )
        if bank is None:
            tables["probe_scores"] += scores.read_scores(self.reader, folder, ids, bank)
        else:
            files.append(ScoreFile(folder, ids, bank))
        claims, stated_correctness = scores.read_claims(self.reader, folder, ids)
        tables["claims"] += claims
        tables["deck_stats"] += scores.read_deck_stats(self.reader, folder, ids)
        weights = self._weights(place)
        is_verified, changed = hash_state(
            manifest,
            {
                "probes": bank.probes_sha256 if bank else None,
                "weights": weights.weights_sha256 if weights else None,
                "deck": self._deck_sha256(manifest, place, deck_audience),
            },
        )
        status = self._status(folder)
        row.update(
            is_found=True,
            is_hash_verified=is_verified,
            hash_mismatch=changed,
            reported_status=_text(status, "status"),
            status_message=_text(status, "message"),
            stated_correctness=stated_correctness,
            deck_sha256=_text(manifest, "deck_sha256"),
            started_at=_text(manifest, "started_at"),
            code_version=_text(manifest, "code_version"),
            judgment_origin=origin_of(manifest),
        )
        return row

    def _configs(
        self, found: dict[EvaluationPlace, tuple[EvaluationKey, dict[str, Any]]]
    ) -> dict[EvaluationPlace, Row]:
        """Return the configuration of every evaluation found.

        A deck that could not be judged was read by no parser; it takes the configuration of
        its peers under the same judge, so that it counts in the cell it is missing from.
        """
        own = {place: config_row(one[1], self._file(*one)) for place, one in found.items()}
        judged = {
            place: own[place]
            for place, (key, _) in found.items()
            if (self.tree.evaluation_folder(self.run, key) / scores.SCORES_FILE).is_file()
        }
        by_judge: dict[str, dict[EvaluationPlace, Row]] = defaultdict(dict)
        for place, row in judged.items():
            by_judge[row["judge_id"]][place] = row
        peers = {judge_id: PeerConfigs(rows) for judge_id, rows in by_judge.items()}
        configs = {}
        for place, config in own.items():
            same_judge = None if place in judged else peers.get(config["judge_id"])
            configs[place] = (same_judge and same_judge.inherited(place)) or config
        return configs

    def _missing(
        self,
        found: dict[EvaluationPlace, tuple[EvaluationKey, dict[str, Any]]],
        configs: dict[EvaluationPlace, Row],
    ) -> list[Row]:
        """Return a row for every evaluation of the grid that has no folder."""
        grid, findings = expected_evaluations(
            self.tree, self.run, self.cases, self.banks, self.configured
        )
        self.findings += findings
        # Any variant answers for a plain deck; a deck of a variant asks for that variant.
        there = {
            (one.system_id, one.condition, one.audience, one.case_label, variant)
            for one in found
            for variant in ("", one.variant)
        }
        peers = PeerConfigs(configs)
        rows = []
        for one in grid:
            parts = (one.system_id, one.condition, one.audience, one.case_label, one.variant)
            if parts in there:
                continue
            place = EvaluationPlace(*parts)
            deck_audience = None if one.condition == AGNOSTIC else one.audience
            row, _ = self._evaluation_row(
                place, deck_audience, peers.inherited(place), one.source_file
            )
            rows.append(row)
        return rows

    def _evaluation_row(
        self, place: EvaluationPlace, deck_audience: str | None, config: Row | None, file: str
    ) -> tuple[Row, BankInfo | None]:
        case = self.cases[place.case_label]
        banked = self.banks.bank(place.case_label, place.variant)
        bank = banked[1] if banked else None
        weights = self._weights(place)
        config_id = config["evaluation_config_id"] if config else None
        weight_set_id = weights.weight_set_id if weights else None
        evaluation_id = identity.content_id(
            "evaluation",
            self.run_id,
            place.system_id,
            place.condition,
            deck_audience,
            place.audience,
            case.case_id,
            config_id,
            bank.bank_id if bank else None,
            weight_set_id,
            # Two folders may share bank and weights and still be two evaluations.
            place.variant,
        )
        row: Row = dict.fromkeys(contracts.EVALUATIONS.names)
        row.update(
            evaluation_id=evaluation_id,
            evaluation_key=identity.evaluation_key(evaluation_id),
            dataset_id=self.dataset_id,
            run_id=self.run_id,
            system_id=place.system_id,
            condition=place.condition,
            deck_audience=deck_audience,
            audience=place.audience,
            case_id=case.case_id,
            case_label=case.case_label,
            variant=place.variant,
            evaluation_config_id=config_id,
            judge_id=config["judge_id"] if config else "unstated",
            judge_kind=config["judge_kind"] if config else "unstated",
            bank_id=bank.bank_id if bank else None,
            weight_set_id=weight_set_id,
            weight_set_key=weights.weight_set_key if weights else None,
            is_found=False,
            is_hash_verified=False,
            source_file=file,
        )
        return row, bank

    def _weights(self, place: EvaluationPlace) -> Any:
        banked = self.banks.bank(place.case_label, place.variant)
        return self.banks.weight_sets.get((banked[0], place.audience)) if banked else None

    def _deck_sha256(
        self, manifest: dict[str, Any], place: EvaluationPlace, deck_audience: str | None
    ) -> str | None:
        stated = _text(manifest, "deck_path")
        if stated is not None:
            path = self.tree.inside(stated)
            return storage.sha256_file(path) if path is not None and path.is_file() else None
        key = DeckKey(place.system_id, place.condition, deck_audience or AGNOSTIC, place.case_label)
        folder = self.tree.deck_folder(self.run, key)
        decks = [one for one in sorted(folder.glob("*")) if is_plain_file(one)]
        return storage.sha256_file(decks[0]) if len(decks) == 1 else None

    def _status(self, folder: Path) -> dict[str, Any]:
        path = folder / "status.json"
        return (
            (self.reader.document(path, contracts.EVALUATIONS.table) or {})
            if path.is_file()
            else {}
        )


def _text(content: dict[str, Any], name: str) -> str | None:
    value = content.get(name)
    return value if isinstance(value, str) and value else None
