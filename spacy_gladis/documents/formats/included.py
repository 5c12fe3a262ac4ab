"""Read the files that a document includes, or that define the labels of a LaTeX document."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ...errors import GladisError
from ..encodings import decode
from ..source import Source

_FOLDERS_UP = 4
_MOST_FILES = 200
_MOST_BYTES = 1 << 22
_INCLUDES = {
    "latex": re.compile(
        r"\\[^a-zA-Z]|%[^\n]*"  # may hide the macros below
        r"|\\(?:input|include|subfile|loadglsentries)\s*(?:\[[^\[\]]*\]\s*)?"
        r"\{(?P<file>[^{}]+)\}|\\input\s+(?P<bare>[^\s{}\\%]+)"
        r"|\\(?:sub)?(?:import|inputfrom|includefrom)\*?\s*\{(?P<folder>[^{}]*)\}\s*\{(?P<inside>[^{}]+)\}"
    ),
    "restructuredtext": re.compile(
        r"^[ \t]*\.\.[ \t]+include::[ \t]+(?P<file>\S(?:.*\S)?)[ \t\r]*$", re.MULTILINE
    ),
    "asciidoc": re.compile(r"^include::(?P<file>[^\[\n]+)\[", re.MULTILINE),
    "markdown": re.compile(
        r"(?<![;\w-])-+8<-+[ \t]+[\"'](?P<file>[^\"':\n]+)"
        r"|^-+8<-+[ \t]*\n(?P<lines>(?:.*\n)*?)-+8<-+[ \t]*$"
        r"|\{!>?[ \t]*(?P<bare>[^!\s](?:[^!\n]{0,300}[^!\s])?)[ \t]*!\}"
        r"|^(?:```|:::)\{include\}[ \t]+(?P<role>\S+)"
        r"|\{[%{]<?[#-]?\s*include(?:[-_]?(?:markdown|relative))?\s+[\"']?(?P<tag>[^\s\"'{}%>]+)"
        r"|<!--[ \t]*@?include:?[ \t]+(?P<comment>[^\s{}>]+?)(?=[\s{]|-->)",
        re.MULTILINE,
    ),
}
"""Regular expressions for the inclusion of a file, by format."""
_ATTRIBUTE = re.compile(r"^:([\w-]+):[ \t]+(\S+)[ \t\r]*$", re.MULTILINE)
_IN_BRACES = re.compile(r"\{([^{}]+)\}")

Read = Callable[[str, str], tuple[Source, Mapping[str, str]]]
"""A function that takes a text and its format. It returns the plain text and the values of the
names that the text defines, such as labels."""


class Part(NamedTuple):
    """A file that another file includes, or that defines labels which another file uses.

    Attributes:
        source: The file as plain text, with its definitions.
        names: The values of names that the file defines, such as labels of acronyms and attributes.
        includes: Names of the files that this file includes, as written in it.
    """

    source: Source
    names: Mapping[str, str]
    includes: tuple[str, ...]


def parts_of(path: Path, source: str, format: str, read: Read, encoding: str | None) -> list[Part]:
    """Return the files that a document includes, directly or through other included files.

    Each file is searched in the folder of the file that includes it, and in the folders above.

    Args:
        path: Path of the document.
        source: The content of the document.
        format: Name of the document's format. Included files are read in the same format.
        read: Function that reads an included file.
        encoding: Encoding of files without a byte-order mark. None means UTF-8.

    Returns:
        The included files, each once, in the order of inclusion. Missing and unreadable files are
        skipped.
    """
    path = path.absolute()
    parts: list[Part] = []
    seen = {path.resolve()}
    waiting = list(_targets_of(path, _named(source, format), format))
    for target in waiting:
        if target.resolve() in seen or len(parts) >= _MOST_FILES:
            continue
        seen.add(target.resolve())
        if part := _part(target, format, read, encoding):
            parts.append(part)
            waiting += _targets_of(target, part.includes, format)
    return parts


def labels_beside(path: Path, labels: set[str], read: Read, encoding: str | None) -> list[Part]:
    """Return the files of a LaTeX project that define labels which a document uses.

    The folder of the document and the folders above it are searched, up to the root of the
    repository.

    Args:
        path: Path of the document.
        labels: Labels that neither the document nor its included files define. Labels whose
            definitions are found are removed from this set.
        read: Function that reads only the definitions in a file.
        encoding: Encoding of files without a byte-order mark. None means UTF-8.

    Returns:
        The files that define some of the labels, each with only these definitions.
    """
    path = path.absolute()
    parts = []
    seen = {path.resolve()}
    waiting = [file for folder in _folders(path) for file in _files_of(folder)]
    for target in waiting:
        if not labels or target.resolve() in seen or len(seen) > _MOST_FILES:
            continue
        seen.add(target.resolve())
        part = _part(target, "latex", read, encoding)
        if part is None:
            continue
        waiting += _targets_of(target, part.includes, "latex")
        names = {label: part.names[label] for label in labels.intersection(part.names)}
        labels.difference_update(names)
        shorts = set(names.values())
        defined = tuple(
            definition for definition in part.source.definitions if definition.acronym in shorts
        )
        if defined:
            parts.append(Part(part.source.at(definitions=defined), names, ()))
    return parts


def _part(path: Path, format: str, read: Read, encoding: str | None) -> Part | None:
    try:
        state = path.stat()
    except OSError:
        return None
    if state.st_size > _MOST_BYTES:
        return None
    return _read_part(path, format, read, encoding, state.st_mtime_ns, state.st_size)


@lru_cache(1 << 10)
def _read_part(
    path: Path, format: str, read: Read, encoding: str | None, *state: int
) -> Part | None:
    try:
        text = decode(path.read_bytes(), encoding)
        source, names = read(text, format)
    except (OSError, UnicodeDecodeError, GladisError):
        return None
    return Part(source.at(name=str(path), path=str(path)), names, tuple(_named(text, format)))


def _targets_of(path: Path, names: Iterable[str], format: str) -> Iterator[Path]:
    """Yield the paths of the included files that exist.

    Each file is searched in the folder of the file that includes it, and in the folders above.
    """
    endings = ("", ".tex") if format == "latex" else ("",)
    for name in names:
        candidates = (
            folder / within / f"{name}{ending}"
            for folder in _folders(path)
            for within in ("", "_includes")
            for ending in endings
        )
        yield from islice(filter(_is_file, candidates), 1)


def _named(source: str, format: str) -> Iterator[str]:
    pattern = _INCLUDES.get(format)
    attributes = dict(_ATTRIBUTE.findall(source)) if format == "asciidoc" else {}
    for match in pattern.finditer(source) if pattern else ():
        parts = {name: text for name, text in match.groupdict().items() if text}
        inside = [f"{parts.pop('folder', '')}/{parts.pop('inside')}"] if "inside" in parts else []
        for name in [*inside, *(line for text in parts.values() for line in text.split("\n"))]:
            for attribute in _IN_BRACES.findall(name):
                name = name.replace(f"{{{attribute}}}", attributes.get(attribute, ""))
            filenames = name.split(",") if format == "latex" else [name]
            yield from (
                filename.strip().lstrip("/")
                for filename in filenames
                if filename.strip() and "://" not in filename
            )


@lru_cache(1 << 10)
def _folders(path: Path) -> list[Path]:
    """Return the folder of a file and the folders above it, up to the root of a repository."""
    folders = list(path.parents)[:_FOLDERS_UP]
    roots = (number for number, folder in enumerate(folders, 1) if (folder / ".git").exists())
    return folders[: next(roots, _FOLDERS_UP)]


def _files_of(folder: Path) -> list[Path]:
    try:
        return sorted(folder.glob("*.tex"))
    except OSError:
        return []


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
