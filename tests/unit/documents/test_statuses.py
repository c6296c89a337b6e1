"""Every file ends in one status of the closed list, and a bad file never raises."""

from __future__ import annotations

import struct
from pathlib import Path

import document_builders as build
import pymupdf
import pytest
from document_builders import box, paragraph, picture, read_bytes, read_slides, slide, words

from ingest.documents.document import DocumentStatus
from ingest.documents.policy import Limits
from ingest.documents.read import read_document

DECK = build.zip_bytes(build.deck_parts([slide(box(paragraph("two words")))]))
IMAGE = {1: {"rId9": ("image", "../media/image1.png")}}
MEDIA: dict[str, str | bytes] = {"ppt/media/image1.png": b"png"}


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        ("deck.pptx", DECK, "ok"),
        ("deck.pdf", DECK, "ok"),  # the bytes decide, not the suffix
        ("deck.pptx", build.pdf_bytes([[(50, 50, "a PDF in disguise", {})]]), "ok"),
        ("deck.pptx", build.compound_file("PowerPoint Document"), "legacy_binary"),
        ("deck.pptx", build.compound_file("EncryptedPackage"), "encrypted"),
        ("deck.pptx", b"\x00lock file of an office program\x01", "not_a_zip"),
        ("deck.pptx", b"just text", "not_a_zip"),
        ("deck.pptx", DECK[: len(DECK) // 2], "damaged"),
        ("deck.pptx", b"", "damaged"),
        ("deck.pdf", b"", "damaged"),
        ("deck.pdf", b"no header here", "damaged"),
        ("deck.docx", build.zip_bytes({"word/document.xml": "<w/>"}), "unsupported"),
        ("image.png", b"\x89PNG\r\n\x1a\n\x00\x00", "unsupported"),
        ("notes.rtf", b"{\\rtf1 text}", "unsupported"),
        ("page.html", b"<!doctype html><p>hello</p>", "ok"),
        ("page.md", b"# hello", "ok"),
        ("page.txt", b"hello", "ok"),
        ("page.txt", b" \n", "empty"),
        ("page.md", b"![a picture](x.png)", "image_only"),
    ],
)
def test_bytes_decide_the_status(tmp_path: Path, name: str, data: bytes, status: str) -> None:
    document = read_bytes(tmp_path, data, name)
    assert document.status == status, document.warnings
    assert document.byte_count == len(data)
    assert document.sha256 is not None
    if not document.status.is_readable:
        assert document.warnings
        assert document.slide_count is None
        assert document.visible_word_count is None


def test_missing_path_is_missing(tmp_path: Path) -> None:
    document = read_document(tmp_path / "nowhere.pptx")
    assert document.status is DocumentStatus.MISSING
    assert document.sha256 is None
    assert document.as_record()["visible_word_count"] is None


def test_a_folder_is_unsupported(tmp_path: Path) -> None:
    assert read_document(tmp_path).status is DocumentStatus.UNSUPPORTED


def test_other_packages_are_unsupported(tmp_path: Path) -> None:
    parts: dict[str, str | bytes] = {
        "_rels/.rels": build.relations({"rId1": ("officeDocument", "word/document.xml")}),
        "word/document.xml": '<w:document xmlns:w="urn:w"/>',
    }
    assert read_bytes(tmp_path, build.zip_bytes(parts)).status is DocumentStatus.UNSUPPORTED


@pytest.mark.parametrize("suffix", [".ppsx", ".ppsm", ".potx", ".potm"])
def test_slide_shows_and_templates_are_read(tmp_path: Path, suffix: str) -> None:
    document = read_bytes(tmp_path, DECK, f"deck{suffix}")
    assert (document.status, document.visible_word_count) == (DocumentStatus.OK, 2)


def test_image_only_has_unknown_words_and_known_slides(tmp_path: Path) -> None:
    document = read_slides(
        tmp_path,
        slide(picture(described="a chart of sales")),
        slide_relations=IMAGE,
        extra=MEDIA,
    )
    assert document.status is DocumentStatus.IMAGE_ONLY
    assert document.visible_word_count is None
    assert document.slide_count == 1
    assert words(document) == {"alt_text": 4}


