"""The shipped sample is what its script makes, is as varied as promised, and stays small."""

import io
import json
import zipfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from pptx import Presentation
from pptx.exc import PackageNotFoundError

from ingest.sample.make_sample import (
    CONTENT,
    MADE_WITH,
    SAMPLE,
    make_files,
    toolchain,
    write_sample,
)
from ingest.sample.markup import read_source_text
from ingest.sample.plan import PICTURES_ONLY, SYSTEMS, TORN

MEBIBYTE = 1024 * 1024
AUDIENCES = {"specialists", "learners", "decision_makers"}
TORN_DECK = f"decks/sampler/agnostic/{TORN}.pptx"
PICTURE_DECK = f"decks/sampler/agnostic/{PICTURES_ONLY}.pptx"
HIDING_DECK = "decks/sampler/agnostic/cold_batteries.pptx"


@pytest.fixture(scope="module")
def made() -> Mapping[str, bytes]:
    return make_files()


@pytest.fixture(scope="module")
def committed() -> Mapping[str, bytes]:
    paths = [path for name in ("cases", "decks") for path in (SAMPLE / name).rglob("*")]
    return {
        path.relative_to(SAMPLE).as_posix(): path.read_bytes() for path in paths if path.is_file()
    }


def shape_texts(shapes: Any) -> list[str]:
    texts: list[str] = []
    for shape in shapes:
        if shape.shape_type is not None and shape.shape_type.name == "GROUP":
            texts.extend(shape_texts(shape.shapes))
        elif getattr(shape, "has_table", False) and shape.has_table:
            texts.extend(cell.text for row in shape.table.rows for cell in row.cells)
        elif shape.has_text_frame:
            texts.append(shape.text_frame.text)
    return texts


def content_of(name: str, data: bytes) -> list[str]:
    """Return what a file says, so that files from two library versions can be compared."""
    if name == TORN_DECK:
        return []  # nothing can be read from it, and that is its point
    if name.endswith(".pdf"):
        return [" ".join(page.get_text().split()) for page in pymupdf.open("pdf", data)]
    if name.endswith(".pptx"):
        slides = Presentation(io.BytesIO(data)).slides
        return [text for slide in slides for text in shape_texts(slide.shapes)]
    return [data.decode()]


def decks(files: Mapping[str, bytes]) -> list[tuple[str, ...]]:
    return [Path(name).parts[1:] for name in files if name.startswith("decks/")]


def test_the_script_makes_the_committed_files(
    made: Mapping[str, bytes], committed: Mapping[str, bytes]
) -> None:
    """Byte for byte with the recorded versions; with others the extracted text is compared."""
    assert sorted(made) == sorted(committed)
    recorded = json.loads((SAMPLE / MADE_WITH).read_text(encoding="utf-8"))
    if recorded == toolchain():
        different = [name for name in made if made[name] != committed[name]]
    else:
        different = [
            name
            for name in made
            if content_of(name, made[name]) != content_of(name, committed[name])
        ]
    assert different == []


def test_a_second_run_makes_the_same_bytes(made: Mapping[str, bytes], tmp_path: Path) -> None:
    assert write_sample(tmp_path) == len(made) + 1
    assert all((tmp_path / name).read_bytes() == data for name, data in made.items())


def test_twelve_cases_of_three_formats(committed: Mapping[str, bytes]) -> None:
    names = [Path(name).name for name in committed if name.startswith("cases/")]
    assert Counter(names) == {
        "source.pdf": 5,
        "source.html": 4,
        "source.md": 3,
        "source_metadata.json": 12,
    }


def test_source_metadata_names_its_source(committed: Mapping[str, bytes]) -> None:
    ids, scenes = set(), set()
    for name, data in committed.items():
        if not name.endswith("source_metadata.json"):
            continue
        record = json.loads(data)
        ids.add(record["case_id"])
        scenes.add(record["scene"])
        assert Path(name).with_name(record["source_path"]).as_posix() in committed
        assert set(record["valid_audiences"]) <= AUDIENCES
        assert set(record["metadata"]) == {"display_name", "category", "topic"}
    assert ids == {f"case_{number:03d}" for number in range(12)}
    assert "academic_research_talk" in scenes
    assert len(scenes) >= 5


