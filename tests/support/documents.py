"""A document of every format, with a paragraph as it is given and its markup around it."""

import json
import re
from pathlib import Path

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
    for number, one in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{one}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    count = len(objects) + 1
    out += f"xref\n0 {count}\n0000000000 65535 f \n{table}"
    ends = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{out.index('xref')}\n%%EOF\n"
    return (out + ends).encode("latin-1")
