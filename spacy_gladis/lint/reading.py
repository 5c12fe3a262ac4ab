"""What a linter can rely on: which mentions are acronyms, and which definitions are meant as such.

A detector looks for everything that may be an acronym, and leaves the rest to what is known of it.
A linter that names a word in capitals, a file or a product makes its readers switch it off.
"""

import re
from typing import NamedTuple

from ..rules import base_form
from ..rules.schwartz_hearst import align
from .capital_words import CAPITAL_WORDS, LABELS

_GLUE = re.compile(r"[/\\@:=#~.][A-Za-z0-9]|[_\\@=~]")
_GLUE_BEFORE = re.compile(r"(?:[A-Za-z0-9][/\\@:=#~.(]|[_\\@=#~$.]|\[!|(?:^|[\s(\[])(?:/|\+|--?))$")
_QUOTES = {'"': '"', "'": "'", "\u2018": "\u2019", "\u201c": "\u201d"}
_NAME = re.compile(r"\s+[^\W\d_][^\W\d_]+")
_FIRST_NAME = re.compile(r"(?<![\w.])[A-Z][a-z]+ $")
_DOTTED = re.compile(r"(?:[A-Z]\.-?){1,3}")
_WORD = re.compile(r"(?<![\w./:@-])[^\W\d_]+(?![\w./:@-])")
_SHOUTED = re.compile(r"[A-Z]{3,}")
_LETTERS = re.compile(r"[^\W_]+")
_CODE = re.compile(r"[=\[\]{}<>\\|]|\w_\w|\w\.\w+/")
_SIGNS = re.compile(r"[(),+%=]")
_ACRONYM = re.compile(r"[A-Z]\w*[A-Z]\w*")
_NUMBER = re.compile(r"[IVXLC]+|(.)\1+")  # of a page or a chapter, or a blank to fill
_PROGRAM = re.compile(
    r";\s*$|[{}]|\w\(\)|\w::\w|->|[=!]=|\w\[['\"\u2018\u2019]|\w = \w|^\s*(?:#|//|import\b)"
)
_IDENTIFIER = re.compile(r"(?=.*[a-z]{3})(?:[A-Z][a-z]+){2,}\d*")  # "MnMinos", not "PubMed"
_INITIAL = re.compile(r"(?<![^\W\d_])[^\W\d_]|[^\W\d_](?=[\W_]|$)|[A-Z]|\d")
_CUT = re.compile(r"(?:a|an|the) |[a-zA-Z]\d+ (?=[a-z])", re.IGNORECASE)
"""What begins words that are no long form: "a continuously (AC)", "A4 precursor protein (APP)"."""
_LABELLED = re.compile(r"[*_]*[ \t]*(?:[\d:]|[A-Z]?[.):])")
_LETTER = re.compile(r"[^\W\d_]")
_SHORT = 20  # characters of a line before its first word
_JOINING = frozenset({"and", "for", "in", "of", "on", "or", "the", "to"})
_SHORTEST_WORD = 4  # small letters that are no endings, as in "MRIs" and "PhDs"
_LONG = 6  # letters: what no dictionary has in capitals is a word or a name as often as not
_LINE = 200  # characters of a line to look at, on either side
_MORE_WORDS = 3  # than twice as many as letters, in a long form


class Mention(NamedTuple):
    """A mention at `text[start:end]`.

    long_form: where it is sure. seen: whether the dictionary has the acronym.
    words: those that the text has in small letters.
    """

    text: str
    start: int
    end: int
    long_form: str | None = None
    seen: bool = False
    words: frozenset[str] = frozenset()

    @property
    def spelled(self) -> str:
        """The mention itself, in the singular."""
        written = self.text[self.start : self.end]
        return written[:-1] if written.endswith("s") and len(written) > 2 else written


def small_words(text: str) -> frozenset[str]:
    """The words in small letters, but for those that are parts of paths and names."""
    return frozenset(word for word in _WORD.findall(text) if word.islower())


def is_acronym(mention: Mention) -> bool:
    """Whether a mention is an acronym that readers may want to have spelled out.

    What the dictionary is sure of is one, in small letters an initialism. Otherwise names in mixed
    case, codes with digits, people's initials, parts of paths and words in capitals are none.
    """
    spelled = mention.spelled
    if is_part(mention) or is_quoted(mention) or spelled in CAPITAL_WORDS:
        return False
    capitals = sum(map(str.isupper, spelled))
    if 1 < capitals < sum(map(str.islower, spelled)) or _says_itself(mention):
        return False  # a name made of words, such as "NumPy"
    if capitals < 2:
        if "-" in mention.text[max(0, mention.start - 1) : mention.end + 1]:
            return False  # of a name, such as "scikit-rf"
        return bool(mention.long_form) and _spelled_by_initials(spelled, str(mention.long_form))
    if mention.long_form:
        return True
    if spelled in LABELS and _is_label(mention):
        return False
    letters = spelled.replace(".", "").replace("&", "").replace("/", "").replace("-", "")
    if not (letters.isalpha() and letters.isupper()) or _is_person(mention):
        return False
    if _NUMBER.fullmatch(letters) or (len(letters) >= _LONG and not mention.seen):
        return False
    return not _is_shouted(mention, letters)