def test_sources_are_short_documents() -> None:
    paths = [path for path in CONTENT.glob("*.md") if not path.name.endswith(".decks.md")]
    lengths = {path.stem: len(read_source_text(path).body.split()) for path in paths}
    assert len(lengths) == 12
    assert all(500 <= length <= 1100 for length in lengths.values()), lengths


def test_documents_share_no_sentence() -> None:
    seen: dict[str, str] = {}
    for path in sorted(CONTENT.glob("*[a-z].md")):
        if path.name.endswith(".decks.md"):
            continue
        for sentence in read_source_text(path).body.replace("\n", " ").split(". "):
            if len(sentence.split()) >= 5:
                assert seen.setdefault(sentence.strip(), path.name) == path.name


def test_every_system_made_an_agnostic_deck_of_every_case(committed: Mapping[str, bytes]) -> None:
    agnostic = Counter(parts[0] for parts in decks(committed) if parts[1] == "agnostic")
    assert agnostic == dict.fromkeys(SYSTEMS, 12)


def test_conditioned_decks_are_for_valid_audiences_only(committed: Mapping[str, bytes]) -> None:
    valid = {
        Path(name).parent.name: set(json.loads(data)["valid_audiences"])
        for name, data in committed.items()
        if name.endswith("source_metadata.json")
    }
    cases: dict[str, set[str]] = {system: set() for system in SYSTEMS}
    for system, condition, *rest in decks(committed):
        if condition == "conditioned":
            audience, case_label = rest[0], Path(rest[1]).stem
            assert audience in valid[case_label]
            cases[system].add(case_label)
    assert {system: len(labels) for system, labels in cases.items()} == {
        "outliner": 12,
        "narrator": 12,
        "sampler": 6,
    }


def test_conditioned_decks_differ_by_audience(committed: Mapping[str, bytes]) -> None:
    names = [name for name in committed if "/conditioned/" in name]
    assert len({committed[name] for name in names}) == len(names)


def test_both_deck_formats_are_there(committed: Mapping[str, bytes]) -> None:
    formats = Counter(Path(parts[-1]).suffix for parts in decks(committed))
    assert set(formats) == {".pptx", ".pdf"}
    assert min(formats.values()) >= 30


def test_the_sample_is_small(committed: Mapping[str, bytes]) -> None:
    assert sum(map(len, committed.values())) < 4 * MEBIBYTE
    assert max(map(len, committed.values())) < 300 * 1024


def test_one_deck_is_torn(committed: Mapping[str, bytes]) -> None:
    data = committed[TORN_DECK]
    assert data.startswith(b"PK")
    assert not zipfile.is_zipfile(io.BytesIO(data))
    with pytest.raises((zipfile.BadZipFile, PackageNotFoundError)):
        Presentation(io.BytesIO(data))


def test_one_deck_is_pictures_only(committed: Mapping[str, bytes]) -> None:
    slides = list(Presentation(io.BytesIO(committed[PICTURE_DECK])).slides)
    kinds = [[shape.shape_type.name for shape in slide.shapes] for slide in slides]
    assert kinds == [["PICTURE"]] * 3


def test_one_deck_hides_text_in_every_way(committed: Mapping[str, bytes]) -> None:
    presentation = Presentation(io.BytesIO(committed[HIDING_DECK]))
    slides = list(presentation.slides)
    assert any(slide.has_notes_slide for slide in slides)
    assert [slide._element.get("show") for slide in slides].count("0") == 1
    shapes = [shape for slide in slides for shape in slide.shapes]
    assert any(shape.left > presentation.slide_width for shape in shapes)
    runs = [
        run
        for shape in shapes
        if shape.has_text_frame
        for paragraph in shape.text_frame.paragraphs
        for run in paragraph.runs
    ]
    # The colour stands on the run: no program honours one in a paragraph's properties.
    assert any(run.font.color.type and str(run.font.color.rgb) == "FFFFFF" for run in runs)


def test_one_deck_is_next_to_empty(committed: Mapping[str, bytes]) -> None:
    name = "decks/sampler/agnostic/bird_calls.pptx"
    assert [text for text in content_of(name, committed[name]) if text] == ["Windrow Calls"]


def test_two_systems_tie_on_one_case(committed: Mapping[str, bytes]) -> None:
    names = [f"decks/{system}/agnostic/soil_sensor.pptx" for system in ("outliner", "sampler")]
    contents = [content_of(name, committed[name]) for name in names]
    assert contents[0] == contents[1]
    assert committed[names[0]] != committed[names[1]]
