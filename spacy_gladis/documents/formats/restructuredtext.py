"""Reader of reStructuredText files, line by line.

docutils isn't used because it doesn't report columns. It also drops the text of unknown roles and
directives, which are common in files for Sphinx.
"""

import re
from collections import Counter
from csv import reader
from functools import partial

from ..builder import TextBuilder
from ..lists import long_form_of, names
from ..source import RegionKind
from .paragraphs import LONGEST_NAMED, Act, Line, Paragraphs, lines_of

_TEXT_DIRECTIVES = names(
    "note warning tip important caution danger error hint attention admonition seealso topic "
    "sidebar versionadded versionchanged deprecated rubric epigraph highlights container centered "
    "abstract compound list-table table only todo tab tab-set grid dropdown"
)
_EXPLICIT = re.compile(r"\s*\.\.(?:\s|$)")
_DIRECTIVE = re.compile(r"\s*\.\.\s+(?P<name>[\w:.+-]+?)::(?:\s+(?P<argument>\S.*))?\s*$")
_FOOTNOTE = re.compile(r"\s*\.\.\s+\[(?P<label>(?P<numbered>[\d#*])?[^\]]*)\]\s+(?=\S)")
_SUBSTITUTION = re.compile(r"\s*\.\.\s+\|(?P<name>[^|]*[^|\s])\|\s+replace::\s+(?=\S)")
_ADORNMENT = re.compile(r"\s*([!-/:-@\[-`{-~])\1{2,}\s*$|\s*[=+|-][=+| -]{2,}$")
_OPTION = re.compile(r"\s*:[\w -]+:(?:\s|$)")
_FIELD = re.compile(r"\s*:(?:[^:\\`\n]|\\.)+:(?:\s+|$)")
_MARKER = re.compile(r"\s*(?:[*+•-]|\(?(?:\d+|#|[a-zA-Z])[.)]|\|)\s+(?=\S)")
_CELLS = re.compile(r"[^|\s](?:[^|]*[^|\s])?")
_ABBREVIATION = r":(?:[\w-]+:)?(?:abbr|abbreviation|ab|acronym|ac):"
_TEXT_ROLES = (
    "abbr|abbreviation|ab|acronym|ac|term|emphasis|strong|sub|sup|guilabel|dfn|title-reference|t"
)
_MARKS = re.compile(  # a role never begins inside of a word or role, so no text is matched twice
    r"``.+?``(?!`)"
    rf"|(?<![\w:+.`-])(?P<role>{_ABBREVIATION})?"
    r"`(?P<t_abbr>(?P<acronym>[^`(]*)\((?P<long_form>[^`()]*)\)\s*)`"
    rf"(?(role)|{_ABBREVIATION})"
    r"|(?<=[^\W\d_]{3})(?:\\ )?:sup:`[\d*]{1,3}`"
    rf"|(?<![\w:+.-]):(?:[\w-]+:)?(?:{_TEXT_ROLES}):`(?P<t_role>[^`<]*)(?:<[^`>]*>)?`"
    r"|(?<![\w:+.-]):(?:[\w-]+:)?(?:ref|doc|numref|download):`(?P<t_ref>[^`<]*)<[^`>]*>`"
    r"|(?<![\w:+.-]):[\w:+.-]+:`[^`]*`|`[^`]*`:[\w+.-]+(?::[\w+.-]+)*:"
    r"|`(?P<t_link>[^`<]*)(?:<[^`>]*>)?`_{0,2}"
    r"|(?:https?|ftp)://\S*[\w/]|\bwww\.\S*[\w/]"
    r"|\*\*(?=\S)(?P<t_strong>(?:[^*]|\*(?!\*))+?)\*\*|(?<![\w*])\*(?=\S)(?P<t_em>[^*]+?)\*(?!\w)"
    r"|\|(?P<name>\S[^|\n]*)\|_{0,2}|\[(?P<label>[\w#*-]+)\]_|(?<=\w)_{1,2}(?!\w)|\\[ \n]?",
    re.DOTALL,
)


def read_restructuredtext(builder: TextBuilder) -> None:
    """Read the visible text of a reStructuredText file, without code and comments.

    Substitutions are replaced by their values. Roles such as `:abbr:`, fields, and the entries of a
    `glossary` are added as definitions.

    Args:
        builder: Builder that receives the text. It was created with the content of the file.
    """
    _Reader(builder).read()


