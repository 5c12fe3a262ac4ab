"""Readers of the dictionary's sources, as listed in `assets/dictionary/sources.json`."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

from ...concepts.readers import read_concepts
from ...documents.lines import read_lines
from ...errors import InputError
from ...text.schwartz_hearst import align, is_acronym, is_long_form
from .glossary import Casing, clean_glossary

KINDS = ("text", "glossary", "common", "concepts")


@dataclass(frozen=True)
class Source:
    """A source of entries.

    Attributes:
        name: Name of the source, which is the domain of its entries.
        kind: Kind of source, one of `KINDS`.
        path: Path of its file.
        licence: Licence of its data.
        fields: A mapping from subject fields to shares that sum to one. Empty for a general source.
        publisher: Publisher. Sources of the same publisher do not confirm each other's entries.
        flags: Properties. "small": acronyms have lost their capitals. "clinical": lower-case
            acronyms are valid. "projects": many entries are names that nobody else uses.
    """

    name: str
    kind: str
    path: Path
    licence: str
    fields: dict[str, float]
    publisher: str
    flags: frozenset[str] = field(default=frozenset())

    def to_json(self) -> dict[str, Any]:
        """Return the source's entry in the dictionary's metadata."""
        return {"kind": self.kind, "fields": self.fields, "licence": self.licence}


@dataclass(frozen=True)
class Sources:
    """The inputs of a build of the dictionary.

    Attributes:
        sources: The sources of entries.
        words: Files of texts in which ordinary words are counted.
        documents: Number of documents to read from each file of `words`.
        abbreviations: Spellings that are always acronyms although they don't look like one.
        glosses: Files with glosses of senses.
    """

    sources: list[Source]
    words: list[Path]
    documents: int
    abbreviations: frozenset[str]
    glosses: list[Path] = field(default_factory=list)

    def of_kind(self, kind: str) -> list[Source]:
        """Return all sources of a kind.

        Args:
            kind: Kind of source, one of `KINDS`.
        """
        return [source for source in self.sources if source.kind == kind]


def read_sources(path: Path, shared: Path, without: Collection[str] = ()) -> Sources:
    """Read the list of a dictionary's sources.

    Args:
        path: Path of the JSON list. Paths of common lists are relative to it.
        shared: Folder to which the other paths are relative.
        without: Names of sources to leave out, in addition to those that the list disables.

    Returns:
        The sources.

    Raises:
        InputError: If the list is invalid, a file is missing, or a name is unknown.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        words = content["words"]
        folder = content.get("glosses", {}).get("path")
        glosses = sorted((path.parent / folder).glob("*.tsv")) if folder else []
        abbreviations = frozenset(
            (path.parent / content["known"]["path"]).read_text("utf8").split()
        )
        sources = [
            source
            for kind in KINDS
            for source in _sources(kind, content[kind], path.parent if kind == "common" else shared)
        ]
        off = {name for kind in KINDS for name in content[kind].get("off", [])}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is not a list of sources: {error!r}") from error
    names = {source.name for source in sources}
    if unknown := sorted({*without, *off} - names):
        raise InputError(
            f"{path} has no source {unknown[0]!r}. It has: {', '.join(sorted(names))}."
        )
    taken = [source for source in sources if source.name not in off and source.name not in without]
    for source in taken:
        if not source.path.exists():
            raise InputError(f"The source {source.name!r} is missing: {source.path}")
    texts = [shared / text_path for text_path in words["paths"]]
    return Sources(taken, texts, words["documents"], abbreviations, glosses)


def _sources(kind: str, section: dict[str, Any], folder: Path) -> list[Source]:
    """Return the sources of a section of the list, with the section's settings.

    Its `branches` are folders of lists, each with the fields of its lists. A list is a source named
    by its path, and may have fields of its own.
    """
    base = folder / section.get("path", "")
    listed = dict(section["sources"])
    for branch, fields in section.get("branches", {}).items():
        for path in sorted((base / branch).glob("*.tsv")):
            listed.setdefault(f"{branch}/{path.stem}", {"fields": fields})
    made = []
    for name, settings in listed.items():
        fields_of_list = settings["fields"]
        total = sum(fields_of_list.values())
        made.append(
            Source(
                name if kind == "text" else f"{kind}: {name}",
                kind,
                base if kind == "text" else base / settings.get("path", f"{name}.tsv"),
                settings.get("licence", section.get("licence", "")),
                {
                    field_name: round(weight / total, 3)
                    for field_name, weight in fields_of_list.items()
                },
                settings.get("publisher", kind if kind == "common" else name),
                frozenset(settings.get("flags", ())),
            )
        )
    return made


_MARKS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303"}
_ACCENT = re.compile(r"""\\(["'`^~])\{?([^\W\d_])\}?""")

