"""The linker, which runs the stages of linking: candidates, features, ranking and decision."""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from pathlib import Path

from ..arrays import Floats
from ..dictionary import Candidate, CandidateSource
from ..dictionary.folder_definitions import NO_EVIDENCE, FolderEvidence
from ..resolution import Resolution
from ..settings import Ranking, check_settings
from ..text import Mention
from .acrobert import AcroBERT
from .candidates import Question, find_candidates
from .decision import decide_all
from .features import TOPIC, FeatureReader
from .long_form_vectors import LongFormVectors
from .ranking import Meanings, Ranked, order_by_mention, rank, rank_by_popularity

NO_LANGUAGES: Mapping[int, str] = {}


class Linker:
    """Links mentions of acronyms to their long forms.

    Attributes:
        reader: The reader that gathers the evidence for candidates.
    """

    def __init__(
        self,
        model: AcroBERT,
        source: CandidateSource,
        *,
        ranking: Ranking = "retriever",
        sources: Collection[str] | None = None,
        field: str | None = None,
        offensive: bool = False,
        cache: Path | str | None = None,
    ) -> None:
        """Prepare a model and a dictionary for linking.

        Args:
            model: The model.
            source: The dictionary, or another source of candidates.
            ranking: How to rank candidates: `retriever` to use all evidence, `popularity` to use
                the source's counts only.
            sources: Names of the dictionary's sources whose counts are used; None for all.
            field: Subject field of the texts, such as `clinical` (see `settings.FIELDS`); None if
                unknown.
            offensive: Whether offensive long forms are candidates.
            cache: Folder that keeps the vectors of senses between runs; None to keep them in
                memory.

        Raises:
            InputError: If a setting is out of range.
        """
        check_settings({"ranking": ranking, "field": field})
        self.model, self.source, self.ranking, self.sources = model, source, ranking, sources
        self.offensive = offensive
        vectors = LongFormVectors(model, source, cache)
        names = None if sources is None else list(sources)
        self.reader = FeatureReader(model, source, vectors, field, names)

    def with_source(
        self, source: CandidateSource, *, field: str | None = None, offensive: bool = False
    ) -> "Linker":
        """Return a linker for another copy of its dictionary, with the same model and vectors.

        Args:
            source: The same dictionary with different user entries.
            field: Subject field of the texts; None if unknown.
            offensive: Whether offensive long forms are candidates.
        """
        other = copy(self)
        other.source, other.offensive = source, offensive
        vectors = self.reader.vectors.copy()  # each linker caches the vectors of its user entries
        other.reader = FeatureReader(self.model, source, vectors, field, self.reader.sources)
        return other

    def resolve(
        self,
        mentions: Sequence[Mention],
        folder_evidence: FolderEvidence = NO_EVIDENCE,
        *,
        threshold: float,
        top_k: int,
        foreign: Mapping[int, str] = NO_LANGUAGES,
    ) -> list[Resolution]:
        """Resolve the meaning of each mention.

        Args:
            mentions: Mentions of any number of documents. Mentions of one document share its text.
            folder_evidence: Definitions and acronyms of other documents.
            threshold: Probability, 0..1, below which the answer is NIL.
            top_k: Number of candidates to keep in each answer.
            foreign: Numbers of the documents whose language the dictionary does not cover, with
                the names of their languages.

        Returns:
            One resolution for each mention, in order.
        """
        return decide_all(
            self._rank(mentions, folder_evidence, foreign),
            mentions,
            folder_evidence,
            self.model,
            self.source.sources,
            threshold=threshold,
            top_k=top_k,
            foreign=foreign,
        )

    def rank(
        self, mentions: Sequence[Mention], folder_evidence: FolderEvidence = NO_EVIDENCE
    ) -> list[Meanings]:
        """Rank the meanings of each mention.

        Args:
            mentions: Mentions of any number of documents. Mentions of one document share its text.
            folder_evidence: Definitions and acronyms of other documents.

        Returns:
            For each mention its meanings with their probabilities, best first.
        """
        return order_by_mention(self._rank(mentions, folder_evidence, {}), len(mentions))

    def questions(
        self,
        mentions: Sequence[Mention],
        folder_evidence: FolderEvidence = NO_EVIDENCE,
        foreign: Collection[int] = (),
    ) -> list[Question]:
        """Find the candidates of each acronym in each document.

        Args:
            mentions: Mentions of any number of documents. Mentions of one document share its text.
            folder_evidence: Definitions and acronyms of other documents.
            foreign: Numbers of the documents whose language the dictionary does not cover.

        Returns:
            One question for each spelling in each document, in order of first mention.
        """
        return find_candidates(
            mentions,
            self.source,
            sources=self.sources,
            folder_evidence=folder_evidence,
            foreign=foreign,
            offensive=self.offensive,
        )

    def _rank(
        self, mentions: Sequence[Mention], folder_evidence: FolderEvidence, foreign: Collection[int]
    ) -> list[Ranked]:
        questions = self.questions(mentions, folder_evidence, foreign)
        if self.ranking == "popularity":
            return rank_by_popularity(questions)
        return rank(self.reader.gather(questions, mentions, folder_evidence), self.reader)

    def score_candidates(
        self, mentions: Sequence[Mention], candidates: Sequence[Sequence[Candidate]]
    ) -> list[Floats]:
        """Score given candidates of mentions, each in the context of its own mention only.

        Use this for acronym disambiguation, where one of the candidates is right.

        Args:
            mentions: The mentions.
            candidates: Candidates of each mention.

        Returns:
            Logits of the candidates, float32 [candidates], for each mention.
        """
        weights = self.model.settings.disambiguation_weights
        tables, vectors = self.compute_features(mentions, candidates)
        return [
            weights.logits(table)
            + self.model.score_adapted([candidate.long_form for candidate in options], vector)
            for table, options, vector in zip(tables, candidates, vectors, strict=True)
        ]

    def compute_features(
        self, mentions: Sequence[Mention], candidates: Sequence[Sequence[Candidate]]
    ) -> tuple[list[Floats], Floats]:
        """Compute the features of given candidates.

        Mentions do not inform one another. The topics of a mention come from the words around it.

        Args:
            mentions: The mentions.
            candidates: Candidates of each mention.

        Returns:
            Features for each mention, float32 [candidates, FEATURES], and the vectors of the
            contexts, float32 [mentions, width].
        """
        weights = self.model.settings.disambiguation_weights
        tables, topics, vectors = self.reader.read(mentions, candidates, weights)
        classifier = self.model.topics
        for table, options, of_words in zip(tables, candidates, topics, strict=True):
            if options:
                of_candidates = classifier.locate_candidates(options, self.source.sources)
                table[:, TOPIC] = classifier.score_agreement(of_candidates, of_words)
        return tables, vectors
