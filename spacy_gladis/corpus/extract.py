"""Definitions and samples of one document (GLADIS, section 3)."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..rules.definition import Definition
from ..rules.schwartz_hearst import schwartz_hearst
from .document import Document
from .sample import Sample

# Mentions are looked for within a block: the work grows with the text, not with its square.
BLOCK = 100_000  # characters
PARAGRAPH_END = "\n\n"


class MinedDefinition(NamedTuple):
    """A definition that a document gives, out of the document: one row of the mined corpus."""

    acronym: str
    long_form: str
    domain: str
    document: str


class SampleSettings(NamedTuple):
    """How many samples to take and how wide: caps are per acronym and block of a document."""

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
    long form, the acronym put in its place. No sample's text holds its long form.
    """
    definitions: list[MinedDefinition] = []
    samples: list[Sample] = []
    for block in _blocks(document.text):
        if "(" not in block and "[" not in block:
            continue
        found = find(block)
        if found:
            _extract_block(document, block, found, settings, definitions, samples)
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


def _extract_block(
    document: Document,
    text: str,
    found: list[Definition],
    settings: SampleSettings,
    definitions: list[MinedDefinition],
    samples: list[Sample],
) -> None:
    by_acronym: dict[str, list[tuple[str, int, int]]] = {}
    for definition in found:
        acronym = text[slice(*definition.acronym)]
        long_form = " ".join(text[slice(*definition.long_form)].split())
        definitions.append(MinedDefinition(acronym, long_form, document.domain, document.id))
        by_acronym.setdefault(acronym, []).append((long_form, *_region(text, definition)))
    folded = text.lower()
    if len(folded) != len(text):  # a letter such as "İ" has two characters in lower case
        folded = text
    for acronym, defined in by_acronym.items():
        passage = _Passages(document, text, folded, acronym, defined, settings)
        samples += passage.samples()


def _region(text: str, definition: Definition) -> tuple[int, int]:
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


class _Passages:
    """The samples of one acronym in one block of text."""

    def __init__(
        self,
        document: Document,
        text: str,
        folded: str,
        acronym: str,
        defined: list[tuple[str, int, int]],
        settings: SampleSettings,
    ) -> None:
        self.document = document
        self.text = text
        self.folded = folded
        self.acronym = acronym
        self.defined = defined
        self.regions = [(start, end) for _, start, end in defined]
        self.settings = settings
        self.reach = settings.words * 16  # characters that surely hold the window's words

    def samples(self) -> list[Sample]:
        long_forms = {long_form.lower(): long_form for long_form, _, _ in self.defined}
        made = []
        seen = set()
        for long_form, start, end in self.defined:
            if long_form not in seen:  # the first place is enough
                seen.add(long_form)
                made.append(self.make("definition", long_form, start, end, self.acronym))
        if len(long_forms) == 1:  # else its other mentions have no certain meaning
            ((key, long_form),) = long_forms.items()
            far, near = self.mentions()
            cap = self.settings.mentions
            chosen = [("mention", *place) for place in spread(far, cap)]
            chosen += [("near", *place) for place in spread(near, cap - len(chosen))]
            for kind, start, end in chosen:
                made.append(self.make(kind, long_form, start, end, self.text[start:end]))
            for start, end in spread(self.occurrences(key), self.settings.substitutions):
                plural = self.text[end - 1 : end] if end - start > len(key) else ""
                made.append(self.make("substitution", long_form, start, end, self.acronym + plural))
        return [sample for sample in made if sample is not None]

    def mentions(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Mentions outside the definitions: those far from any, and those near one."""
        far: list[tuple[int, int]] = []
        near: list[tuple[int, int]] = []
        for start, end in _occurrences(self.text, self.acronym):
            if not self.is_defined(start, end):
                (near if self.sees_definition(start, end) else far).append((start, end))
        return far, near

    def occurrences(self, key: str) -> list[tuple[int, int]]:
        """Occurrences of the long form outside the definitions."""
        return [
            (start, end)
            for start, end in _occurrences(self.folded, key)
            if not self.is_defined(start, end)
        ]

    def is_defined(self, start: int, end: int) -> bool:
        return any(start < last and end > first for first, last in self.regions)

    def sees_definition(self, start: int, end: int) -> bool:
        low, high = start - self.reach, end + self.reach
        return any(low < last and high > first for first, last in self.regions)

    def make(self, kind: str, long_form: str, start: int, end: int, mention: str) -> Sample | None:
        """The sample around `text[start:end]`, `mention` put there; None if it names the answer."""
        text, words = self.text, self.settings.words
        low = max(
            0, start - self.reach, text.rfind(PARAGRAPH_END, max(0, start - self.reach), start)
        )
        high = min(len(text), end + self.reach)
        stop = text.find(PARAGRAPH_END, end, high)
        high = stop if stop >= 0 else high
        before, after = self.without_definitions(low, start), self.without_definitions(end, high)
        left = " ".join(before.split()[-words:])
        right = " ".join(after.split()[:words])
        if before[-1:].isspace() and left:
            left += " "
        if after[:1].isspace() and right:
            right = " " + right
        key = long_form.lower()
        if key in left.lower() or key in right.lower():
            return None
        return Sample(
            self.acronym,
            long_form,
            left + mention + right,
            len(left),
            len(left) + len(mention),
            self.document.domain,
            kind,
            self.document.id,
        )

    def without_definitions(self, start: int, end: int) -> str:
        """The text of a range with the acronym alone in place of each of its definitions."""
        parts = []
        at = start
        for first, last in self.regions:
            if first < end and last > start:
                parts += [self.text[at : max(first, at)], self.acronym]
                at = last
        if not parts:
            return self.text[start:end]
        return "".join([*parts, self.text[at : max(end, at)] if at < end else ""])


def _occurrences(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    """Where a string stands as a word of its own, or with a plural "s"."""
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not text[start - 1 : start].isalnum():
            if text[end : end + 1] == "s":
                end += 1
            if not text[end : end + 1].isalnum():
                yield start, end
        start = text.find(wanted, end)


def spread(places: list[tuple[int, int]], cap: int) -> list[tuple[int, int]]:
    """At most `cap` of the places, spread evenly over them."""
    if len(places) <= cap:
        return places
    return [places[index * len(places) // cap] for index in range(cap)]
