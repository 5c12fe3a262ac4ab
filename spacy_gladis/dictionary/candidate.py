"""The values that a dictionary contains, and functions that merge the spellings of a long form."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from ..errors import InputError
from ..text.spelling import merge_key, same_key

LONGEST_ACRONYM = 100  # maximum number of characters
LONGEST_LONG_FORM = 1000  # maximum number of characters
MAX_COUNT = 0xFFFFFFFF

KIND_END = ";"
"""Character that ends the first part of a gloss. This part describes the sense, and the rest lists
words that are frequent near it."""


class Candidate(NamedTuple):
    """A long form that an acronym may stand for, with its frequency in each source.

    Attributes:
        long_form: The long form, such as "computed tomography" for "CT".
        counts: A mapping from the names of sources to how often each source has this long form for
            the acronym.
        total: Sum of `counts` over all sources.
        index: Index of the long form in `Dictionary.long_forms`, or -1 if it is a user entry that
            the dictionary file doesn't contain.
        gloss: Short description of the sense, followed by words that are frequent near it (see
            `glosses.py`). Empty if the long form has no gloss.
    """

    long_form: str
    counts: dict[str, int]
    total: int
    index: int  # type: ignore[assignment]  # hides tuple.index
    gloss: str = ""

    @property
    def kind(self) -> str:
        """The description of the sense from its gloss. Empty if the candidate has no gloss."""
        return kind_of(self.gloss)


def kind_of(gloss: str) -> str:
    """Return the first part of a gloss, which describes the sense.

    For example, the gloss "section of a GP clinical note; PMH, DH, onset" gives "section of a GP
    clinical note".

    Args:
        gloss: The gloss of a sense. It may be empty.

    Returns:
        The text before the first semicolon, without surrounding white space.
    """
    return gloss.partition(KIND_END)[0].strip()


class Row(NamedTuple):
    """An acronym and its long form with a source and a count, read from a glossary or a corpus.

    Dictionaries are built from such rows, and user entries have the same form.

    Attributes:
        acronym: The acronym.
        long_form: The long form. An empty string means that the word in `acronym` is not an
            acronym.
        source: Name of the source.
        count: How often the source contains the pair, which is at least 1.
    """

    acronym: str
    long_form: str
    source: str
    count: int = 1  # type: ignore[assignment]  # hides tuple.count


Entry = tuple[str, dict[str, int]]
"""A long form, and a mapping from the names of its sources to its counts there."""

Group = tuple[str, list[Entry]]
"""An acronym, and the list of its long forms with their counts."""


def total(entry: Entry) -> int:
    """Return the sum of a long form's counts over all sources.

    Args:
        entry: A long form, and its counts by source.

    Returns:
        The sum. For example, ``("computed tomography", {"a": 2, "b": 3})`` gives 5.
    """
    return sum(entry[1].values())


def add_counts(counts: dict[str, int], more: Mapping[str, int]) -> None:
    """Add the counts of a long form to other counts of the same long form, source by source.

    Args:
        counts: A mapping from sources to counts. It is changed in place, and gets new sources if
            necessary.
        more: A mapping from sources to the counts that are added.
    """
    for source, count in more.items():
        counts[source] = counts.get(source, 0) + count


Key = Callable[[str], str]

MERGING: dict[str, Key] = {"ours": same_key, "paper": merge_key}
"""Functions that return the key by which the long forms of an acronym are merged. The function
``"paper"`` follows GLADIS (section 3.1): it compares word stems and ignores punctuation, with the
additions that `merge_key` describes. ``"ours"`` also treats British and American spellings as the
same, and ignores words such as "of"."""


def merge_entries(entries: Iterable[Entry], key: Key = same_key) -> list[Entry]:
    """Merge the long forms of an acronym that are spellings of each other.

    Long forms with the same key are merged into one entry, whose counts are added up source by
    source. The entry gets the most frequent spelling. Between equally frequent spellings, the
    shortest is chosen, and then the first in the order of code points.

    Args:
        entries: The acronym's long forms with their counts by source, in any order.
        key: Function that returns the same key for all spellings of a long form. By default, it
            also joins British and American spellings.

    Returns:
        The merged entries, sorted by descending count.
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
    """Combine the candidates of an acronym's spellings, such as "CNN" and "CNNs", into one list.

    Candidates that are spellings of the same long form (with the same `same_key`) are merged. The
    merged candidate gets the most frequent spelling and the sum of all counts.

    Args:
        lists: For each spelling of the acronym, the list of its candidates.

    Returns:
        The combined candidates, sorted by descending count.
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
    """Check the values of a dictionary row, and normalise the white space in its texts.

    Runs of white space become single spaces, and surrounding white space is removed.

    Args:
        acronym: The acronym, with up to `LONGEST_ACRONYM` characters.
        long_form: The long form, with up to `LONGEST_LONG_FORM` characters.
        source: Name of the source. It is not checked.
        count: How often the source contains the pair, from 1 to `MAX_COUNT`.

    Returns:
        The row with normalised white space.

    Raises:
        InputError: If the acronym or the long form is empty, too long or not valid Unicode, or if
            the count is out of range. The message starts in lower case, so that callers can put the
            file name and line number before it.
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
            raise InputError(
                f"the {name} has {len(text):,} characters, but the maximum is {longest:,}"
            )
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise InputError(
                    f"the {name} {text!r} is not valid Unicode; save the file as UTF-8"
                ) from error
    if type(count) is not int or not 1 <= count <= MAX_COUNT:
        raise InputError(f"the count is {count!r}, not a whole number from 1 to {MAX_COUNT:,}")
    return row


