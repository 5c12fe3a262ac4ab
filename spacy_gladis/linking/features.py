"""Features: measure how well each candidate meaning of an acronym fits its mentions."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..arrays import Doubles, Flags, Floats
from ..dictionary import Candidate, CandidateSource, SourceInfo, is_own_entry
from ..dictionary.folder_definitions import NO_EVIDENCE, FolderEvidence
from ..text import Mention, base_form
from ..text.alignment import has_initials
from .acrobert import AcroBERT
from .calibration import FEATURES, Calibration, compute_probabilities, softmax
from .candidates import Question
from .long_form_vectors import LongFormVectors
from .neighbours import count_gloss_words, count_overlap
from .topics import CandidateTopics, compute_field_topics, leave_one_out, sum_folder_topics

(
    COSINE,
    MATCH,
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
    GLOSS,
    GLOSSED,
    TOPIC,
    DOCUMENT,
    COHERENCE,
    PHRASE,
    FOLDER,
) = range(len(FEATURES))

COUNTED = [TEXTS, SOURCES, GLOSSARY, COMMON]
"""Columns of a feature table that `count_sources` computes, in the order of its result."""

CONTEXTS = 3
"""Maximum number of an acronym's mentions in a document whose contexts are encoded. Further
mentions use the mean of these contexts."""

ROUNDS = 2
"""Number of rounds in which the acronyms of a document update the estimate of the document's
topics."""

MOST_ENCODED = 48
"""Maximum number of a mention's candidates whose long forms are encoded."""

ENCODED_MARGIN = 3.0
"""Maximum distance of a candidate's logit, computed without the cosine, from that of the best
candidate. Candidates with a lower logit are not encoded. This excludes two thirds of the long forms
and changes no right answer on the development texts."""

ATTESTING = [INITIALS, ATTESTED, TEXTS, SOURCES, GLOSSARY, COMMON, GLOSSED]
"""Columns of a feature table that attest a long form independently of a mention's context."""

ENOUGH_SENSES = 3.0
"""Expected number of right senses of other acronyms at which their mean is fully trusted."""

_CACHED = 1 << 17  # sixty texts have 65,000 pairs of an acronym and a candidate


@dataclass(frozen=True)
class Evidence:
    """The features of an acronym's candidates in a document.

    Attributes:
        question: The acronym to resolve, with its mentions and its candidates.
        tables: For each encoded context, the features of the candidates, float32 [candidates,
            FEATURES].
        mean_table: Mean of `tables` over the contexts, float32 [candidates, FEATURES].
        queries: Vectors of the encoded contexts, float32 [contexts, width].
        words: Share of each topic, estimated from the words around the mentions, float32 [topics].
        topics: Weight of each topic in the document, estimated without this acronym, float32
            [topics].
    """

    question: Question
    tables: tuple[Floats, ...]
    mean_table: Floats
    queries: Floats
    words: Floats
    topics: Floats

    def without_folder(self) -> "Evidence":
        """Return a copy of the evidence without the weights of definitions in other documents.

        Candidates that other documents define still count as well attested.
        """
        tables, mean_table = tuple(table.copy() for table in self.tables), self.mean_table.copy()
        for table in (*tables, mean_table):
            table[:, FOLDER] = 0
        question = replace(self.question, folder=np.zeros_like(self.question.folder))
        return replace(self, question=question, tables=tables, mean_table=mean_table)


