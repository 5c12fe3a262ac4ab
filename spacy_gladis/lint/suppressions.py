"""Suppression of lint findings by comments in a file and by a baseline of earlier findings."""

import json
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ..documents.source import Source
from ..errors import FormatError, InputError
from ..output.markup import Edit
from .finding import Finding

BaselineKey = tuple[str, str, str]
"""File, rule code and acronym of a finding, which identify it even if it moves within the file."""

_DIRECTIVE = (
    r"acronyms:[ \t]*(?P<action>off|on|ignore-next-line|ignore)\b(?!-)(?P<codes>[A-Z0-9, \t]*)"
)
_COMMENTS = {
    "text": re.compile(rf"(?:^[ \t]*|(?:#|//|;)[ \t]*){_DIRECTIVE}$", re.MULTILINE),
    "markdown": re.compile(rf"(?:<!--|\{{/\*)[ \t]*{_DIRECTIVE}(?:-->|\*/\}})"),  # {/* is MDX
    "html": re.compile(rf"<!--[ \t]*{_DIRECTIVE}-->"),
    "restructuredtext": re.compile(rf"^[ \t]*\.\.[ \t]+{_DIRECTIVE}$", re.MULTILINE),
    "latex": re.compile(rf"%[ \t]*{_DIRECTIVE}$", re.MULTILINE),
    "asciidoc": re.compile(rf"^//[ \t]*{_DIRECTIVE}$", re.MULTILINE),
    "notebook": re.compile(rf"<!--[ \t]*{_DIRECTIVE}-->"),
}
_NOT_BLANK = re.compile(r"\S")
_AT_LINE_END = {
    "text": "# {}",
    "markdown": "<!-- {} -->",
    "html": "<!-- {} -->",
    "latex": "% {}",
}
"""Comment syntax, by format, for comments that may follow the text of a line."""
_LINE = re.compile(r"[^\r\n]*")
_PARAGRAPH = re.compile(r"\S.*(?:\r\n|\r|\n)?(?:[ \t]*\S.*(?:\r\n|\r|\n)?)*")


class Suppressions:
    """The comments in a file that switch lint rules off and on.

    ``acronyms: off`` and ``acronyms: on`` apply from the comment onwards. ``acronyms: ignore``
    applies to the comment's line, and ``acronyms: ignore-next-line`` to the next line that isn't
    blank. Each comment may name codes of rules, or the beginnings of codes.
    """

    def __init__(self, source: Source) -> None:
        """Find the comments in a document that switch lint rules off or on.

        Args:
            source: Document to search. If its format has no comments, nothing is suppressed.
        """
        comment = _COMMENTS.get(source.format)
        self._source = source
        self._switches: list[tuple[int, bool, tuple[str, ...]]] = []  # offset, is off, codes
        self._ignored_lines: dict[int, list[str]] = {}
        if not comment or "acronyms:" not in source.source:
            return
        for match in comment.finditer(source.source.replace("\r", " ")):
            codes = tuple(match["codes"].replace(",", " ").split()) or ("",)
            if match["action"] in ("off", "on"):
                self._switches.append((match.start(), match["action"] == "off", codes))
            elif (line := self._ignored_line(match)) is not None:
                self._ignored_lines.setdefault(line, []).extend(codes)

    def _ignored_line(self, comment: re.Match[str]) -> int | None:
        """Return the number of the line that a comment ignores, or None if no line follows it."""
        offset = comment.start("action")
        if comment["action"] == "ignore-next-line":
            line_end = comment.string.find("\n", comment.end())
            following = _NOT_BLANK.search(comment.string, line_end) if line_end >= 0 else None
            if following is None:
                return None
            offset = following.start()
        return self._source.position_of_original(offset).line

    def is_suppressed(self, offset: int, code: str) -> bool:
        """Return whether a comment suppresses the findings of a rule at an offset in the file.

        A comment that ignores the line takes precedence. Otherwise the last "off" or "on" before
        the offset decides. Only comments count that name the rule's code or no code.

        Args:
            offset: Character offset of the finding in the original file.
            code: Code of the rule, such as ``AC001``.

        Returns:
            True if findings of the rule are suppressed at this offset.
        """
        if self._ignored_lines:
            line = self._source.position_of_original(offset).line
            if any(map(code.startswith, self._ignored_lines.get(line, ()))):
                return True
        count = bisect_right(self._switches, offset, key=lambda switch: switch[0])
        states = (
            is_off
            for _, is_off, codes in reversed(self._switches[:count])
            if code.startswith(codes)
        )
        return next(states, False)


