"""Files put right: the edits of findings, and nothing else."""

from collections.abc import Callable, Iterable, Sequence
from difflib import unified_diff
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from ..documents.encodings import mark_of
from ..documents.formats import read_text
from ..documents.source import Source
from ..errors import InputError
from ..files import writing
from ..output.markup import apply_edits
from ..rules import base_form, find_definitions
from .finding import Edit, Finding

MOST_PASSES = 5
"""Times that a file is read again because of what was changed in it."""


Check = Callable[[Source], list[Finding]]


class Fixed(NamedTuple):
    """A file's text after all edits, how many there were, and what remains."""

    text: str
    edits: int
    remaining: list[Finding]


def fix(source: Source, findings: Iterable[Finding], check: Check) -> Fixed:
    """Apply the fixes of a file's findings, and of those that `check` finds afterwards.

    A fix that defines an acronym stays only where the changed text is read as its definition; an
    acronym is defined once. So a second run finds nothing to fix.
    """
    remaining, edits, tried = list(findings), 0, set[str]()
    for _ in range(MOST_PASSES):
        chosen = _chosen(source, remaining, tried)
        if not chosen:
            break
        edits += len(chosen)
        tried |= {finding.acronym for finding in chosen if finding.acronym}
        source = changed(source, apply_edits(source.source, _edits(chosen)))
        remaining = check(source)
    return Fixed(source.source, edits, remaining)


def diff(path: str, before: str, after: str) -> str:
    """A unified diff, as `patch` takes it."""
    old, new = (StringIO(text, newline="\n").readlines() for text in (before, after))
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in unified_diff(old, new, fromfile=path, tofile=path)
    )


def write(path: Path, text: str, encoding: str | None = None) -> None:
    """Put a text into the place of a file; a byte-order mark and what it stands for stay, and so
    does the encoding that is given. Raises InputError where it lacks a character."""
    mark, name = mark_of(path.read_bytes()) or (b"", encoding or "utf-8")
    try:
        data = mark + text.encode(name)
    except UnicodeEncodeError as error:
        raise InputError(f"{path} cannot be written as {name}: {error}") from None
    mode = path.stat().st_mode
    with writing(path) as temporary:
        temporary.write_bytes(data)
        temporary.chmod(mode)


def _chosen(source: Source, findings: Sequence[Finding], tried: set[str]) -> list[Finding]:
    """The findings whose fixes are made in this pass: none overlap, each definition is read."""
    while True:
        chosen = _apart(source.source, findings, tried)
        wanted = {finding.acronym for finding in chosen if finding.acronym}
        missing = wanted - _defined(changed(source, apply_edits(source.source, _edits(chosen))))
        if not missing:
            return chosen
        tried |= missing


def _apart(text: str, findings: Sequence[Finding], tried: set[str]) -> list[Finding]:
    """The findings whose fixes do not overlap; a word right before an acronym that gets its long
    form, such as an article, is left to the next pass."""
    fixable = [one for one in findings if one.fix and one.acronym not in tried]
    chosen: list[Finding] = []
    for finding in sorted(fixable, key=lambda one: one.fix):
        start, free = finding.fix[0].start, chosen[-1].fix[-1].end if chosen else 0
        if start < free:
            continue
        behind = chosen and finding.acronym and text[free:start].isspace()
        if behind and not chosen[-1].acronym:
            chosen.pop()
        chosen.append(finding)
    return chosen


def _edits(findings: Iterable[Finding]) -> list[Edit]:
    return [edit for finding in findings for edit in finding.fix]


def changed(source: Source, text: str) -> Source:
    """A file's text read anew."""
    return read_text(text, source.format).at(name=source.name, path=source.path)


def _defined(source: Source) -> set[str]:
    text = source.text
    spelled = {text[slice(*one.acronym)] for one in find_definitions(text)}
    spelled |= {one.acronym for one in source.definitions}
    return spelled | {base_form(one) for one in spelled}
