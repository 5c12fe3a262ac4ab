"""Readers of the sources that the packaged dictionary is built from.

The sources are listed in `assets/dictionary/sources.json`. There are four kinds: counts of mined
definitions, glossaries, lists written for the package ("common lists") and names of concepts.
"""

import fnmatch
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
    """A source of dictionary entries, such as a glossary or a mined corpus.

    Attributes:
        name: Name of the source. The dictionary stores the counts of each entry under this name.
        kind: Kind of the source: ``"text"`` (counts of mined definitions), ``"glossary"``,
            ``"common"`` (a list written for the package) or ``"concepts"``.
        path: Path of the file with the entries.
        licence: Licence of the data.
        fields: A mapping from subject fields to their shares, which sum to one. Empty for a source
            without a particular field.
        publisher: Publisher of the source. An entry counts as confirmed if sources of different
            publishers have it.
        flags: Properties of the source. ``"small"``: its acronyms are in lower case by mistake.
            ``"clinical"``: its lower-case acronyms are valid. ``"projects"``: many of its entries
            are names that nobody else uses.
    """

    name: str
    kind: str
    path: Path
    licence: str
    fields: dict[str, float]
    publisher: str
    flags: frozenset[str] = field(default=frozenset())

    def to_json(self) -> dict[str, Any]:
        """Return the kind, subject fields and licence of the source, for a dictionary's metadata.

        Returns:
            A mapping with the keys `kind`, `fields` and `licence`.
        """
        return {"kind": self.kind, "fields": self.fields, "licence": self.licence}


@dataclass(frozen=True)
class Sources:
    """All inputs of a build of the dictionary.

    Attributes:
        sources: Sources of dictionary entries.
        words: JSON Lines files with texts of general English, in which ordinary words are counted.
        documents: Maximum number of documents to read from each file of `words`.
        abbreviations: Spellings that are always acronyms although they don't look like one, such as
            ``"c/o"``.
        glosses: Files with short descriptions of long forms.
    """

    sources: list[Source]
    words: list[Path]
    documents: int
    abbreviations: frozenset[str]
    glosses: list[Path] = field(default_factory=list)

    def of_kind(self, kind: str) -> list[Source]:
        """Return the sources of one kind, such as all glossaries.

        Args:
            kind: Kind of source: ``"text"``, ``"glossary"``, ``"common"`` or ``"concepts"``.

        Returns:
            The sources of this kind, in the order of `sources`. Empty if there are none.
        """
        return [source for source in self.sources if source.kind == kind]


def read_sources(path: Path, shared: Path, without: Collection[str] = ()) -> Sources:
    """Read the JSON file that lists the sources of the dictionary.

    Args:
        path: Path of the JSON file, such as `assets/dictionary/sources.json`. Paths of common
            lists, known spellings and glosses in it are relative to its folder.
        shared: Folder to which all other paths in the file are relative.
        without: Names of sources to leave out, in addition to those that the file disables. A
            name may contain wildcards, as in ``common: */labelled_texts``.

    Returns:
        The sources that are used, with the files for counting words and the glosses.

    Raises:
        InputError: If the file can't be read or is invalid, the file of a source is missing, or
            `without` has an unknown name.
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
        raise InputError(
            f"{path} is not a valid list of sources ({error!r}). See "
            "assets/dictionary/sources.json for the format."
        ) from error
    names = {source.name for source in sources}
    if unknown := sorted(name for name in {*without, *off} if not fnmatch.filter(names, name)):
        raise InputError(
            f"{path} has no source {unknown[0]!r}. Choose from: {', '.join(sorted(names))}."
        )
    off = {name for pattern in {*without, *off} for name in fnmatch.filter(names, pattern)}
    taken = [source for source in sources if source.name not in off]
    for source in taken:
        if not source.path.exists():
            raise InputError(
                f"There is no file {source.path} for the source {source.name!r}. Add the file, or "
                "leave the source out with --without."
            )
    texts = [shared / text_path for text_path in words["paths"]]
    return Sources(taken, texts, words["documents"], abbreviations, glosses)


def _sources(kind: str, section: dict[str, Any], folder: Path) -> list[Source]:
    """Return the sources that one section of the JSON file describes, with the section's settings.

    Its `branches` are folders. Each table in such a folder is a source that is named by its path.
    It has the subject fields of the folder, unless the section lists it with fields of its own.
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
"""Counts that stand for the grades 1 to 5 of a common list.

They are chosen so that they can be compared with numbers of documents.
"""

MOST = 20  # maximum count of a glossary's row
COMMON_COLUMNS = ("acronym", "long_form", "common", "small", "spellings")