class _Reader:
    def __init__(self, builder: TextBuilder) -> None:
        self.builder = builder
        self.lines = lines_of(builder.original)
        self.paragraphs = Paragraphs(builder, _MARKS, self._seen)
        self.marks: Counter[str] = Counter()  # of auto-numbered references to notes
        self.notes: Counter[str] = Counter()
        self.literal = False  # whether the last paragraph ended with `::`
        self.adornments: list[str] = []  # of titles, the highest level first
        self.blocks: list[tuple[int, RegionKind, int]] = []  # open: line after the end, kind, start
        self.table: int | None = None  # start of the open drawn table in the text

    def read(self) -> None:
        self._read_substitutions()
        number = 0
        while number < len(self.lines):
            number = self._line(number)
        self._close(number)
        self.paragraphs.end()

    def _read_substitutions(self) -> None:
        """Read the substitution definitions, which apply to the whole file."""
        for number, line in enumerate(self.lines):
            if substitution := _SUBSTITUTION.match(line.text):
                end = self._after(number + 1, line.indent)
                start, end = line.start + substitution.end(), self.lines[end - 1].end
                for mark in _MARKS.finditer(self.builder.original, start, end):
                    self._abbreviation(mark)
                source = " ".join(self.builder.original[start:end].split())
                replacement = _MARKS.sub(_shown, source)
                self.builder.names[substitution["name"].lower()] = replacement[:LONGEST_NAMED]

    def _seen(self, mark: re.Match[str]) -> Act | None:
        self._abbreviation(mark)
        if name := mark["name"]:
            replacement = self.builder.names.get(name.lower(), "")
            return partial(self.builder.replace, replacement, *mark.span())
        if label := mark["label"]:
            return partial(self.builder.mark, _numbered(self.marks, label))
        return None

    def _abbreviation(self, mark: re.Match[str]) -> None:
        if acronym := mark["acronym"]:
            at = mark.end("acronym") - len(acronym.lstrip())
            self.builder.define(acronym, mark["long_form"], at)

    def _open(self, number: int, indent: int, kind: RegionKind) -> None:
        """Begin a region, which ends before the first line that isn't indented further."""
        self.blocks.append((self._after(number, indent), kind, self.paragraphs.end()))

    def _close(self, number: int) -> None:
        """End the open regions whose blocks end before a line."""
        while self.blocks and self.blocks[-1][0] <= number:
            self.paragraphs.end()
            _, kind, start = self.blocks.pop()
            if kind == "table":
                self.builder.end_rows(start, kind)
            else:
                self.builder.region(kind, start)

    def _line(self, number: int) -> int:
        """Read a line, or the block that begins with it, and return the number of the next line."""
        self._close(number)
        line = self.lines[number]
        if line.blank:
            self.paragraphs.end()
            return number + 1
        if self.literal:
            self.literal = False
            before = self.lines[self.opener].indent
            if line.indent > before:
                return self._after(number, before)
        if _EXPLICIT.match(line.text):
            self.paragraphs.end()
            return self._explicit(number)
        if line.text.lstrip().startswith(">>>"):
            self.paragraphs.end()
            while number < len(self.lines) and not self.lines[number].blank:
                number += 1
            return number
        if adornment := _ADORNMENT.match(line.text):
            title = len(self.paragraphs.slices) == 1 and adornment[1]
            start = self.paragraphs.end()
            if title:
                self._title(start, number, title)
            elif not adornment[1]:
                self._border(line, number)
            return number + 1
        self._text(line, number)
        return number + 1

    def _title(self, start: int, number: int, sign: str) -> None:
        """Mark a title. Its level follows the order in which adornments first appear in a file."""
        over = number > 1 and self.lines[number - 2].text.startswith(sign * 3)
        adornment = sign * 2 if over else sign
        if adornment not in self.adornments:
            self.adornments.append(adornment)
        self.builder.title(start, 1 + self.adornments.index(adornment))

    def _border(self, line: Line, number: int) -> None:
        """Handle a border of a table that is drawn with characters.

        The first border begins the table. A border above a blank line or at the end of the file
        ends it.
        """
        last = number + 1 == len(self.lines) or self.lines[number + 1].blank
        if self.table is None:
            self.table = self.builder.end
        elif last:
            self.builder.end_rows(self.table, "table")
            self.table = None

    def _after(self, number: int, indent: int) -> int:
        """Return the number of the first line after a block, at or after the line `number`.

        The block ends before the first line that isn't indented by more than `indent`.
        """
        while number < len(self.lines) and (
            self.lines[number].blank or self.lines[number].indent > indent
        ):
            number += 1
        return number

    def _explicit(self, number: int) -> int:
        """Read a directive, footnote, target or comment, and return the number of the next line."""
        line = self.lines[number]
        if footnote := _FOOTNOTE.match(line.text):
            if not footnote["numbered"]:
                self._open(number + 1, line.indent, "bibliography")
            self.paragraphs.add(line.start + footnote.end(), line.end)
            label = _numbered(self.notes, footnote["label"])
            self.builder.note(label, self.paragraphs.end())
            return number + 1
        directive = _DIRECTIVE.match(line.text)
        if directive and directive["name"] == "glossary":
            return self._glossary(number)
        if directive and directive["name"] == "csv-table":
            return self._csv_table(number)
        if not directive or directive["name"] not in _TEXT_DIRECTIVES:
            return self._after(number + 1, line.indent)
        if directive["name"] in ("list-table", "table"):
            self._open(number + 1, line.indent, "table")
        name = directive["name"]
        if directive["argument"] and name not in ("only", "container", "tab-set", "grid"):
            argument = line.start + directive.start("argument")
            if name in ("versionadded", "versionchanged", "deprecated"):
                argument += len(directive["argument"].split()[0])
            self.paragraphs.add(argument, line.end)
        number += 1
        while number < len(self.lines) and _OPTION.match(self.lines[number].text):
            number += 1
        return number

    def _csv_table(self, number: int) -> int:
        """Read the rows of a CSV table, with cells separated by commas or another delimiter."""
        end = self._after(number + 1, self.lines[number].indent)
        start, delimiter, rows = self.builder.end, ",", []
        for line in self.lines[number + 1 : end]:
            option = _OPTION.match(line.text)
            value = line.text[option.end() :].strip() if option else ""
            if option and ":delim:" in option[0]:
                delimiter = {"tab": "\t", "space": " "}.get(value, value[:1] or ",")
            elif not line.blank and (not option or ":header:" in option[0]):
                rows.append((line, option.end() if option else 0))
        for line, begin in rows:
            at = begin
            cells = next(reader([line.text[begin:]], delimiter=delimiter, skipinitialspace=True))
            for place, cell in enumerate(cells):
                offset = line.text.find(cell.strip(), at)
                self.builder.cell(first=not place)
                if offset >= 0:  # not found if the cell contains doubled quotes
                    at = offset + len(cell.strip())
                    self.paragraphs.add(line.start + offset, line.start + at)
                    self.paragraphs.end()
        self.builder.end_rows(start, "table")
        return end

    def _glossary(self, number: int) -> int:
        """Read the terms of a glossary. The first line of a description may be the long form."""
        end = self._after(number + 1, self.lines[number].indent)
        inside = [item for item in self.lines[number + 1 : end] if not item.blank]
        inside = [item for item in inside if not _OPTION.match(item.text)]
        depth = min((item.indent for item in inside), default=0)
        start = self.builder.end
        terms: list[Line] = []
        previous = None
        for line in inside:
            if line.indent == depth:
                terms = [*terms, line] if terms and terms[-1] is previous else [line]
            elif terms:
                if terms[-1] is previous:
                    for term in terms:
                        name = term.text.partition(" : ")[0].strip()
                        words = long_form_of(name, line.text)
                        self.builder.define(name, words, term.start + term.indent, glossary=True)
                self.paragraphs.add(line.start + line.indent, line.end)
            previous = line
        self.paragraphs.end()
        self.builder.region("glossary", start)
        return end

    def _text(self, line: Line, number: int) -> None:
        text = line.text
        if text.lstrip().startswith("|") and text.rstrip().endswith("|"):  # a row of a grid table
            for place, cell in enumerate(_CELLS.finditer(text)):
                self.builder.cell(first=not place)
                self.paragraphs.add(line.start + cell.start(), line.start + cell.end())
                self.paragraphs.end()
            return
        begin = line.indent
        if (field := _FIELD.match(text)) and not re.match(r"\s*:[\w:+.-]+:`", text):
            self.paragraphs.end()
            begin = field.end()
            name = field[0].strip()[1:-1]
            words = long_form_of(name, text[begin:])
            if words:
                self.builder.define(name, words, line.start + line.indent + 1, glossary=True)
                self._open(number + 1, line.indent, "glossary")
        elif marker := _MARKER.match(text):
            self.paragraphs.end()
            begin = marker.end()
            row = text.startswith("- ", begin)  # of a list-table
            if row or text.startswith("-", line.indent):
                self.builder.cell(first=row)
            begin += 2 * row
        end = len(text.rstrip())
        if text.endswith("::", 0, end):
            self.literal, self.opener = True, number
            end -= 1
            if not text[:end].rstrip(": "):
                return
        self.paragraphs.add(line.start + begin, line.start + end)


def _shown(mark: re.Match[str]) -> str:
    """Return the visible text of a piece of markup, or an empty string if nothing is visible."""
    texts = (text for name, text in mark.groupdict().items() if name.startswith("t") and text)
    return next(texts, "")


def _numbered(counter: Counter[str], label: str) -> str:
    """Return the label of a note, with a number for auto-numbered labels such as ``#``."""
    counter[label] += 1
    return f"{label}{counter[label]}" if label in ("#", "*") else label
