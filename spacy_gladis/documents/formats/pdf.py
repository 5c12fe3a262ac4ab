"""PDF by pypdf: places are pages."""

import logging
from pathlib import Path

from ...errors import FormatError, missing_extra
from ..source import Source, TextBuilder


def read_pdf(path: Path) -> Source:
    """The text of the pages. Raises FormatError where the file is no PDF or is locked."""
    try:
        import pypdf
    except ImportError as error:
        raise missing_extra("pypdf", "documents") from error
    logging.getLogger("pypdf").setLevel(logging.ERROR)  # it warns of every odd font
    try:
        pages = [page.extract_text() for page in pypdf.PdfReader(path).pages]
    except OSError:
        raise
    except Exception as error:  # whatever a damaged file makes pypdf raise
        raise FormatError(f"no PDF that opens: {error}") from error
    # A page is a line of the original, of the same length as its text.
    pages = ["\n".join(page.splitlines()).encode("utf-8", "replace").decode() for page in pages]
    builder = TextBuilder("\n".join(page.replace("\n", " ") for page in pages))
    start = 0
    for page in pages:
        builder.replace(page, start, start + len(page))
        builder.glue("\n\n")
        start += len(page) + 1
    return builder.source(builder.original, "pdf").at(unit="page")