class SourceInfo(NamedTuple):
    """Description of a source of dictionary entries, which is stored in the dictionary's metadata.

    Attributes:
        kind: Kind of the source. ``"text"`` is a corpus, whose counts are numbers of documents.
            ``"glossary"`` is a glossary. ``"common"`` is a list of common acronyms, in which the
            counts 2, 6, 20, 60 and 200 stand for the grades 1 to 5. ``"concepts"`` is a concept
            inventory.
        fields: A mapping from the subject fields that the source covers to their weights, which sum
            to 1. Empty if the source isn't limited to particular fields.
        licence: Licence of the source's data. Empty if it is unknown.
    """

    kind: str
    fields: Mapping[str, float]
    licence: str = ""


def read_source_infos(metadata: Mapping[str, Any]) -> dict[str, SourceInfo]:
    """Return the descriptions of a dictionary's sources from the metadata of its file.

    Args:
        metadata: Metadata of a dictionary file.

    Returns:
        A mapping from the names of sources to their descriptions. Sources without a kind are left
        out. The mapping is empty if the metadata describes no sources.
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
    """Protocol for objects from which a linker gets the candidates of an acronym.

    `Dictionary` implements this protocol. Write a class with the same attributes and `lookup` to
    link acronyms to the entries of your own database.
    """

    @property
    def sources(self) -> Mapping[str, SourceInfo]:
        """A mapping from the names of the entries' sources to their descriptions."""

    @property
    def user_sources(self) -> Collection[str]:
        """The names of the sources that the user's own entries have."""

    @property
    def revision(self) -> int:
        """The number of changes to the entries so far.

        A linker discards its cached candidates when this number changes.
        """

    def lookup(
        self, acronym: str, sources: Collection[str] | None = None, *, offensive: bool = False
    ) -> list[Candidate]:
        """Find the long forms that an acronym may stand for, whatever its spelling.

        Args:
            acronym: The acronym as written in a text. It may be a plural, contain dots or hyphens,
                or be in another case than the entry.
            sources: Names of the sources whose counts are used. None to use all sources.
            offensive: Whether to include offensive long forms.

        Returns:
            The candidates, sorted by descending count. Empty if there are none.
        """
