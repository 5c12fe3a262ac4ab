"""Second stage of linking: what speaks for each candidate of each question."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..arrays import Doubles, Floats
from ..dictionary import Candidate, CandidateSource, SourceInfo
from ..dictionary.learnt import NOTHING, Elsewhere
from ..text import Mention, base_form
from ..text.alignment import has_initials
from .acrobert import AcroBERT
from .calibration import FEATURES, Calibration, softmax
from .candidates import Question
from .long_form_vectors import LongFormVectors
from .sense_vectors import sense_key
from .topics import CandidateTopics, stated_topics, topics_beside, without_itself

(
    COSINE,
    CENTROID,
    UNSEEN,
    SEEN,
    INITIALS,
    ATTESTED,
    OVERLAP,
    NEIGHBOURS,
    TEXTS,
    SOURCES,
    GLOSSARY,
    COMMON,
    TOPIC,
    PHRASE,
    FOLDER,
) = range(len(FEATURES))

COUNTED = [TEXTS, SOURCES, GLOSSARY, COMMON]
"""The features that `source_counts` gives, in its order."""

CONTEXTS = 3
"""Mentions of a question that are read in their contexts, at most; the others take the mean."""

ROUNDS = 2
"""How often the acronyms of a document tell one another their topics."""

MOST_ENCODED = 48
"""Candidates of a mention whose long forms are encoded, at most."""

ENCODED_MARGIN = 3.0
"""A long form is encoded if its logit by all other evidence is at most this far behind the best:
a third of them are, and no right answer of the development texts changes."""

REACH = 300
"""Characters on each side of a mention in which a long form's words are looked for."""

SHORTEST_WORD, STEM = 4, 5
"""Shorter words are not looked for; of longer ones so many letters must agree."""

_WORD = re.compile(r"[^\W_]+")
_CACHED = 1 << 15


@dataclass(frozen=True)
class Evidence:
    """What speaks for the candidates of a question.

    Attributes:
        question: The question.
        tables: Features of the candidates in each context that was read, [candidates, FEATURES].
        queries: Vectors of these contexts, [contexts, width].
        words: What the words around its mentions tell of the document's topics, [topics].
        topics: The document's topics as this acronym sees them, [topics].
    """

    question: Question
    tables: tuple[Floats, ...]
    queries: Floats
    words: Floats
    topics: Floats

    def without_folder(self) -> "Evidence":
        """Return the evidence without what other documents define."""
        tables = tuple(table.copy() for table in self.tables)
        for table in tables:
            table[:, FOLDER] = 0
        question = replace(self.question, folder=np.zeros_like(self.question.folder))
        return replace(self, question=question, tables=tables)

    @property
    def mean_table(self) -> Floats:
        """The features in the mean of the contexts, [candidates, FEATURES]."""
        table: Floats = np.mean(self.tables, axis=0)
        return table


