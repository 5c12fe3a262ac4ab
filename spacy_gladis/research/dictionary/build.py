"""Build of the packaged dictionary from its sources.

The build is reproducible: the same sources always give the same file, byte for byte.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ...dictionary import write_store
from ...dictionary.glosses import find_gloss, read_glosses
from ...errors import InputError
from ...text.spelling import same_key
from .cleaning import clean
from .glossary import Casing
from .known import general_words, known_spellings, word_rates
from .meaning import Counts, group, letter_cost, singular
from .sources import Row, Source, Sources, common_rows, concept_rows, glossary_rows, text_rows


class Built(NamedTuple):
    """Statistics of a build of the dictionary, from the rows of the sources to the finished file.

    Attributes:
        rows: Number of rows that were read from all sources.
        spellings: Number of distinct pairs of an acronym and a spelling of a long form.
        merged: Number of spellings that were merged with another spelling of the same long form.
        dropped: Number of long forms that were left out because they are invalid or truncated.
        unchosen: Number of valid long forms that were left out to limit the size of the file.
        acronyms: Number of acronyms in the file.
        long_forms: Number of pairs of an acronym and a long form in the file.
        bytes: Size of the file in bytes.
        glossed: Number of long forms in the file that have a gloss.
    """

    rows: int
    spellings: int
    merged: int
    dropped: int
    unchosen: int
    acronyms: int
    long_forms: int
    bytes: int
    glossed: int


PRIOR = 20  # pseudo-entries with the source's average share, added to each group
ALWAYS = 10.0
ACRONYM = 12  # bytes of an acronym's row without its text
LONG_FORM = 10  # bytes of a long form's row without its text
COUNT = 8  # bytes of a count


class Item(NamedTuple):
    """A long form of an acronym that may become an entry of the dictionary.

    Attributes:
        acronym: Acronym that the long form belongs to.
        long_form: Long form, in the spelling that the dictionary would have.
        counts: A mapping from the names of sources to the count of the long form in each.
        publishers: Number of different publishers whose sources have the long form.
        cost: Cost of aligning the acronym's letters with the long form, per letter. A good match
            has a low cost. See `meaning.letter_cost`.
        rank: Number of long forms of the same acronym that are more frequent, starting at 0.
        kept: Whether the entry is always written, because it comes from a list that was written for
            the package or from a clean glossary.
    """

    acronym: str
    long_form: str
    counts: Counts
    publishers: int
    cost: float
    rank: int
    kept: bool


def choose(items: Iterable[Item], size: int) -> list[Item]:
    """Select the most valuable dictionary entries that fit into a file of limited size.

    Entries of clean glossaries and of lists written for the package are selected first. Entries
    that three or more publishers have come next. All other entries are ordered by the probability
    that another publisher has them too. It is estimated from entries of the same source that are
    similar in frequency, in the length of the acronym, in rank, and in how well the letters match.

    Args:
        items: Long forms that may become entries.
        size: Maximum size of the file, in bytes. The size of each entry is an estimate, so the
            written file can be slightly larger.

    Returns:
        The selected entries, in the order of `items`.
    """
    items = list(items)
    worth = _worths(items)
    order = sorted(
        range(len(items)),
        key=lambda at: (-worth[at] / _bytes(items[at]), items[at].acronym, items[at].long_form),
    )
    taken: set[int] = set()
    acronyms: set[str] = set()
    used = 0
    for at in order:
        item = items[at]
        used += _bytes(item)
        if item.acronym not in acronyms:
            used += ACRONYM + len(item.acronym.encode())
            acronyms.add(item.acronym)
        if used > size:
            break
        taken.add(at)
    return [item for at, item in enumerate(items) if at in taken]


def _estimate(items: Iterable[Item]) -> int:
    """Return the estimated size of a file with these entries, in bytes."""
    items = list(items)
    acronyms = {item.acronym for item in items}
    names = sum(ACRONYM + len(acronym.encode()) for acronym in acronyms)
    return names + sum(map(_bytes, items))


def _bytes(item: Item) -> int:
    return len(item.long_form.encode()) + LONG_FORM + COUNT * len(item.counts)


def _worths(items: list[Item]) -> list[float]:
    seen: Counter[tuple[object, ...]] = Counter()
    shared: Counter[tuple[object, ...]] = Counter()
    for item in items:
        for like in _groups(item):
            seen[like] += 1
            shared[like] += item.publishers > 1
            seen[like[:1]] += 1
            shared[like[:1]] += item.publishers > 1
    worths = []
    for item in items:
        if item.kept or item.publishers > 2:
            worths.append(ALWAYS * (1000 if item.kept else 1))
            continue
        missed = 1.0
        for like in _groups(item):
            share = shared[like[:1]] / seen[like[:1]]
            missed *= 1 - (shared[like] + PRIOR * share) / (seen[like] + PRIOR)
        worths.append((1 - missed) * (1 + (item.publishers > 1)))
    return worths


def _groups(item: Item) -> list[tuple[object, ...]]:
    """Return the keys of the groups of similar entries that an entry belongs to, one per source.

    The entries of a group have the same source, and similar frequency, match of letters, rank and
    acronym length.
    """
    fit = 0 if item.cost < 0.2 else 1 if item.cost < 0.35 else 2
    rank = 0 if not item.rank else 1 if item.rank < 3 else 2 if item.rank < 10 else 3
    length = min(5, len(item.acronym))
    return [
        (source, min(4, number.bit_length()), fit, rank, length)
        for source, number in item.counts.items()
    ]


class _Collected:
    """The rows of all sources of the dictionary, grouped by acronym."""

    def __init__(self) -> None:
        self.rows = 0
        self.forms: dict[str, dict[str, Counts]] = {}
        self.aliases: dict[str, dict[str, str]] = {}
        self.listed: dict[str, Counter[str]] = {}
        """A mapping from each acronym to its long forms in common lists, with their counts."""

    def add(self, row: Row, highest: bool = False) -> None:
        """Add a row of a source to the collected rows.

        If the source has the same pair again, the counts are added. With `highest`, the higher
        count is kept instead.
        """
        self.rows += 1
        counts = self.forms.setdefault(row.acronym, {}).setdefault(row.long_form, {})
        before = counts.get(row.source, 0)
        counts[row.source] = max(before, row.number) if highest else before + row.number

    def add_common(self, row: Row) -> None:
        """Add a row of a common list, and merge the other spellings that the row lists into it."""
        self.add(row, highest=True)
        aliases = self.aliases.setdefault(row.acronym, {})
        key = same_key(row.long_form)
        key = aliases.get(key, key)
        for spelling in map(same_key, row.spellings):
            if spelling != key:
                aliases.setdefault(spelling, key)
        self.listed.setdefault(row.acronym, Counter())[row.long_form] += row.number


def build(
    sources: Sources, path: Path, metadata: Mapping[str, Any] | None = None, size: int = sys.maxsize
) -> Built:
    """Build the dictionary from its sources and write it to a file.

    The build merges the spellings of each long form, removes invalid ones and selects entries until
    the file has the maximum size. The file's metadata contain the kind, subject fields and licence
    of each source. They also contain spellings that are acronyms although they don't look like one
    (`known`), such as ``"c/o"``, and acronyms that are also ordinary words (`words`).

    Args:
        sources: Sources of the entries, with texts for counting words, and glosses.
        path: Path of the dictionary file to write.
        metadata: Additional metadata to store in the file. None adds nothing.
        size: Maximum size of the file, in bytes. By default, there is no maximum.

    Returns:
        Statistics of the build, such as the numbers of merged spellings and of entries.

    Raises:
        InputError: If `size` is too small for even one entry.
    """
    collected, lists = _collect(sources)
    rates = word_rates(sources.words, sources.documents)
    glosses = read_glosses(sources.glosses)
    spellings = sources.abbreviations.union(known_spellings(lists, rates))
    items, counted = _items(collected, sources.sources)
    content = {
        **(metadata or {}),
        "sources": {source.name: source.to_json() for source in sources.sources},
        "known": sorted(spellings),
        "words": general_words(collected.forms, rates),
    }
    budget = size
    while True:
        chosen = choose(items, budget)
        if not chosen:
            raise InputError(
                f"The maximum size of {size:,} bytes is too small for a dictionary. Raise "
                "--megabytes."
            )
        groups: dict[str, list[tuple[str, Counts]]] = {}
        for item in chosen:
            groups.setdefault(item.acronym, []).append((item.long_form, item.counts))
        write_store(sorted(groups.items()), path, content, glosses)
        over = path.stat().st_size - size
        if over <= 0:
            break
        budget = min(budget, _estimate(chosen)) - over - size // 400
    return Built(
        rows=collected.rows,
        **{name: counted[name] for name in ("spellings", "merged", "dropped")},
        unchosen=len(items) - len(chosen),
        acronyms=len(groups),
        long_forms=len(chosen),
        bytes=path.stat().st_size,
        glossed=sum(bool(find_gloss(glosses, item.long_form)) for item in chosen),
    )


def _collect(sources: Sources) -> tuple[_Collected, Counter[str]]:
    """Read the rows of all sources, and count the lists that have each spelling of an acronym."""
    collected = _Collected()
    seen: Counter[str] = Counter()
    mined = list(text_rows(sources.of_kind("text")))
    for row in mined:
        seen[row.long_form] += row.number
    casing = Casing(seen)
    for row in mined:
        collected.add(row._replace(acronym=singular(*row[:2]), long_form=casing(row.long_form)))
    lists: Counter[str] = Counter()
    for source in sources.of_kind("glossary"):
        rows = list(glossary_rows(source, casing))
        if "clinical" in source.flags:
            lists.update({row.acronym for row in rows})
        for row in rows:
            collected.add(row, highest=True)
    for source in sources.of_kind("concepts"):
        for row in concept_rows(source):
            collected.add(row, highest=True)
    for source in sources.of_kind("common"):
        rows = list(common_rows(source))
        lists.update(2 * list({row.acronym for row in rows}))
        for row in rows:
            collected.add_common(row)
    return collected, lists


def _items(collected: _Collected, sources: list[Source]) -> tuple[list[Item], Counter[str]]:
    """Merge and clean the long forms of each acronym.

    Returns the valid long forms, sorted by acronym and frequency, and the counts for `Built`.
    """
    text = {source.name for source in sources if source.kind == "text"}
    projects = {source.name for source in sources if "projects" in source.flags}
    publishers = {source.name: source.publisher for source in sources}
    highest = frozenset(source.name for source in sources if source.kind != "text")
    words: Counter[str] = Counter()
    for forms in collected.forms.values():
        for form, counts in forms.items():
            number = sum(counts.values())
            for word in set(form.lower().replace("-", " ").split()):
                words[word] += number

    def frequency(phrase: list[str]) -> int:
        return min(words[word] for word in phrase)

    items: list[Item] = []
    counted: Counter[str] = Counter()
    for acronym in sorted(collected.forms):
        forms = collected.forms[acronym]
        aliases = collected.aliases.get(acronym, {})
        meanings = group(forms.items(), aliases)
        for form, _ in collected.listed.get(acronym, Counter()).most_common():
            key = same_key(form)
            meaning = meanings[aliases.get(key, key)]
            meaning.chosen = meaning.chosen or form
        for meaning in meanings.values():
            meaning.trusted = bool(meaning.sources - text)
        kept = clean(acronym, list(meanings.values()), frequency)
        counted["spellings"] += len(forms)
        counted["merged"] += len(forms) - len(meanings)
        counted["dropped"] += len(meanings) - len(kept)
        kept.sort(key=lambda meaning: (-meaning.total, meaning.key))
        for rank, meaning in enumerate(kept):
            counts = meaning.counts(highest)
            always = any(source not in text and source not in projects for source in counts)
            number = len({publishers[source] for source in counts})
            cost = letter_cost(acronym, meaning.form)
            items.append(Item(acronym, meaning.form, counts, number, cost, rank, always))
    return items, counted
