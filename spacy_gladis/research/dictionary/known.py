"""Spellings that only a dictionary tells for acronyms: small letters, slashes, dots, digits.

A spelling that is an ordinary word is none: one that general text (Wikipedia, textbooks, pages of
the government) writes in small letters at least `ORDINARY` times in a million words for each list
that has it: what many lists call an abbreviation may be a frequent one. With a digit, or with a
capital or a full stop inside, it is not a word, however frequent.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from pathlib import Path

from ...documents.lines import read_lines
from ...text import find_acronyms

ORDINARY = 1.0  # times in a million words, for each list

_WORD = re.compile(r"[^\W_]+(?:[./'&-][^\W_]+)*\.?/?")


def word_rates(paths: Iterable[Path], documents: int) -> dict[str, float]:
    """How often in a million words the texts write each word, as it is spelt.

    The first `documents` documents of each file are read.
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
    """The spellings, sorted, that a reader knows from a list alone and that are not words.

    `spellings` says how many lists have each; one of two small letters needs two of them.
    """
    return sorted(
        spelling
        for spelling, lists in spellings.items()
        if _needs_list(spelling, lists) and not _is_ordinary(spelling, lists, rates)
    )


def general_words(acronyms: Iterable[str], rates: Mapping[str, float]) -> list[str]:
    """The acronyms in capitals that are words, sorted and in small letters.

    General texts write them in small letters `ORDINARY` times at least, and three times as often
    as in capitals.
    """
    capitals = {one for one in acronyms if one.isalpha() and one.isupper()}
    return sorted(
        one.lower()
        for one in capitals
        if rates.get(one.lower(), 0.0) >= max(ORDINARY, 3 * rates.get(one, 0.0))
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
    return any(rates.get(one, 0.0) >= ORDINARY * lists for one in {spelling, bare.lower()})


WRITTEN = 0.5  # times in a million words
SHARDS = 3
NAMED = 4  # times as often as in small letters that texts write a name with a capital
_LETTERS = re.compile(r"(?<![\w'’-])[A-Za-z]{2,24}(?![\w'’-]|\.\w|://)")


def english_words(shards: Iterable[Iterable[str]], without: Collection[str]) -> dict[str, float]:
    """Count the words of general English: those that texts write in small letters or as a name.

    A word is taken where it makes up `WRITTEN` in a million words, stands in at least `SHARDS`
    shards, and is not written in capitals more often.

    Args:
        shards: The texts of each shard.
        without: Abbreviations that are written in small letters, such as `hrs`.

    Returns:
        Each word, names with a capital, and how often texts write it in a million words, in
        alphabetical order.
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
