"""Every file that the stages write keeps the benchmark's format, and the guide names the rest."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ingest.judge.offline import OfflineJudge
from tests.integration.test_orders_to_judges import LINES, Bench
from tests.integration.test_own_files import write_pdf, write_picture_pdf
from tests.support import model_stand_in
from tests.support.openai_server import serving
from tests.support.ordering_decks import write_ordering_pptx
from tests.support.project import ROOT
from tests.support.seed_formats import FORMATS, extra_fields, faults_of, files_of

GUIDE = (ROOT / "docs" / "artifact-tree.md").read_text(encoding="utf-8")
# `metrics.json` is written from the marts: `test_orders_on_the_board` holds it to the format.
OF_THE_STAGES = set(FORMATS) - {"metrics.json"}


@pytest.fixture(params=["offline", "endpoint"])
def tree(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    bench = Bench(tmp_path)
    write_ordering_pptx(bench.decks / "acme" / "bridge.pptx", LINES)
    write_ordering_pptx(bench.decks / "acme" / "conditioned" / "learners" / "bridge.pptx", LINES)
    write_pdf(bench.decks / "beta" / "bridge.pdf", LINES)
    write_picture_pdf(bench.decks / "pictures" / "bridge.pdf")
    (bench.decks / "torn").mkdir()
    (bench.decks / "torn" / "bridge.pptx").write_bytes(b"PK\x03\x04 torn")
    if request.param == "offline":
        return bench.run(OfflineJudge()).root
    with serving(model_stand_in.answer) as running:
        monkeypatch.setenv("PODIUM_JUDGE_BASE_URL", running.base_url)
        monkeypatch.setenv("PODIUM_JUDGE_MODEL", "stand-in-1")
        monkeypatch.setenv("PODIUM_JUDGE_READS_IMAGES", "no")
        return bench.run().root


def test_every_file_keeps_its_format_and_all_formats_are_there(tree: Path) -> None:
    assert faults_of(tree) == []
    assert {name for _, name, _ in files_of(tree) if name is not None} == OF_THE_STAGES


def told_fields(file: str) -> set[str]:
    """Return every name in the rows of the guide's tables that are about a file."""
    file = "weights/<audience>.jsonl" if file == "weights.jsonl" else file
    rows = [line for line in GUIDE.splitlines() if line.startswith(f"| `{file}` |")]
    return {name for row in rows for name in re.findall(r"`([\w.]+)`", row)}


def test_the_guide_names_every_further_file_and_field(tree: Path) -> None:
    unknown = {path.name for _, name, path in files_of(tree) if name is None}
    assert {one for one in unknown if one not in GUIDE and not one.startswith(".")} == set()
    missing = {
        f"{file}: {field}"
        for file, field in extra_fields(tree)
        if not {field, field.removeprefix("metadata.")} & told_fields(file)
    }
    assert missing == set()


def test_ids_and_paths_agree_with_the_places_of_the_files(tree: Path) -> None:
    for path in tree.rglob("run_manifest.json"):
        system, condition, audience, case = path.parent.relative_to(tree).parts[3:]
        told = json.loads(path.read_text(encoding="utf-8"))
        stated = (told["system_id"], told["condition"], told["audience"], told["case_label"])
        assert stated == (system, condition, audience, case)
        assert (told["deck_audience"] is None) == (condition == "agnostic")
        assert (tree / told["deck_path"]).is_file()
        stats = json.loads((path.parent / "deck_stats.json").read_text(encoding="utf-8"))
        assert stats["deck_path"] == told["deck_path"]
        text = stats["extracted_text_path"]
        assert text is None or (tree / text).is_file()
    for path in tree.rglob("source_metadata.json"):
        told = json.loads(path.read_text(encoding="utf-8"))
        assert (tree / told["source_path"]).is_file()
