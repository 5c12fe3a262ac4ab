"""Files put right: the edits of findings, and nothing else."""

from collections.abc import Iterable
from difflib import unified_diff
from io import StringIO
from pathlib import Path

from ..documents.encodings import decode, mark_of
from ..documents.formats import read_text
from ..documents.source import Source
from ..errors import InputError
from ..files import writing
from ..output.markup import apply_edits
from .finding import Edit, Finding
from .run import lint
from .settings import Settings

MOST_PASSES = 5
"""Times that a file is read again because of what was changed in it."""


def fix(source: Source, settings: Settings) -> Source:
    """A document with the fixes of its findings made, until none is left to be made."""
    for _ in range(MOST_PASSES):
        edits = _apart(lint([source], settings))
        if not edits:
            break
        source = _changed(source, apply_edits(source.source, edits))
    return source


def _apart(findings: Iterable[Finding]) -> list[Edit]:
    """The edits of the fixes that do not overlap an earlier one."""
    edits: list[Edit] = []
    for finding in sorted((one for one in findings if one.fix), key=lambda one: one.fix):
        if not edits or finding.fix[0].start >= edits[-1].end:
            edits += finding.fix
    return edits


def _changed(source: Source, text: str) -> Source:
    """A file's text read anew."""
    return read_text(text, source.format).at(name=source.name, path=source.path)


def diff(path: str, before: str, after: str) -> str:
    """A unified diff, as `patch` takes it."""
    old, new = (StringIO(text, newline="\n").readlines() for text in (before, after))
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in unified_diff(old, new, fromfile=path, tofile=path)
    )


def write(path: Path, before: str, after: str, encoding: str | None = None) -> None:
    """Put a text into the place of a file's; its byte-order mark, encoding, mode and owner stay.

    before: the text that was read; a link is followed. Raises InputError where the file says
    something else by now or its encoding lacks a character, OSError where it may not be written.
    """
    data = path.read_bytes()
    mark, name = mark_of(data) or (b"", encoding or "utf-8")
    try:
        same = decode(data, encoding) == before
    except (InputError, UnicodeDecodeError):
        same = False
    if not same:
        raise InputError(f"{path} was changed meanwhile and is left as it is.")
    try:
        content = mark + after.encode(name)
    except UnicodeEncodeError as error:
        raise InputError(f"{path} cannot be written as {name}: {error}") from None
    with writing(path, data) as temporary:
        temporary.write_bytes(content)
