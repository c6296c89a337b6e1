"""Raw PDF to probe banks through MinerU: its text, paid for once, never filled in by another."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.judge.offline import OfflineJudge
from ingest.xslides.land import LandOptions
from ingest.xslides.stage import Settings, StageReport
from ingest.xslides.tree import PROBE_STATUS_FILE, PROBES_FILE, SOURCE_CONTEXT, ArtifactTree
from podium.pdf_parsing import chosen_parser
from podium.xslides_run import RunRequest, open_tree, run_stages
from tests.integration.test_demo import podium
from tests.integration.test_own_files import STUDY
from tests.support.mineru_bench import write_pdf
from tests.support.mineru_server import KEY, Fault, MineruServer, serving
from warehouse.paths import WarehousePaths

OWN_TEXT = "What PyMuPDF would read of it"


def study(data: bytes) -> str:
    return STUDY.replace("Ferrol", f"Ferrol{len(data)}")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MineruServer]:
    with serving(study) as running:
        monkeypatch.setenv("XSLIDESBENCH_PDF_PARSER", "mineru")
        monkeypatch.setenv("MINERU_API_URL", running.url)
        yield running


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    for label in ("bridge", "tunnel"):
        write_pdf(tmp_path / "cases" / f"{label}.pdf", f"{OWN_TEXT}: {label}")
        write_pdf(tmp_path / "decks" / "acme" / f"{label}.pdf", "14 events above 60% of the load")
    return tmp_path / "cases"


def run(tmp_path: Path) -> tuple[ArtifactTree, dict[str, StageReport]]:
    """Run all stages as `podium xslides run` does, up to landing."""
    paths = WarehousePaths(tmp_path / "warehouse")
    request = RunRequest(
        inputs=tmp_path / "cases",
        decks=tmp_path / "decks",
        system=None,
        run="run",
        dataset="own",
        audiences=None,
        accepted=None,
        stage_settings=Settings(code_version="test"),
        land=LandOptions(),
    )
    tree = open_tree(paths, request.inputs, "own")
    reports = run_stages(
        tree, request, OfflineJudge(), lambda _: None, lambda *_: None, chosen_parser(paths)
    )
    return tree, {report.stage: report for report in reports}


def context(tree: ArtifactTree, label: str) -> str:
    return (tree.probe_folder(label) / SOURCE_CONTEXT).read_text(encoding="utf-8")


def test_a_bank_is_made_of_the_markdown_and_decks_are_read_here(
    server: MineruServer, cases: Path, tmp_path: Path
) -> None:
    tree, reports = run(tmp_path)
    for label in ("bridge", "tunnel"):
        assert context(tree, label) == study((cases / f"{label}.pdf").read_bytes())
        status = json.loads((tree.probe_folder(label) / PROBE_STATUS_FILE).read_text())
        assert status["parser"].startswith("mineru:own-2.7.6:pipeline:ch/1/")
        assert "Ferrol" in (tree.probe_folder(label) / PROBES_FILE).read_text()
    assert server.counts() == {"parse": 2}
    assert reports["sources"].notes == ("MinerU: 2 parsed",)
    assert reports["evaluate"].done == 6
    decks = list((tree.root / "runs").rglob("deck_stats.json"))
    assert {json.loads(path.read_text())["parser"] for path in decks} == {"pymupdf"}


def test_a_second_run_sends_nothing_even_without_a_server(
    server: MineruServer, cases: Path, tmp_path: Path
) -> None:
    run(tmp_path)
    server.stop()
    _, reports = run(tmp_path)
    assert all(report.done == 0 and not report.findings for report in reports.values())
    assert server.counts() == {"parse": 2}


def test_a_missing_context_comes_from_the_same_parser(
    server: MineruServer, cases: Path, tmp_path: Path
) -> None:
    tree, _ = run(tmp_path)
    (tree.probe_folder("bridge") / SOURCE_CONTEXT).unlink()
    probed = tree.root.parent / "own"
    done = podium("xslides", "evaluate", str(probed), "--warehouse", str(tmp_path / "warehouse"))
    assert done.returncode == 0, done.stderr
    assert "6 unchanged" in done.stderr
    assert server.counts() == {"parse": 2}


def test_another_parser_makes_another_bank(
    server: MineruServer, cases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, _ = run(tmp_path)
    before = json.loads((tree.probe_folder("bridge") / PROBE_STATUS_FILE).read_text())
    monkeypatch.setenv("XSLIDESBENCH_PDF_PARSER", "auto")
    monkeypatch.delenv("MINERU_API_URL")
    _, reports = run(tmp_path)
    after = json.loads((tree.probe_folder("bridge") / PROBE_STATUS_FILE).read_text())
    assert after["fingerprint"] != before["fingerprint"]
    assert after["parser"].startswith("pymupdf/")
    assert any("PyMuPDF" in note for note in reports["sources"].notes)


def test_a_source_without_markdown_is_a_finding_and_the_others_go_on(
    server: MineruServer, cases: Path, tmp_path: Path
) -> None:
    server.faults["parse"] = [Fault("status", 422, body=b'{"detail":"unreadable"}')]
    told = podium("xslides", "sources", "cases", "--warehouse", "wh", cwd=tmp_path)
    assert told.returncode == 4, told.stderr
    assert "bridge.pdf" in told.stderr and "MinerU: failed" in told.stderr
    assert "1 done" in told.stderr and "1 failed" in told.stderr
    held = [path for path in (tmp_path / "wh" / "trees").rglob("*") if path.is_file()]
    assert {path.parent.name for path in held if path.name == "source.pdf"} == {"tunnel"}
    assert not [
        path for path in held if OWN_TEXT.encode() in path.read_bytes() and path.suffix != ".pdf"
    ]


def test_a_flag_names_the_parser_and_a_demand_without_settings_ends(
    cases: Path, tmp_path: Path
) -> None:
    told = podium("xslides", "sources", "cases", "--pdf-parser", "mineru", cwd=tmp_path)
    assert told.returncode == 2
    assert "MINERU_API_KEY" in told.stderr and "MINERU_API_URL" in told.stderr
    told = podium(
        "xslides", "sources", "cases", "--pdf-parser", "pymupdf", "--warehouse", "w", cwd=tmp_path
    )
    assert told.returncode == 0 and "note" not in told.stderr


def test_a_run_that_is_killed_after_the_upload_does_not_upload_again(
    cases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cases / "tunnel.pdf").unlink()
    with serving(study) as server:
        monkeypatch.setenv("MINERU_API_KEY", KEY)
        monkeypatch.setenv("MINERU_BASE_URL", server.url)
        server.running_polls = 10**6
        code = "from podium.cli.main import main; main()"
        command = [sys.executable, "-c", code, "xslides", "sources", "cases", "--warehouse", "wh"]
        process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while not server.counts()["poll"] and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert server.counts()["poll"]
        server.running_polls = 0
        again = podium("xslides", "sources", "cases", "--warehouse", "wh", cwd=tmp_path)
        assert again.returncode == 0, again.stderr
        assert (server.counts()["batch"], server.counts()["upload"]) == (1, 1)
        assert KEY not in again.stderr + again.stdout
