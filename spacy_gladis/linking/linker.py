"""The linker, which resolves acronyms in four stages: candidates, features, ranking, decision."""

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
    """Resolves each mention of an acronym to the long form that it stands for in its text.

    Candidates come from a dictionary, from the document itself and from other documents of the
    folder. The model compares the context of a mention with each candidate.

    Attributes:
        reader: The object that computes the features of candidates.
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
        """Create a linker from a model and a dictionary.

        Args:
            model: The model that compares mentions with long forms.
            source: The dictionary, or another source of candidates.
            ranking: Method for ranking candidates. `retriever` uses all evidence, and `popularity`
                uses only the counts in the dictionary.
            sources: Names of the dictionary's sources whose counts are used. None to use all
                sources.
            field: Subject field of the texts, such as `clinical` (see `settings.FIELDS`). None if
                the field is unknown.
            offensive: Whether to include offensive long forms.
            cache: Folder in which the vectors of long forms are kept between runs. None to keep
                them only in memory.

        Raises:
            InputError: If a setting is out of range, or `cache` can't be used.
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
        """Return a linker that uses the same dictionary with different user entries.

        Use it to answer requests with their own lists of acronyms, because it is fast: the new
        linker shares the model and the cached vectors with this linker.

        Args:
            source: A copy of this linker's dictionary with different user entries.
            field: Subject field of the texts, such as `clinical`. None if the field is unknown.
            offensive: Whether to include offensive long forms.
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
        """Decide which long form each mention of an acronym stands for.

        The answer for a mention is NIL, without a long form, if no candidate is probable enough.

        Args:
            mentions: Mentions of acronyms in any number of documents. All mentions of a document
                must have the same text.
            folder_evidence: Definitions and undefined acronyms from other documents in the folder.
            threshold: Minimum probability of an answer, between 0 and 1. Less probable answers
                become NIL.
            top_k: Maximum number of candidates to keep in each answer.
            foreign: A mapping from the numbers of documents whose language the dictionary doesn't
                cover to the name of that language, such as ``"French"``.

        Returns:
            One answer for each mention, in the order of `mentions`.
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
        """Rank the possible meanings of each mention of an acronym by their probability.

        Unlike `resolve`, this method applies no threshold and keeps all meanings.

        Args:
            mentions: Mentions of acronyms in any number of documents. All mentions of a document
                must have the same text.
            folder_evidence: Definitions and undefined acronyms from other documents in the folder.

        Returns:
            For each mention, its meanings with their probabilities, best first. The list is empty
            if the acronym has no candidates.
        """
        return order_by_mention(self._rank(mentions, folder_evidence, {}), len(mentions))

    def questions(
        self,
        mentions: Sequence[Mention],
        folder_evidence: FolderEvidence = NO_EVIDENCE,
        foreign: Collection[int] = (),
    ) -> list[Question]:
        """Find the candidate meanings of each acronym in one or more documents.

        This is the first stage of `resolve`. It uses the linker's dictionary, sources and settings.

        Args:
            mentions: Mentions of acronyms in any number of documents. All mentions of a document
                must have the same text.
            folder_evidence: Definitions and undefined acronyms from other documents in the folder.
            foreign: Numbers of the documents whose language the dictionary doesn't cover.

        Returns:
            One question for each spelling of an acronym in each document, in order of first
            mention.
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
        """Score the candidates that you give for each mention of an acronym.

        Use this for acronym disambiguation, where one of the given candidates is right. Each
        mention is scored in its own context. Other mentions have no influence.

        Args:
            mentions: The mentions to disambiguate, with their texts.
            candidates: Candidates of each mention, in the order of `mentions`.

        Returns:
            For each mention, the logits of its candidates, float32 [candidates]. The most probable
            candidate has the highest logit.
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
        """Compute the features of the candidates that you give for each mention of an acronym.

        The topics are estimated from the words around the mention. Other mentions have no
        influence.

        Args:
            mentions: The mentions to disambiguate, with their texts.
            candidates: Candidates of each mention, in the order of `mentions`.

        Returns:
            For each mention, the features of its candidates, float32 [candidates, FEATURES], and
            the vectors of all contexts, float32 [mentions, width].
        """
        weights = self.model.settings.disambiguation_weights
        tables, topics, vectors = self.reader.read(mentions, candidates, weights)
        classifier = self.model.topics
        for table, options, of_words in zip(tables, candidates, topics, strict=True):
            if options:
                of_candidates = classifier.locate_candidates(options, self.source.sources)
                table[:, TOPIC] = classifier.score_agreement(of_candidates, of_words)
        return tables, vectors