class FeatureReader:
    """Reads contexts and gathers the features of candidates.

    Attributes:
        model: Encoder, memory of contexts, topics and weights.
        source: Where candidates come from; its sources say what counts are worth.
        vectors: Vectors of the senses.
        field: What the texts are about, if that is known (`settings.FIELDS`).
        sources: Sources whose counts are used; None for all.
    """

    def __init__(
        self,
        model: AcroBERT,
        source: CandidateSource,
        vectors: LongFormVectors,
        field: str | None = None,
        sources: Sequence[str] | None = None,
    ) -> None:
        self.model, self.source, self.vectors = model, source, vectors
        self.field, self.sources = field, sources
        self._topics_of: dict[str, Floats] = {}
        self._revision = source.revision

    def gather(
        self,
        questions: Sequence[Question],
        mentions: Sequence[Mention],
        elsewhere: Elsewhere = NOTHING,
    ) -> list[Evidence]:
        """Gather all evidence for the candidates of some questions.

        Args:
            questions: All questions of each document, since they inform one another.
            mentions: The mentions that the questions name by their numbers.
            elsewhere: What other documents say.

        Returns:
            Evidence for each question, in order.
        """
        contexts = [mentions[i] for question in questions for i in question.mentions[:CONTEXTS]]
        options = [
            question.candidates for question in questions for _ in question.mentions[:CONTEXTS]
        ]
        weights = self.model.settings.calibration
        tables, topics, vectors = self.read(contexts, options, weights)
        evidence = []
        first = 0
        for question in questions:
            last = first + len(question.mentions[:CONTEXTS])
            for table in tables[first:last]:
                table[:, PHRASE] = question.phrases
                table[:, FOLDER] = question.folder
            own = tuple(tables[first:last])
            words = topics[first:last].mean(axis=0)
            evidence.append(Evidence(question, own, vectors[first:last], words, words))
            first = last
        return self._agree(evidence, elsewhere)

    def read(
        self,
        mentions: Sequence[Mention],
        candidates: Sequence[Sequence[Candidate]],
        weights: Calibration,
    ) -> tuple[list[Floats], Floats, Floats]:
        """Read mentions in their contexts and compare each with its candidates.

        Args:
            mentions: The mentions to read.
            candidates: Candidates of each mention.
            weights: Say which candidates are worth encoding.

        Returns:
            The features that a mention alone gives, [candidates, FEATURES] each; the topics of the
            words around it, [mentions, topics]; and vectors of the contexts, [mentions, width],
            zeros where there are no candidates.
        """
        model = self.model
        tables = [np.zeros((len(options), len(FEATURES)), np.float32) for options in candidates]
        topics = np.tile(model.topics.prior, (len(mentions), 1))
        vectors = np.zeros((len(mentions), model.width), np.float32)
        rows = [row for row, options in enumerate(candidates) if options]
        if not rows:
            return tables, topics, vectors
        contexts = model.encode_contexts([mentions[row] for row in rows])
        vectors[rows], topics[rows] = contexts, model.topics.of_contexts(contexts)
        for row, context in zip(rows, contexts, strict=True):
            mention, table = mentions[row], tables[row]
            names = [candidate.long_form for candidate in candidates[row]]
            self.attest(mention.acronym, candidates[row], table)
            likeness, seen = model.centroids.compare(names, context, model.scale)
            table[:, CENTROID] = likeness
            table[:, UNSEEN] = seen == 0
            table[:, SEEN] = seen
            table[:, OVERLAP] = count_overlap(mention, names)
            table[:, NEIGHBOURS] = model.neighbours.beside(names, mention)
        chosen = [candidates[row] for row in rows], [tables[row] for row in rows]
        self.compare(contexts, *chosen, weights)
        return tables, topics, vectors

    def attest(self, acronym: str, candidates: Sequence[Candidate], table: Floats) -> None:
        """Fill in what speaks for candidates whatever the context is."""
        counts = source_counts(candidates, self.source.sources)
        table[:, COUNTED] = counts
        spelt = [_has_initials(acronym, candidate.long_form) for candidate in candidates]
        table[:, INITIALS] = np.array(spelt, np.float32)
        table[:, ATTESTED] = np.maximum(table[:, INITIALS], counts.any(axis=1))

    def compare(
        self,
        contexts: Floats,
        candidates: Sequence[Sequence[Candidate]],
        tables: Sequence[Floats],
        weights: Calibration,
    ) -> None:
        """Fill in the cosines of contexts and the senses of their candidates.

        Only the `MOST_ENCODED` candidates that all other evidence puts first, and within
        `ENCODED_MARGIN` of the best, are encoded. The others count as unlike as the least like.

        Args:
            contexts: Unit vectors, [contexts, width].
            candidates: Candidates of each context.
            tables: Their features, [candidates, FEATURES] each; filled in.
            weights: Weights of the evidence.
        """
        chosen = [_worth_encoding(weights.logits(table)) for table in tables]
        encoded = [
            [options[row] for row in rows] for options, rows in zip(candidates, chosen, strict=True)
        ]
        self.vectors.get([candidate for options in encoded for candidate in options])  # in batches
        for context, options, rows, table in zip(contexts, encoded, chosen, tables, strict=True):
            cosines = self.model.scale * (self.vectors.get(options) @ context)
            table[:, COSINE] = cosines.min()
            table[rows, COSINE] = cosines

    def _agree(self, evidence: Sequence[Evidence], elsewhere: Elsewhere) -> list[Evidence]:
        """Let the acronyms of each document tell one another what it is about."""
        documents: defaultdict[int, list[int]] = defaultdict(list)
        for number, item in enumerate(evidence):
            if item.question.candidates:
                documents[item.question.document].append(number)
        beside: dict[str, Floats] = {}
        if documents:
            beside = {base_form(name): self.topics_of(name) for name in elsewhere.acronyms}
        whole: Doubles = np.sum(list(beside.values()), axis=0, dtype=np.float64)
        agreed = list(evidence)
        for numbers in documents.values():
            own = {base_form(evidence[number].question.acronym) for number in numbers}
            others = topics_beside(beside, whole, own)
            items = [evidence[number] for number in numbers]
            for number, item in zip(numbers, self.agree(items, others), strict=True):
                agreed[number] = item
        return agreed

    def agree(self, evidence: Sequence[Evidence], others: Floats) -> Iterator[Evidence]:
        """Fill in how far each candidate is about what its document is about.

        Args:
            evidence: Of the acronyms of one document that have candidates.
            others: What other documents of its folder tell, [topics], or a single 0.

        Yields:
            The evidence with its topics, in order.
        """
        known, sources = self.model.topics, self.source.sources
        words = np.mean([item.words for item in evidence], axis=0)
        topics = [known.of_candidates(item.question.candidates, sources) for item in evidence]
        if self.field is not None:
            words = words + stated_topics(self.field, known, sources)
        documents = [words + others] * len(evidence)
        for number in range(ROUNDS + 1):
            self._fill_topics(evidence, topics, documents)
            if number < ROUNDS:
                shares = [self._probabilities(item) for item in evidence]
                documents = [one + others for one in without_itself(words, topics, shares)]
        for item, document in zip(evidence, documents, strict=True):
            yield replace(item, topics=document)

    def _fill_topics(
        self,
        evidence: Sequence[Evidence],
        topics: Sequence[CandidateTopics],
        documents: Sequence[Floats],
    ) -> None:
        for item, of_candidates, document in zip(evidence, topics, documents, strict=True):
            agreement = self.model.topics.agreement(of_candidates, document)
            for table in item.tables:
                table[:, TOPIC] = agreement

    def topics_of(self, acronym: str) -> Floats:
        """Return what an acronym tells of topics before any context is read, [topics]; cached."""
        if self._revision != self.source.revision:
            self._topics_of, self._revision = {}, self.source.revision
        if acronym not in self._topics_of:
            candidates = self.source.lookup(acronym, self.sources)
            table = np.zeros((len(candidates), len(FEATURES)), np.float32)
            topics = self.model.topics.of_candidates(candidates, self.source.sources)
            self.attest(acronym, candidates, table)
            shares = softmax(self.model.settings.calibration.logits(table))
            self._topics_of[acronym] = topics.mix(shares)
        return self._topics_of[acronym]

    def logits(self, evidence: Evidence) -> list[Floats]:
        """Return the candidates' logits in each context that was read, [candidates] each."""
        weights = self.model.settings.weights(evidence.question.is_alone)
        names = [candidate.long_form for candidate in evidence.question.candidates]
        return [
            weights.logits(table) + self.learnt(names, query)
            for table, query in zip(evidence.tables, evidence.queries, strict=True)
        ]

    def learnt(self, long_forms: Sequence[str], query: Floats) -> Floats:
        """Return what labelled texts taught of long forms in a context, float32 [long forms]."""
        if not len(self.model.learnt):
            return np.zeros(len(long_forms), np.float32)
        return self.model.learnt.compare([sense_key(name) for name in long_forms], query)

    def _probabilities(self, evidence: Evidence) -> Floats:
        weights = self.model.settings.weights(evidence.question.is_alone)
        logits: Floats = np.mean(self.logits(evidence), axis=0)
        return weights.probabilities(logits, weights.nil_logit(evidence.question.nil))