class Row(NamedTuple):
    """A row of a source: an acronym, one of its long forms and a count.

    Attributes:
        acronym: Acronym that the long form belongs to, such as ``"CT"``.
        long_form: A long form of the acronym.
        source: Name of the source.
        number: How common the pair is: a number of documents, or a count that stands for a grade or
            a share.
        spellings: Other spellings of the long form, which are merged into it.
    """

    acronym: str
    long_form: str
    source: str
    number: int
    spellings: tuple[str, ...] = ()


def text_rows(sources: list[Source]) -> Iterator[Row]:
    """Read long forms that were mined from texts, with the number of documents that define each.

    Args:
        sources: Sources of kind ``"text"``. Several sources can be in the same file, which is read
            only once.

    Yields:
        A row for each acronym and long form of a source, in file order.

    Raises:
        InputError: If a line does not have four columns, or its count is not a number.
    """
    taken = {source.name for source in sources}
    for path in dict.fromkeys(source.path for source in sources):
        for line, (domain, acronym, long_form, documents) in _cells(path, 4):
            if domain in taken:
                yield Row(acronym, _accented(long_form), domain, _number(documents, path, line))


def glossary_rows(source: Source, casing: Casing) -> Iterator[Row]:
    """Read the entries of a glossary, and clean their long forms.

    The glossary is a table with a header, separated by tabs. Its first two columns are the acronym
    and the long form. An optional column `frequency` has a share or a number of uses, which is
    converted to a count from 1 to 20. Other columns are ignored.

    Args:
        source: Source of kind ``"glossary"``.
        casing: Function that restores the usual capitalization of a long form in all capitals.

    Yields:
        A row for each long form. An entry with several long forms gives several rows, and an
        invalid entry gives none.

    Raises:
        InputError: If a line has another number of columns than the header.
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
    """Read a common list, which is a list of acronyms that was written for the package.

    Its columns are the acronym, the long form, a grade from 1 (rare) to 5 (common), a mark for
    acronyms that are also written in lower case, and other spellings of the long form.

    Args:
        source: Source of kind ``"common"``.

    Yields:
        A row for each line, with the count that `GRADES` gives for its grade. An acronym marked as
        lower-case gives a second row with the acronym in lower case.

    Raises:
        InputError: If the grade of a line is not 1 to 5, or its mark is neither empty nor ``yes``.
    """
    for line, cells in _cells(source.path, len(COMMON_COLUMNS)):
        acronym, long_form, grade, small, spellings = cells
        if grade not in ("1", "2", "3", "4", "5") or small not in ("", "yes"):
            raise InputError(
                f"{source.path}, line {line}: the row {cells} is invalid. The third column must be "
                "a grade from 1 to 5, and the fourth must be empty or 'yes'."
            )
        other_spellings = tuple(
            spelling.strip() for spelling in spellings.split(" ; ") if spelling.strip()
        )
        row = Row(acronym, long_form, source.name, GRADES[int(grade) - 1], other_spellings)
        yield row
        if small and acronym.lower() != acronym:
            yield row._replace(acronym=acronym.lower())


def concept_rows(source: Source) -> Iterator[Row]:
    """Read acronyms and long forms from concepts that have both among their names.

    For example, a concept with the names "MRI" and "Magnetic resonance imaging" gives a row. The
    letters of the acronym must match the long form.

    Args:
        source: Source of kind ``"concepts"``, in any format of a concept inventory.

    Yields:
        A row for each pair of an acronym and a matching name of the same concept, with the count 1.
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
    r"""Convert accents in LaTeX's notation to letters, such as Schr\"odinger to Schrödinger."""
    if "\\" not in text:
        return text
    return _ACCENT.sub(lambda match: normalize("NFC", match[2] + _MARKS[match[1]]), text)


def _columns(path: Path) -> list[str]:
    """Return the names of a table's columns, which are in its first line."""
    for _, raw in read_lines(path):
        return raw.decode().rstrip("\r\n").split("\t")
    return []


def _cells(path: Path, number: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the cells of each row of a table, without the header.

    Rows without an acronym or a long form are skipped. `number` is the expected number of columns.
    """
    for line, raw in read_lines(path):
        if line == 1:
            continue
        cells = [" ".join(cell.split()) for cell in raw.decode().rstrip("\r").split("\t")]
        if len(cells) != number:
            raise InputError(
                f"{path}, line {line}: the row has {len(cells)} columns instead of {number}. "
                "Separate columns with tabs."
            )
        if cells[0] and cells[1]:
            yield line, cells


def _number(cell: str, path: Path, line: int) -> int:
    if not cell.isdecimal():
        raise InputError(
            f"{path}, line {line}: {cell!r} is not a number of documents. Write a whole number."
        )
    return int(cell)
