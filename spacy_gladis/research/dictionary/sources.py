"""What a dictionary is built from, `assets/dictionary/sources.json`, and its sources' rows."""

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
    """A source of entries: its name is their domain."""

    name: str
    kind: str
    path: Path
    licence: str
    fields: dict[str, float]
    """What it is about, by shares that sum to one; nothing for a source of all fields."""
    publisher: str
    """Sources of one publisher do not attest each other's entries."""
    flags: frozenset[str] = field(default=frozenset())
    """"small": its acronyms lost their capitals; "clinical": small letters count in its field;
    "projects": full of names that nobody else uses."""

    def to_json(self) -> dict[str, Any]:
        """What the dictionary's metadata say of it."""
        return {"kind": self.kind, "fields": self.fields, "licence": self.licence}


@dataclass(frozen=True)
class Sources:
    """All sources that a build takes, and the texts in which ordinary words are counted."""

    sources: list[Source]
    words: list[Path]
    documents: int
    """Documents of each of `words` to count."""
    known: frozenset[str]
    """Spellings that are acronyms though they look like none, be they ever so frequent."""
    glosses: list[Path] = field(default_factory=list)
    """Files that say what senses are."""

    def of_kind(self, kind: str) -> list[Source]:
        return [source for source in self.sources if source.kind == kind]


def read_sources(path: Path, shared: Path, without: Collection[str] = ()) -> Sources:
    """The sources that the file at `path` names and has on, but for those in `without`.

    Paths of common lists are relative to the file, all others to the folder `shared`. Raises
    `InputError` for a file of another form, a path that is not there, a name not among the sources.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        words = content["words"]
        folder = content.get("glosses", {}).get("path")
        glosses = sorted((path.parent / folder).glob("*.tsv")) if folder else []
        known = frozenset((path.parent / content["known"]["path"]).read_text("utf8").split())
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
    texts = [shared / one for one in words["paths"]]
    return Sources(taken, texts, words["documents"], known, glosses)


def _sources(kind: str, section: dict[str, Any], folder: Path) -> list[Source]:
    """The sources of a section; each has what the section says of all, and its own.

    branches: folders of lists, each with the fields that its lists are of; a list is a source by
    its path, and may have fields of its own.
    """
    place = folder / section.get("path", "")
    listed = dict(section["sources"])
    for branch, fields in section.get("branches", {}).items():
        for path in sorted((place / branch).glob("*.tsv")):
            listed.setdefault(f"{branch}/{path.stem}", {"fields": fields})
    made = []
    for name, own in listed.items():
        about = own["fields"]
        total = sum(about.values())
        made.append(
            Source(
                name if kind == "text" else f"{kind}: {name}",
                kind,
                place if kind == "text" else place / own.get("path", f"{name}.tsv"),
                own.get("licence", section.get("licence", "")),
                {one: round(weight / total, 3) for one, weight in about.items()},
                own.get("publisher", kind if kind == "common" else name),
                frozenset(own.get("flags", ())),
            )
        )
    return made


_MARKS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303"}
_ACCENT = re.compile(r"""\\(["'`^~])\{?([^\W\d_])\}?""")

GRADES = (2, 6, 20, 60, 200)
"""Pseudo-counts of a common list's grades 1 to 5: they order candidates beside documents."""

MOST = 20  # count of a glossary's row
COMMON_COLUMNS = ("acronym", "long_form", "common", "small", "spellings")


class Row(NamedTuple):
    """One entry as a source gives it."""

    acronym: str
    long_form: str
    source: str
    number: int
    spellings: tuple[str, ...] = ()


def text_rows(sources: list[Source]) -> Iterator[Row]:
    """What was counted in texts, by documents; all sources are in one file."""
    taken = {source.name for source in sources}
    for path in dict.fromkeys(source.path for source in sources):
        for line, (domain, acronym, long_form, documents) in _cells(path, 4):
            if domain in taken:
                yield Row(acronym, _accented(long_form), domain, _number(documents, path, line))


def glossary_rows(source: Source, casing: Casing) -> Iterator[Row]:
    """Read a glossary's entries, cleaned.

    The first two columns are the acronym and the long form. A column `frequency` may give a share
    or a number of uses, which becomes a count of 1 to 20. Other columns are not read.
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
    """What a common list says; where small letters count, the acronym in small letters, too."""
    for line, cells in _cells(source.path, len(COMMON_COLUMNS)):
        acronym, long_form, grade, small, spellings = cells
        if grade not in ("1", "2", "3", "4", "5") or small not in ("", "yes"):
            raise InputError(
                f"{source.path}, line {line}: {cells} has no grade 1 to 5, or no 'yes'."
            )
        others = tuple(one.strip() for one in spellings.split(" ; ") if one.strip())
        row = Row(acronym, long_form, source.name, GRADES[int(grade) - 1], others)
        yield row
        if small and acronym.lower() != acronym:
            yield row._replace(acronym=acronym.lower())


def concept_rows(source: Source) -> Iterator[Row]:
    """The names of concepts that another name of theirs is an acronym of."""
    for concept in read_concepts(source.path):
        shorts = [name for name in concept.names if " " not in name and name[:3].isupper()]
        for short in shorts:
            if not is_acronym(short):
                continue
            for name in concept.names:
                if " " in name and align(short, name) == 0 and is_long_form(short, name):
                    yield Row(short, name, source.name, 1)


def _accented(text: str) -> str:
    """The text with LaTeX's accents as letters: Schr\\"odinger."""
    if "\\" not in text:
        return text
    return _ACCENT.sub(lambda match: normalize("NFC", match[2] + _MARKS[match[1]]), text)


def _columns(path: Path) -> list[str]:
    """The names of a table's columns."""
    for _, raw in read_lines(path):
        return raw.decode().rstrip("\r\n").split("\t")
    return []


def _cells(path: Path, number: int) -> Iterator[tuple[int, list[str]]]:
    """The cells of a table's lines below its first, each with the number of its line."""
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