def suppress(source: Source, offset: int, code: str) -> tuple[Edit, ...]:
    """Return the edits of a file that add a comment to suppress the finding of a rule.

    The comment is added at the end of the line, or before the line in AsciiDoc. In
    reStructuredText, a paragraph can't contain comments. There, a comment before the paragraph
    switches the rule off, and a comment after the paragraph switches the rule on again.

    Args:
        source: Document with the finding.
        offset: Character offset of the finding in the original file.
        code: Code of the rule, such as ``AC001``.

    Returns:
        Edits of the original file. Empty if a comment can't be added to the format, or if a comment
        ignores the line already.
    """
    text, format = source.source, source.format
    start = offset - source.position_of_original(offset).column + 1
    line = _LINE.match(text, start)
    if not line or format not in _COMMENTS or format == "notebook":
        return ()
    comments = _COMMENTS[format].finditer(line[0])
    if comment := next((match for match in comments if match["action"] == "ignore"), None):
        end = start + comment.start("codes") + len(comment["codes"].rstrip())
        return (Edit(end, end, f", {code}"),) if comment["codes"].strip() else ()
    if format in _AT_LINE_END:
        end = start + len(line[0].rstrip())
        added = _AT_LINE_END[format].format(f"acronyms: ignore {code}")
        return (Edit(end, end, f" {added}"),)
    if format == "asciidoc":
        return (Edit(start, start, f"// acronyms: ignore-next-line {code}\n"),)
    paragraph = next(match for match in _PARAGRAPH.finditer(text) if match.end() > offset)
    begin = text.rfind("\n", 0, paragraph.start()) + 1
    indent = text[begin : paragraph.start()]
    before, after = (f"{indent}.. acronyms: {action} {code}\n" for action in ("off", "on"))
    blank = "\n" if paragraph[0].endswith(("\n", "\r")) else "\n\n"
    end = paragraph.end()
    return Edit(begin, begin, f"{before}\n"), Edit(end, end, f"{blank}{after}")


def read_baseline(path: Path) -> Counter[BaselineKey]:
    """Read a baseline, which is the JSON output of an earlier run of the linter.

    Findings of the baseline are not reported again.

    Args:
        path: Path of the baseline. The paths in it are relative to the current directory.

    Returns:
        Number of times that the earlier run reported each finding.

    Raises:
        InputError: If the file can't be read.
        FormatError: If the file isn't the JSON output of ``spacy-gladis lint``.
    """
    try:
        records = json.loads(path.read_text("utf-8-sig"))
        return Counter(
            _baseline_key(record["path"], record["code"], record["acronym"]) for record in records
        )
    except OSError as error:
        raise InputError(f"Cannot read the baseline {path}: {error.strerror}.") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise FormatError(
            f"{path} is not a baseline. Create one with: "
            f"spacy-gladis lint PATHS --format json > {path}"
        ) from None


def exclude_baseline(
    findings: Iterable[Finding], baseline: Mapping[BaselineKey, int]
) -> Iterator[Finding]:
    """Yield the findings of a run that are not in the baseline of an earlier run.

    If a finding occurs more often than in the baseline, its last occurrences count as new.

    Args:
        findings: Findings of this run.
        baseline: Number of times that the earlier run reported each finding.

    Yields:
        New findings, in the given order.
    """
    remaining = Counter(baseline)
    for finding in findings:
        key = _baseline_key(finding.path, finding.code, finding.acronym)
        remaining[key] -= 1
        if remaining[key] < 0:
            yield finding


def _baseline_key(path: str, code: str, acronym: str) -> BaselineKey:
    return os.path.relpath(path), code, acronym
