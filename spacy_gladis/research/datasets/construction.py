"""How SciAI, SciAD and SciUAD are made of papers (Pouran Ben Veyseh et al. 2020, sections 2 and 4).

People annotated SciAI and curated SciAD's dictionary. Here any answers to a sentence can take the
place of an annotator's, and nobody curates.
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
"""The long forms of each ambiguous acronym, each with the canonical one."""

WORD = re.compile(r"\w+|[^\w\s]")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9(\[\"])|\s*\n\s*")
LEADING = 3  # characters of a word that can be letters of the acronym
THRESHOLD = 3  # edits; the paper does not name its own


class Annotation(NamedTuple):
    """The offsets of a sentence's acronyms and of its long forms."""

    short: frozenset[Offsets]
    long: frozenset[Offsets]


def split_sentences(document: str, text: str) -> list[Sentence]:
    """Split a paper into sentences, and each into words; the paper's name is their id."""
    parts = (part.strip() for part in _SENTENCE_END.split(text))
    return [
        Sentence(document, [], part, [word.span() for word in WORD.finditer(part)])
        for part in parts
        if part
    ]


def is_acronym_candidate(word: str) -> bool:
    """Return whether more than half of a word's characters are capitals; one letter is no word."""
    return len(word) > 1 and 2 * sum(map(str.isupper, word)) > len(word)


def long_form_candidates(words: Sequence[str], acronym: str) -> list[Offsets]:
    """Find sequences of words whose leading characters form an acronym (section 2.1).

    Each word gives its first one, two or three characters, or is omitted. The first and the last
    word are not omitted. The paper names no longest sequence; here it is Schwartz and Hearst's,
    min(n + 5, 2n) words for n characters.

    Args:
        words: The sentence.
        acronym: One of its words.

    Returns:
        For each first word the shortest sequence, as `(start, end)` word indices.
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

    found = []
    for start, first in enumerate(lowered):
        if not letters or first[0] != letters[0] or words[start] == acronym:
            continue
        used = forward([0], first)
        for end in range(start + 1, min(len(words), start + min(size + 5, 2 * size))):
            if words[end] == acronym:
                break
            reached = forward(used, lowered[end])
            if size in reached:
                found.append((start, end + 1))
                break
            used |= reached
    return found


def is_candidate(sentence: Sentence) -> bool:
    """Return whether a sentence holds an acronym candidate and a long form candidate of it."""
    words = sentence.tokens
    acronyms = {word for word in words if is_acronym_candidate(word)}
    return any(long_form_candidates(words, acronym) for acronym in acronyms)


def vote(answers: Sequence[frozenset[Offsets]], fourth: frozenset[Offsets]) -> frozenset[Offsets]:
    """Keep what two annotators of three agree on; a fourth decides where no two agree.

    Args:
        answers: The spans of each annotator.
        fourth: The spans of another annotator. They count only where two annotators mark a place
            and no two of them mark it alike.
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
    """Return the MASI distance of two sets, in 0..1 (Passonneau 2006).

    It is 1 less the Jaccard coefficient times 1 for equal sets, 2/3 where one holds the other, 1/3
    for other sets with common members and 0 for sets without.
    """
    common = first & second
    if first == second or not common:
        return float(first != second)
    weight = 2 / 3 if common in (first, second) else 1 / 3
    return 1 - weight * len(common) / len(first | second)


def alpha(units: Iterable[Sequence[frozenset[str]]]) -> float:
    """Return Krippendorff's alpha with the MASI distance (Krippendorff 2011).

    Args:
        units: The answers to each sentence, one set for each annotator who saw it.
    """
    values: Counter[frozenset[str]] = Counter()
    observed = 0.0
    for unit in units:
        if len(unit) > 1:
            values.update(unit)
            pairs = sum(masi_distance(one, other) for one in unit for other in unit)
            observed += pairs / (len(unit) - 1)
    total = values.total()
    # Sets without a common member are at distance 1: only those with one are compared.
    holders: defaultdict[str, set[frozenset[str]]] = defaultdict(set)
    for value in values:
        for member in value:
            holders[member].add(value)
    near = 0.0
    for value, count in values.items():
        others = set().union(*(holders[member] for member in value)) or {value}
        near += count * sum(values[one] * (1 - masi_distance(value, one)) for one in others)
    expected = (total * total - near) / max(1, total - 1)
    return 1 - observed / expected if expected else 1.0