GRADES = (2, 6, 20, 60, 200)
"""Pseudo-counts for the grades 1 to 5 of a common list. They are comparable with document
counts."""

MOST = 20  # maximum count of a glossary's row
COMMON_COLUMNS = ("acronym", "long_form", "common", "small", "spellings")


class Row(NamedTuple):
    """An entry of a source.

    Attributes:
        acronym: The acronym.
        long_form: The long form.
        source: Name of the source.
        number: Count of the entry.
        spellings: Other spellings that this long form represents.
    """

    acronym: str
    long_form: str
    source: str
    number: int
    spellings: tuple[str, ...] = ()


def text_rows(sources: list[Source]) -> Iterator[Row]:
    """Read entries that were counted in texts. Their count is a number of documents.

    Args:
        sources: Sources of kind "text". Several can share a file.

    Yields:
        The rows.

    Raises:
        InputError: If a count is not a number.
    """
    taken = {source.name for source in sources}
    for path in dict.fromkeys(source.path for source in sources):
        for line, (domain, acronym, long_form, documents) in _cells(path, 4):
            if domain in taken:
                yield Row(acronym, _accented(long_form), domain, _number(documents, path, line))


def glossary_rows(source: Source, casing: Casing) -> Iterator[Row]:
    """Read and clean the entries of a glossary.

    The first two columns are the acronym and the long form. An optional column `frequency` has a
    share or a number of uses, which is converted to a count from 1 to 20. Other columns are
    ignored.

    Args:
        source: A source of kind "glossary".
        casing: Function that restores the capitalization.

    Yields:
        The rows.
    """
    columns = _columns(source.path)
    at = columns.index("frequency") if "frequency" in columns else None
    rows = [
        (cells[0], cells[1], "" if at is None else cells[at])
        for _, cells in _cells(source.path, len(columns))
    ]
    shares = max((float(row[2]) for row in rows if row[2]), default=0) <= 1
    for acronym, long_form, frequency in rows:
        count = 1.0
        if frequency:
            count = 1 + (MOST - 1) * float(frequency) if shares else float(frequency)
        for short, form in clean_glossary(acronym, long_form, casing, source.flags):
            yield Row(short, form, source.name, max(1, min(MOST, round(count))))


def common_rows(source: Source) -> Iterator[Row]:
    """Read a common list. Acronyms marked `small` are also yielded in lower case.

    Args:
        source: A source of kind "common".

    Yields:
        The rows, with the pseudo-counts of `GRADES`.

    Raises:
        InputError: If a line has no valid grade or mark.
    """
    for line, cells in _cells(source.path, len(COMMON_COLUMNS)):
        acronym, long_form, grade, small, spellings = cells
        if grade not in ("1", "2", "3", "4", "5") or small not in ("", "yes"):
            raise InputError(
                f"{source.path}, line {line}: {cells} has no grade 1 to 5, or no 'yes'."
            )
        other_spellings = tuple(
            spelling.strip() for spelling in spellings.split(" ; ") if spelling.strip()
        )
        row = Row(acronym, long_form, source.name, GRADES[int(grade) - 1], other_spellings)
        yield row
        if small and acronym.lower() != acronym:
            yield row._replace(acronym=acronym.lower())


def concept_rows(source: Source) -> Iterator[Row]:
    """Read the names of concepts that have an acronym among their other names.

    Args:
        source: A source of kind "concepts".

    Yields:
        The rows.
    """
    for concept in read_concepts(source.path):
        shorts = [name for name in concept.names if " " not in name and name[:3].isupper()]
        for short in shorts:
            if not is_acronym(short):
                continue
            for name in concept.names:
                if " " in name and align(short, name) == 0 and is_long_form(short, name):
                    yield Row(short, name, source.name, 1)


def _accented(text: str) -> str:
    r"""Convert LaTeX's accents to letters, as in Schr\"odinger."""
    if "\\" not in text:
        return text
    return _ACCENT.sub(lambda match: normalize("NFC", match[2] + _MARKS[match[1]]), text)


def _columns(path: Path) -> list[str]:
    """Return the names of a table's columns."""
    for _, raw in read_lines(path):
        return raw.decode().rstrip("\r\n").split("\t")
    return []


def _cells(path: Path, number: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the cells of each line below a table's header."""
    for line, raw in read_lines(path):
        if line == 1:
            continue
        cells = [" ".join(cell.split()) for cell in raw.decode().rstrip("\r").split("\t")]
        if len(cells) != number:
            raise InputError(f"{path}, line {line}: expected {number} columns, got {len(cells)}.")
        if cells[0] and cells[1]:
            yield line, cells


def _number(cell: str, path: Path, line: int) -> int:
    if not cell.isdecimal():
        raise InputError(f"{path}, line {line}: {cell!r} is not a number of documents.")
    return int(cell)
