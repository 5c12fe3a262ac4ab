"""A document of every format, with a paragraph as it is given and its markup around it."""

import json
import re
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

PAGES = {
    "txt": "Before.\n\n{}\n\nAfter.\n",
    "md": "# Title\n\n*Before* `QBZ`.\n\n{}\n\nAfter.\n",
    "html": "<h1>Title</h1><p><i>Before</i> &amp; <code>QBZ</code></p><p>{}</p><p>After.</p>",
    "rst": "Title\n=====\n\n*Before* ``QBZ``.\n\n{}\n\nAfter.\n",
    "tex": "\\section{{Title}}\n\\emph{{Before}} \\& \\verb|QBZ|.\n\n{}\n\nAfter.\n",
    "adoc": "= Title\n\n_Before_ `QBZ`.\n\n{}\n\nAfter.\n",
}
NEEDED = {"docx": "docx", "pdf": "pypdf", "tex": "pylatexenc"}
ENDINGS = (*PAGES, "ipynb", "docx", "pdf", "jsonl", "spacy")


def write_document(path: Path, words: str) -> Path:
    """Write a document with this paragraph, in the format of the path's ending."""
    ending = path.suffix[1:]
    if ending in NEEDED:
        pytest.importorskip(NEEDED[ending])
    if ending == "docx":
        import docx

        document = docx.Document()
        document.add_heading("Title")
        document.add_paragraph(words)
        document.save(str(path))
    elif ending == "spacy":
        import spacy
        from spacy.tokens import DocBin

        DocBin(docs=[spacy.blank("en")(words)]).to_disk(path)
    elif ending == "pdf":
        path.write_bytes(pdf("Before.", words))
    elif ending == "jsonl":
        path.write_text(json.dumps({"text": words, "meta": "QBZ"}) + "\n", "utf8")
    elif ending == "ipynb":
        cell = {"cell_type": "markdown", "metadata": {}, "source": [words]}
        book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        path.write_text(json.dumps(book), "utf8")
    else:
        path.write_text(PAGES[ending].format(words), "utf8")
    return path


def pdf(*pages: str) -> bytes:
    """A PDF file with these lines of text on each page."""
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        font,
    ]
    for number, text in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        lines = re.sub(r"([()\\])", r"\\\1", text).replace("\n", ") Tj 0 -14 Td (")
        stream = f"BT /F1 12 Tf 50 700 Td ({lines}) Tj ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    out, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    count = len(objects) + 1
    out += f"xref\n0 {count}\n0000000000 65535 f \n{table}"
    ends = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{out.index('xref')}\n%%EOF\n"
    return (out + ends).encode("latin-1")


def xlsx(path: Path, **tables: list[list[Any]]) -> Path:
    """A workbook with these sheets."""
    book = pytest.importorskip("openpyxl").Workbook()
    book.remove(book.active)
    for title, rows in tables.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


SPACES = " ".join(
    f'xmlns:{prefix}="http://schemas.openxmlformats.org/{prefix}"' for prefix in "apr"
)


def run(*texts: str) -> str:
    """A paragraph of a slide, in runs."""
    return "<a:p>" + "".join(f"<a:r><a:t>{text}</a:t></a:r>" for text in texts) + "</a:p>"


def shape(paragraphs: str, kind: str = "body") -> str:
    """A shape of a slide."""
    return (
        f'<p:sp><p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>'
        f"<p:txBody>{paragraphs}</p:txBody></p:sp>"
    )


def pptx(path: Path, slides: dict[str, str], notes: str = "", shown: str = "") -> Path:
    """A file of slides by their numbers, the notes at the last; shown: in which order."""

    def relations(targets: dict[str, tuple[str, str]]) -> str:
        each = (
            f'<Relationship Id="{id}" Type="r/{kind}" Target="{target}"/>'
            for id, (kind, target) in targets.items()
        )
        return f"<Relationships>{''.join(each)}</Relationships>"

    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        ids = "".join(f'<p:sldId r:id="r{slide}"/>' for slide in shown or slides)
        archive.writestr("ppt/presentation.xml", f"<p:show {SPACES}>{ids}</p:show>")
        targets = {f"r{slide}": ("slide", f"slides/slide{slide}.xml") for slide in slides}
        archive.writestr("ppt/_rels/presentation.xml.rels", relations(targets))
        for number, content in slides.items():
            archive.writestr(f"ppt/slides/slide{number}.xml", f"<p:sld {SPACES}>{content}</p:sld>")
        if notes:
            targets = {"r1": ("notesSlide", "../notesSlides/notes.xml")}
            archive.writestr(f"ppt/slides/_rels/slide{number}.xml.rels", relations(targets))
            archive.writestr("ppt/notesSlides/notes.xml", f"<p:notes {SPACES}>{notes}</p:notes>")
    return path


def rewritten(path: Path, part: str, before: str, after: str) -> Path:
    """The archive, words of one part replaced, which must be there."""
    with ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    assert before.encode() in content[part]
    content[part] = content[part].replace(before.encode(), after.encode())
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path
