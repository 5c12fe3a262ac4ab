"""Functions that apply the automatic fixes of lint findings to documents and files."""

from collections.abc import Iterable
from difflib import Match, SequenceMatcher
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from ..documents.encodings import decode, encode
from ..documents.formats import read_text
from ..documents.source import Source
from ..errors import InputError
from ..files import refuse_stream, writing
from ..output.editable import editable
from ..problem import Problem, Report
from .finding import Edit, Finding
from .registry import load_rules
from .run import lint_checked
from .settings import Settings

Fix = tuple[Edit, ...]
"""The edits of a file that correct one finding."""

MOST_PASSES = 5
"""Maximum number of times that a document is checked, because a fix may lead to new findings."""
_LOOKAHEAD = 12  # lines


class FixedDocument(NamedTuple):
    """A document before and after the automatic fixes of its findings.

    Attributes:
        before: The document as it was read.
        after: The document with the fixes applied. It equals `before` if nothing was fixed.
        fix_count: Number of findings that were fixed.
    """

    before: Source
    after: Source
    fix_count: int

    @property
    def is_changed(self) -> bool:
        """Whether the fixes changed the text of the document."""
        return self.before.source != self.after.source


def fix(source: Source, settings: Settings) -> FixedDocument:
    """Apply the fixes of a document's findings until no finding with a safe fix is left.

    A fix can lead to new findings, so the document is checked up to `MOST_PASSES` times.

    Args:
        source: Document to fix. Its file is not written.
        settings: Settings that select the rules and adjust them.

    Returns:
        The document before and after its fixes.

    Raises:
        InputError: If the settings name an unknown rule or have a value out of its range.
    """
    settings.check(load_rules())
    return _fix(source, settings)


def _fix(source: Source, settings: Settings) -> FixedDocument:
    after, count = source, 0
    for _ in range(MOST_PASSES):
        fixes = _select_safe(after, _without_overlaps(lint_checked([after], settings)))
        if not fixes:
            break
        after = _apply(after, fixes)
        count += len(fixes)
    return FixedDocument(source, after, count)


def fix_finding(source: Source, finding: Finding) -> str | None:
    """Apply the fix of a single finding to a document.

    Args:
        source: Document with the finding. Its file is not written.
        finding: Finding in this document.

    Returns:
        New text of the file, including its markup. None if the finding has no safe fix.
    """
    fixes = _select_safe(source, [finding.fix]) if finding.fix else []
    return _apply(source, fixes).source if fixes else None


def fix_all(sources: Iterable[Source], settings: Settings) -> list[FixedDocument]:
    """Apply the fixes of the findings in several documents, without writing files.

    Args:
        sources: Documents to fix. A document that is listed twice is fixed once.
        settings: Settings that `Settings.check` has accepted.

    Returns:
        One object for each document, with the document before and after its fixes.
    """
    return list({source.name: _fix(source, settings) for source in sources}.values())


def write_all(
    documents: Iterable[FixedDocument], encoding: str | None, report: Report
) -> list[FixedDocument]:
    """Write fixed documents to the files from which they were read.

    Args:
        documents: Documents with their fixes. The files of unchanged documents are not written.
        encoding: Encoding of files without a byte-order mark. None means UTF-8.
        report: Function that receives a problem for each file that can't be written. The other
            files are still written.

    Returns:
        The documents as their files are now, in the given order. If a file couldn't be written,
        its document is returned without fixes.
    """
    written = []
    for document in documents:
        before, after, _ = document
        try:
            if document.is_changed:
                write(Path(before.path), before.source, after.source, encoding)
        except (InputError, OSError) as error:
            report(Problem("not fixed", before.path, None, str(error)))
            document = FixedDocument(before, before, 0)
        written.append(document)
    return written


def diff_all(documents: Iterable[FixedDocument]) -> str:
    """Return the unified diffs that show the fixes of documents.

    Args:
        documents: Documents with their fixes.

    Returns:
        The diffs of all changed documents, one after the other. Empty if no document was changed.
    """
    return "".join(diff(before.path, before.source, after.source) for before, after, _ in documents)


def _select_safe(source: Source, fixes: list[Fix]) -> list[Fix]:
    """Return the fixes that change only the text that they are meant to change.

    Some fixes would break the markup, so that other text changes as well. After safe fixes, the
    plain text has the expected number of letters. If it doesn't, the fixes are split into halves
    until the harmful fixes are isolated.
    """
    expected = _count_letters(source.text) + sum(
        _count_letters(edit.text) - _count_letters(source.source[edit.start : edit.end])
        for fix in fixes
        for edit in fix
    )
    if not fixes or _count_letters(_apply(source, fixes).text) == expected:
        return fixes
    half = len(fixes) // 2
    return (
        [*_select_safe(source, fixes[:half]), *_select_safe(source, fixes[half:])] if half else []
    )


