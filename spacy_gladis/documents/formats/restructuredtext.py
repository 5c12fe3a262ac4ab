"""reStructuredText, read line by line.

docutils tells no columns, and drops the text of every role and directive that it does not know,
which are most of those in files written for Sphinx.
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
_MARKS = re.compile(  # a role begins where no word or role does: so nothing is read twice
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
    """The text that the file shows; `:abbr:`, fields and a `glossary` are definitions."""
    _Reader(builder).read()


class _Reader:
    def __init__(self, builder: TextBuilder) -> None:
        self.builder = builder
        self.lines = lines_of(builder.original)
        self.paragraphs = Paragraphs(builder, _MARKS, self._seen)
        self.marks: Counter[str] = Counter()  # of notes that are numbered in their order
        self.notes: Counter[str] = Counter()
        self.literal = False  # the last paragraph ended with `::`
        self.adornments: list[str] = []  # of titles, the highest one's first
        self.blocks: list[tuple[int, RegionKind, int]] = []  # open: the line behind, kind, start
        self.table: int | None = None  # where in the text the one that is drawn begins

    def read(self) -> None:
        self._read_substitutions()
        number = 0
        while number < len(self.lines):
            number = self._line(number)
        self._close(number)
        self.paragraphs.end()

    def _read_substitutions(self) -> None:
        """Take what names in the whole file stand for."""
        for number, line in enumerate(self.lines):
            if found := _SUBSTITUTION.match(line.text):
                end = self._after(number + 1, line.indent)
                start, end = line.start + found.end(), self.lines[end - 1].end
                for mark in _MARKS.finditer(self.builder.original, start, end):
                    self._abbreviation(mark)
                written = " ".join(self.builder.original[start:end].split())
                said = _MARKS.sub(_shown, written)
                self.builder.names[found["name"].lower()] = said[:LONGEST_NAMED]

    def _seen(self, mark: re.Match[str]) -> Act | None:
        self._abbreviation(mark)
        if name := mark["name"]:
            said = self.builder.names.get(name.lower(), "")
            return partial(self.builder.replace, said, *mark.span())
        if label := mark["label"]:
            return partial(self.builder.mark, _numbered(self.marks, label))
        return None

    def _abbreviation(self, mark: re.Match[str]) -> None:
        if acronym := mark["acronym"]:
            at = mark.end("acronym") - len(acronym.lstrip())
            self.builder.define(acronym, mark["long_form"], at)

    def _open(self, number: int, indent: int, kind: RegionKind) -> None:
        """A region begins here, and ends before the first line that stands no deeper."""
        self.blocks.append((self._after(number, indent), kind, self.paragraphs.end()))

    def _close(self, number: int) -> None:
        """End the regions whose blocks end before this line."""
        while self.blocks and self.blocks[-1][0] <= number:
            self.paragraphs.end()
            _, kind, start = self.blocks.pop()
            if kind == "table":
                self.builder.end_rows(start, kind)
            else:
                self.builder.region(kind, start)

    def _line(self, number: int) -> int:
        """Take a line, or the block that begins with it; returns the number of the next."""
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
        """Levels are in the order in which their signs appear, under titles or also over them."""
        over = number > 1 and self.lines[number - 2].text.startswith(sign * 3)
        adornment = sign * 2 if over else sign
        if adornment not in self.adornments:
            self.adornments.append(adornment)
        self.builder.title(start, 1 + self.adornments.index(adornment))

    def _border(self, line: Line, number: int) -> None:
        """A line between the rows of a table; above the first row and below the last one."""
        last = number + 1 == len(self.lines) or self.lines[number + 1].blank
        if self.table is None:
            self.table = self.builder.end
        elif last:
            self.builder.end_rows(self.table, "table")
            self.table = None

    def _after(self, number: int, indent: int) -> int:
        """The number of the first line that stands no deeper than `indent`."""
        while number < len(self.lines) and (
            self.lines[number].blank or self.lines[number].indent > indent
        ):
            number += 1
        return number

    def _explicit(self, number: int) -> int:
        """A directive, a footnote, a target or a comment."""
        line = self.lines[number]
        if footnote := _FOOTNOTE.match(line.text):
            if not footnote["numbered"]:
                self._open(number + 1, line.indent, "bibliography")
            self.paragraphs.add(line.start + footnote.end(), line.end)
            label = _numbered(self.notes, footnote["label"])
            self.builder.note(label, self.paragraphs.end())
            return number + 1
        found = _DIRECTIVE.match(line.text)
        if found and found["name"] == "glossary":
            return self._glossary(number)
        if found and found["name"] == "csv-table":
            return self._csv_table(number)
        if not found or found["name"] not in _TEXT_DIRECTIVES:
            return self._after(number + 1, line.indent)
        if found["name"] in ("list-table", "table"):
            self._open(number + 1, line.indent, "table")
        if found["argument"] and found["name"] not in ("only", "container", "tab-set", "grid"):
            argument = line.start + found.start("argument")
            if found["name"] in ("versionadded", "versionchanged", "deprecated"):
                argument += len(found["argument"].split()[0])
            self.paragraphs.add(argument, line.end)
        number += 1
        while number < len(self.lines) and _OPTION.match(self.lines[number].text):
            number += 1
        return number

    def _csv_table(self, number: int) -> int:
        """Rows of cells with commas between them, or what else an option names."""
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
                found = line.text.find(cell.strip(), at)
                self.builder.cell(first=not place)
                if found >= 0:  # a quotation mark in it is written twice
                    at = found + len(cell.strip())
                    self.paragraphs.add(line.start + found, line.start + at)
                    self.paragraphs.end()
        self.builder.end_rows(start, "table")
        return end

    def _glossary(self, number: int) -> int:
        """Terms, each with its indented words, of which the first line may be the long form."""
        end = self._after(number + 1, self.lines[number].indent)
        inside = [one for one in self.lines[number + 1 : end] if not one.blank]
        inside = [one for one in inside if not _OPTION.match(one.text)]
        depth = min((one.indent for one in inside), default=0)
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
    """The words of a mark."""
    found = (text for name, text in mark.groupdict().items() if name.startswith("t") and text)
    return next(found, "")


def _numbered(counter: Counter[str], label: str) -> str:
    """A note's label; of those that are numbered in their order, such as ``#``, its number too."""
    counter[label] += 1
    return f"{label}{counter[label]}" if label in ("#", "*") else label
