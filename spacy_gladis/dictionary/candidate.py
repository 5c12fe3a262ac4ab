"""The content of a dictionary: candidates, rows, entries and sources, and how spellings merge."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from ..errors import InputError
from ..text.spelling import merge_key, same_key

LONGEST_ACRONYM = 100  # characters
LONGEST_LONG_FORM = 1000  # characters
MAX_COUNT = 0xFFFFFFFF

KIND_END = ";"
"""Character that ends the first part of a gloss, which describes the sense."""


class Candidate(NamedTuple):
    """A long form that an acronym may stand for.

    Attributes:
        long_form: The long form.
        counts: How often each source has it for the acronym, by the source's name.
        total: Sum of the counts.
        index: Number of the long form in `Dictionary.long_forms`; -1 for a user's entry.
        gloss: Short description of the sense, see `glosses.py`; an empty string if it has none.
    """

    long_form: str
    counts: dict[str, int]
    total: int
    index: int  # type: ignore[assignment]  # hides tuple.index
    gloss: str = ""

    @property
    def kind(self) -> str:
        """What the sense is: the first part of its gloss; an empty string if it has none."""
        return kind_of(self.gloss)


def kind_of(gloss: str) -> str:
    """Return the description of the sense, which is the first part of a gloss.

    Args:
        gloss: The gloss.
    """
    return gloss.partition(KIND_END)[0].strip()


class Row(NamedTuple):
    """One observation that a dictionary is built from.

    Attributes:
        acronym: The acronym.
        long_form: The long form; an empty string says that a word is not an acronym.
        source: Name of the source.
        count: How often the source has the pair, at least 1.
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
    """Add counts to others, in place.

    Args:
        counts: Counts by source, which are changed.
        more: Counts by source to add.
    """
    for source, count in more.items():
        counts[source] = counts.get(source, 0) + count


Key = Callable[[str], str]

MERGING: dict[str, Key] = {"ours": same_key, "paper": merge_key}
"""Keys of long forms: ours, and the paper's, by stems without punctuation (GLADIS, section 3.1)."""


def merge_entries(entries: Iterable[Entry], key: Key = same_key) -> list[Entry]:
    """Merge the spellings of an acronym's long forms, which have the same key.

    The most frequent spelling represents its group. Ties are broken by length, shortest first, then
    by code points. Counts are added by source.

    Args:
        entries: Long forms with their counts by source, in any order.
        key: The key of a long form.

    Returns:
        Merged entries, most frequent first.
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
    """Join the candidates of several spellings of an acronym.

    Candidates with the same `same_key` are joined. The most frequent of them represents the group,
    with the counts of all.

    Args:
        lists: Candidates of each spelling.

    Returns:
        Joined candidates, most frequent first.
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
        acronym: The acronym, at most `LONGEST_ACRONYM` characters.
        long_form: The long form, at most `LONGEST_LONG_FORM` characters.
        source: Name of the source.
        count: How often the source has the pair, 1 to `MAX_COUNT`.

    Returns:
        The row.

    Raises:
        InputError: If a value is invalid. The message is the end of a sentence, for callers that
            put the file and line before it.
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
    """Description of a source of entries.

    Attributes:
        kind: "text" if counts are numbers of documents, "glossary", "common" for graded lists
            (counts 2, 6, 20, 60 and 200 stand for the grades 1 to 5), or "concepts".
        fields: Subject fields of the source with their weights, which sum to 1; empty for a source
            without a particular field.
        licence: Licence of the source's data; an empty string if unknown.
    """

    kind: str
    fields: Mapping[str, float]
    licence: str = ""


def read_source_infos(metadata: Mapping[str, Any]) -> dict[str, SourceInfo]:
    """Read the descriptions of sources from a dictionary's metadata.

    Args:
        metadata: The metadata of a dictionary file.

    Returns:
        Descriptions by the source's name; empty if the metadata describes no sources.
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
    """Protocol for the source of a linker's candidates, such as a `Dictionary`."""

    @property
    def sources(self) -> Mapping[str, SourceInfo]:
        """Descriptions of the sources that counts come from, by name."""

    @property
    def user_sources(self) -> Collection[str]:
        """Names of the sources of the user's entries."""

    @property
    def revision(self) -> int:
        """Number of changes to the entries. Cached candidates are valid for one revision."""

    def lookup(
        self, acronym: str, sources: Collection[str] | None = None, *, offensive: bool = False
    ) -> list[Candidate]:
        """Find the candidates of an acronym as a text spells it.

        Args:
            acronym: The acronym, in any spelling (plural, dots, hyphens, case).
            sources: Names of the sources whose counts are used; None for all.
            offensive: Whether to include offensive long forms.

        Returns:
            The candidates, most frequent first.
        """