class FeatureReader:
    """Computes the features of an acronym's candidates from a model and a dictionary.

    To do so, it encodes the contexts of mentions and the long forms of candidates.
    """

    def __init__(
        self,
        model: AcroBERT,
        source: CandidateSource,
        vectors: LongFormVectors,
        field: str | None = None,
        sources: Sequence[str] | None = None,
    ) -> None:
        """Create a reader that computes features with a model and a dictionary.

        Args:
            model: The model that encodes contexts and long forms.
            source: The dictionary, or another source of candidates.
            vectors: The cache for the vectors of long forms.
            field: Subject field of the texts, such as `clinical` (see `settings.FIELDS`). None if
                the field is unknown.
            sources: Names of the dictionary's sources whose counts are used. None to use all
                sources.
        """
        self.model, self.source, self.vectors = model, source, vectors
        self.field, self.sources = field, sources
        self._topics_of: dict[str, Floats] = {}
        self._revision = source.revision

    def gather(
        self,
        questions: Sequence[Question],
        mentions: Sequence[Mention],
        folder_evidence: FolderEvidence = NO_EVIDENCE,
    ) -> list[Evidence]:
        """Compute the features of all candidates in one or more documents.

        Args:
            questions: The acronyms with their candidates. Pass all questions of a document
                together, because its acronyms help to resolve each other.
            mentions: The mentions to which the questions refer by index.
            folder_evidence: Definitions and undefined acronyms from other documents in the folder.

        Returns:
            The features of each question's candidates, in the order of `questions`.
        """
        contexts = [mentions[i] for question in questions for i in question.mentions[:CONTEXTS]]
        options = [
            question.candidates for question in questions for _ in question.mentions[:CONTEXTS]
        ]
        defined = [
            question.folder > 0 for question in questions for _ in question.mentions[:CONTEXTS]
        ]
        weights = self.model.settings.calibration
        tables, topics, vectors = self.read(contexts, options, weights, defined)
        evidence = []
        first = 0
        for question in questions:
            last = first + len(question.mentions[:CONTEXTS])
            for table in tables[first:last]:
                table[:, PHRASE] = question.phrases
                table[:, FOLDER] = question.folder
            of_question = tuple(tables[first:last])
            mean_table: Floats = np.mean(of_question, axis=0)
            queries, words = vectors[first:last], topics[first:last].mean(axis=0)
            evidence.append(Evidence(question, of_question, mean_table, queries, words, words))
            first = last
        return self._agree(evidence, folder_evidence)

    def read(
        self,
        mentions: Sequence[Mention],
        candidates: Sequence[Sequence[Candidate]],
        weights: Calibration,
        defined: Sequence[Flags] | None = None,
    ) -> tuple[list[Floats], Floats, Floats]:
        """Encode mentions in their contexts, and compute the features of their candidates.

        The columns `TOPIC`, `DOCUMENT`, `COHERENCE`, `PHRASE` and `FOLDER` of the result are 0.
        Fill them in afterwards, because they depend on the whole document.

        Args:
            mentions: The mentions to encode, with their texts.
            candidates: Candidates of each mention, in the order of `mentions`.
            weights: Weights of the features. They determine which long forms are worth encoding.
            defined: For each mention, whether other documents define each candidate, bool
                [candidates]. By default, they define none.

        Returns:
            A tuple of three values. The first contains the features of each mention's candidates,
            float32 [candidates, FEATURES]. The second contains the topics of the words around each
            mention, float32 [mentions, topics]. The third contains the vectors of the contexts,
            float32 [mentions, width], which are zero for mentions without candidates.
        """
        model = self.model
        tables = [np.zeros((len(options), len(FEATURES)), np.float32) for options in candidates]
        topics = np.tile(model.topics.prior, (len(mentions), 1))
        vectors = np.zeros((len(mentions), model.width), np.float32)
        rows = [row for row, options in enumerate(candidates) if options]
        if not rows:
            return tables, topics, vectors
        contexts = model.encode_contexts([mentions[row] for row in rows])
        vectors[rows], topics[rows] = contexts, model.topics.classify(contexts)
        for row, context in zip(rows, contexts, strict=True):
            mention, table = mentions[row], tables[row]
            names = [candidate.long_form for candidate in candidates[row]]
            of_mention = None if defined is None else defined[row]
            self.attest(mention.acronym, candidates[row], table, of_mention)
            similarity, seen = model.centroids.compare(names, context, model.scale)
            table[:, CENTROID] = similarity
            table[:, UNSEEN] = seen == 0
            table[:, SEEN] = seen
            table[:, OVERLAP] = count_overlap(mention, names)
            glosses = [candidate.gloss for candidate in candidates[row]]
            table[:, GLOSS] = count_gloss_words(mention, glosses)
            table[:, NEIGHBOURS] = model.neighbours.score(names, mention)
        options, of_options = [candidates[row] for row in rows], [tables[row] for row in rows]
        self.compare(contexts, options, of_options, weights)
        return tables, topics, vectors

    def attest(
        self,
        acronym: str,
        candidates: Sequence[Candidate],
        table: Floats,
        defined: Flags | None = None,
    ) -> None:
        """Fill in the features that depend only on the acronym and the dictionary's counts.

        These are the counts in each kind of source, whether the initials of a long form spell the
        acronym, and whether the sense has a gloss. Entries from the user's own list, and meanings
        that other documents define, count as attested as well as the best other candidate.

        Args:
            acronym: The acronym to which the candidates belong.
            candidates: The acronym's candidates, with their counts for each source.
            table: Features of the candidates, float32 [candidates, FEATURES]. It is changed in
                place.
            defined: Whether other documents define each candidate, bool [candidates]. By default,
                they define none.
        """
        counts = count_sources(candidates, self.source.sources)
        table[:, COUNTED] = counts
        is_spelled = [_has_initials(acronym, candidate.long_form) for candidate in candidates]
        table[:, INITIALS] = np.array(is_spelled, np.float32)
        table[:, ATTESTED] = np.maximum(table[:, INITIALS], counts.any(axis=1))
        table[:, GLOSSED] = [bool(candidate.gloss) for candidate in candidates]
        # In-house meanings don't occur in public texts or lists.
        is_local = np.array([is_own_entry(candidate) for candidate in candidates], bool)
        if defined is not None:
            is_local = is_local | defined
        if is_local.any():
            rows = np.flatnonzero(is_local)[:, None]
            table[rows, ATTESTING] = table[:, ATTESTING].max(axis=0)
            table[rows, ATTESTED] = 1

    def compare(
        self,
        contexts: Floats,
        candidates: Sequence[Sequence[Candidate]],
        tables: Sequence[Floats],
        weights: Calibration,
    ) -> None:
        """Fill in the cosines between each context and the long forms of its candidates.

        These are the cosine with the vector of the context and, if the model has a projection, with
        its projected vector.

        Encoding long forms is slow, so only the candidates that rank best by all other features are
        encoded. These are up to `MOST_ENCODED` candidates with logits within `ENCODED_MARGIN` of
        the best. The other candidates get the lowest cosine among the encoded ones.

        Args:
            contexts: Unit vectors of the contexts, float32 [contexts, width].
            candidates: Candidates for each context, in the order of `contexts`.
            tables: For each context, the features of its candidates, float32 [candidates,
                FEATURES]. They are changed in place.
            weights: Weights of the features, which determine the ranking before encoding.
        """
        selected = [select_candidates(table, weights) for table in tables]
        encoded = [
            [options[row] for row in rows]
            for options, rows in zip(candidates, selected, strict=True)
        ]
        # Compute all missing vectors in large batches; the calls below then read the cache.
        self.vectors.get([candidate for options in encoded for candidate in options])
        queries = [(COSINE, contexts)]
        if len(self.model.projection):
            queries.append((MATCH, self.model.projection.project(contexts)))
        for number, (options, rows, table) in enumerate(
            zip(encoded, selected, tables, strict=True)
        ):
            vectors = self.vectors.get(options)
            for column, query in queries:
                cosines = self.model.scale * (vectors @ query[number])
                table[:, column] = cosines.min()
                table[rows, column] = cosines

    def _agree(
        self, evidence: Sequence[Evidence], folder_evidence: FolderEvidence
    ) -> list[Evidence]:
        """Fill in the topic features of all acronyms, document by document."""
        documents: defaultdict[int, list[int]] = defaultdict(list)
        for number, item in enumerate(evidence):
            if item.question.candidates:
                documents[item.question.document].append(number)
        of_folder: dict[str, Floats] = {}
        if documents:
            of_folder = {
                base_form(name): self.estimate_topics(name) for name in folder_evidence.acronyms
            }
        total: Doubles = np.sum(list(of_folder.values()), axis=0, dtype=np.float64)
        completed = list(evidence)
        for numbers in documents.values():
            acronyms = {base_form(evidence[number].question.acronym) for number in numbers}
            others = sum_folder_topics(of_folder, total, acronyms)
            items = [evidence[number] for number in numbers]
            for number, item in zip(numbers, self.agree(items, others), strict=True):
                completed[number] = item
        return completed

    def agree(self, evidence: Sequence[Evidence], others: Floats) -> Iterator[Evidence]:
        """Fill in how well the candidates in a document agree with the rest of the document.

        The rest of the document is represented by its topics, and by the contexts and likely senses
        of its other acronyms. The topics and the probabilities of candidates depend on each other.
        They are therefore updated in turn, for `ROUNDS` rounds.

        Args:
            evidence: Features for the acronyms of one document that have candidates. They are
                changed in place.
            others: Topics of the other documents in the folder, float32 [topics], or a single 0 if
                there are no other documents.

        Yields:
            The same features with the topics of the document, in the order of `evidence`.
        """
        classifier, sources = self.model.topics, self.source.sources
        for item in evidence:  # the first estimate must not depend on an earlier call
            for table in item.tables:
                table[:, [DOCUMENT, COHERENCE]] = 0
        words = np.mean([item.words for item in evidence], axis=0)
        topics = [
            classifier.locate_candidates(item.question.candidates, sources) for item in evidence
        ]
        if self.field is not None:
            words = words + compute_field_topics(self.field, classifier, sources)
        documents = [words + others] * len(evidence)
        for number in range(ROUNDS + 1):
            self._fill_topics(evidence, topics, documents)
            if number < ROUNDS:
                shares = [self._probabilities(item) for item in evidence]
                documents = [rest + others for rest in leave_one_out(words, topics, shares)]
        self._fill_cosines(evidence)
        for item, document in zip(evidence, documents, strict=True):
            np.mean(item.tables, axis=0, out=item.mean_table)
            yield replace(item, topics=document)

    def _fill_topics(
        self,
        evidence: Sequence[Evidence],
        topics: Sequence[CandidateTopics],
        documents: Sequence[Floats],
    ) -> None:
        for item, of_candidates, document in zip(evidence, topics, documents, strict=True):
            agreement = self.model.topics.score_agreement(of_candidates, document)
            is_user_entry = [is_own_entry(candidate) for candidate in item.question.candidates]
            agreement = np.where(is_user_entry, agreement.max(initial=-np.inf), agreement)
            for table in item.tables:
                table[:, TOPIC] = agreement

    def _fill_cosines(self, evidence: Sequence[Evidence]) -> None:
        """Compare candidates with the contexts and the likely senses of the other acronyms.

        Each acronym is compared with the mean over all other acronyms of the document, or with its
        own context if there are none. Other spellings of the same acronym don't count as other
        acronyms. Candidates that were not encoded for the first context get the lowest cosine.
        """
        model = self.model
        weights = model.settings.calibration
        contexts = np.stack([item.queries.mean(axis=0) for item in evidence])
        senses = np.zeros_like(contexts)
        counts = np.zeros(len(evidence), np.float32)
        encoded, vectors = [], []
        for number, item in enumerate(evidence):
            rows = select_candidates(item.tables[0], weights)
            encoded.append(rows)
            vectors.append(self.vectors.get([item.question.candidates[row] for row in rows]))
            shares = self._probabilities(item)
            senses[number], counts[number] = shares[rows] @ vectors[number], shares.sum()
        keys = [item.question.vote_key for item in evidence]
        other_contexts = sum_others(contexts, keys) if len(set(keys)) > 1 else contexts
        other_senses = sum_others(senses, keys)
        trust = np.minimum(1, sum_others(counts[:, None], keys)[:, 0] / ENOUGH_SENSES)
        for number, item in enumerate(evidence):
            cosines = {
                DOCUMENT: vectors[number] @ _unit(other_contexts[number]),
                COHERENCE: trust[number] * (vectors[number] @ _unit(other_senses[number])),
            }
            for table in item.tables:
                for column, values in cosines.items():
                    table[:, column] = model.scale * values.min()
                    table[encoded[number], column] = model.scale * values

    def estimate_topics(self, acronym: str) -> Floats:
        """Estimate the topics of an acronym from its candidates alone, without a context.

        Candidates that the dictionary attests well have the most influence. The results are cached
        until the entries of the dictionary change.

        Args:
            acronym: The acronym to look up, in any spelling.

        Returns:
            Share of each topic, float32 [topics].
        """
        if self._revision != self.source.revision:
            self._topics_of, self._revision = {}, self.source.revision
        if acronym not in self._topics_of:
            candidates = self.source.lookup(acronym, self.sources)
            table = np.zeros((len(candidates), len(FEATURES)), np.float32)
            topics = self.model.topics.locate_candidates(candidates, self.source.sources)
            self.attest(acronym, candidates, table)
            shares = softmax(self.model.settings.calibration.logits(table))
            self._topics_of[acronym] = topics.mix(shares)
        return self._topics_of[acronym]

    def _probabilities(self, evidence: Evidence) -> Floats:
        """Return a first estimate of the candidates' probabilities, by weighted features."""
        weights, question = self.model.settings.calibration, evidence.question
        names = [candidate.long_form for candidate in question.candidates]
        adapted = self.model.score_adapted(names, evidence.queries.mean(axis=0))
        logits: Floats = weights.logits(np.mean(evidence.tables, axis=0)) + adapted
        return compute_probabilities(logits, weights.nil_logit(question.nil))


