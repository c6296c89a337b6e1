"""Make the shipped sample from ``content/``: ``python -m ingest.sample.make_sample [FOLDER]``.

Every byte of ``xslides/cases`` and ``xslides/decks`` comes from here, and a second run makes the
same bytes. Compressed streams depend on the libraries, so ``made_with.json`` says which versions
wrote the committed files.
"""

import json
import shutil
import sys
import zlib
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from ingest.sample.deckfile import DeckFile, read_deck_file
from ingest.sample.markup import SourceText, body_html, inline_html, read_source_text
from ingest.sample.pdf_writer import deck_pdf, document_pdf, slide_pictures
from ingest.sample.plan import DeckPlan, plan_decks
from ingest.sample.pptx_writer import deck_pptx, picture_pptx

CONTENT = Path(__file__).parent / "content"
SAMPLE = Path(__file__).parent / "xslides"
MADE_WITH = "made_with.json"
_SUFFIX = {"pdf": "pdf", "html": "html", "markdown": "md"}
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title} | {site}</title>
<style>
body {{ font-family: {font}; max-width: 46rem; margin: 2rem auto; line-height: 1.55; }}
nav a {{ margin-right: 1rem; }}
td, th {{ border-bottom: 1px solid #bbb; padding: 0.3rem 0.8rem; text-align: left; }}
</style>
<script>
document.documentElement.dataset.page = "{label}";
</script>
</head>
<body>
<nav>
{nav}
</nav>
<main>
{body}
</main>
</body>
</html>
"""


def toolchain() -> dict[str, str]:
    """Return the versions of what decides the bytes of compressed files."""
    names = ("lxml", "pymupdf", "python-pptx", "xlsxwriter")
    return {**{name: version(name) for name in names}, "zlib": zlib.ZLIB_RUNTIME_VERSION}


def _source_html(source: SourceText) -> bytes:
    links = "\n".join(f'<a href="#">{inline_html(name)}</a>' for name in source.listed("nav"))
    page = _PAGE.format(
        title=inline_html(source.fields["title"]),
        site=inline_html(source.fields["site"]),
        font=source.fields["font"],
        label=source.label,
        nav=links,
        body=body_html(source.body),
    )
    return page.encode()


def source_bytes(source: SourceText) -> bytes:
    """Return the source document in the format that its front matter names.

    Args:
        source: A document with ``type`` pdf, html or markdown.

    Returns:
        The file's bytes.

    Raises:
        KeyError: A front-matter field that the format needs is absent.
    """
    kind = source.fields["type"]
    if kind == "html":
        return _source_html(source)
    if kind == "markdown":
        return source.body.encode()
    return document_pdf(
        body_html(source.body),
        title=source.fields["title"],
        author=source.fields["author"],
        font=source.fields["font"],
        ink=source.fields["ink"],
    )


def source_metadata(source: SourceText) -> dict[str, object]:
    """Return the case's ``source_metadata.json`` as a record; the path is relative to that file."""
    fields = source.fields
    return {
        "case_id": fields["case_id"],
        "title": fields["title"],
        "source_path": f"source.{_SUFFIX[fields['type']]}",
        "source_type": _SUFFIX[fields["type"]],
        "scene": fields["scene"],
        "valid_audiences": list(source.listed("audiences")),
        "metadata": {name: fields[name] for name in ("display_name", "category", "topic")},
    }


def deck_bytes(plan: DeckPlan, content: DeckFile) -> bytes:
    """Return one deck's file.

    Args:
        plan: Which deck.
        content: The deck file of the plan's case.

    Returns:
        PPTX or PDF bytes; a torn deck is a PPTX file of which the last two fifths are missing.
    """
    slides = content.slides(plan.system, plan.target)
    if plan.system == "narrator":
        return deck_pdf(slides, author=plan.system)
    if plan.is_picture_only:
        pictures = slide_pictures(slides)
        return picture_pptx(pictures, system=plan.system, title=slides[0].title)
    data = deck_pptx(slides, system=plan.system)
    return data[: len(data) * 3 // 5] if plan.is_torn else data


def make_files() -> Mapping[str, bytes]:
    """Make every generated file of the sample.

    Returns:
        Bytes by path below ``xslides/``, in sorted order of the cases.
    """
    files: dict[str, bytes] = {}
    for path in sorted(CONTENT.glob("*.decks.md")):
        content = read_deck_file(path)
        source = read_source_text(CONTENT / f"{content.case_label}.md")
        metadata = source_metadata(source)
        folder = f"cases/{source.label}"
        files[f"{folder}/{metadata['source_path']}"] = source_bytes(source)
        text = json.dumps(metadata, indent=2, ensure_ascii=False) + "\n"
        files[f"{folder}/source_metadata.json"] = text.encode()
        for plan in plan_decks(source.label, source.listed("audiences")):
            files[f"decks/{plan.path}"] = deck_bytes(plan, content)
    return files


def write_sample(folder: Path) -> int:
    """Write the sample, replacing ``cases`` and ``decks`` in the folder.

    Args:
        folder: Where ``cases/``, ``decks/`` and ``made_with.json`` go.

    Returns:
        The number of files written.
    """
    files = make_files()
    for name in ("cases", "decks"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name, data in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    text = json.dumps(toolchain(), indent=2) + "\n"
    (folder / MADE_WITH).write_text(text, encoding="utf-8")
    return len(files) + 1


def main() -> None:
    """Write the sample to the folder named on the command line, or in place."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE
    sys.stdout.write(f"{write_sample(folder)} files written to {folder}\n")


if __name__ == "__main__":
    main()
