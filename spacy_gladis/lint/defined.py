"""Uses and definitions of acronyms."""

import re
from typing import NamedTuple

from ..resolution import Resolution
from ..rules import merge_key
from .reading import is_meant, names_itself
from .wording import is_initialism, is_wording, without_kind

_ACRONYM = re.compile(r"(?<![^\W_])[A-Z]\w*[A-Z]\w*")  # in a long form: it is not all of it
_NESTED = re.compile(rf"{_ACRONYM.pattern}|[a-z] the [a-z]")  # "removal of the oxygen"

_PART = re.compile(r"[^\s-]+")  # "end-of-file" has three
_FOREIGN = re.compile(r"[^\W\d_a-zA-Z]")


class Use(NamedTuple):
    """A mention that defines nothing, at `text[start:end]`; key: equal for one acronym's forms."""

    key: str
    start: int
    end: int
    answer: Resolution


class Defined(NamedTuple):
    """A definition, and where in the original its acronym stands.

    glossary: an entry of a list, which holds everywhere.
    acronym_at, long_form_at: offsets in the text; None where the format's markup defines.
    """

    key: str
    acronym: str
    long_form: str
    offset: int
    glossary: bool = False
    acronym_at: tuple[int, int] | None = None
    long_form_at: tuple[int, int] | None = None

    @property
    def sense(self) -> str:
        """Equal for spellings of one long form."""
        return merge_key(self.long_form)

    @property
    def meant(self) -> bool:
        """Whether it is meant as a definition: an entry, or likely by its letters; markup may
        also explain words."""
        capitals = sum(map(str.isupper, self.acronym)) > 1
        if self.acronym_at is None and capitals and not names_itself(self.acronym, self.long_form):
            return True
        return is_meant(self.acronym, self.long_form)

    @property
    def exact(self) -> bool:
        """Whether the letters are the first ones of all words: codes, names and what is no
        definition are spelled in other ways."""
        initials = "".join(word[0] for word in _PART.findall(self.long_form))
        return initials.casefold() == self.key.casefold()

    def contradicts(self, other: "Defined") -> bool:
        """Whether both surely define the acronym, with different meanings, in English."""
        both = (self, other)
        sure = all(is_initialism(one.key, one.long_form) for one in both)
        nested = any(_NESTED.search(one.long_form) for one in both)
        foreign = any(_FOREIGN.search(one.long_form) for one in both)
        if not sure or nested or foreign or is_wording(self.long_form, other.long_form):
            return False
        return not is_wording(*(without_kind(one.key, one.long_form) for one in both))
