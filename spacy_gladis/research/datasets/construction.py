"""Construction of the data sets SciAI, SciAD and SciUAD from scientific papers.

It follows sections 2 and 4 of Pouran Ben Veyseh et al. (2020), with these differences:

- Functions can replace the people who annotated SciAI. The paper removes the annotations of workers
  who finish too soon or who often differ from the others. Here, all annotations are used.
- The paper's annotators map each long form to its acronym. Here, `pair_forms` finds the acronym.
- The rules for candidates differ from those of the paper (`long_form_candidates`).
- The dictionary of SciAD is not curated by people.
- SciUAD contains only ambiguous acronyms. The paper's has 1.8 long forms per acronym (Table 1), so
  it also contains acronyms with a single long form.
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
"""A mapping from each ambiguous acronym to its long forms.

The long forms are a mapping from each spelling to the canonical spelling of the same long form.
"""

WORD = re.compile(r"\w+|[^\w\s]")
"""Words and punctuation marks. A hyphen separates words, so that "E2E-NLG" has two words and a
punctuation mark. The paper does not say how it splits sentences into words."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9(\[\"])|\s*\n\s*")
LEADING = 3  # leading characters of a word that may be letters of the acronym
THRESHOLD = 3  # edits; the paper does not state a value


class Annotation(NamedTuple):
    """The acronyms and long forms that an annotator marked in a sentence.

    Attributes:
        short: ``(start, end)`` character offsets of the acronyms.
        long: ``(start, end)`` character offsets of the long forms.
    """

    short: frozenset[Offsets]
    long: frozenset[Offsets]


def split_sentences(document: str, text: str) -> list[Sentence]:
    """Split a paper into sentences, and each sentence into words and punctuation marks.

    Args:
        document: Name of the paper. It becomes the id of all its sentences.
        text: Text of the paper.

    Returns:
        The sentences in text order, with the offsets of their words and without labels.
    """
    parts = (part.strip() for part in _SENTENCE_END.split(text))
    return [
        Sentence(document, [], part, [word.span() for word in WORD.finditer(part)])
        for part in parts
        if part
    ]


def is_acronym_candidate(word: str) -> bool:
    """Return whether a word may be an acronym because most of its characters are capitals.

    This is the rule of section 2.1 of the paper, which also allows words of one character.

    Args:
        word: A word of a sentence.

    Returns:
        True if the word has at least two characters, and more than half of them are capital
        letters.
    """
    return len(word) > 1 and 2 * sum(map(str.isupper, word)) > len(word)


def long_form_candidates(words: Sequence[str], acronym: str) -> list[Offsets]:
    """Find sequences of words in a sentence whose first letters spell an acronym.

    This is the rule of section 2.1 of the paper. Each word contributes its first one, two or three
    characters. Words between the first and the last one may be skipped. These details are not in
    the paper:

    - A sequence has at least two words. The paper also allows a single word.
    - A sequence for an acronym of n characters has at most min(n + 5, 2n) words, as in the rules of
      Schwartz and Hearst.
    - A sequence does not contain the acronym itself.
    - Upper and lower case are not distinguished, and characters of the acronym other than letters
      and digits are ignored.

    Args:
        words: Words of the sentence.
        acronym: Acronym that the sentence contains.

    Returns:
        ``(start, end)`` word indices of the sequences, with the end exclusive. Of the sequences
        that start at the same word, only the shortest is returned.
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
    """Return whether a sentence may define an acronym, so that it is worth annotating.

    Args:
        sentence: Sentence of a paper.

    Returns:
        True if the sentence has a word in capitals, and other words whose first letters spell it.
    """
    words = sentence.tokens
    acronyms = {word for word in words if is_acronym_candidate(word)}
    return any(long_form_candidates(words, acronym) for acronym in acronyms)


def vote(answers: Sequence[frozenset[Offsets]], fourth: frozenset[Offsets]) -> frozenset[Offsets]:
    """Combine the spans that several annotators marked in the same sentence, by majority vote.

    A span is kept if at least two annotators marked it. If annotators marked overlapping spans and
    no two of them the same one, the spans of a fourth annotator are used there instead.

    The fourth annotator's spans are not compared with the agreed ones, so spans in the result can
    overlap. A long form can also overlap an acronym, because `construct` combines the two kinds
    separately. In SciAI, spans are disjoint (Appendix C). The command `dataset construct` drops the
    overlaps in the file that it writes, but not in the figures.

    Args:
        answers: Spans that each annotator marked, as ``(start, end)`` character offsets. The paper
            has three annotators.
        fourth: Spans that the fourth annotator marked. Only those that overlap a conflict count.

    Returns:
        The spans that were kept, as ``(start, end)`` character offsets.
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
    """Compute the MASI distance of two sets, such as the acronyms that two annotators marked.

    The distance is 1 - w * J, where J is the Jaccard coefficient of the sets (Passonneau 2006). The
    weight w is 1 for equal sets, 2/3 if one set contains the other, 1/3 for other sets that
    overlap, and 0 for disjoint sets.

    Args:
        first: Texts that one annotator marked in a sentence. May be empty.
        second: Texts that another annotator marked in the same sentence. May be empty.

    Returns:
        The distance, from 0 (equal sets) to 1 (disjoint sets).
    """
    common = first & second
    if first == second or not common:
        return float(first != second)
    weight = 2 / 3 if common in (first, second) else 1 / 3
    return 1 - weight * len(common) / len(first | second)


