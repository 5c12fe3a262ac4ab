"""Construction of SciAI, SciAD and SciUAD from papers (Pouran Ben Veyseh et al. 2020, sec. 2, 4).

In the paper, people annotated SciAI and curated SciAD's dictionary. Here, functions can replace the
annotators, and the dictionary is not curated.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from ...text import Offsets, schwartz_hearst
from ...text.alignment import spells
from .sample import Sample
from .sciai import Sentence

Meanings = Mapping[str, Mapping[str, str]]
"""For each ambiguous acronym, a mapping from its long forms to their canonical forms."""

WORD = re.compile(r"\w+|[^\w\s]")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9(\[\"])|\s*\n\s*")
LEADING = 3  # leading characters of a word that may be letters of the acronym
THRESHOLD = 3  # edits; the paper does not state a value


class Annotation(NamedTuple):
    """The annotations of a sentence.

    Attributes:
        short: Character offsets of its acronyms.
        long: Character offsets of its long forms.
    """

    short: frozenset[Offsets]
    long: frozenset[Offsets]


def split_sentences(document: str, text: str) -> list[Sentence]:
    """Split a paper into sentences, and each sentence into words.

    Args:
        document: Name of the paper, which becomes the id of the sentences.
        text: Text of the paper.

    Returns:
        The sentences, without labels.
    """
    parts = (part.strip() for part in _SENTENCE_END.split(text))
    return [
        Sentence(document, [], part, [word.span() for word in WORD.finditer(part)])
        for part in parts
        if part
    ]


def is_acronym_candidate(word: str) -> bool:
    """Return whether more than half of a word's characters are capitals (section 2.1).

    Args:
        word: The word. A single character is not a candidate.
    """
    return len(word) > 1 and 2 * sum(map(str.isupper, word)) > len(word)


def long_form_candidates(words: Sequence[str], acronym: str) -> list[Offsets]:
    """Find sequences of words whose leading characters form an acronym (section 2.1).

    Each word contributes its first one, two or three characters. Words other than the first and the
    last may be skipped. The paper sets no maximum length; here it is Schwartz and Hearst's, min(n +
    5, 2n) words for n characters.

    Args:
        words: Words of the sentence.
        acronym: The acronym, which is one of the words.

    Returns:
        The shortest sequence from each first word, as `(start, end)` word indices, end exclusive.
    """
    letters = "".join(filter(str.isalnum, acronym.lower()))
    size = len(letters)
    lowered = [word.lower() for word in words]

    def forward(used: Iterable[int], word: str) -> set[int]:
        return {
            at + taken
            for at in used
            for taken in range(1, min(LEADING, size - at) + 1)
            if word.startswith(letters[at : at + taken])
        }

    candidates = []
    for start, first in enumerate(lowered):
        if not letters or first[0] != letters[0] or words[start] == acronym:
            continue
        used = forward([0], first)
        for end in range(start + 1, min(len(words), start + min(size + 5, 2 * size))):
            if words[end] == acronym:
                break
            reached = forward(used, lowered[end])
            if size in reached:
                candidates.append((start, end + 1))
                break
            used |= reached
    return candidates


def is_candidate(sentence: Sentence) -> bool:
    """Return whether a sentence has an acronym candidate with a long form candidate.

    Args:
        sentence: The sentence.
    """
    words = sentence.tokens
    acronyms = {word for word in words if is_acronym_candidate(word)}
    return any(long_form_candidates(words, acronym) for acronym in acronyms)


def vote(answers: Sequence[frozenset[Offsets]], fourth: frozenset[Offsets]) -> frozenset[Offsets]:
    """Keep the spans that two of three annotators agree on. A fourth annotator decides conflicts.

    Args:
        answers: The spans of each annotator.
        fourth: The spans of the fourth annotator. They count only where at least two annotators
            mark overlapping spans and no two of them mark the same one.

    Returns:
        The winning spans.
    """
    counts = Counter(span for answer in answers for span in answer)
    agreed = {span for span, count in counts.items() if count > 1}
    open_spans = [span for span in counts if not _touch(span, agreed)]
    disputed = [span for span in open_spans if _touch(span, {*open_spans} - {span})]
    if disputed:
        agreed |= {span for span in fourth if _touch(span, disputed)}
    return frozenset(agreed)


def _touch(span: Offsets, others: Iterable[Offsets]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def masi_distance(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the MASI distance of two sets (Passonneau 2006).

    It is 1 - w * J with the Jaccard coefficient J. The weight w is 1 for equal sets, 2/3 if one
    contains the other, 1/3 for other sets that overlap, and 0 for disjoint sets.

    Args:
        first: A set.
        second: Another set.

    Returns:
        The distance, in 0..1.
    """
    common = first & second
    if first == second or not common:
        return float(first != second)
    weight = 2 / 3 if common in (first, second) else 1 / 3
    return 1 - weight * len(common) / len(first | second)


