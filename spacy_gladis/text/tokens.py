"""Split a text into words, and tell how usual the words are in English.

This module converts characters to a plain lower case form, lists function words such as "of", and
finds the words before an acronym that may belong to its long form. A packaged list with the
frequencies of words distinguishes acronyms from English words in capitals, such as `STOP`.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from .mention import Offsets

_GREEK: Final = dict(zip("αβγδεζηθικλμνξοπρςστυφχψω", "abgdezhtiklmnxoprsstufcpo", strict=True))

SHORTEST_WORD: Final = 3
"""Minimum number of characters of a word in capitals that may be an English word, such as ``STOP``.
Two capitals always count as an acronym."""

Attested = Callable[[str], bool]
"""A function that takes a word in capitals and returns whether a dictionary lists it as an
acronym."""


class _Fold(dict[int, str]):
    """A mapping from code points to plain lower-case characters, computed when needed."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        base = unicodedata.normalize("NFKD", character)[:1].lower()
        folded = base if len(base) == 1 and base.isalnum() == character.isalnum() else character
        self[code] = _GREEK.get(folded, folded)
        return self[code]


_FOLD: Final = _Fold()


def fold(text: str) -> str:
    """Convert a text to lower case, without accents and with Latin instead of Greek letters.

    For example, ``"Éβ-2"`` becomes ``"eb-2"``. Each character is replaced by exactly one character,
    so character offsets stay valid.

    Args:
        text: The text to convert.

    Returns:
        The converted text, which has the same length as `text`.
    """
    return text.lower() if text.isascii() else text.translate(_FOLD)


CASELESS: Final = (
    r"\u0590-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
)
"""Unicode ranges of scripts without capital letters, such as Hebrew, Chinese and Korean, written
for a character class of a regular expression. Letters of these scripts may directly follow or
precede an acronym, as in `QRC가` and `该QRC是`."""

_JOINING: Final = """
a an the of in on at by for from to with and or as is are into over
el la las los un una y o de del en con para por sobre
le les des du et ou dans pour sur avec une
der die das den dem und von zur zum im für über mit auf
og af til ved om det i e da do dos di della
"""
_OTHERS: Final = """
about above after again all also am any be because been before being below between both but can
cannot could did does doing down during each few further had has have having he her here hers him
his how if it its itself just may me might more most must my no nor not now off once only other our
ours out own per same shall she should since so some such than that their theirs them then there
these they this those through thus too under until up upon us using very via was we were what when
where whether which er while who whom whose why will within without would yet you your
"""

JOINING_WORDS: Final = frozenset(_JOINING.split())
"""Articles, prepositions and conjunctions that may occur inside a long form without giving a letter
to the acronym, such as "for" in "Fund for Peace (FP)". The words come from several European
languages."""

FUNCTION_WORDS: Final = JOINING_WORDS | frozenset(_OTHERS.split())
"""Frequent grammatical words, such as "of", "they" and "because". They include all
`JOINING_WORDS`."""


WORD_OR_SIGN: Final = re.compile(r"\w+|[^\w\s]")
"""Regular expression for a run of letters, digits and underscores, or for a single sign such as
``+``."""

_TOKEN: Final = re.compile(r"[^\W_]+")
_PARAGRAPH: Final = re.compile(r"\n\s*\n|\t|\s\|\s")
_STOPS: Final = frozenset(";:|•—")  # final signs of a word that end the clause
_ENDS: Final = frozenset(".!?")  # final signs of a word that may end the sentence
_JOINTS: Final = frozenset("-–‐/")  # between spaces in tokenised text: "non - linear"
_ELISIONS: Final = ("'", "’")  # "l'Organisation" has two words
_CLOSERS: Final = "\"'”’)]"
# A bracket that is not part of a word, as in "the kinase (known since 1990) pathway". The pattern
# begins with a character class, which makes the search fast.
_ASIDE: Final = re.compile(
    r"[(\[](?:(?<![-\w].)[^()\[\]]*(?:[(\[][^()\[\]]*[)\]][^()\[\]]*)*"
    r"|(?<=\w.)(?![a-z\d+-]{1,3}[)\]])[^()\[\]]*)[)\]](?![-\w])"
)
_BRACKET: Final = re.compile(r"[()\[\]]")
_INITIAL: Final = re.compile(r"[A-Z]\.")


class Token:
    """A run of letters and digits in a text, in the plain lower case form that `fold` returns.

    A hyphenated word such as ``non-linear`` has two tokens, of which only ``non`` has `is_first`
    set.
    """

    __slots__ = ("end", "is_first", "start", "text")

    def __init__(self, text: str, start: int, end: int, is_first: bool) -> None:
        """Create a token from its characters and their position in the text.

        Args:
            text: The characters of the token, as returned by `fold`.
            start: Character offset in the text at which the token starts.
            end: Character offset at which the token ends (exclusive).
            is_first: Whether the token begins a word. It is False for the later parts of a
                hyphenated word.
        """
        self.text = text
        self.start = start
        self.end = end
        self.is_first = is_first


