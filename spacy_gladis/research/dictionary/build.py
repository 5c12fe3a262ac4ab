"""Reproducible build of the dictionary: the same sources give the same bytes."""

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

SIZE = 27_000_000  # bytes


class Built(NamedTuple):
    """Figures of a build of the dictionary.

    Attributes:
        rows: Number of rows in all sources.
        spellings: Number of different (acronym, spelling of a long form) pairs.
        merged: Number of spellings that were merged with another spelling of the acronym's long
            form.
        dropped: Number of long forms removed because they are invalid.
        unchosen: Number of long forms removed to limit the size of the file.
        acronyms: Number of acronyms in the file.
        long_forms: Number of long forms in the file.
        bytes: Size of the file in bytes.
        glossed: Number of long forms that have a gloss.
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
    """A long form of an acronym that is a candidate for the dictionary.

    Attributes:
        acronym: The acronym.
        long_form: The long form.
        counts: A mapping from sources to counts.
        publishers: Number of publishers that list the long form.
        cost: Alignment cost per letter; see `meaning.letter_cost`.
        rank: Number of more frequent long forms of the acronym.
        kept: Whether the entry is always written, regardless of its value.
    """

    acronym: str
    long_form: str
    counts: Counts
    publishers: int
    cost: float
    rank: int
    kept: bool


def choose(items: Iterable[Item], size: int) -> list[Item]:
    """Select the entries with the highest value per byte, up to an estimated file size.

    All entries of lists written for the package and of clean glossaries are selected. Next come
    entries of three or more publishers. The value of other entries is the estimated probability
    that another publisher has them too. It is estimated from similar entries, which have the same
    source and a similar frequency, fit of letters, acronym length and rank.

    Args:
        items: The candidate entries.
        size: Maximum size of the file, in bytes.

    Returns:
        The selected entries, in their original order.
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
    """Return the groups of similar entries that an entry belongs to, one per source."""
    fit = 0 if item.cost < 0.2 else 1 if item.cost < 0.35 else 2
    rank = 0 if not item.rank else 1 if item.rank < 3 else 2 if item.rank < 10 else 3
    length = min(5, len(item.acronym))
    return [
        (source, min(4, number.bit_length()), fit, rank, length)
        for source, number in item.counts.items()
    ]


class _Collected:
    """The rows of all sources, grouped by acronym."""

    def __init__(self) -> None:
        self.rows = 0
        self.forms: dict[str, dict[str, Counts]] = {}
        self.aliases: dict[str, dict[str, str]] = {}
        self.listed: dict[str, Counter[str]] = {}
        """Long forms of each acronym in common lists, with the sum of their counts."""

    def add(self, row: Row, highest: bool = False) -> None:
        """Add a row. With `highest`, a source's highest count is kept instead of the sum."""
        self.rows += 1
        counts = self.forms.setdefault(row.acronym, {}).setdefault(row.long_form, {})
        before = counts.get(row.source, 0)
        counts[row.source] = max(before, row.number) if highest else before + row.number

    def add_common(self, row: Row) -> None:
        """Add a row of a common list, whose spelling represents the spellings that it lists."""
        self.add(row, highest=True)
        aliases = self.aliases.setdefault(row.acronym, {})
        key = same_key(row.long_form)
        key = aliases.get(key, key)
        for spelling in map(same_key, row.spellings):
            if spelling != key:
                aliases.setdefault(spelling, key)
        self.listed.setdefault(row.acronym, Counter())[row.long_form] += row.number


def build(
    sources: Sources, path: Path, metadata: Mapping[str, Any] | None = None, size: int = SIZE
) -> Built:
    """Build the dictionary and write it to a file.

    The metadata hold each source's kind, fields and licence, the spellings that are acronyms
    without looking like one (`known`), and the acronyms that are also words (`words`).

    Args:
        sources: Sources of entries, words and glosses.
        path: Path of the file to write.
        metadata: Additional metadata to store in the file.
        size: Maximum size of the file, in bytes.

    Returns:
        Figures of the build.

    Raises:
        InputError: If `size` is too small for any entry.
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
            raise InputError(f"No dictionary fits in {size:,} bytes. Raise --megabytes.")
        groups: dict[str, list[tuple[str, Counts]]] = {}
        for item in chosen:
            groups.setdefault(item.acronym, []).append((item.long_form, item.counts))
        write_store(sorted(groups.items()), path, content, glosses)
        over = path.stat().st_size - size
        if over <= 0:
            break
        budget -= over + size // 400
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
    """Return the rows of all sources, and the number of lists that have each spelling."""
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
    """Return the valid long forms, by acronym and frequency, and counts for `Built`."""
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