def pair_forms(sentence: str, annotation: Annotation) -> Iterator[tuple[str, str]]:
    """Yield each long form of a sentence with the nearest acronym whose letters it has."""
    for start, end in sorted(annotation.long):
        long_form = sentence[start:end]
        near = sorted(annotation.short, key=lambda span: max(span[0] - end, start - span[1]))
        acronyms = (sentence[slice(*span)] for span in near)
        acronym = next((one for one in acronyms if spells(one, long_form)), None)
        if acronym:
            yield acronym, long_form


def canonical_long_forms(counts: Counter[str], threshold: int = THRESHOLD) -> dict[str, str]:
    """Map the long forms of one acronym to canonical ones (section 2.2; Ciosici et al. 2019).

    Of two at a Levenshtein distance below the threshold the less common becomes the more common.
    Capitals do not count.
    """
    kept: list[str] = []
    mapped = {}
    for long_form, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        near = (
            one
            for one in kept
            if Levenshtein.distance(one.lower(), long_form.lower(), score_cutoff=threshold)
            < threshold
        )
        mapped[long_form] = next(near, long_form)
        if mapped[long_form] == long_form:
            kept.append(long_form)
    return mapped


def ambiguous(pairs: Iterable[tuple[str, str]]) -> Meanings:
    """Keep the acronyms that have two canonical long forms or more.

    Args:
        pairs: Acronyms and their long forms, as often as they occur.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for acronym, long_form in pairs:
        counts[acronym][long_form] += 1
    mapped = {acronym: canonical_long_forms(forms) for acronym, forms in counts.items()}
    return {acronym: forms for acronym, forms in mapped.items() if len({*forms.values()}) > 1}


def label_discourse(
    sentences: Iterable[Sentence], defined: Iterable[tuple[str, str]], meanings: Meanings
) -> Iterator[Sample]:
    """Give all of a paper's occurrences of an acronym the meaning that the paper defines.

    One sense per discourse (section 2.2): the first definition holds throughout.

    Args:
        sentences: The paper.
        defined: The acronyms and long forms that are annotated in it.
        meanings: The ambiguous acronyms.
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
    """Let the acronym stand for each occurrence of one of its long forms (Ciosici et al. 2019).

    The bracket of a definition goes with the long form. Of long forms that begin together the
    longest is taken.

    Args:
        sentences: Any papers.
        meanings: The ambiguous acronyms of the definitions that Schwartz and Hearst's rules find.
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
                    place = start, start + len(acronym)
                    yield Sample(acronym, long_form, text, *place, document=sentence.id)
                    break


Annotator = Callable[[str], Annotation]


class Construction(NamedTuple):
    """The data sets made of papers.

    Attributes:
        sciai: The sentences for annotation, with the annotation that won the vote.
        sciad: Samples of ambiguous acronyms, by one sense per discourse.
        sciuad: Samples by the unsupervised rule.
        figures: What the paper's section 2 says of its own: papers, sentences, alpha.
    """

    sciai: list[tuple[Sentence, Annotation]]
    sciad: list[Sample]
    sciuad: list[Sample]
    figures: dict[str, float]


def construct(
    papers: Mapping[str, str], annotators: Sequence[Annotator], fourth: Annotator
) -> Construction:
    """Make all three data sets of papers.

    Args:
        papers: Texts by name.
        annotators: Mark a sentence's acronyms and long forms; the paper's are three.
        fourth: Decides where no two agree.
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
            found = schwartz_hearst(text) if "(" in text else []
            unsupervised += [(text[slice(*one.acronym)], one.words(text)) for one in found]
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
