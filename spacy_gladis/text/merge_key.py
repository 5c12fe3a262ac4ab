"""When two spellings are one long form (GLADIS, section 3)."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

_ASCII_WORDS: Final = re.compile(r"[a-z']+|[0-9]+")
_WORDS: Final = re.compile(r"\d+|[^\d\s]+")
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
_APOSTROPHES: Final = str.maketrans("\u2018\u2019\u02bc\uff07", "''''")
LONGEST_WORD: Final = 40  # characters; what is longer is no word and is not stemmed


def merge_key(long_form: str) -> str:
    """The key that is equal for spellings of one long form.

    Case, accents, punctuation and spaces are removed and each word is stemmed, so "Neural
    networks", "neural-network" and "neural network" are one. Runs of digits stay apart: "1,3" and
    "13" differ. Never empty, unless `long_form` is blank. GLADIS, section 3.
    """
    words = _ASCII_WORDS.findall(long_form.lower()) if long_form.isascii() else _fold(long_form)
    return "".join(map(_stem, words)) or " ".join(long_form.casefold().split())


def _fold(text: str) -> list[str]:
    """The words of a text that is not ASCII, without case and accents."""
    text = unicodedata.normalize("NFKD", text).casefold().translate(_APOSTROPHES)
    text = _ACCENTS.sub("", text)
    kept = (c if c == "'" or unicodedata.category(c)[0] in "LMN" else " " for c in text)
    return _WORDS.findall("".join(kept))


@lru_cache(maxsize=1 << 17)
def _stem(word: str) -> str:
    """A word's stem, a number with its end marked; nothing of its apostrophes."""
    # Imported here: a machine that trains alone need not have it.
    from Stemmer import Stemmer

    if word.isdecimal():
        return word + "."
    if len(word) <= LONGEST_WORD:
        if word.endswith("sis"):  # "analysis" as "analyses", which the stemmer keeps apart
            word = word[:-3] + "ses"
        # A stemmer holds the word it works on: a new one each time is safe between threads.
        stem = Stemmer("english", 0).stemWord(word)
        # A coordinator is no coordination, though the stemmer cuts both down to "coordin".
        acts = word.endswith(("tor", "tors")) and not stem.endswith("tor")
        word = stem + "or" if acts else stem
    return word.replace("'", "")