def test_deck_without_words_and_pictures_is_empty(tmp_path: Path) -> None:
    document = read_slides(tmp_path, slide(""))
    assert (document.status, document.visible_word_count) == (DocumentStatus.EMPTY, 0)
    assert read_slides(tmp_path).status is DocumentStatus.EMPTY


@pytest.mark.parametrize("embed", [None, "rId404", "rId9"])
def test_x07_a_malformed_picture_is_named_and_the_other_slides_are_read(
    tmp_path: Path, embed: str | None
) -> None:
    slides = [slide(box(paragraph("text here"))) for _ in range(5)]
    slides[2] = slide(picture(embed, name="Broken one") + box(paragraph("still here")))
    document = read_slides(
        tmp_path, *slides, slide_relations={3: {"rId9": ("image", "../media/gone.png")}}
    )
    assert document.status is DocumentStatus.OK_WITH_WARNINGS
    assert document.visible_word_count == 10
    assert any("slide 3, shape `Broken one`" in warning for warning in document.warnings)


def test_x07_a_picture_that_is_no_image_is_named(tmp_path: Path) -> None:
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="png" ContentType="application/xml"/></Types>'
    )
    document = read_slides(
        tmp_path,
        slide(picture() + box(paragraph("text"))),
        slide_relations=IMAGE,
        extra=MEDIA | {"[Content_Types].xml": types},
    )
    assert "no image" in document.warnings[0]
    assert document.visible_word_count == 1


def test_x08_a_relation_to_null_is_a_warning(tmp_path: Path) -> None:
    document = read_slides(
        tmp_path,
        slide(box(paragraph("two words"))),
        slide_relations={1: {"rId9": ("image", "NULL")}},
    )
    assert document.status is DocumentStatus.OK_WITH_WARNINGS
    assert document.visible_word_count == 2
    assert "slide 1" in document.warnings[0] and "NULL" in document.warnings[0]


def test_x10_four_kinds_of_no_package_have_four_statuses(tmp_path: Path) -> None:
    found = {
        read_bytes(tmp_path, build.compound_file("PowerPoint Document")).status,
        read_bytes(tmp_path, build.compound_file("EncryptionInfo")).status,
        read_bytes(tmp_path, b"not a zip").status,
        read_document(tmp_path / "missing.pptx").status,
    }
    assert len(found) == 4


def test_a_slide_that_is_no_xml_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    good = slide(box(paragraph("good words")))
    document = read_slides(tmp_path, good, "no XML at all", good)
    assert document.status is DocumentStatus.OK_WITH_WARNINGS
    assert (document.slide_count, document.visible_word_count) == (3, 4)
    assert "slide 2" in document.warnings[0]


def test_a_slide_that_breaks_off_is_read_up_to_the_fault(tmp_path: Path) -> None:
    good = slide(box(paragraph("good words")))
    document = read_slides(tmp_path, good[: good.index("</p:sp>")])
    assert (document.status, document.visible_word_count) == ("ok_with_warnings", 2)


def test_deck_without_one_readable_slide_is_damaged(tmp_path: Path) -> None:
    assert read_slides(tmp_path, "no XML", "nor here").status is DocumentStatus.DAMAGED


def test_a_part_with_a_wrong_checksum_is_named(tmp_path: Path) -> None:
    data = bytearray(DECK)
    entry = data.rindex(b"ppt/slides/slide1.xml") - 46
    struct.pack_into("<L", data, entry + 16, 12345)
    document = read_bytes(tmp_path, bytes(data))
    assert document.status is DocumentStatus.DAMAGED
    assert "checksum" in document.warnings[0]


def test_zip_bomb_in_a_slide_is_too_large(tmp_path: Path) -> None:
    parts = build.deck_parts([slide(" " * 3_000_000)])
    small = Limits(part_bytes=1_000_000)
    document = read_bytes(tmp_path, build.zip_bytes(parts), limits=small)
    assert document.status is DocumentStatus.TOO_LARGE


