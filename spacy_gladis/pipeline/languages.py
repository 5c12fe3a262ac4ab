"""Detection of the language of a text with spaCy's lists of stop words."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

ENGLISH = "en"
ANY = "xx"
"""spaCy's language code of a multi-language pipeline. In settings, it stands for all languages."""

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
"""The languages that can be detected, as a mapping from their codes to their English names."""

_PIECES, _PIECE = 8, 2000  # number and length of the pieces that are read from a long text
_MIN_WORDS = 3  # different stop words that English lacks, including one that isn't a particle
_MIN_SHARE = 0.1  # their share of all words, so that names in an English text don't count
_MIN_RATIO = 2  # their ratio to the stop words that only English has
_ENGLISH_SHARE = 0.2  # a larger share of English stop words occurs only in English

_NAME_PARTICLES: Final = """
af am auf da das de degli dei del della delle den der des di die do dos du el en et il im la las le
les lo los og och sous sur ter und van von zu zum zur
"""
_PARTICLES: Final = frozenset(_NAME_PARTICLES.split())
"""Particles that occur in names in English texts, such as van der Berg and Bar-le-Duc."""

_WORD = re.compile(r"[^\W\d_]+")


def detect_language(text: str) -> str:
    """Return the code of the language of a text, or English if the language is unclear.

    The language is the one with the most stop words in the text, such as "der" and "und" for
    German. It must pass three tests, which only count stop words that English lacks:

    - At least a tenth of the words are such stop words.
    - They occur more than twice as often as the stop words that only English has.
    - There are at least three different ones, and one of them is not a particle of names, such as
      "de".

    Short and mixed texts therefore count as English. Words in capital letters are ignored, because
    they can be acronyms. Only samples of long texts are read, so the running time doesn't grow with
    the text.

    Args:
        text: The text whose language is detected.

    Returns:
        Code of the language, such as "fr", which is a key of `NAMES`.
    """
    return _detect(_sample(text))


@lru_cache(128)  # the detector and the linker ask about the same texts
def _detect(sample: str) -> str:
    words = [word for word in _WORD.findall(sample) if not word.isupper()]
    counts = Counter(word.lower() for word in words)
    english = _stop_words(ENGLISH)
    if not words or _number(counts, english) >= _ENGLISH_SHARE * len(words):
        return ENGLISH
    language = max(NAMES, key=lambda code: _number(counts, _stop_words(code)))
    distinctive = _stop_words(language) - english
    number = _number(counts, distinctive)
    different = counts.keys() & distinctive
    clear = (
        len(different) >= _MIN_WORDS
        and not different <= _PARTICLES
        and number >= _MIN_SHARE * len(words)
        and number > _MIN_RATIO * _number(counts, english - _stop_words(language))
    )
    return language if clear else ENGLISH


def foreign_message(name: str, language: str, covered: Iterable[str]) -> str:
    """Return the warning for a text in a language that the dictionary doesn't cover.

    Args:
        name: Name of the text, such as a path.
        language: Name of the text's language, such as "French".
        covered: Codes of the languages that the dictionary covers, such as "en".

    Returns:
        The warning, which also says how to use the dictionary anyway.
    """
    languages = " and ".join(sorted(NAMES.get(code, code) for code in covered))
    return (
        f"{name} looks {language}, but the dictionary is {languages}: only acronyms defined "
        "in the text or in your own list are resolved. To use the dictionary anyway, set "
        "languages=['xx'] or pass --any-language."
    )


def _sample(text: str) -> str:
    """Return a short text unchanged, and equally spaced passages of a long text."""
    if len(text) <= _PIECES * _PIECE:
        return text
    step = (len(text) - _PIECE) // (_PIECES - 1)
    return "\n".join(text[at : at + _PIECE] for at in range(0, _PIECES * step, step))


def _number(counts: Mapping[str, int], words: frozenset[str]) -> int:
    return sum(counts[word] for word in counts.keys() & words)


@cache
def _stop_words(code: str) -> frozenset[str]:
    """Return the stop words of a language that have at least two letters.

    Single letters can be variables or markers of list items. The words are copied from spaCy,
    because importing the spaCy package of a language compiles its tokenizer's patterns, which takes
    seconds.
    """
    return _all_stop_words()[code]


@cache
def _all_stop_words() -> dict[str, frozenset[str]]:
    text = files("spacy_gladis.pipeline").joinpath("stop_words.tsv").read_text("utf8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {code: frozenset(words.split()) for code, words in rows}
