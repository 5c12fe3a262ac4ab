"""Extraction of definitions and training samples from single documents (GLADIS, section 3.1)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ...text.mention import Definition
from ...text.schwartz_hearst import schwartz_hearst
from ..datasets.sample import Sample
from .readers import PARAGRAPH_END, Document

# Mentions are searched within a block, so that the time is linear in the length of the text.
BLOCK = 100_000  # characters
GLOSSARY = 200  # acronyms in a block; if more are defined, few of them are used
CONTEXT = 20  # minimum characters around the mention
WORD = 7  # characters per word of a window, including the blank

Place = tuple[int, int]  # start and end offsets in a block


class MinedDefinition(NamedTuple):
    """A definition of an acronym that was found in a document.

    Attributes:
        acronym: Acronym that the long form belongs to, such as ``"CT"``.
        long_form: Long form as it is written in the document, with single spaces.
        domain: Domain of the document, such as ``"PubMed Abstracts"``.
        document: Id of the document.
    """

    acronym: str
    long_form: str
    domain: str
    document: str


class SampleSettings(NamedTuple):
    """Settings for the size and the number of the samples that are created from a document.

    The maximum numbers apply to each acronym in each block of 100,000 characters.

    Attributes:
        words: Approximate number of words on each side of the acronym in a sample.
        mentions: Maximum number of samples that contain another mention of the acronym (kinds
            ``"mention"`` and ``"near"``).
        substitutions: Maximum number of samples in which the acronym replaces a written-out long
            form (kind ``"substitution"``).
    """

    words: int = 60
    mentions: int = 3
    substitutions: int = 2


def extract_document(
    document: Document,
    find: Callable[[str], list[Definition]] = schwartz_hearst,
    settings: SampleSettings = SampleSettings(),  # noqa: B008 (immutable)
) -> tuple[list[MinedDefinition], list[Sample]]:
    """Find the definitions in a document, and create samples of the defined acronyms.

    GLADIS makes one kind of sample: the sentence of a definition without its long form. Here, the
    context is instead a window of about `SampleSettings.words` words on each side of the acronym.
    It stays within a paragraph and never contains the long form, which would reveal the answer.
    There are four kinds of samples, of which "definition" corresponds to the paper's:

    - "definition": The acronym replaces the long form and the brackets of a definition.
    - "mention": The context is another mention of the acronym, and contains no definition.
    - "near": The context is another mention. A definition in it is replaced by the acronym.
    - "substitution": The acronym replaces another occurrence of the long form.

    Unlike in GLADIS, definitions of acronyms in lower case without a digit are dropped.

    Args:
        document: Document of a corpus.
        find: Function that finds the definitions in a text.
        settings: Size of the contexts and maximum numbers of samples.

    Returns:
        The definitions, and the samples. Each sample is labelled with a long form that the document
        defines.
    """
    definitions: list[MinedDefinition] = []
    samples: list[Sample] = []
    for text in _blocks(document.text):
        if ("(" in text or "[" in text) and (matches := find(text)):
            by_acronym = _by_acronym(text, matches)
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
    """Divide a text into blocks of at most `BLOCK` characters, at the end of a paragraph if any."""
    start = 0
    while len(text) - start > BLOCK:
        end = text.rfind(PARAGRAPH_END, start + 1, start + BLOCK)
        end = end if end > 0 else start + BLOCK
        yield text[start:end]
        start = end
    yield text[start:] if start else text


def _by_acronym(text: str, matches: list[Definition]) -> dict[str, list[tuple[str, int, int]]]:
    """Group the definitions in a text by acronym, each as its long form and its region's offsets.

    Acronyms in lower case without a digit are skipped. Most of them are numerals of lists, such as
    "(ii)".
    """
    grouped: dict[str, list[tuple[str, int, int]]] = {}
    for definition in matches:
        acronym = text[slice(*definition.acronym)]
        if not _is_distinct(acronym):
            continue
        long_form = " ".join(definition.words(text).split())
        grouped.setdefault(acronym, []).append((long_form, *_region(text, definition)))
    return grouped


def _region(text: str, definition: Definition) -> Place:
    """Return the offsets of a whole definition: the acronym, the long form and the brackets."""
    first, second = sorted((definition.acronym, definition.long_form))
    start, end = first[0], second[1]
    between = text[first[1] : second[0]]
    for opening, closing in (("(", ")"), ("[", "]")):
        if opening in between:
            # Remove the rest of a short bracket too: "(SVM, Vapnik 1995)".
            close = text.find(closing, end, end + 100)
            if close >= 0 and text.find(opening, end, close) < 0:
                end = close + 1
            break
    return start, end


@dataclass
class _Block:
    """A block of a document from which samples are created."""

    document: Document
    text: str
    settings: SampleSettings

    def samples(self, acronym: str, defined: list[tuple[str, int, int]]) -> list[Sample]:
        """Create the samples of one acronym from its definitions in the block."""
        regions = [(start, end) for _, start, end in defined]
        # Use only the first definition of each long form.
        first = {form.lower(): (form, start, end) for form, start, end in reversed(defined)}
        wanted = [
            ("definition", key, long_form, start, end, acronym)
            for key, (long_form, start, end) in first.items()
        ]
        if len(first) == 1:  # otherwise its other mentions are ambiguous
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
        made = [self.sample(acronym, regions, *arguments) for arguments in wanted]
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
        """Create a sample in which `mention` replaces `text[start:end]`.

        Returns None if the context is too short or contains the long form.
        """
        low, high = self.window(start, end)
        left, right = self.text[low:start], self.text[end:high]
        for first, last in regions:
            if first < high and last > low and first != start:  # the window has a definition
                left = self.without(regions, low, start, acronym)
                right = self.without(regions, end, high, acronym)
                kind = "near" if kind == "mention" else kind
                break
        if "\n" in left or "\n" in right:
            left, right = _one_line(left), _one_line(right)
        if key in left.lower() or key in right.lower():
            return None  # the context reveals the answer
        left, right = left.lstrip(), right.rstrip()
        at = len(left)
        if at + len(right) < CONTEXT:
            return None
        text = left + mention + right
        name, _, domain = self.document
        return Sample(acronym, long_form, text, at, at + len(mention), domain, kind, name)

    def window(self, start: int, end: int) -> Place:
        """Return the offsets of the context around a mention, which stays within its paragraph."""
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
        """Find up to `cap` occurrences of a string as a whole word, also with a plural "s".

        They are spread evenly over the block. They are at least half a context window away from
        each other and from `regions`, because closer ones would have almost the same context.
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
            # "IL" in "IL-6" is part of another acronym.
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
        """Return the text between two offsets, with the acronym in place of each definition."""
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
    """Return whether an acronym has a capital letter or a digit, unlike most ordinary words."""
    return not acronym.islower() or any(map(str.isdigit, acronym))