def test_zip_bomb_in_a_part_nobody_reads_is_too_large_by_its_ratio(tmp_path: Path) -> None:
    parts = build.deck_parts([slide(box(paragraph("text")))]) | {"ppt/media/a.bin": bytes(70 << 20)}
    document = read_bytes(tmp_path, build.zip_bytes(parts))
    assert document.status is DocumentStatus.TOO_LARGE


@pytest.mark.parametrize(
    "limits",
    [
        Limits(inflated_bytes=500),
        Limits(part_count=3),
        Limits(page_count=0),
        Limits(file_bytes=100),
        Limits(declared_bytes=100),
    ],
)
def test_each_bound_ends_in_too_large(tmp_path: Path, limits: Limits) -> None:
    assert read_bytes(tmp_path, DECK, limits=limits).status is DocumentStatus.TOO_LARGE


def test_a_directory_that_lies_about_sizes_does_not_inflate_past_the_bound(tmp_path: Path) -> None:
    data = bytearray(build.zip_bytes(build.deck_parts([slide(" " * 3_000_000)])))
    entry = data.rindex(b"ppt/slides/slide1.xml") - 46
    struct.pack_into("<L", data, entry + 24, 10)
    document = read_bytes(tmp_path, bytes(data), limits=Limits(part_bytes=1_000_000))
    assert document.status is DocumentStatus.TOO_LARGE


def test_nested_archives_are_never_opened(tmp_path: Path) -> None:
    document = read_slides(
        tmp_path, slide(box(paragraph("outer"))), extra={"ppt/embeddings/inner.pptx": DECK}
    )
    assert words(document) == {"body": 1}


def test_xml_entities_are_not_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret words", encoding="utf-8")
    attack = (
        f'<!DOCTYPE p [<!ENTITY leak SYSTEM "{secret.as_uri()}"><!ENTITY in "inner words">]>'
        + slide(box(paragraph("&leak; &in; text")))
    )
    document = read_slides(tmp_path, slide(box(paragraph("clean"))), attack)
    assert document.status is DocumentStatus.OK_WITH_WARNINGS
    assert words(document) == {"body": 1}
    assert "DTD" in document.warnings[0]


def test_billion_laughs_ends_at_once(tmp_path: Path) -> None:
    entities = '<!ENTITY e0 "ha">' + "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12)
    )
    attack = f"<!DOCTYPE p [{entities}]>" + slide(box(paragraph("&e11;")))
    assert read_slides(tmp_path, attack).status is DocumentStatus.DAMAGED


def test_xml_nested_beyond_the_bound_is_a_broken_part(tmp_path: Path) -> None:
    deep = "<a:x>" * 5000 + "</a:x>" * 5000
    document = read_slides(tmp_path, slide(box(paragraph("text"))), slide(deep))
    assert document.status is DocumentStatus.OK_WITH_WARNINGS


def test_locked_pdf_is_encrypted(tmp_path: Path) -> None:
    data = build.pdf_bytes(
        [[(50, 50, "secret", {})]],
        encryption=pymupdf.PDF_ENCRYPT_AES_256,
        user_pw="user",
        owner_pw="owner",
    )
    assert read_bytes(tmp_path, data, "a.pdf").status is DocumentStatus.ENCRYPTED


def test_pdf_without_pages_is_damaged(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n", "a.pdf").status == "damaged"


def test_record_has_the_published_fields(tmp_path: Path) -> None:
    record = read_bytes(tmp_path, DECK).as_record()
    assert record["status"] == "ok"
    assert record["format"] == "pptx"
    assert record["visible_word_count"] == 2
    assert record["word_rule"] == "unicode-words-1"
    assert record["parser_fingerprint"] == "podium-pptx/2/visible-1/unicode-words-1"
    assert isinstance(record["words_by_class"], dict)