def select_candidates(table: Floats, weights: Calibration) -> NDArray[np.intp]:
    """Select the candidates whose long forms are encoded, by the features that need no encoder.

    Args:
        table: Features of the candidates, [candidates, FEATURES]. The columns that `read` fills in
            last, and those for the whole document, are ignored.
        weights: Weights of the features.

    Returns:
        Rows of the selected candidates, best first, int64 [selected].
    """
    known = table.copy()
    known[:, [COSINE, MATCH, TOPIC, DOCUMENT, COHERENCE, PHRASE, FOLDER]] = 0
    logits = weights.logits(known)
    order = np.argsort(-logits, kind="stable")[:MOST_ENCODED]
    selected: NDArray[np.intp] = order[logits[order] >= logits[order[0]] - ENCODED_MARGIN]
    return selected


def sum_others(vectors: Floats, keys: Sequence[Hashable]) -> Floats:
    """Add up for each vector all vectors that have another key.

    Args:
        vectors: Vectors to add up, [vectors, width].
        keys: Key of each vector, [vectors].

    Returns:
        For each vector, the sum of those with other keys, float32 [vectors, width].
    """
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    groups = np.array([numbers[key] for key in keys])
    sums = np.zeros((len(numbers), vectors.shape[1]), np.float32)
    np.add.at(sums, groups, vectors)
    others: Floats = vectors.sum(axis=0) - sums[groups]
    return others


