"""The values that a dictionary contains, and functions that merge the spellings of a long form."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from ..errors import InputError
from ..text.spelling import merge_key, same_key

LONGEST_ACRONYM = 100  # maximum characters
LONGEST_LONG_FORM = 1000  # maximum characters
MAX_COUNT = 0xFFFFFFFF

KIND_END = ";"
"""Character that separates the first part of a gloss, which describes the sense, from the rest."""


class Candidate(NamedTuple):
    """A long form that an acronym may stand for.

    Attributes:
        long_form: The long form.
        counts: A mapping from the name of each source to how often it has this long form for the
            acronym.
        total: Sum of the counts over all sources.
        index: Index of the long form in `Dictionary.long_forms`, or -1 for a user's entry.
        gloss: Short description of the sense (see `glosses.py`), or an empty string if there is
            none.
    """

    long_form: str
    counts: dict[str, int]
    total: int
    index: int  # type: ignore[assignment]  # hides tuple.index
    gloss: str = ""

    @property
    def kind(self) -> str:
        """The description of the sense, or an empty string if it has no gloss."""
        return kind_of(self.gloss)


def kind_of(gloss: str) -> str:
    """Return the first part of a gloss, which describes the sense.

    Args:
        gloss: The gloss of a sense.
    """
    return gloss.partition(KIND_END)[0].strip()


class Row(NamedTuple):
    """A row of the data that a dictionary is built from.

    Attributes:
        acronym: The acronym.
        long_form: The long form. An empty string means that `acronym` is not an acronym.
        source: Name of the source.
        count: How often the source contains the pair. At least 1.
    """

    acronym: str
    long_form: str
    source: str
    count: int = 1  # type: ignore[assignment]  # hides tuple.count


Entry = tuple[str, dict[str, int]]
"""A long form and its counts by source."""

Group = tuple[str, list[Entry]]
"""An acronym and its long forms."""


def total(entry: Entry) -> int:
    """Return the sum of an entry's counts over all sources.

    Args:
        entry: A long form and its counts.
    """
    return sum(entry[1].values())


def add_counts(counts: dict[str, int], more: Mapping[str, int]) -> None:
    """Add counts to existing counts, in place.

    Args:
        counts: A mapping from sources to counts. Changed in place.
        more: The counts to add, by source.
    """
    for source, count in more.items():
        counts[source] = counts.get(source, 0) + count


Key = Callable[[str], str]

MERGING: dict[str, Key] = {"ours": same_key, "paper": merge_key}
"""Functions that compute the key by which long forms are merged. `paper` is the method of GLADIS
(section 3.1), which compares word stems without punctuation. `ours` also joins British and American
spellings."""


def merge_entries(entries: Iterable[Entry], key: Key = same_key) -> list[Entry]:
    """Merge an acronym's long forms that are spellings of each other.

    Long forms with the same key are merged. The most frequent spelling represents its group, and
    among equally frequent ones the shortest, then the first by code points. The counts of each
    source are added up.

    Args:
        entries: The acronym's long forms with their counts by source, in any order.
        key: Function that computes the key of a long form.

    Returns:
        The merged entries, most frequent first.
    """
    spellings: dict[str, dict[str, dict[str, int]]] = {}
    for long_form, counts in entries:
        same = spellings.setdefault(key(long_form), {})
        add_counts(same.setdefault(long_form, {}), counts)
    merged: list[Entry] = []
    for same in spellings.values():
        canonical, _ = min(same.items(), key=lambda entry: (-total(entry), len(entry[0]), entry[0]))
        counts = {}
        for more in same.values():
            add_counts(counts, more)
        merged.append((canonical, counts))
    return sorted(merged, key=lambda entry: (-total(entry), entry[0]))


def join_candidates(lists: Iterable[list[Candidate]]) -> list[Candidate]:
    """Combine the candidates of several spellings of an acronym into a single list.

    Candidates whose long forms have the same `same_key` are merged. The most frequent of them
    represents the group and gets the counts of all.

    Args:
        lists: For each spelling, its candidates.

    Returns:
        The combined candidates, most frequent first.
    """
    joined: dict[str, Candidate] = {}
    flat = [candidate for candidates in lists for candidate in candidates]
    for candidate in sorted(flat, key=lambda candidate: -candidate.total):
        first = joined.setdefault(same_key(candidate.long_form), candidate)
        if first is not candidate:
            counts = dict(first.counts)
            add_counts(counts, candidate.counts)
            key = same_key(candidate.long_form)
            gloss = first.gloss or candidate.gloss
            joined[key] = first._replace(counts=counts, total=sum(counts.values()), gloss=gloss)
    return sorted(joined.values(), key=lambda candidate: -candidate.total)


def clean_row(acronym: str, long_form: str, source: str, count: int = 1) -> Row:
    """Check the values of a row and normalise their white space.

    Args:
        acronym: The acronym, with up to `LONGEST_ACRONYM` characters.
        long_form: The long form, with up to `LONGEST_LONG_FORM` characters.
        source: Name of the source.
        count: How often the source contains the pair, from 1 to `MAX_COUNT`.

    Returns:
        A valid row.

    Raises:
        InputError: If a value is invalid. The message begins in lower case, so that callers can put
            the file and line before it.
    """
    for name, value in (("acronym", acronym), ("long form", long_form)):
        if not isinstance(value, str):
            raise InputError(f"the {name} is {value!r}, not a text")
    row = Row(" ".join(acronym.split()), " ".join(long_form.split()), source, count)
    for name, text, longest in (
        ("acronym", row.acronym, LONGEST_ACRONYM),
        ("long form", row.long_form, LONGEST_LONG_FORM),
    ):
        if not text:
            raise InputError(f"the {name} is empty")
        if len(text) > longest:
            raise InputError(f"the {name} has {len(text):,} characters, more than {longest:,}")
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise InputError(
                    f"the {name} {text!r} is not valid Unicode; save the file as UTF-8"
                ) from error
    if type(count) is not int or not 1 <= count <= MAX_COUNT:
        raise InputError(f"the count is {count!r}, not a number from 1 to {MAX_COUNT:,}")
    return row


class SourceInfo(NamedTuple):
    """Description of a source of dictionary entries.

    Attributes:
        kind: Kind of the source. "text" is a corpus, whose counts are numbers of documents.
            "glossary" is a glossary. "common" is a list of common acronyms in which the counts 2,
            6, 20, 60 and 200 stand for the grades 1 to 5. "concepts" is a concept inventory.
        fields: A mapping from the source's subject fields to their weights, which sum to 1. Empty
            for a source without a particular field.
        licence: Licence of the source's data, or an empty string if unknown.
    """

    kind: str
    fields: Mapping[str, float]
    licence: str = ""


def read_source_infos(metadata: Mapping[str, Any]) -> dict[str, SourceInfo]:
    """Read the descriptions of sources from a dictionary's metadata.

    Args:
        metadata: Metadata of a dictionary file.

    Returns:
        A mapping from the name of each source to its description. Empty if the metadata describes
        no sources.
    """
    sources = metadata.get("sources")
    if not isinstance(sources, Mapping):
        return {}
    return {
        name: SourceInfo(info["kind"], info.get("fields", {}), info.get("licence", ""))
        for name, info in sources.items()
        if isinstance(info, Mapping) and "kind" in info
    }


class CandidateSource(Protocol):
    """Protocol for objects that give a linker its candidates, such as a `Dictionary`."""

    @property
    def sources(self) -> Mapping[str, SourceInfo]:
        """A mapping from the name of each source of entries to its description."""

    @property
    def user_sources(self) -> Collection[str]:
        """The names of the sources of the user's entries."""

    @property
    def revision(self) -> int:
        """The number of changes to the entries so far. A new revision invalidates caches."""

    def lookup(
        self, acronym: str, sources: Collection[str] | None = None, *, offensive: bool = False
    ) -> list[Candidate]:
        """Find the candidates of an acronym in any of its spellings.

        Args:
            acronym: The acronym as written in a text, possibly as a plural, with dots or hyphens,
                or in another case.
            sources: Names of the sources whose counts are used. None to use all sources.
            offensive: Whether to include offensive long forms.

        Returns:
            The candidates, most frequent first.
        """
