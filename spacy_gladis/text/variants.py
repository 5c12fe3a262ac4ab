"""Under which other spellings a dictionary may hold an acronym."""

import re
from collections.abc import Iterator
from typing import Final
from unicodedata import normalize

LONGEST: Final = 40  # characters; what is longer is no acronym and has no variants

_TYPOGRAPHY: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u02bc", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
    }
)
_SPACED: Final = re.compile(r"(?<=\b[^\W\d_]\.) (?=[^\W\d_]\.)")  # U. S. C.
_POSSESSIVE: Final = re.compile(r"(?<=[\w.])'s?$")
_PLURAL: Final = re.compile(r"(?<=..)(?<=[A-Z0-9])s$")
_JOINTS: Final = re.compile(r"[-/ ]")
_SMALL_PLURAL: Final = re.compile(r"(?<=[a-z]{2})s$")
_LAST_NUMBER: Final = re.compile(r"(?<=[^\W\d_])(?=\d+$)")


def variants(acronym: str) -> list[str]:
    """The spellings under which to look an acronym up: itself first, the most faithful next.

    First those of `spellings`, then small letters where a capital began the sentence ("Hx"),
    then capitals: case tells acronyms apart. Last the singular of a word in small letters.
    """
    same = spellings(acronym)
    if len(acronym) > LONGEST:
        return same
    bases = _bases(acronym)
    small = [one.lower() for one in same if one[:1].isupper() and one[1:].islower()]
    capitals = [base.upper() for base in bases[-2:]]
    singular = [_SMALL_PLURAL.sub("", base) for base in bases[:1] if base.islower()]
    return list(dict.fromkeys([*same, *small, *capitals, *singular]))


def spellings(acronym: str) -> list[str]:
    """The acronym and how else it is spelt, with the same letters in the same case.

    Plain typography; without a possessive or plural ending; without dots, with one after each
    letter or one at the end; without hyphens or with one; with a plural ending.
    """
    if len(acronym) > LONGEST:
        return [acronym]
    return list(dict.fromkeys([acronym, *_spellings(_bases(acronym))]))


def base_form(acronym: str) -> str:
    """The acronym in plain typography, without possessive or plural ending and without dots.

    Equal for an acronym's spellings within a text, such as "CNN", "CNNs" and "C.N.N.".
    """
    return _bases(acronym)[-1] if acronym.strip() and len(acronym) <= LONGEST else acronym


def _bases(acronym: str) -> list[str]:
    """In plain typography, then also without possessive, plural ending and dots."""
    plain = " ".join(normalize("NFKC", acronym).translate(_TYPOGRAPHY).split())
    plain = _SPACED.sub("", plain) if ". " in plain else plain
    if not plain:
        return []
    possessor = _POSSESSIVE.sub("", plain)
    singular = _PLURAL.sub("", possessor)
    return [plain, possessor, singular, _PLURAL.sub("", singular.replace(".", "")) or singular]


def _spellings(bases: list[str]) -> Iterator[str]:
    if not bases:
        return
    yield from bases
    singular, undotted = bases[-2:]
    if (
        singular.isalpha()
        and 2 <= len(singular) <= 4
        and (singular.isupper() or singular.islower())
    ):
        yield "".join(letter + "." for letter in singular)
    if singular.isalpha() and singular[1:].islower():
        yield singular + "."
    elif len(singular) > 1 and singular.endswith("."):
        yield singular[:-1]
    yield from _joined(undotted)
    if len(singular) > 1 and (singular[-1].isupper() or singular[-1].isdigit()):
        yield singular + "s"


def _joined(acronym: str) -> Iterator[str]:
    """Without hyphens, slashes and spaces, or with one before the number at the end."""
    if _JOINTS.search(acronym):
        yield _JOINTS.sub("", acronym) or acronym
        yield _JOINTS.sub("-", acronym)
        yield _JOINTS.sub(" ", acronym).strip() or acronym
    else:
        yield _LAST_NUMBER.sub("-", acronym)
        yield _LAST_NUMBER.sub(" ", acronym)
