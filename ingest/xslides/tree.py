"""The artifact tree: where every file of the benchmark lies, and what names may stand in it.

Layout (the names are those of the benchmark's own tree):

    audiences.csv
    sources/<case>/source.<suffix>, source_metadata.json
    probes/<case>/source_context.txt, raw/chunk_XX/*.json, probes_deduped.jsonl, ...
    runs/<run>/decks/<system>/<condition>/<audience>/<case>/<deck>
    runs/<run>/evaluations/<system>/<condition>/<audience>/<case>/...

`<case>` is a case label, or `<case label>@<variant>` where two probe banks of one case lie
side by side. The folder `<audience>` of an agnostic deck is `agnostic`; in `evaluations/`
it is the audience that the deck was judged for.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ingest.names import check_name as check_name

AGNOSTIC = "agnostic"
CONDITIONED = "conditioned"
CONDITIONS = (AGNOSTIC, CONDITIONED)
VARIANT_MARK = "@"
SOURCE_METADATA = "source_metadata.json"
SOURCE_CONTEXT = "source_context.txt"
PROBES_FILE = "probes_deduped.jsonl"
PROBE_PAIRS_FILE = "probes_pairs.jsonl"
PROBE_STATUS_FILE = "probe_generation_status.json"
WEIGHT_STATUS_FILE = "weight_generation_status.json"


def split_variant(folder: str) -> tuple[str, str | None]:
    """Return the case label and the variant of a case folder's name."""
    label, mark, variant = folder.partition(VARIANT_MARK)
    return (label, variant) if mark and label and variant else (folder, None)


def join_variant(case_label: str, variant: str | None) -> str:
    """Return the case folder's name of a case label and a variant."""
    return case_label if variant is None else f"{case_label}{VARIANT_MARK}{variant}"


@dataclass(frozen=True, order=True)
class DeckKey:
    """Which deck: `audience` is `agnostic` for an agnostic deck."""

    system_id: str
    condition: str
    audience: str
    case_label: str

    @property
    def subject(self) -> str:
        """Return the id that findings about this deck carry."""
        return "/".join((self.system_id, self.condition, self.audience, self.case_label))


@dataclass(frozen=True, order=True)
class EvaluationKey:
    """Which evaluation: `case_folder` is the case label, with `@variant` for a variant bank."""

    system_id: str
    condition: str
    audience: str
    case_folder: str

    @property
    def subject(self) -> str:
        """Return the id that findings about this evaluation carry."""
        return "/".join((self.system_id, self.condition, self.audience, self.case_folder))


@dataclass(frozen=True)
class ArtifactTree:
    """Paths of one tree under `root`. Nothing here touches the disk except the listings."""

    root: Path

    @property
    def audiences_csv(self) -> Path:
        """Return the copy of the configured audiences."""
        return self.root / "audiences.csv"

    def source_folder(self, case_label: str) -> Path:
        """Return the folder of one source document."""
        return self.root / "sources" / case_label

    def source_metadata(self, case_label: str) -> Path:
        """Return the metadata file of one source document."""
        return self.source_folder(case_label) / SOURCE_METADATA

    def source_file(self, case_label: str) -> Path | None:
        """Return `source.<suffix>` of one case, or None when there is none."""
        found = sorted(self.source_folder(case_label).glob("source.*"))
        files = [path for path in found if path.is_file() and not path.is_symlink()]
        return files[0] if files else None

    def probe_folder(self, case_folder: str) -> Path:
        """Return the folder of one probe bank."""
        return self.root / "probes" / case_folder

    def weights_file(self, case_folder: str, audience: str) -> Path:
        """Return one audience's weights over one bank."""
        return self.probe_folder(case_folder) / "weights" / f"{audience}.jsonl"

    def run_folder(self, run: str) -> Path:
        """Return the folder of one run."""
        return self.root / "runs" / run

    def run_sheet(self, run: str) -> Path:
        """Return the run sheet of one run."""
        return self.run_folder(run) / "run_sheet.csv"

    def deck_folder(self, run: str, key: DeckKey) -> Path:
        """Return the folder that holds one deck."""
        parts = (key.system_id, key.condition, key.audience, key.case_label)
        return self.run_folder(run).joinpath("decks", *parts)

    def evaluation_folder(self, run: str, key: EvaluationKey) -> Path:
        """Return the folder of one evaluation."""
        parts = (key.system_id, key.condition, key.audience, key.case_folder)
        return self.run_folder(run).joinpath("evaluations", *parts)

    def case_labels(self) -> list[str]:
        """Return the labels of all sources, sorted."""
        return folder_names(self.root / "sources")

    def bank_folders(self, case_label: str | None = None) -> list[str]:
        """Return the case folders under `probes/`, sorted; only those of one case if named."""
        names = folder_names(self.root / "probes")
        return [name for name in names if case_label in (None, split_variant(name)[0])]

    def runs(self) -> list[str]:
        """Return the names of all runs, sorted."""
        return folder_names(self.root / "runs")

    def deck_keys(self, run: str) -> list[DeckKey]:
        """Return the keys of all deck folders of a run that hold a file, sorted."""
        keys = []
        for folder in nested_folders(self.run_folder(run) / "decks", depth=4):
            if any(is_plain_file(path) for path in folder.iterdir()):
                keys.append(DeckKey(*folder.parts[-4:]))
        return sorted(keys)

    def evaluation_keys(self, run: str) -> list[EvaluationKey]:
        """Return the keys of all evaluation folders of a run, sorted."""
        folders = nested_folders(self.run_folder(run) / "evaluations", depth=4)
        return sorted(EvaluationKey(*folder.parts[-4:]) for folder in folders)

    def relative(self, path: Path) -> str:
        """Return a path below the root with forward slashes."""
        return path.relative_to(self.root).as_posix()

    def inside(self, text: str) -> Path | None:
        """Return the path that a run sheet or manifest names, or None if it leaves the root.

        Links are resolved first, so that a link below the root cannot lead out of it.
        """
        if "\0" in text:
            return None
        path = self.root / text
        root = self.root.resolve()
        return path if path.resolve().is_relative_to(root) else None


def is_plain_file(path: Path) -> bool:
    """Return whether a path is a file that a user put there: no link, not hidden, no lock."""
    return not path.name.startswith((".", "~$")) and not path.is_symlink() and path.is_file()


def folder_names(parent: Path) -> list[str]:
    """Return the names of the folders in `parent`, sorted; hidden ones and links left out."""
    if not parent.is_dir():
        return []
    return sorted(
        path.name
        for path in parent.iterdir()
        if not path.name.startswith(".") and not path.is_symlink() and path.is_dir()
    )


def nested_folders(parent: Path, depth: int) -> list[Path]:
    """Return the folders that lie exactly `depth` levels below `parent`, sorted."""
    if depth == 0:
        return [parent]
    return [
        folder
        for name in folder_names(parent)
        for folder in nested_folders(parent / name, depth - 1)
    ]
