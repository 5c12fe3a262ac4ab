"""The file formats of this package, and those that other packages add.

A package adds a format with an entry point in the group `spacy_gladis.formats`. The name of the
entry point is the name of the format. The entry point refers to an object of the type `TextFormat`,
`EncodedFormat`, `BinaryFormat` or `RecordsFormat`.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from ...errors import InputError
from ...plugins import load_plugins
from .asciidoc import read_asciidoc
from .docx import read_docx
from .format import BinaryFormat, EncodedFormat, Format, RecordsFormat, TextFormat
from .html import read_html
from .latex import read_latex
from .mail import read_mail
from .markdown import read_markdown
from .notebook import read_notebook
from .pdf import read_pdf
from .plain import read_plain
from .pptx import read_pptx
from .records import read_docbins, read_json_lines
from .restructuredtext import read_restructuredtext
from .table import read_spreadsheet, read_table

ADDED: Final = "spacy_gladis.formats"
"""Group of the entry points with which other packages add file formats."""

PLAIN: Final = TextFormat("text", (".txt", ".text"), read_plain)
"""The format of plain text files, which is also used for files without an ending."""

BUILT_IN: Final[tuple[Format, ...]] = (
    PLAIN,
    TextFormat(
        "markdown",
        (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"),
        read_markdown,
    ),
    TextFormat("restructuredtext", (".rst", ".rest"), read_restructuredtext),
    TextFormat("html", (".html", ".htm", ".xhtml"), read_html),
    TextFormat("latex", (".tex", ".latex", ".ltx"), read_latex),
    TextFormat("asciidoc", (".adoc", ".asciidoc", ".asc"), read_asciidoc),
    TextFormat("notebook", (".ipynb",), read_notebook),
    BinaryFormat("docx", (".docx",), read_docx),
    BinaryFormat("pptx", (".pptx",), read_pptx),
    BinaryFormat("pdf", (".pdf",), read_pdf),
    RecordsFormat("json lines", (".jsonl", ".ndjson"), read_json_lines, is_by_line=True),
    RecordsFormat("docbin", (".spacy",), read_docbins),
    RecordsFormat("table", (".csv", ".tsv"), read_table),
    RecordsFormat("spreadsheet", (".xlsx",), read_spreadsheet),
    EncodedFormat("mail", (".eml",), read_mail),
)


@cache
def load_formats() -> dict[str, Format]:
    """Load the file formats of this package and of other packages. The result is cached.

    Returns:
        A dictionary from the names of the formats to the formats. Those of this package come first.

    Raises:
        InputError: If a format of another package has the wrong type, a name that differs from its
            entry point, or a name or ending that another format already has.
    """
    formats = {format.name: format for format in BUILT_IN}
    for name, plugin in load_plugins(ADDED).items():
        formats[name] = _checked(plugin, name, formats)
    return formats


@cache
def text_formats() -> dict[str, TextFormat]:
    """Return the text formats, such as Markdown, as a dictionary with their names as keys."""
    formats = load_formats().items()
    return {name: format for name, format in formats if isinstance(format, TextFormat)}


@cache
def formats_by_ending() -> dict[str, Format]:
    """Return all file formats, as a dictionary with the endings of their files as keys."""
    return _by_ending(load_formats().values())


def _by_ending(formats: Iterable[Format]) -> dict[str, Format]:
    return {ending: format for format in formats for ending in format.endings}


def _checked(plugin: object, name: str, formats: Mapping[str, Format]) -> Format:
    """Check the format that another package adds, and return it if it is valid."""
    source = f"The format {name!r} of the entry points {ADDED!r}"
    if not isinstance(plugin, TextFormat | EncodedFormat | BinaryFormat | RecordsFormat):
        raise InputError(
            f"{source} is {plugin!r}. Expected a TextFormat, EncodedFormat, BinaryFormat or "
            "RecordsFormat."
        )
    if plugin.name != name or name in formats:
        raise InputError(
            f"{source} is named {plugin.name!r}. Use the entry point's name, and choose a name "
            "that no other format has."
        )
    if taken := sorted(_by_ending(formats.values()).keys() & set(plugin.endings)):
        raise InputError(
            f"{source} has the ending {taken[0]!r}, which belongs to another format. Remove this "
            "ending."
        )
    return plugin
