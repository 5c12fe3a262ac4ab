"""Files put right: the edits of findings, and nothing else."""

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
from .run import lint
from .settings import Settings

Fix = tuple[Edit, ...]

MOST_PASSES = 5
"""Times that a file is read again because of what was changed in it."""
_AHEAD = 12  # lines


class Fixed(NamedTuple):
    """A document with its fixes made.

    Attributes:
        before: The document as it was.
        after: The document with the fixes.
        number: How many findings they put right.
    """

    before: Source
    after: Source
    number: int

    @property
    def is_changed(self) -> bool:
        """Whether a fix was made."""
        return self.before.source != self.after.source


def fix(source: Source, settings: Settings) -> Fixed:
    """Make the fixes of a document's findings, until none is left to be made.

    Args:
        source: The document.
        settings: Which findings count.
    """
    after, number = source, 0
    for _ in range(MOST_PASSES):
        fixes = _sound(after, _apart(lint([after], settings)))
        if not fixes:
            break
        after = _changed(after, fixes)
        number += len(fixes)
    return Fixed(source, after, number)


def fix_all(sources: Iterable[Source], settings: Settings) -> list[Fixed]:
    """Make the fixes of documents; one that is given twice is fixed once."""
    return list({source.name: fix(source, settings) for source in sources}.values())


def write_all(documents: Iterable[Fixed], encoding: str | None, report: Report) -> list[Fixed]:
    """Put fixed documents in the place of their files.

    Args:
        documents: The documents. Files of those that are not changed are not written.
        encoding: Of files without a byte-order mark. None: UTF-8.
        report: Is told of each file that cannot be written; the others still are.

    Returns:
        The documents as their files now are: without fixes where a file was not written.
    """
    written = []
    for document in documents:
        before, after, _ = document
        try:
            if document.is_changed:
                write(Path(before.path), before.source, after.source, encoding)
        except (InputError, OSError) as error:
            report(Problem("not put right", before.path, None, str(error)))
            document = Fixed(before, before, 0)
        written.append(document)
    return written


def diff_all(documents: Iterable[Fixed]) -> str:
    """Return the unified diffs of fixed documents; empty if nothing is changed."""
    return "".join(diff(before.path, before.source, after.source) for before, after, _ in documents)


def _sound(source: Source, fixes: list[Fix]) -> list[Fix]:
    """Choose the fixes that change the text as they say; others would damage the format's signs."""
    expected = _letters(source.text) + sum(
        _letters(edit.text) - _letters(source.source[edit.start : edit.end])
        for fix in fixes
        for edit in fix
    )
    if not fixes or _letters(_changed(source, fixes).text) == expected:
        return fixes
    half = len(fixes) // 2
    return [*_sound(source, fixes[:half]), *_sound(source, fixes[half:])] if half else []


def _letters(text: str) -> int:
    """Count letters and digits: white space is the format's own, and so are most signs."""
    return sum(map(str.isalnum, text))


def _apart(findings: Iterable[Finding]) -> list[Fix]:
    """The fixes that do not overlap an earlier one, each with its edits."""
    fixes: list[Fix] = []
    for finding in sorted((one for one in findings if one.fix), key=lambda one: one.fix):
        if not fixes or finding.fix[0].start >= fixes[-1][-1].end:
            fixes.append(finding.fix)
    return fixes


def _changed(source: Source, fixes: list[Fix]) -> Source:
    """A file's text with fixes made, read anew."""
    edits = [edit for fix in fixes for edit in fix]
    text = editable(source.source, source.format).replaced(edits)
    return read_text(text, source.format, source.path).at(name=source.name, path=source.path)


def diff(path: str, before: str, after: str) -> str:
    """A unified diff, as `patch` takes it. Time is linear in the texts' length."""
    old, new = (StringIO(text, newline="\n").readlines() for text in (before, after))
    lines = [f"--- {path}\n", f"+++ {path}\n"] if old != new else []
    for hunk in _Lines(old, new).get_grouped_opcodes():
        first, last = hunk[0], hunk[-1]
        lines.append(f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n")
        for what, begin, end, start, stop in hunk:
            if what == "equal":
                lines += [f" {line}" for line in old[begin:end]]
            else:
                lines += [f"-{line}" for line in old[begin:end]]
                lines += [f"+{line}" for line in new[start:stop]]
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _range(begin: int, end: int) -> str:
    """Lines as a hunk's head names them: by the first one, or by the one before none."""
    return f"{begin + 1 if end > begin else begin},{end - begin}"


class _Lines(SequenceMatcher[str]):
    """Which lines are equal. Those behind a fix are looked for a few lines ahead, since it changes
    a line or joins it to the next; difflib itself takes quadratic time."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        super().__init__(None, old, new)
        self.old, self.new = old, new

    def get_matching_blocks(self) -> list[Match]:
        """The runs of equal lines in both, and an empty one at the ends."""
        old, new, blocks = self.old, self.new, []
        i = j = 0
        while i < len(old) and j < len(new):
            begin = i
            while i < len(old) and j < len(new) and old[i] == new[j]:
                i, j = i + 1, j + 1
            blocks.append(Match(begin, begin + j - i, i - begin))
            near = (
                (left, far - left)
                for far in range(1, _AHEAD)
                for left in sorted(range(far + 1), key=lambda left: abs(far - 2 * left))
                if old[i + left : i + left + 1] == new[j + far - left : j + far - left + 1]
            )
            left, right = next(near, (1, 1))
            i, j = i + left, j + right
        return [*blocks, Match(len(old), len(new), 0)]


def write(path: Path, before: str, after: str, encoding: str | None = None) -> None:
    """Put a text into the place of a file's; its byte-order mark, encoding, mode and owner stay.

    before: the text that was read; a link is followed. Raises InputError where the file says
    something else by now, its encoding lacks a character or it is a pipe, OSError where it may not
    be written.
    """
    refuse_stream(path)
    data = path.read_bytes()
    try:
        same = decode(data, encoding) == before
    except (InputError, UnicodeDecodeError):
        same = False
    if not same:
        raise InputError(f"{path} was changed meanwhile and is left as it is.")
    content = encode(after, data, encoding)
    with writing(path, data) as temporary:
        temporary.write_bytes(content)