def _worth_encoding(logits: Floats) -> NDArray[np.intp]:
    order = np.argsort(-logits, kind="stable")[:MOST_ENCODED]
    near: NDArray[np.intp] = order[logits[order] >= logits[order[0]] - ENCODED_MARGIN]
    return near


def source_counts(candidates: Sequence[Candidate], sources: Mapping[str, SourceInfo]) -> Floats:
    """Return how each candidate is attested, float32 [candidates, 4].

    The columns are logarithms of one plus: the count over all texts, the number of texts' sources,
    the number of glossaries and inventories of concepts, and the count in the common lists. A
    source that `sources` does not describe counts as a text.
    """
    rows = []
    for candidate in candidates:
        texts = different = glossaries = common = 0
        for domain, count in candidate.counts.items():
            source = sources.get(domain)
            kind = source.kind if source else "text"
            if kind == "common":
                common += count
            elif kind == "text":
                texts += count
                different += 1
            else:
                glossaries += 1
        rows.append((texts, different, glossaries, common))
    counts: Floats = np.log1p(np.array(rows, np.float32).reshape(-1, 4))
    return counts


def count_overlap(mention: Mention, long_forms: Sequence[str]) -> Floats:
    """Return how many of each long form's words stand near the mention, float32 [long forms].

    A text repeats some of an acronym's words beside it: "the GTD dataset" is a dataset.
    """
    text, start, end, _ = mention
    near = _stems(f"{text[max(0, start - REACH) : start]} {text[end : end + REACH]}")
    return np.array([len(_stems_of(name) & near) for name in long_forms], np.float32)


def _stems(text: str) -> frozenset[str]:
    words = _WORD.findall(text.lower())
    return frozenset(word[:STEM] for word in words if len(word) >= SHORTEST_WORD)


_has_initials = lru_cache(_CACHED)(has_initials)
_stems_of = lru_cache(_CACHED)(_stems)
