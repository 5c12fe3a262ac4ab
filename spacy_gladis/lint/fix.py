"""Files put right: the edits of findings, and nothing else."""

from collections.abc import Iterable
from difflib import Match, SequenceMatcher
from io import StringIO
from pathlib import Path

from ..documents.encodings import decode, encode
from ..documents.formats import read_text
from ..documents.source import Source
from ..errors import InputError
from ..files import refuse_stream, writing
from ..output.editable import editable
from .finding import Edit, Finding
from .run import lint
from .settings import Settings

MOST_PASSES = 5
"""Times that a file is read again because of what was changed in it."""
_AHEAD = 12  # lines


def fix(source: Source, settings: Settings) -> Source:
    """A document with the fixes of its findings made, until none is left to be made."""
    for _ in range(MOST_PASSES):
        edits = _sound(source, _apart(lint([source], settings)))
        if not edits:
            break
        source = _changed(source, edits)
    return source


def _sound(source: Source, edits: list[Edit]) -> list[Edit]:
    """The edits that change the text as they say; others would damage the format's own signs."""
    expected = _letters(source.text) + sum(
        _letters(one.text) - _letters(source.source[one.start : one.end]) for one in edits
    )
    if not edits or _letters(_changed(source, edits).text) == expected:
        return edits
    half = len(edits) // 2
    return [*_sound(source, edits[:half]), *_sound(source, edits[half:])] if half else []


def _letters(text: str) -> int:
    """How many there are: white space is the format's own, and so are most signs."""
    return sum(map(str.isalnum, text))


def _apart(findings: Iterable[Finding]) -> list[Edit]:
    """The edits of the fixes that do not overlap an earlier one."""
    edits: list[Edit] = []
    for finding in sorted((one for one in findings if one.fix), key=lambda one: one.fix):
        if not edits or finding.fix[0].start >= edits[-1].end:
            edits += finding.fix
    return edits


def _changed(source: Source, edits: list[Edit]) -> Source:
    """A file's text with edits made, read anew."""
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
