"""What the dictionary holds of an acronym and of a source, and what it answers."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, Protocol

from ..errors import InputError

LONGEST_ACRONYM = 100  # characters
LONGEST_LONG_FORM = 1000  # characters
MAX_COUNT = 0xFFFFFFFF


class Candidate(NamedTuple):
    """A long form that the dictionary offers for an acronym.

    `counts` says how often each source gives it, `total` is their sum. `index` is the long
    form's row in the store (`Dictionary.long_forms[index]`), -1 for a user's own entry. `gloss`
    says what the sense is, empty where the dictionary has none (`glosses.py`).
    """

    long_form: str
    counts: dict[str, int]
    total: int
    index: int  # type: ignore[assignment]  # hides tuple.index
    gloss: str = ""


class Row(NamedTuple):
    """One observation that a dictionary is built from."""

    acronym: str
    long_form: str
    source: str
    count: int = 1  # type: ignore[assignment]  # hides tuple.count


Entry = tuple[str, dict[str, int]]
"""A long form and its counts by source."""

Group = tuple[str, list[Entry]]
"""An acronym and its long forms."""


def total(entry: Entry) -> int:
    """How often an entry was seen, over all sources."""
    return sum(entry[1].values())


def add_counts(counts: dict[str, int], more: Mapping[str, int]) -> None:
    """Add the counts of some sources to those of others, in place."""
    for source, count in more.items():
        counts[source] = counts.get(source, 0) + count


def clean_row(acronym: str, long_form: str, source: str, count: int = 1) -> Row:
    """A row with its white space normalised; `InputError` says what is wrong with a bad one."""
    for name, given in (("acronym", acronym), ("long form", long_form)):
        if not isinstance(given, str):
            raise InputError(f"the {name} is {given!r}, not a text")
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
                    f"the {name} {text!r} is not valid Unicode; a file is to be UTF-8"
                ) from error
    if type(count) is not int or not 1 <= count <= MAX_COUNT:
        raise InputError(f"the count is {count!r}, not a number from 1 to {MAX_COUNT:,}")
    return row


class SourceInfo(NamedTuple):
    """A source of entries.

    `kind` is "text" (counts are documents), "glossary", "common" (counts 2, 6, 20, 60 and 200
    stand for the grades 1 to 5) or "concepts". `fields` are what it is about, with weights that
    sum to one; none for a source of all fields.
    """

    kind: str
    fields: Mapping[str, float]
    licence: str = ""


def read_source_infos(metadata: Mapping[str, Any]) -> dict[str, SourceInfo]:
    """The sources in a dictionary's metadata by name; nothing where they say it otherwise."""
    sources = metadata.get("sources")
    if not isinstance(sources, Mapping):
        return {}
    return {
        name: SourceInfo(said["kind"], said.get("fields", {}), said.get("licence", ""))
        for name, said in sources.items()
        if isinstance(said, Mapping) and "kind" in said
    }


class CandidateSource(Protocol):
    """Where a linker's candidates come from: a `Dictionary`, or whatever offers the same."""

    @property
    def sources(self) -> Mapping[str, SourceInfo]:
        """What is known of the sources that counts come from, by name."""

    @property
    def user_sources(self) -> Collection[str]:
        """The sources of entries that the user added."""

    @property
    def revision(self) -> int:
        """How often the entries were changed; what is kept of candidates holds for one revision."""

    def lookup(
        self, acronym: str, sources: Collection[str] | None = None, *, offensive: bool = False
    ) -> list[Candidate]:
        """Return the candidates of an acronym as a text spells it, the most frequent first.

        Args:
            acronym: The acronym, in any spelling (plural, dots, hyphens, case).
            sources: Count what these sources give alone; None for all.
            offensive: Also return offensive long forms.
        """
