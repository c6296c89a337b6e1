"""Small trees and a stand-in generator for the tests of deck making."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ingest.sample.deckfile import Slide
from ingest.sample.pdf_writer import deck_pdf
from ingest.xslides.audiences import read_audiences
from ingest.xslides.decks.commands import Adapter
from ingest.xslides.decks.rows import Workshop
from ingest.xslides.decks.sheet import SheetRequest, make_run_sheet
from ingest.xslides.tree import ArtifactTree
from tests.unit.xslides.helpers import SLIDES, write_deck

RUN = "r1"
SYSTEM = "maker"
CASES = ("carts", "a b'\"$(touch pwned)")
AUDIENCES = {profile.audience: profile for profile in read_audiences()}

# What a generator does, step by step as its first argument says; the rest are its values.
GENERATOR = """
import os, pathlib, shutil, signal, subprocess, sys, time, zipfile
what, output, deck, *rest = sys.argv[1:]
output = pathlib.Path(output)
with open(os.environ["CALLS"], "a") as calls:
    calls.write(output.name + "\\n")
if what == "deck":
    shutil.copy(deck, output)
    with open(output, "ab") as made:
        made.write("\\0".join(rest).encode())
elif what == "fail":
    print("secret is", os.environ.get("API_KEY"), file=sys.stderr)
    shutil.copy(deck, output)
    sys.exit(3)
elif what == "text":
    output.write_text("no deck")
elif what == "link":
    output.symlink_to(deck)
elif what == "folder_link":
    output.parent.rmdir()
    output.parent.symlink_to(pathlib.Path(deck).parent)
elif what == "endless":
    while True:
        os.write(2, b"x" * 65536)
elif what == "sleep":
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    pathlib.Path(os.environ["PIDS"]).write_text(f"{os.getpid()} {child.pid}")
    signal.signal(signal.SIGTERM, signal.SIG_IGN if "stubborn" in rest else signal.SIG_DFL)
    time.sleep(600)
elif what == "leave":
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    pathlib.Path(os.environ["PIDS"]).write_text(f"{os.getpid()} {child.pid}")
    shutil.copy(deck, output)
elif what == "archive":
    with zipfile.ZipFile(output, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
elif what == "runs":
    folder = output.parent.parent / "runs" / "x_ref1_tgt2"
    folder.mkdir(parents=True)
    shutil.copy(deck, folder / "final.pptx")
"""


def small_tree(root: Path, cases: tuple[str, ...] = CASES) -> ArtifactTree:
    """Return a tree with a source a case and nothing else."""
    tree = ArtifactTree(root / "data")
    for label in cases:
        folder = tree.source_folder(label)
        folder.mkdir(parents=True)
        (folder / "source.md").write_text(f"# {label}\n\nText of it.\n", encoding="utf-8")
    return tree


def with_sheet(tree: ArtifactTree, system: str = SYSTEM, **request: tuple[str, ...]) -> int:
    """Make the sheet of `RUN`; return how many rows are new or changed."""
    wanted = SheetRequest((system,), **request)
    return make_run_sheet(tree, RUN, wanted, tuple(AUDIENCES.values())).done


def generator(root: Path, what: str = "deck", *rest: str, deck: Path | None = None) -> Adapter:
    """Return an adapter that runs the stand-in generator."""
    script = root / "generator.py"
    if not script.is_file():
        script.write_text(GENERATOR, encoding="utf-8")
    model = deck or model_deck(root)
    return Adapter((sys.executable, "-I", str(script), what, "{output}", str(model), *rest))


def model_deck(root: Path) -> Path:
    """Return a real PPTX."""
    path = root / "model.pptx"
    if not path.is_file():
        write_deck(path, SLIDES)
    return path


def model_pdf(root: Path) -> Path:
    """Return a real PDF of one page."""
    path = root / "model.pdf"
    if not path.is_file():
        slides = (Slide(title="Quiet carts", lines=("Complaints fell.",)),)
        path.write_bytes(deck_pdf(slides, author="nobody"))
    return path


def shop(tree: ArtifactTree, root: Path, *, force: bool = False, **env: str) -> Workshop:
    """Return what the rows of one batch share."""
    fixed = {"PATH": os.environ["PATH"], "CALLS": str(root / "calls"), "PIDS": str(root / "pids")}
    return Workshop(
        tree, RUN, {**fixed, **env}, force=force, clock=lambda: "2026-01-01T00:00:00+00:00"
    )


def calls(root: Path) -> list[str]:
    """Return the output names that the generator was asked for, in order."""
    path = root / "calls"
    return path.read_text().splitlines() if path.is_file() else []
