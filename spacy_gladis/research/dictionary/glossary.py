"""Cleaning of published glossaries, so that each entry has one long form in normal capitalization.

Entries of glossaries often contain several long forms, remarks in brackets, or long forms in all
capitals.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from ...dictionary.noise import noise
from ...text.alignment import has_initials
from ...text.spelling import same_key
from .meaning import letter_cost

_LETTERS = re.compile(r"[^\W\d_]+")
_LOWER = 0.05  # lower-case share of occurrences above which a word is no proper name


class Casing:
    """Restores the usual capitalization of long forms that a glossary writes in all capitals.

    The usual capitalization is the most frequent one in texts. For example, "NATIONAL INSTITUTES OF
    HEALTH" becomes "National Institutes of Health".
    """

    def __init__(self, long_forms: Mapping[str, int]) -> None:
        """Learn the usual capitalization of words and long forms.

        Args:
            long_forms: A mapping from long forms, as they are written in texts, to the number of
                their occurrences. Long forms in all capitals are ignored.
        """
        self._words: dict[str, Counter[str]] = {}
        self._whole: dict[str, tuple[int, str]] = {}
        for form, count in long_forms.items():
            if form.isupper():
                continue
            for word in _LETTERS.findall(form):
                self._words.setdefault(word.lower(), Counter())[word] += count
            key = same_key(form)
            self._whole[key] = max(self._whole.get(key, (0, "")), (count, form))

    def __call__(self, long_form: str) -> str:
        """Give a long form that is written in all capitals its usual capitalization.

        Args:
            long_form: Long form in any capitalization.

        Returns:
            The long form as it is written in texts. If no text has it, each of its words gets its
            own usual capitalization, or lower case. A long form that is not in all capitals, or
            that has fewer than six letters, is returned unchanged.
        """
        words = _LETTERS.findall(long_form)
        if not long_form.isupper() or sum(map(len, words)) < 6:
            return long_form
        _, seen_form = self._whole.get(same_key(long_form), (0, ""))
        return seen_form or _LETTERS.sub(lambda word: self._word(word[0]), long_form)

    def _word(self, word: str) -> str:
        seen = self._words.get(word.lower())
        if seen is None:
            return word.lower() if len(word) > 4 else word
        if seen[word.lower()] >= _LOWER * seen.total():
            return word.lower()
        return seen.most_common(1)[0][0]


LONGEST_ACRONYM, LONGEST = 24, 100  # characters
FITTING = 0.75  # cost per letter

_REMARK = re.compile(r"(?:^|\s+)(?:\([^()]*\)|\[[^\[\]]*\])(?=$|[\s,.;])")
_ASIDE = re.compile(
    r"(?:\s*[,;:–-]\s*|\s+)(?:formerly|see also|see|now|also known as|aka|a\.k\.a\.|e\.g\.|i\.e\.)"
    r"(?=\s).*$",
    re.IGNORECASE,
)
_SENSELESS = re.compile(
    r"not an? (?:acronym|abbreviation)|initials? of|unknown|undefined|\btbd\b|\bsee\b|\?|\bmeans\b"
    r"|\bis (?:a|an|the|used)\b|\bform (?:number|\d)|\bform\s+\d|\*\*|^va form",
    re.IGNORECASE,
)
_SWEDISH = re.compile(
    r"[åäöÅÄÖ]|\b(?:och|av|för|till|med|som|kungliga|sveriges?|svensk\w*|\w+ning(?:ar|en)|\w+teknik)\b"
)
_WORD = re.compile(r"[^\W_]+")


def clean_glossary(
    acronym: str, long_form: str, casing: Casing, flags: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """Convert a row of a glossary to clean dictionary entries.

    Remarks in brackets, asides such as "see also" and punctuation are removed. A row with several
    long forms, separated by semicolons, becomes several entries. The letters of the acronym must
    match the long form, except in sources with the flag ``"clinical"`` or ``"small"``, which also
    contain shorthand such as "pt" for "patient".

    Args:
        acronym: Text in the row's first column.
        long_form: Text in the row's second column, with one or more long forms.
        casing: Function that restores the usual capitalization of a long form in all capitals.
        flags: Properties of the source; see `Source.flags`.

    Yields:
        Pairs of an acronym and a long form. An invalid row yields nothing.
    """
    acronym = _REMARK.sub("", " ".join(acronym.split())).strip(" ,;:=")
    for part in re.split(r"\s*;\s*", _REMARK.sub("", " ".join(long_form.split()))):
        short, form = _turned(acronym, _ASIDE.sub("", part).strip(" ,;:.*-–=\"'"))
        if not short or not form or len(short) > LONGEST_ACRONYM or len(form) > LONGEST:
            continue
        if _SENSELESS.search(form) or _SWEDISH.search(form) or noise(form) not in _ALLOWED:
            continue
        if _letters(short) == _letters(form) or _has_word(form, short):
            continue
        form = casing(form)
        if (
            "small" in flags
            and short.islower()
            and (has_initials(short, form) or (" " in form and letter_cost(short, form) < FITTING))
        ):
            short = short.upper()
        if flags & {"clinical", "small"} or letter_cost(short, form) < FITTING:
            yield short, form


_ALLOWED = (None, "function word")  # "as needed", "by mouth"


def _turned(acronym: str, long_form: str) -> tuple[str, str]:
    """Return the acronym and the long form of a row, swapped if they are in the wrong columns."""
    if (
        len(long_form) < len(acronym) // 2
        and " " in acronym
        and " " not in long_form
        and has_initials(long_form, acronym)
    ):
        return long_form, acronym
    return acronym, long_form


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _has_word(long_form: str, acronym: str) -> bool:
    """Return whether a long form contains the acronym as a word, as "ALS disease" does for ALS."""
    bare = acronym.casefold()
    return len(bare) > 1 and bare in {word.casefold() for word in _WORD.findall(long_form)}