def tokens_before(text: str, end: int, size: int) -> Iterator[Token]:
    """Yield the tokens between the start of a clause and a given offset, from right to left.

    These are the words before an acronym that may belong to its long form. The clause starts after
    the last paragraph break, tab, sentence end, semicolon, colon or similar mark. Text in brackets
    is skipped. Words are split at hyphens, slashes and other signs.

    Args:
        text: Text of the document.
        end: Character offset at which to stop, such as the place where the acronym's bracket opens.
        size: Maximum number of characters before `end` to read. A word that this limit cuts is left
            out.

    Yields:
        The tokens, of which the first is the nearest to `end`.
    """
    start = max(0, end - size)
    while 0 < start < end and not text[start - 1].isspace():
        start += 1  # the edge cuts a word
    window = text[start:end]
    if "\n" in window or "\t" in window or "|" in window:
        for match in _PARAGRAPH.finditer(window):
            start = end - len(window) + match.end()
        window = text[start:end]
    if ")" in window or "(" in window or "]" in window or "[" in window:
        window = _ASIDE.sub(_blank, window)
        cut = _unbalanced(window)
        start += cut
        window = window[cut:]
    words = window.split()
    at = len(window)
    follower = ""
    for index in range(len(words) - 1, -1, -1):
        word = words[index]
        at = window.rfind(word, 0, at)
        if word.isalpha():
            place = start + at
            is_first = index == 0 or words[index - 1] not in _JOINTS
            yield Token(fold(word), place, place + len(word), is_first)
        else:
            last = word[-1]
            if follower and (last in _STOPS or _ends_sentence(word, follower)):
                return
            yield from reversed(tokens_of(word, start + at))
        follower = word


def tokens_of(window: str, offset: int = 0) -> list[Token]:
    """Split a part of a text into tokens, which are runs of letters and digits.

    Args:
        window: The part of the text to split.
        offset: Character offset of `window` in the whole text, which is added to the offsets of the
            tokens.

    Returns:
        The tokens in text order.
    """
    tokens: list[Token] = []
    before = 0
    for match in _TOKEN.finditer(fold(window)):
        start, end = match.span()
        gap = window[before:start]
        is_first = (
            not tokens
            or any(map(str.isspace, gap))
            or (gap in _ELISIONS and len(tokens[-1].text) <= 2 and tokens[-1].text.isalpha())
        )
        tokens.append(Token(match[0], offset + start, offset + end, is_first))
        before = end
    return tokens


def _ends_sentence(word: str, follower: str) -> bool:
    """Return whether a sentence ends between two words, as in "end. Next" but not in "T. vivax"."""
    bare = word.rstrip(_CLOSERS)
    if not bare or bare[-1] not in _ENDS:
        return False
    if len(bare) == 2 and bare[0].isalpha():
        return False
    return not follower[0].islower() and not follower[0].isdigit()


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _unbalanced(window: str) -> int:
    """Return the offset after the last bracket that has no counterpart, or 0 if there is none."""
    opened: list[int] = []
    cut = 0
    for bracket in _BRACKET.finditer(window):
        if bracket[0] in "([":
            opened.append(bracket.start())
        elif opened:
            opened.pop()
        else:
            cut = bracket.end()
    return max(cut, opened[-1] + 1) if opened else cut


def is_initial(text: str, start: int, end: int) -> bool:
    """Return whether a letter with a full stop follows another one, as in "Hegel, G. W. F.".

    Args:
        text: Text of the document.
        start: Character offset at which the letter starts.
        end: Character offset at which its full stop ends.
    """
    before = text[max(0, start - 3) : start].rstrip()
    return bool(_INITIAL.fullmatch(text, start, end) and _INITIAL.fullmatch(before[-2:]))


def word_rate(word: str) -> float:
    """Return how often a word occurs in English texts, per million words.

    Args:
        word: The word, in any case.

    Returns:
        The number of occurrences per million words. It is 0 if the packaged word list doesn't
        contain the word.
    """
    rates = _rates()
    small = word.lower()
    return rates.get(small) or rates.get(small.capitalize(), 0.0)


def is_common_word(word: str) -> bool:
    """Return whether English texts write a word in lower case, unlike a name.

    For example, the result is True for ``service`` and False for ``Hodgkin``. It is also False for
    words that the packaged word list doesn't contain.

    Args:
        word: The word, in any case.
    """
    return word.lower() in _rates()


def without_words(
    text: str, acronyms: Iterable[Offsets], is_attested: Attested | None
) -> list[Offsets]:
    """Remove English words in capitals, as in `Press the STOP button`, from a list of acronyms.

    Args:
        text: Text of the document.
        acronyms: Character offsets of words that look like acronyms.
        is_attested: Function that returns whether a dictionary lists a word as an acronym. Words
            for which it returns True are kept. If it is None, there is no dictionary, and all words
            are kept.

    Returns:
        Character offsets of the remaining acronyms, in the same order.
    """
    if is_attested is None:
        return list(acronyms)
    return [
        (start, end)
        for start, end in acronyms
        if not _are_words(text[start:end]) or is_attested(text[start:end])
    ]


def _are_words(acronym: str) -> bool:
    """Return whether all parts of a string are English words in capitals, as in READ-WRITE."""
    return acronym.isupper() and all(
        len(part) >= SHORTEST_WORD and part.isascii() and word_rate(part) > 0
        for part in acronym.split("-")
    )


@cache
def _rates() -> Mapping[str, float]:
    """Load the packaged word list, as a mapping from words to their number per million words.

    The command `spacy-gladis corpus words` writes this list.
    """
    table = files("spacy_gladis.text").joinpath("english_words.tsv").read_text("utf8")
    rows = (line.partition("\t") for line in table.splitlines())
    return {word: float(rate) for word, _, rate in rows}
