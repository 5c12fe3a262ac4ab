"""DOCX by python-docx: places are paragraphs, those of tables among them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...errors import FormatError, require
from ..builder import TextBuilder
from ..source import Source

_CODE = ("code", "preformatted", "verbatim", "macro")


def read_docx(path: Path) -> Source:
    """The text of a document's body. Raises FormatError where the file is no DOCX."""
    docx = require("docx", "documents", "python-docx")
    try:
        found = list(_paragraphs(docx.Document(str(path))))
        styles = [str(one.style.name).lower() if one.style else "" for one in found]
        texts = [" ".join(one.text.splitlines()) for one in found]
    except OSError:
        raise
    except Exception as error:  # whatever a damaged archive makes zipfile, lxml and docx raise
        raise FormatError(f"no DOCX that opens: {error}") from error
    builder = TextBuilder("\n".join(texts))
    start = 0
    for text, style in zip(texts, styles, strict=True):
        if not any(name in style for name in _CODE):
            builder.copy(start, start + len(text))
            builder.glue("\n\n")
        start += len(text) + 1
    return builder.source("docx").at(unit="paragraph")


def _paragraphs(container: Any) -> Iterator[Any]:
    """The paragraphs in reading order; a merged cell's once."""
    for block in container.iter_inner_content():
        if hasattr(block, "rows"):
            seen = set()
            for row in block.rows:
                for cell in row.cells:
                    if cell._tc not in seen:
                        seen.add(cell._tc)
                        yield from _paragraphs(cell)
        else:
            yield block
