"""Tokenize text for the rules that find definitions.

This module folds text, lists function words, and finds the words next to an acronym that may belong
to its long form, up to the start of the clause.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_GREEK: Final = dict(zip("αβγδεζηθικλμνξοπρςστυφχψω", "abgdezhtiklmnxoprsstufcpo", strict=True))


class _Fold(dict[int, str]):
    """A mapping from code points to folded characters, one for each, which is filled on demand."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        base = unicodedata.normalize("NFKD", character)[:1].lower()
        folded = base if len(base) == 1 and base.isalnum() == character.isalnum() else character
        self[code] = _GREEK.get(folded, folded)
        return self[code]


_FOLD: Final = _Fold()


def fold(text: str) -> str:
    """Convert a text to lower case without accents, with Greek letters replaced by Latin ones.

    Args:
        text: The text to fold.

    Returns:
        The folded text, which has the same length.
    """
    return text.lower() if text.isascii() else text.translate(_FOLD)


CASELESS: Final = (
    r"\u0590-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
)
"""Ranges of a regular expression's character class with the scripts that have no capitals. Letters
of these scripts may be adjacent to an acronym, as in `QRC가` and `该QRC是`."""

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
"""Words inside a long form that may give no letter to the acronym, such as "of"."""

FUNCTION_WORDS: Final = JOINING_WORDS | frozenset(_OTHERS.split())
"""Words without a meaning of their own, including the joining words."""


WORD_OR_SIGN: Final = re.compile(r"\w+|[^\w\s]")
"""Pattern for a run of letters, digits and underscores, or for a single sign."""

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


class Token:
    """A run of letters and digits, folded by `fold`, with its offsets in the text."""

    __slots__ = ("end", "is_first", "start", "text")

    def __init__(self, text: str, start: int, end: int, is_first: bool) -> None:
        """Create a token.

        Args:
            text: The folded characters of the token.
            start: Start of the token in the text.
            end: End of the token.
            is_first: Whether the token is the first of its word.
        """
        self.text = text
        self.start = start
        self.end = end
        self.is_first = is_first


def tokens_before(text: str, end: int, size: int) -> Iterator[Token]:
    """Yield the tokens of the clause before an offset, from right to left.

    Text in brackets is skipped. Words are split at hyphens and similar signs.

    Args:
        text: Text of the document.
        end: Offset at which the clause ends.
        size: Maximum number of characters to read.

    Yields:
        The tokens, from right to left.
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
    """Split a part of a text into tokens.

    Args:
        window: The part of the text to split.
        offset: Character offset of this part in the text.

    Returns:
        The tokens, from left to right.
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
    """Return whether a sentence ends between two words. It doesn't end in "T. vivax"."""
    bare = word.rstrip(_CLOSERS)
    if not bare or bare[-1] not in _ENDS:
        return False
    if len(bare) == 2 and bare[0].isalpha():
        return False
    return not follower[0].islower() and not follower[0].isdigit()


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _unbalanced(window: str) -> int:
    """Return the offset after the last unbalanced bracket."""
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
