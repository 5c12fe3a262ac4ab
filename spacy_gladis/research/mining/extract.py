"""Definitions and samples of one document (GLADIS, section 3.1)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ...text.mention import Definition
from ...text.schwartz_hearst import schwartz_hearst
from ..datasets.sample import Sample
from .readers import PARAGRAPH_END, Document

# Mentions are looked for within a block: the work grows with the text, not with its square.
BLOCK = 100_000  # characters
GLOSSARY = 200  # acronyms in a block; where more are defined, hardly one is used
CONTEXT = 20  # characters beside the mention; fewer tell nothing of it
WORD = 7  # characters, with the blank: so wide is a window for each of its words

Place = tuple[int, int]  # start and end offsets in a block


class MinedDefinition(NamedTuple):
    """A definition that a document gives, out of the document: one row of the mined corpus."""

    acronym: str
    long_form: str
    domain: str
    document: str


class SampleSettings(NamedTuple):
    """How wide a sample is and how many to take: caps are per acronym and block of a document."""

    words: int = 60  # on each side of the mention, about
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
    long form, replaced by the acronym. No sample's text holds its long form. A window stays
    within its paragraph.
    """
    definitions: list[MinedDefinition] = []
    samples: list[Sample] = []
    for text in _blocks(document.text):
        if ("(" in text or "[" in text) and (found := find(text)):
            by_acronym = _by_acronym(text, found)
            block = _Block(document, text, settings)
            if len(by_acronym) > GLOSSARY:
                block.settings = settings._replace(mentions=0, substitutions=0)
            for acronym, defined in by_acronym.items():
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
        long_form = " ".join(definition.words(text).split())
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


@dataclass
class _Block:
    """A stretch of a document, out of which samples are cut."""

    document: Document
    text: str
    settings: SampleSettings

    def samples(self, acronym: str, defined: list[tuple[str, int, int]]) -> list[Sample]:
        """The samples of one acronym, given its definitions in the block."""
        regions = [(start, end) for _, start, end in defined]
        # The first definition of each long form is enough.
        first = {form.lower(): (form, start, end) for form, start, end in reversed(defined)}
        wanted = [
            ("definition", key, long_form, start, end, acronym)
            for key, (long_form, start, end) in first.items()
        ]
        if len(first) == 1:  # else its other mentions have no certain meaning
            [(key, (long_form, _, _))] = first.items()
            lacking = self.settings.mentions
            for start, end in self.occurrences(acronym, regions, lacking):
                wanted.append(("mention", key, long_form, start, end, self.text[start:end]))
                lacking -= 1
            lacking = min(lacking, self.settings.substitutions)
            for spelt in {long_form: None, key: None} if lacking else ():
                for start, end in self.occurrences(spelt, regions, lacking):
                    mention = acronym + self.text[start + len(spelt) : end]
                    wanted.append(("substitution", key, long_form, start, end, mention))
                    lacking -= 1
        made = [self.sample(acronym, regions, *one) for one in wanted]
        return [sample for sample in made if sample]

    def sample(
        self,
        acronym: str,
        regions: list[Place],
        kind: str,
        key: str,
        long_form: str,
        start: int,
        end: int,
        mention: str,
    ) -> Sample | None:
        """The sample with `mention` in place of `text[start:end]`; None if it is of no use."""
        low, high = self.window(start, end)
        left, right = self.text[low:start], self.text[end:high]
        for first, last in regions:
            if first < high and last > low and first != start:  # a definition is within the window
                left = self.without(regions, low, start, acronym)
                right = self.without(regions, end, high, acronym)
                kind = "near" if kind == "mention" else kind
                break
        if "\n" in left or "\n" in right:
            left, right = _one_line(left), _one_line(right)
        if key in left.lower() or key in right.lower():
            return None  # the answer stands beside it
        left, right = left.lstrip(), right.rstrip()
        at = len(left)
        if at + len(right) < CONTEXT:
            return None
        text = left + mention + right
        name, _, domain = self.document
        return Sample(acronym, long_form, text, at, at + len(mention), domain, kind, name)

    def window(self, start: int, end: int) -> Place:
        """Where the words around a mention begin and end, in its paragraph."""
        text, reach = self.text, self.settings.words * WORD
        low, high = start - reach, end + reach
        low = text.find(" ", low, start) + 1 or start if low > 0 else 0
        paragraph = text.rfind(PARAGRAPH_END, low, start)
        if paragraph >= 0:
            low = paragraph + len(PARAGRAPH_END)
        paragraph = text.find(PARAGRAPH_END, end, high)
        if paragraph >= 0:
            high = paragraph
        elif high < len(text):
            high = max(end, text.rfind(" ", end, high))
        return low, high

    def occurrences(self, wanted: str, regions: list[Place], cap: int) -> list[Place]:
        """Where a string stands as a word of its own, or with a plural "s": up to `cap` times.

        They are spread over the block, the first in each of `cap` stretches of it or behind that,
        and half a window apart from each other and from the regions: nearer ones tell the same.
        """
        text, gap = self.text, self.settings.words * WORD // 2
        occurrences: list[Place] = []
        at = 0
        while len(occurrences) < cap and (start := text.find(wanted, at)) >= 0:
            at = end = start + len(wanted)
            if text[start - 1 : start].isalnum():
                continue
            if text[end : end + 1] == "s":
                end += 1
            behind = text[end : end + 2]
            # "IL" in "IL-6" is a part of another acronym.
            if behind[:1].isalnum() or (behind[:1] == "-" and behind[1:].isdigit()):
                continue
            for first, last in regions:
                if start < last + gap and end > first - gap:
                    at = last + gap
                    break
            else:
                occurrences.append((start, end))
                at = max(end + gap, len(occurrences) * len(text) // cap)
        return occurrences

    def without(self, regions: list[Place], start: int, end: int, acronym: str) -> str:
        """The text of a range, the acronym alone in place of its definitions."""
        parts = []
        at = start
        for first, last in regions:
            if first < end and last > start:
                parts += [self.text[at : max(first, at)], acronym]
                at = last
        return "".join([*parts, self.text[at:end]])


def _one_line(text: str) -> str:
    return " ".join(text.split("\n"))


def _is_distinct(acronym: str) -> bool:
    """Whether an acronym cannot be read as a common word: it holds a capital or a digit."""
    return not acronym.islower() or any(map(str.isdigit, acronym))
