"""Definitions and samples of one document (GLADIS, section 3)."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..rules.definition import Definition
from ..rules.schwartz_hearst import schwartz_hearst
from .document import PARAGRAPH_END, Document
from .sample import Sample

# Mentions are looked for within a block: the work grows with the text, not with its square.
BLOCK = 100_000  # characters
CONTEXT = 20  # characters beside the mention; fewer tell nothing of it
WORD = 12  # characters, with the blank: a window of n words is cut at n times as many at most

Place = tuple[int, int]  # start and end offsets in a block


class MinedDefinition(NamedTuple):
    """A definition that a document gives, out of the document: one row of the mined corpus."""

    acronym: str
    long_form: str
    domain: str
    document: str


class SampleSettings(NamedTuple):
    """How wide a sample is and how many to take: caps are per acronym and block of a document."""

    words: int = 60  # on each side of the mention
    mentions: int = 3
    substitutions: int = 2


def extract_document(
    document: Document,
    find: Callable[[str], list[Definition]] = schwartz_hearst,
    settings: SampleSettings = SampleSettings(),  # noqa: B008 (immutable)
) -> tuple[list[MinedDefinition], list[Sample]]:
    """Find a document's definitions and make samples of them.

    Kinds of samples: "definition" is the defining passage, the long form and its brackets removed;
    "mention" is another mention of the acronym, no definition of it within the window; "near" is
    one with a definition in the window, removed there; "substitution" is another occurrence of the
    long form, the acronym put in its place. No sample's text holds its long form. A window stays
    within its paragraph.
    """
    definitions: list[MinedDefinition] = []
    samples: list[Sample] = []
    for text in _blocks(document.text):
        if ("(" in text or "[" in text) and (found := find(text)):
            block = _Block(document, text, settings)
            for acronym, defined in _by_acronym(text, found).items():
                definitions += [
                    MinedDefinition(acronym, long_form, document.domain, document.id)
                    for long_form, _, _ in defined
                ]
                samples += block.samples(acronym, defined)
    return definitions, samples


def _blocks(text: str) -> Iterator[str]:
    """The text, cut behind a paragraph (else anywhere) where it is longer than a block."""
    start = 0
    while len(text) - start > BLOCK:
        end = text.rfind(PARAGRAPH_END, start + 1, start + BLOCK)
        end = end if end > 0 else start + BLOCK
        yield text[start:end]
        start = end
    yield text[start:] if start else text


def _by_acronym(text: str, found: list[Definition]) -> dict[str, list[tuple[str, int, int]]]:
    """Each acronym's definitions, in the text's order: the long form and the region it takes up.

    Acronyms that read as common words are left out: most are numerals of a list, "(ii)".
    """
    grouped: dict[str, list[tuple[str, int, int]]] = {}
    for definition in found:
        acronym = text[slice(*definition.acronym)]
        if not _is_distinct(acronym):
            continue
        long_form = " ".join(text[slice(*definition.long_form)].split())
        grouped.setdefault(acronym, []).append((long_form, *_region(text, definition)))
    return grouped


def _region(text: str, definition: Definition) -> Place:
    """What the acronym alone replaces: long form, acronym and the bracket around one of them."""
    first, second = sorted((definition.acronym, definition.long_form))
    start, end = first[0], second[1]
    between = text[first[1] : second[0]]
    for opening, closing in (("(", ")"), ("[", "]")):
        if opening in between:
            # What else stands in the bracket goes too ("(SVM, Vapnik 1995)"), if it ends soon.
            close = text.find(closing, end, end + 100)
            if close >= 0 and text.find(opening, end, close) < 0:
                end = close + 1
            break
    return start, end


class _Block:
    """A stretch of a document, out of which samples are cut."""

    def __init__(self, document: Document, text: str, settings: SampleSettings) -> None:
        self.document = document
        self.text = text
        self.settings = settings
        self.folded = text.lower()
        if len(self.folded) != len(text):  # a letter such as "İ" has two characters in lower case
            self.folded = text

    def samples(self, acronym: str, defined: list[tuple[str, int, int]]) -> Iterator[Sample]:
        """The samples of one acronym, given its definitions in the block."""
        regions = [(start, end) for _, start, end in defined]
        first: dict[
            str, tuple[str, int, int]
        ] = {}  # the first definition of each long form is enough
        for long_form, start, end in defined:
            first.setdefault(long_form.lower(), (long_form, start, end))
        wanted = [
            ("definition", acronym, long_form, start, end)
            for long_form, start, end in first.values()
        ]
        if len(first) == 1:  # else its other mentions have no certain meaning
            [(key, (long_form, _, _))] = first.items()
            places = _outside(regions, _occurrences(self.text, acronym))
            wanted += [
                ("mention", self.text[start:end], long_form, start, end)
                for start, end in _spread(places, self.settings.mentions)
            ]
            places = _outside(regions, _occurrences(self.folded, key))
            wanted += [
                ("substitution", _plural(acronym, end - start > len(key)), long_form, start, end)
                for start, end in _spread(places, self.settings.substitutions)
            ]
        for kind, mention, long_form, start, end in wanted:
            low, high = self.window(start, end)
            left, right = self.text[low:start], self.text[end:high]
            seen = [
                (first, last)
                for first, last in regions
                if first < high and last > low and first != start
            ]
            if seen:
                left = self.without(seen, low, start, acronym)
                right = self.without(seen, end, high, acronym)
                if kind == "mention":
                    kind = "near"
            key = long_form.lower()
            if key in left.lower() or key in right.lower():
                continue  # the answer stands beside it
            left, right = left.lstrip(), right.rstrip()
            if len(left) + len(right) < CONTEXT:
                continue
            yield Sample(
                acronym,
                long_form,
                left + mention + right,
                len(left),
                len(left) + len(mention),
                self.document.domain,
                kind,
                self.document.id,
            )

    def window(self, start: int, end: int) -> Place:
        """Where the words around a mention begin and end, in its paragraph."""
        text, words = self.text, self.settings.words
        low = max(0, start - words * WORD)
        low = max(low, text.rfind(PARAGRAPH_END, low, start))
        parts = text[low:start].rsplit(None, words)
        if len(parts) > words:
            low += len(parts[0])
        high = text.find(PARAGRAPH_END, end, end + words * WORD)
        high = high if high >= 0 else end + words * WORD
        parts = text[end:high].split(None, words)
        if len(parts) > words:
            high = min(high, len(text)) - len(parts[-1])
        return low, high

    def without(self, regions: list[Place], start: int, end: int, acronym: str) -> str:
        """The text of a range, the acronym alone in place of the regions."""
        parts = []
        at = start
        for first, last in regions:
            if first < end and last > start:
                parts += [self.text[at : max(first, at)], acronym]
                at = last
        return "".join([*parts, self.text[at:end]])


def _occurrences(text: str, wanted: str) -> Iterator[Place]:
    """Where a string stands as a word of its own, or with a plural "s"."""
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not text[start - 1 : start].isalnum():
            if text[end : end + 1] == "s":
                end += 1
            behind = text[end : end + 2]
            # "IL" in "IL-6" is a part of another acronym.
            if not behind[:1].isalnum() and not (behind[:1] == "-" and behind[1:].isdigit()):
                yield start, end
        start = text.find(wanted, end)


def _is_distinct(acronym: str) -> bool:
    """Whether an acronym cannot be read as a common word: it holds a capital or a digit."""
    return not acronym.islower() or any(map(str.isdigit, acronym))


def _outside(regions: list[Place], places: Iterator[Place]) -> list[Place]:
    """The places that overlap no region."""
    if len(regions) == 1:
        [(first, last)] = regions
        return [place for place in places if place[1] <= first or place[0] >= last]
    return [
        (start, end)
        for start, end in places
        if not any(start < last and end > first for first, last in regions)
    ]


def _spread(places: list[Place], cap: int) -> list[Place]:
    """At most `cap` of the places, spread evenly over them."""
    if len(places) <= cap:
        return places
    return [places[(2 * index + 1) * len(places) // (2 * cap)] for index in range(cap)]


def _plural(acronym: str, plural: bool) -> str:
    return acronym + "s" if plural else acronym