def alpha(units: Iterable[Sequence[frozenset[str]]]) -> float:
    """Return Krippendorff's alpha with the MASI distance (Krippendorff 2011).

    Args:
        units: The answers to each sentence, one set per annotator who saw it.

    Returns:
        The agreement, at most 1.
    """
    values: Counter[frozenset[str]] = Counter()
    observed = 0.0
    for unit in units:
        if len(unit) > 1:
            values.update(unit)
            pairs = sum(masi_distance(first, second) for first in unit for second in unit)
            observed += pairs / (len(unit) - 1)
    total = values.total()
    # Disjoint sets are at distance 1, so only overlapping ones are compared.
    holders: defaultdict[str, set[frozenset[str]]] = defaultdict(set)
    for value in values:
        for member in value:
            holders[member].add(value)
    near = 0.0
    for value, count in values.items():
        neighbours = set().union(*(holders[member] for member in value)) or {value}
        near += count * sum(
            values[neighbour] * (1 - masi_distance(value, neighbour)) for neighbour in neighbours
        )
    expected = (total * total - near) / max(1, total - 1)
    return 1 - observed / expected if expected else 1.0


def pair_forms(sentence: str, annotation: Annotation) -> Iterator[tuple[str, str]]:
    """Pair each long form of a sentence with the nearest acronym whose letters it has.

    Args:
        sentence: The sentence's text.
        annotation: Annotations of the sentence.

    Yields:
        `(acronym, long form)`.
    """
    for start, end in sorted(annotation.long):
        long_form = sentence[start:end]
        near = sorted(annotation.short, key=lambda span: max(span[0] - end, start - span[1]))
        acronyms = (sentence[slice(*span)] for span in near)
        acronym = next((short for short in acronyms if spells(short, long_form)), None)
        if acronym:
            yield acronym, long_form


def canonical_long_forms(counts: Counter[str], threshold: int = THRESHOLD) -> dict[str, str]:
    """Map the long forms of an acronym to canonical forms (section 2.2; Ciosici et al. 2019).

    Of two long forms that are closer than the threshold, the more frequent one is canonical. Case
    is ignored.

    Args:
        counts: Number of occurrences of each long form.
        threshold: Levenshtein distance, in edits.

    Returns:
        A mapping from each long form to its canonical form.
    """
    kept: list[str] = []
    mapped = {}
    for long_form, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        near = (
            form
            for form in kept
            if Levenshtein.distance(form.lower(), long_form.lower(), score_cutoff=threshold)
            < threshold
        )
        mapped[long_form] = next(near, long_form)
        if mapped[long_form] == long_form:
            kept.append(long_form)
    return mapped