def alpha(units: Iterable[Sequence[frozenset[str]]]) -> float:
    """Compute Krippendorff's alpha, the agreement of annotators beyond chance.

    Answers are compared by their MASI distance, so that similar sets count as partial agreement
    (Krippendorff 2011).

    Args:
        units: For each sentence, the sets of texts that its annotators marked, one set for each
            annotator. Sentences with a single annotator are ignored.

    Returns:
        The agreement. 1 is perfect agreement, 0 is agreement by chance, and negative values are
        less than chance.
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
    """Pair each long form in a sentence with the nearest acronym that its letters spell.

    A long form without such an acronym is left out. In the paper, the annotators choose the acronym
    of each long form (section 2.1).

    Args:
        sentence: Text of the sentence.
        annotation: Acronyms and long forms that are marked in the sentence.

    Yields:
        Pairs of an acronym and a long form, in the order of the long forms.
    """
    for start, end in sorted(annotation.long):
        long_form = sentence[start:end]
        near = sorted(annotation.short, key=lambda span: max(span[0] - end, start - span[1]))
        acronyms = (sentence[slice(*span)] for span in near)
        acronym = next((short for short in acronyms if spells(short, long_form)), None)
        if acronym:
            yield acronym, long_form


def canonical_long_forms(counts: Counter[str], threshold: int = THRESHOLD) -> dict[str, str]:
    """Map the spellings of an acronym's long forms to canonical ones.

    Two spellings belong to the same long form if their Levenshtein distance is below a threshold.
    The more frequent spelling is the canonical one. Capitalization is ignored. See section 2.2 of
    the paper, and Ciosici et al. (2019).

    The paper compares every pair of spellings. Here, spellings are processed from the most to the
    least frequent one, and each is compared only with the canonical spellings before it. It gets
    the first canonical spelling that is close enough.

    Args:
        counts: Number of occurrences of each spelling.
        threshold: Levenshtein distance, in edits, from which spellings are different long forms.

    Returns:
        A mapping from each spelling to the canonical spelling of its long form.
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
    """Select the ambiguous acronyms, which are those with at least two different long forms.

    Spelling variants of a long form count as the same long form.

    Args:
        pairs: A pair of an acronym and a long form for each definition that was found.

    Returns:
        A mapping from each ambiguous acronym to its long forms, which are a mapping from each
        spelling to the canonical spelling.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for acronym, long_form in pairs:
        counts[acronym][long_form] += 1
    mapped = {acronym: canonical_long_forms(forms) for acronym, forms in counts.items()}
    return {acronym: forms for acronym, forms in mapped.items() if len({*forms.values()}) > 1}


def label_discourse(
    sentences: Iterable[Sentence], defined: Iterable[tuple[str, str]], meanings: Meanings
) -> Iterator[Sample]:
    """Create samples from a paper by labelling each acronym with the long form that it defines.

    This is the rule of one sense per discourse (section 2.2): the first definition in a paper
    applies to all sentences. A sentence gives one sample for each acronym that it contains, at the
    first occurrence of the acronym.

    Args:
        sentences: Sentences of the paper.
        defined: Pairs of an acronym and a long form that the paper defines, in text order.
        meanings: A mapping from each ambiguous acronym to its long forms. Other acronyms are
            ignored.

    Yields:
        The samples, in text order, labelled with canonical long forms.
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
    """Create samples from sentences by replacing each long form with its acronym.

    For example, "a convolutional neural network (CNN) with" becomes "a CNN with", labelled with
    "convolutional neural network". This method needs no annotations (Ciosici et al. 2019). If
    several long forms start at the same word, the longest is replaced.

    Args:
        sentences: Sentences of papers. They need not contain definitions.
        meanings: A mapping from each ambiguous acronym to its long forms, which the rules of
            Schwartz and Hearst found.

    Yields:
        A sample for each occurrence of a long form, labelled with its canonical spelling.
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
    """The data sets SciAI, SciAD and SciUAD, as they were built from papers.

    Attributes:
        sciai: Sentences that may define an acronym, with the acronyms and long forms that the
            annotators agreed on.
        sciad: Samples of ambiguous acronyms, labelled by the rule of one sense per discourse. See
            `label_discourse`.
        sciuad: Samples that were created without annotations, by replacing long forms with
            acronyms. See `substitute`.
        figures: Numbers of `papers`, `sentences` and `candidates` (sentences that were annotated),
            and Krippendorff's alpha for acronyms (`alpha_short`) and long forms (`alpha_long`).
    """

    sciai: list[tuple[Sentence, Annotation]]
    sciad: list[Sample]
    sciuad: list[Sample]
    figures: dict[str, float]


def construct(
    papers: Mapping[str, str], annotators: Sequence[Annotator], fourth: Annotator
) -> Construction:
    """Build the data sets SciAI, SciAD and SciUAD from scientific papers.

    Args:
        papers: A mapping from the names of papers to their texts.
        annotators: Functions that take the text of a sentence and return the acronyms and long
            forms in it. SciAI had three annotators.
        fourth: Function like the annotators, whose answer decides where they disagree.

    Returns:
        The three data sets, with figures such as the number of sentences and the agreement.
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