def _count_letters(text: str) -> int:
    """Count the letters and digits of a text, because formats differ only in other characters."""
    return sum(map(str.isalnum, text))


def _without_overlaps(findings: Iterable[Finding]) -> list[Fix]:
    """Return the fixes of findings in text order, without fixes that overlap an earlier fix."""
    fixes: list[Fix] = []
    fixable = (finding for finding in findings if finding.fix)
    for finding in sorted(fixable, key=lambda finding: finding.fix):
        if not fixes or finding.fix[0].start >= fixes[-1][-1].end:
            fixes.append(finding.fix)
    return fixes


def _apply(source: Source, fixes: list[Fix]) -> Source:
    """Apply fixes to the text of a document, parse the new text, and return the new document."""
    edits = [edit for fix in fixes for edit in fix]
    text = editable(source.source, source.format).replaced(edits)
    return read_text(text, source.format, source.path).at(name=source.name, path=source.path)


def diff(path: str, before: str, after: str) -> str:
    """Return the differences between two texts as a unified diff, which ``patch`` accepts.

    Runs in linear time.

    Args:
        path: Path of the file, for the header of the diff.
        before: Old text of the file.
        after: New text of the file.

    Returns:
        The diff, or an empty string if the texts are equal.
    """
    old, new = (StringIO(text, newline="\n").readlines() for text in (before, after))
    lines = [f"--- {path}\n", f"+++ {path}\n"] if old != new else []
    for hunk in _LineMatcher(old, new).get_grouped_opcodes():
        first, last = hunk[0], hunk[-1]
        old_range, new_range = _format_range(first[1], last[2]), _format_range(first[3], last[4])
        lines.append(f"@@ -{old_range} +{new_range} @@\n")
        for operation, old_start, old_end, new_start, new_end in hunk:
            if operation == "equal":
                lines += [f" {line}" for line in old[old_start:old_end]]
            else:
                lines += [f"-{line}" for line in old[old_start:old_end]]
                lines += [f"+{line}" for line in new[new_start:new_end]]
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _format_range(start: int, end: int) -> str:
    """Format a range of lines for a diff's header. An empty range names the line before it."""
    return f"{start + 1 if end > start else start},{end - start}"


class _LineMatcher(SequenceMatcher[str]):
    """A matcher for diffs that finds the equal lines of two texts in linear time.

    The search in difflib takes quadratic time. After a fix, which changes a line or joins it to
    the next line, equal lines follow within a few lines, so a short search is enough.
    """

    def __init__(self, old: list[str], new: list[str]) -> None:
        super().__init__(None, old, new)
        self.old, self.new = old, new

    def get_matching_blocks(self) -> list[Match]:
        """Return the runs of equal lines in both texts, followed by an empty run at their end."""
        old, new, blocks = self.old, self.new, []
        i = j = 0
        while i < len(old) and j < len(new):
            start = i
            while i < len(old) and j < len(new) and old[i] == new[j]:
                i, j = i + 1, j + 1
            blocks.append(Match(start, start + j - i, i - start))
            offsets = (
                (left, distance - left)
                for distance in range(1, _LOOKAHEAD)
                for left in sorted(range(distance + 1), key=lambda left: abs(distance - 2 * left))
                if old[i + left : i + left + 1]
                == new[j + distance - left : j + distance - left + 1]
            )
            left, right = next(offsets, (1, 1))
            i, j = i + left, j + right
        return [*blocks, Match(len(old), len(new), 0)]


def write(path: Path, before: str, after: str, encoding: str | None = None) -> None:
    """Replace the text of a file, and keep the file's byte-order mark, encoding, mode and owner.

    Args:
        path: Path of the file. A symbolic link is followed.
        before: Text of the file as it was read. A file with another text is not overwritten.
        after: New text of the file.
        encoding: Encoding of the file if it has no byte-order mark. None means UTF-8.

    Raises:
        InputError: If the file has changed since it was read, if its encoding lacks a character
            of the new text, or if it is a pipe or a device.
        OSError: If the file can't be written.
    """
    refuse_stream(path)
    data = path.read_bytes()
    try:
        is_unchanged = decode(data, encoding) == before
    except (InputError, UnicodeDecodeError):
        is_unchanged = False
    if not is_unchanged:
        raise InputError(f"{path} has changed since it was read. Run the command again.")
    content = encode(after, data, encoding)
    with writing(path, data) as temporary:
        temporary.write_bytes(content)
