"""English words beside a phrase put in another's place: its plural, and its a or an."""

import re

_VOWEL_SOUND = re.compile(r"[aeiou]|heir|honou?r|honest|hour", re.IGNORECASE)
_CONSONANT_SOUND = re.compile(r"eu|ewe|one\b|once|uni(?!n|m|de)|u[bfkst][aeiou]", re.IGNORECASE)
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$", re.IGNORECASE)
_CONSONANT_Y = re.compile(r"(?<=[^aeiou\W])y$", re.IGNORECASE)
_PLURAL_ALREADY = re.compile(r"(?<![siu])s$", re.IGNORECASE)


def plural(phrase: str) -> str:
    """A phrase with its last word in the plural; one that ends in a plural s stays as it is."""
    if _PLURAL_ALREADY.search(phrase):
        return phrase
    if phrase.endswith("sis"):
        return phrase[:-2] + "es"
    if _CONSONANT_Y.search(phrase):
        return _CONSONANT_Y.sub("ies", phrase)
    return phrase + ("es" if _SIBILANT.search(phrase) else "s")


def indefinite_article(phrase: str) -> str:
    """`a` or `an`, by the sound that a phrase of words, not of letters, begins with."""
    vowel = _VOWEL_SOUND.match(phrase) and not _CONSONANT_SOUND.match(phrase)
    return "an" if vowel else "a"
