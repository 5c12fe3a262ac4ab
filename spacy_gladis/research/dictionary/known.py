"""Selection of spellings that only a dictionary identifies as acronyms, such as "htn" or "c/o".

Ordinary words are excluded. A word is ordinary if general texts (Wikipedia, textbooks, government
pages) contain it in lower case at least `ORDINARY` times per million words. If several lists have
the spelling, the limit is multiplied by their number. A spelling with a digit, or with a capital or
full stop inside, is never an ordinary word.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from pathlib import Path

from ...documents.lines import read_lines
from ...text import find_acronyms

ORDINARY = 1.0  # times per million words, for each list

_WORD = re.compile(r"[^\W_]+(?:[./'&-][^\W_]+)*\.?/?")


def word_rates(paths: Iterable[Path], documents: int) -> dict[str, float]:
    """Count how often each word occurs in texts of general English.

    Different capitalizations count as different words. A word with a full stop at its end, such as
    "etc.", is counted with and without it.

    Args:
        paths: JSON Lines files whose records have a `text`.
        documents: Maximum number of records to read from each file.

    Returns:
        A mapping from each word to its number of occurrences per million words.
    """
    counts: Counter[str] = Counter()
    for path in paths:
        for _, line in islice(read_lines(path), documents):
            for word in _WORD.findall(json.loads(line)["text"]):
                counts[word] += 1
                if word[-1] == ".":
                    counts[word[:-1]] += 1
    number = max(1, counts.total())
    return {word: 1e6 * count / number for word, count in counts.items()}


def known_spellings(spellings: Mapping[str, int], rates: Mapping[str, float]) -> list[str]:
    """Select the spellings of abbreviations that the detector needs a list for.

    These are spellings that don't have the shape of an acronym, such as "htn", and that are not
    ordinary words. A spelling of two lower-case letters must be in at least two lists.

    Args:
        spellings: A mapping from each spelling to the number of lists that have it.
        rates: A mapping from words to their number of occurrences per million words.

    Returns:
        The selected spellings, in alphabetical order.
    """
    return sorted(
        spelling
        for spelling, lists in spellings.items()
        if _needs_list(spelling, lists) and not _is_ordinary(spelling, lists, rates)
    )


def general_words(acronyms: Iterable[str], rates: Mapping[str, float]) -> list[str]:
    """Select the acronyms in capitals that are also ordinary words, such as "CAT".

    General texts contain such a word in lower case at least `ORDINARY` times per million words, and
    at least three times as often as in capitals.

    Args:
        acronyms: Acronyms to select from. Those that are not entirely in capital letters are
            ignored.
        rates: A mapping from words to their number of occurrences per million words.

    Returns:
        The selected acronyms in lower case, in alphabetical order.
    """
    capitals = {acronym for acronym in acronyms if acronym.isalpha() and acronym.isupper()}
    return sorted(
        acronym.lower()
        for acronym in capitals
        if rates.get(acronym.lower(), 0.0) >= max(ORDINARY, 3 * rates.get(acronym, 0.0))
    )


def _needs_list(spelling: str, lists: int) -> bool:
    letters = sum(map(str.isalpha, spelling))
    if not letters or " " in spelling or find_acronyms(spelling) == [(0, len(spelling))]:
        return False
    if letters == 1 and spelling.isalnum():
        return lists > 1 and len(spelling) > 1
    return lists > 1 or len(spelling) > 2


def _is_ordinary(spelling: str, lists: int, rates: Mapping[str, float]) -> bool:
    bare = spelling.rstrip(".")
    if any(map(str.isdigit, spelling)) or any(map(str.isupper, spelling[1:])) or "." in bare:
        return False
    return any(rates.get(word, 0.0) >= ORDINARY * lists for word in {spelling, bare.lower()})


WRITTEN = 0.5  # times per million words
SHARDS = 3
NAMED = 4  # minimum ratio of capitalized to lower-case occurrences of a name
_LETTERS = re.compile(r"(?<![\w'’-])[A-Za-z]{2,24}(?![\w'’-]|\.\w|://)")


def english_words(shards: Iterable[Iterable[str]], without: Collection[str]) -> dict[str, float]:
    """List the words of general English, with their rates in texts.

    A word is listed if it occurs in lower case or with a capital first letter at least `WRITTEN`
    times per million words, and in at least `SHARDS` shards of the corpus. It must not be more
    frequent in all capitals.

    Args:
        shards: Shards of the corpus, each as its texts.
        without: Lower-case abbreviations to leave out, such as ``"hrs"``.

    Returns:
        A mapping from words to occurrences per million words, in alphabetical order. Names have a
        capital first letter, and other words are in lower case.
    """
    written: Counter[str] = Counter()
    in_shards: Counter[str] = Counter()
    for texts in shards:
        counts = Counter(word for text in texts for word in _LETTERS.findall(text))
        in_shards.update({word.lower() for word in counts if not word.isupper()})
        written.update(counts)
    total = max(1, written.total())
    words = {}
    for word in sorted(in_shards):
        number = written[word] + written[word.capitalize()]
        rate = round(1e6 * number / total, 1)
        often = rate >= WRITTEN and number >= written[word.upper()]
        if often and in_shards[word] >= SHARDS and word not in without:
            is_name = written[word.capitalize()] > NAMED * written[word]
            words[word.capitalize() if is_name else word] = rate
    return words