def _unit(vector: Floats) -> Floats:
    """Scale a vector to length 1. A vector of zeros is returned unchanged."""
    return vector / max(float(np.linalg.norm(vector)), 1e-12)


def count_sources(candidates: Sequence[Candidate], sources: Mapping[str, SourceInfo]) -> Floats:
    """Count how often each kind of source lists each candidate of an acronym.

    Args:
        candidates: The candidates, with their counts for each source.
        sources: A mapping from the names of the dictionary's sources to their descriptions. A
            source without a description counts as a text source.

    Returns:
        Logarithms log(1 + count), float32 [candidates, 4]. The columns are the sum of the counts in
        text sources, the number of text sources, the number of glossaries and concept inventories,
        and the sum of the counts in lists of common acronyms.
    """
    rows = []
    for candidate in candidates:
        texts = text_sources = glossaries = common = 0
        for domain, count in candidate.counts.items():
            source = sources.get(domain)
            kind = source.kind if source else "text"
            if kind == "common":
                common += count
            elif kind == "text":
                texts += count
                text_sources += 1
            else:
                glossaries += 1
        rows.append((texts, text_sources, glossaries, common))
    counts: Floats = np.log1p(np.array(rows, np.float32).reshape(-1, 4))
    return counts


_has_initials = lru_cache(_CACHED)(has_initials)