def is_part(mention: Mention) -> bool:
    """Whether a mention is part of a file's name, a path, an address or an identifier."""
    after = _GLUE.match(mention.text, mention.end)
    before = _GLUE_BEFORE.search(mention.text, max(0, mention.start - 2), mention.start)
    return bool(after or before)


def is_quoted(mention: Mention) -> bool:
    """Whether it stands in quotation marks alone: a value, or a word that is spoken of."""
    before = mention.text[max(0, mention.start - 1) : mention.start]
    return _QUOTES.get(before) == mention.text[mention.end : mention.end + 1]


def is_meant(acronym: str, long_form: str) -> bool:
    """Whether a definition read in running text is meant as one, by the letters.

    It has a capital and is no name of a program's; half of its letters begin words or are their
    capitals, and there are not many more words than letters. The words do without it.
    """
    letters = [letter for letter in base_form(acronym) if letter.isalnum()]
    if (
        len(letters) < 2
        or acronym.islower()
        or _is_name(acronym)
        or _SIGNS.search(acronym)
        or _ACRONYM.fullmatch(long_form)
        or acronym.casefold() == long_form.casefold().replace("-", " ")
        or names_itself(acronym, long_form)
        or _CODE.search(long_form)
        or long_form.split()[-1] in _JOINING
        or any(map(str.islower, acronym.split()))
        or _CUT.match(long_form)
        or len(long_form.split()) > 2 * len(letters) + _MORE_WORDS
    ):
        return False
    initials = [letter.lower() for letter in _INITIAL.findall(long_form)]
    found = 0
    for letter in letters:
        if letter.lower() in initials:
            initials.remove(letter.lower())
            found += 1
    wanted = len(letters) if sum(map(str.isupper, acronym)) < 2 else len(letters) / 2
    return found >= wanted


def names_itself(acronym: str, long_form: str) -> bool:
    """Whether the words say the acronym itself, as "WebTest is a package" does."""
    name = base_form(acronym)
    short = name.rstrip("0123456789")
    name = short if len(short) > 1 else name  # a letter alone begins many words
    for word in _LETTERS.finditer(long_form):
        end = word.start() + len(name)
        begins = long_form[word.start() : end]
        whole = not long_form[end : end + 1].isalnum()
        if begins == name or (whole and begins.lower() == name.lower()):
            return True
    return False


def is_spelled(acronym: str, long_form: str) -> bool:
    """Whether all letters and digits stand in the words in their order, from the first on."""
    return align(acronym, long_form) == 0


def is_program(text: str, at: int) -> bool:
    """Whether the line of a text at an offset is of a program."""
    before = text[max(0, at - _LINE) : at].rpartition("\n")[2]
    return bool(_PROGRAM.search(before + text[at : at + _LINE].partition("\n")[0]))


def _is_name(acronym: str) -> bool:
    """Whether it is a program's name, of words: "MnMinos", "VMwareVCDriver"."""
    small, capitals = sum(map(str.islower, acronym)), sum(map(str.isupper, acronym))
    return bool(_IDENTIFIER.fullmatch(acronym)) or small > max(capitals, _SHORTEST_WORD)


def _says_itself(mention: Mention) -> bool:
    """Whether its long form has the acronym as a word: a name, as "pip" of "pip installs
    packages"."""
    words = _LETTERS.findall((mention.long_form or "").lower())
    return mention.spelled.lower() in words


def _spelled_by_initials(acronym: str, long_form: str) -> bool:
    words = re.findall(r"[^\W\d_]+", long_form.lower())
    choices = (words, [word for word in words if word not in _JOINING])
    return any("".join(word[0] for word in one) == acronym.lower() for one in choices)


def _is_label(mention: Mention) -> bool:
    """Whether it begins a line, and a number or a colon follows, as in "TASK 2: ...": a word."""
    line = mention.text[max(0, mention.start - _SHORT) : mention.start].rpartition("\n")
    begins = (bool(line[1]) or mention.start <= _SHORT) and not _LETTER.search(line[2])
    return begins and bool(_LABELLED.match(mention.text, mention.end))


def _is_person(mention: Mention) -> bool:
    """Whether it is the initials of a name, as in "M.S. Smith" and "Ann MS Smith"."""
    written = mention.text[mention.start : mention.end]
    after = _NAME.match(mention.text, mention.end)
    if not after or not after[0].strip()[0].isupper():
        return False
    between = len(written) == 2 and _FIRST_NAME.search(
        mention.text, max(0, mention.start - 20), mention.start
    )
    return bool(_DOTTED.fullmatch(written) or between)


def _is_shouted(mention: Mention, letters: str) -> bool:
    """Whether it is a word in capitals: beside others such, or a word of the text elsewhere."""
    text = mention.text
    before = _LETTERS.findall(text[max(0, mention.start - 40) : mention.start])[-1:]
    after = _LETTERS.findall(text[mention.end : mention.end + 40])[:1]
    beside = before + after
    if any(_SHOUTED.fullmatch(word) and len(word) > len(letters) for word in beside):
        return True
    return letters.lower() in mention.words