def ambiguous(pairs: Iterable[tuple[str, str]]) -> Meanings:
    """Keep the acronyms that have at least two canonical long forms.

    Args:
        pairs: An `(acronym, long form)` pair for each occurrence.

    Returns:
        For each ambiguous acronym, a mapping from its long forms to their canonical forms.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for acronym, long_form in pairs:
        counts[acronym][long_form] += 1
    mapped = {acronym: canonical_long_forms(forms) for acronym, forms in counts.items()}
    return {acronym: forms for acronym, forms in mapped.items() if len({*forms.values()}) > 1}


def label_discourse(
    sentences: Iterable[Sentence], defined: Iterable[tuple[str, str]], meanings: Meanings
) -> Iterator[Sample]:
    """Label all occurrences of an acronym in a paper with the meaning that the paper defines.

    One sense per discourse (section 2.2): the first definition applies throughout. A sentence gives
    one sample of an acronym, at its first occurrence.

    Args:
        sentences: Sentences of the paper.
        defined: The `(acronym, long form)` pairs that are annotated in the paper.
        meanings: Long forms of the ambiguous acronyms.

    Yields:
        The samples.
    """
    senses: dict[str, str] = {}
    for acronym, long_form in defined:
        if acronym in meanings:
            senses.setdefault(acronym, meanings[acronym][long_form])
    for sentence in sentences if senses else ():
        words = sentence.tokens
        for acronym in sorted({*words} & senses.keys()):
            span = sentence.offsets[words.index(acronym)]
            yield Sample(acronym, senses[acronym], sentence.text, *span, document=sentence.id)


def substitute(sentences: Iterable[Sentence], meanings: Meanings) -> Iterator[Sample]:
    """Replace each occurrence of an acronym's long form by the acronym (Ciosici et al. 2019).

    The bracket of a definition is removed with the long form. Of long forms that start at the same
    word, the longest is replaced.

    Args:
        sentences: Sentences of any papers.
        meanings: Long forms of the ambiguous acronyms of the definitions that Schwartz and Hearst's
            rules find.

    Yields:
        The samples.
    """
    entries: defaultdict[str, list[tuple[list[str], str, str]]] = defaultdict(list)
    for acronym, forms in meanings.items():
        for spelling, long_form in forms.items():
            form = WORD.findall(spelling.lower())
            entries[form[0]].append((form, acronym, long_form))
    for group in entries.values():
        group.sort(key=lambda entry: -len(entry[0]))
    for sentence in sentences:
        words = [word.lower() for word in sentence.tokens]
        for at, word in enumerate(words):
            for form, acronym, long_form in entries.get(word, ()):
                end = at + len(form)
                if words[at:end] == form:
                    end += 3 * (words[end : end + 3] == ["(", acronym.lower(), ")"])
                    start, rest = sentence.offsets[at][0], sentence.offsets[end - 1][1]
                    text = f"{sentence.text[:start]}{acronym}{sentence.text[rest:]}"
                    offsets = start, start + len(acronym)
                    yield Sample(acronym, long_form, text, *offsets, document=sentence.id)
                    break


Annotator = Callable[[str], Annotation]


class Construction(NamedTuple):
    """The data sets built from papers.

    Attributes:
        sciai: The annotated sentences, with the labels that won the vote.
        sciad: Samples of ambiguous acronyms, labelled by the rule of one sense per discourse.
        sciuad: Samples created by the unsupervised rule (`substitute`).
        figures: Numbers of papers, sentences and candidates, and the agreement (section 2).
    """

    sciai: list[tuple[Sentence, Annotation]]
    sciad: list[Sample]
    sciuad: list[Sample]
    figures: dict[str, float]


def construct(
    papers: Mapping[str, str], annotators: Sequence[Annotator], fourth: Annotator
) -> Construction:
    """Build SciAI, SciAD and SciUAD from papers.

    Args:
        papers: A mapping from the names of papers to their texts.
        annotators: Functions that annotate the acronyms and long forms of a sentence. The paper has
            three annotators.
        fourth: Function that decides conflicts of the annotators.

    Returns:
        The data sets and their figures.
    """
    sciai: list[tuple[Sentence, Annotation]] = []
    units: list[list[list[frozenset[str]]]] = [[], []]
    defined: dict[str, list[tuple[str, str]]] = {}
    unsupervised: list[tuple[str, str]] = []
    sentences = 0
    for name, paper in papers.items():
        for sentence in split_sentences(name, paper):
            sentences += 1
            text = sentence.text
            definitions = schwartz_hearst(text) if "(" in text else []
            unsupervised += [
                (text[slice(*definition.acronym)], definition.words(text))
                for definition in definitions
            ]
            if not is_candidate(sentence):
                continue
            answers = [annotator(text) for annotator in annotators]
            last = fourth(text)
            for kind, unit in enumerate(units):
                unit.append(
                    [frozenset(text[slice(*span)] for span in answer[kind]) for answer in answers]
                )
            won = Annotation(
                vote([answer.short for answer in answers], last.short),
                vote([answer.long for answer in answers], last.long),
            )
            sciai.append((sentence, won))
            defined.setdefault(name, []).extend(pair_forms(text, won))
    meanings = ambiguous(chain.from_iterable(defined.values()))
    sciad = [
        sample
        for name, pairs in defined.items()
        for sample in label_discourse(split_sentences(name, papers[name]), pairs, meanings)
    ]
    every = chain.from_iterable(split_sentences(name, paper) for name, paper in papers.items())
    sciuad = list(substitute(every, ambiguous(unsupervised)))
    figures = {
        "papers": len(papers),
        "sentences": sentences,
        "candidates": len(sciai),
        "alpha_short": alpha(units[0]),
        "alpha_long": alpha(units[1]),
    }
    return Construction(sciai, sciad, sciuad, figures)
