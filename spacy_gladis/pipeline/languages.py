"""Which language a text is in, by spaCy's lists of stop words."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

ENGLISH = "en"
ANY = "xx"
"""spaCy's code of no language in particular."""

NAMES: Final[Mapping[str, str]] = {
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "hu": "Hungarian",
    "it": "Italian",
    "nb": "Norwegian",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "sv": "Swedish",
    "tr": "Turkish",
}
"""The languages that are told apart."""

_PIECES, _PIECE = 8, 2000  # of a longer text so many pieces of so many characters are read
_LEAST = 3  # different words that English has not, one of them at least no particle of names
_SHARE = 0.1  # of the words, so that names in an English list are no language
_MORE = 2  # times as many as the words that English alone has
_ENGLISH_SHARE = 0.2  # of the words: no other language has so many of the English ones

_NAMES_HAVE: Final = """
af am auf da das de degli dei del della delle den der des di die do dos du el en et il im la las le
les lo los og och sous sur ter und van von zu zum zur
"""
_PARTICLES: Final = frozenset(_NAMES_HAVE.split())
"""They stand in names of people and places in English texts, too: van der Berg, Bar-le-Duc."""

_WORD = re.compile(r"[^\W\d_]+")


def told_language(text: str) -> str:
    """The code of the language that a text is in; English where that is not clear.

    A text is of another language than English where stop words of it that English has not, three
    different ones at least that are not all particles of names, are a tenth of its words, and
    more than twice as many as those of English. So a mixed text is English, and a short one. Words
    in capitals are not counted: they may be acronyms. Time does not grow with the text.
    """
    return _told(_sample(text))


@lru_cache(128)  # texts: the detector asks of each, then the linker
def _told(sample: str) -> str:
    words = [one for one in _WORD.findall(sample) if not one.isupper()]
    counts = Counter(word.lower() for word in words)
    english = _stop_words(ENGLISH)
    if not words or _number(counts, english) >= _ENGLISH_SHARE * len(words):
        return ENGLISH
    found = max(NAMES, key=lambda code: _number(counts, _stop_words(code)))
    own = _stop_words(found) - english
    number = _number(counts, own)
    different = counts.keys() & own
    clear = (
        len(different) >= _LEAST
        and not different <= _PARTICLES
        and number >= _SHARE * len(words)
        and number > _MORE * _number(counts, english - _stop_words(found))
    )
    return found if clear else ENGLISH


def foreign_message(name: str, language: str, known: Iterable[str]) -> str:
    """Return what is said of a text in a language that the dictionary does not have.

    Args:
        name: What the text is called.
        language: The text's language, such as "French".
        known: The codes of the dictionary's languages.
    """
    languages = " and ".join(sorted(NAMES.get(code, code) for code in known))
    return (
        f"{name} looks {language}, but the dictionary is {languages}: of {language} texts, only "
        "acronyms defined in the text or in your own list are resolved. To ask the dictionary "
        "anyway, set languages=['xx'] or pass --any-language."
    )


def _sample(text: str) -> str:
    """The text, or pieces from all over a long one."""
    if len(text) <= _PIECES * _PIECE:
        return text
    step = (len(text) - _PIECE) // (_PIECES - 1)
    return "\n".join(text[at : at + _PIECE] for at in range(0, _PIECES * step, step))


def _number(counts: Mapping[str, int], words: frozenset[str]) -> int:
    return sum(counts[word] for word in counts.keys() & words)


@cache
def _stop_words(code: str) -> frozenset[str]:
    """Return a language's stop words of two letters at least.

    A single letter may be a variable or a list's. The words are spaCy's, copied: spaCy's package of
    a language makes its tokenizer's patterns when it is imported, for seconds.
    """
    return _all_stop_words()[code]


@cache
def _all_stop_words() -> dict[str, frozenset[str]]:
    text = files("spacy_gladis.pipeline").joinpath("stop_words.tsv").read_text("utf8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {code: frozenset(words.split()) for code, words in rows}
