"""The indefinite article before an acronym, which depends on how readers pronounce the acronym."""

import re
from functools import cache
from importlib.resources import files

from ..text.spelling import singular

_VOWEL_NAMES = "AEFHILMNORSX"
"""Letters whose names begin with a vowel sound."""
_AMBIGUOUS = re.compile(r"[FHLMNRSXU][AEIOUY].")  # an FIR, a fir


def indefinite_article(acronym: str) -> str | None:
    """Return the indefinite article that readers use before an acronym, if they agree on it.

    For example, the article is ``an`` for ``HTML`` and ``a`` for ``UN``, but readers disagree on
    ``SQL``. The packaged list of acronyms decides first. An acronym that isn't listed is read
    letter by letter, unless it could also be read as a word. This is possible if it has more than
    three letters and a vowel. It is also possible if it has three letters, the second is a vowel,
    and the name and the sound of the first letter take different articles.

    Args:
        acronym: Acronym in its singular or plural form.

    Returns:
        "a" or "an", or None if readers differ or the acronym isn't made of capital letters.
    """
    letters = singular(acronym)
    articles = _listed_articles()
    if letters in articles:
        return articles[letters] or None
    if not (letters.isascii() and letters.isalpha() and letters.isupper()):
        return None
    if _AMBIGUOUS.fullmatch(letters) or (
        len(letters) > 3 and any(letter in "AEIOUY" for letter in letters)
    ):
        return None
    return "an" if letters[0] in _VOWEL_NAMES else "a"


@cache
def _listed_articles() -> dict[str, str]:
    """Load the packaged list of acronyms and articles. An article is empty if readers differ."""
    text = files("spacy_gladis.lint").joinpath("pronunciation.txt").read_text("utf8")
    articles: dict[str, str] = {}
    for line in text.splitlines():
        article, colon, acronyms = line.partition(":")
        if colon and not line.startswith("#"):
            articles |= dict.fromkeys(acronyms.split(), "" if article == "either" else article)
    return articles
