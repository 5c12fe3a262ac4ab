"""Selection of spellings that are acronyms only according to a dictionary, such as lower-case ones.

Ordinary words are excluded: words that general text (Wikipedia, textbooks, government pages) writes
in lower case at least `ORDINARY` times per million words, times the number of lists that have the
spelling. More lists therefore allow a more frequent word. A spelling with a digit, or with a
capital or full stop inside, is never an ordinary word.
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
    """Count how often texts contain each word, in its exact spelling.

    Args:
        paths: Files of JSON lines with a `text`.
        documents: Number of documents to read from each file.

    Returns:
        Occurrences of each word per million words.
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
    """Select the spellings that don't look like acronyms and are not ordinary words.

    Args:
        spellings: A mapping from spellings to the number of lists that have them. Spellings of two
            lower-case letters need two lists.
        rates: Occurrences of words per million words.

    Returns:
        The spellings, sorted.
    """
    return sorted(
        spelling
        for spelling, lists in spellings.items()
        if _needs_list(spelling, lists) and not _is_ordinary(spelling, lists, rates)
    )


def general_words(acronyms: Iterable[str], rates: Mapping[str, float]) -> list[str]:
    """Select the acronyms in capitals that are also ordinary words.

    General texts write these words in lower case at least `ORDINARY` times per million words, and
    at least three times as often as in capitals.

    Args:
        acronyms: The acronyms.
        rates: Occurrences of words per million words.

    Returns:
        The words in lower case, sorted.
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
    """Count the words of general English that texts write in lower case or as a name.

    A word is included if it occurs `WRITTEN` times per million words and in at least `SHARDS`
    shards, and is not more frequent in capitals.

    Args:
        shards: The texts of each shard.
        without: Lower-case abbreviations to leave out, such as `hrs`.

    Returns:
        Occurrences of each word per million words, in alphabetical order. Names have a capital.
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
