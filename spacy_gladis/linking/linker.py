"""Linking: candidates, features, ranking, decision, each a function of the stage before."""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from pathlib import Path

from ..arrays import Floats
from ..dictionary import Candidate, CandidateSource
from ..dictionary.learnt import NOTHING, Elsewhere
from ..resolution import Resolution
from ..settings import Ranking, check_settings
from ..text import Mention
from .acrobert import AcroBERT
from .candidates import Question, find_candidates
from .decision import MOST_FREQUENT, decide, find_reasons
from .features import TOPIC, FeatureReader
from .long_form_vectors import LongFormVectors
from .ranking import Meanings, Ranked, by_mention, rank, rank_by_popularity

NO_LANGUAGES: Mapping[int, str] = {}


class Linker:
    """Says what mentions of acronyms mean.

    Attributes:
        model: Encoder, memory of contexts, topics and weights.
        source: Where candidates come from, such as a dictionary.
        ranking: `retriever` for all evidence, `popularity` for the source's counts alone.
        sources: Use the counts of these sources alone; None for all.
        offensive: Whether offensive long forms are candidates.
        reader: Gathers the evidence.
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
        """Set up a linker.

        Args:
            model: The model.
            source: Where candidates come from.
            ranking: `retriever` or `popularity`.
            sources: Use the counts of these sources alone; None for all.
            field: What the texts are about, such as `clinical`; None if that is not known.
            offensive: Also take offensive long forms as candidates.
            cache: Folder that keeps the vectors of senses between runs; None for memory.

        Raises:
            InputError: If a setting is out of range.
        """
        check_settings({"ranking": ranking, "field": field})
        self.model, self.source, self.ranking, self.sources = model, source, ranking, sources
        self.offensive = offensive
        vectors = LongFormVectors(model, source, cache)
        chosen = None if sources is None else list(sources)
        self.reader = FeatureReader(model, source, vectors, field, chosen)

    def with_source(
        self, source: CandidateSource, *, field: str | None = None, offensive: bool = False
    ) -> "Linker":
        """Return a linker over another copy of its source, with the same model and vectors.

        Args:
            source: The same dictionary with other entries of the user.
            field: What the texts are about; None if that is not known.
            offensive: Also take offensive long forms as candidates.
        """
        other = copy(self)
        other.source, other.offensive = source, offensive
        vectors = self.reader.vectors.copy()  # senses that one copy adds are its own
        other.reader = FeatureReader(self.model, source, vectors, field, self.reader.sources)
        return other

    def resolve(
        self,
        mentions: Sequence[Mention],
        elsewhere: Elsewhere = NOTHING,
        *,
        threshold: float,
        top_k: int,
        foreign: Mapping[int, str] = NO_LANGUAGES,
    ) -> list[Resolution]:
        """Say what each mention means.

        Args:
            mentions: Mentions of any number of documents; those of one document have the same text.
            elsewhere: What other documents say.
            threshold: The probability, 0..1, below which the answer is NIL.
            top_k: How many candidates are kept with their probabilities.
            foreign: Documents in a language that the dictionary does not have, with its name.

        Returns:
            One resolution for each mention, in order.
        """
        ranked = {item.mention: item for item in self._rank(mentions, elsewhere, foreign)}
        reasons: dict[tuple[object, ...], tuple[str, ...]] = {}
        resolutions = []
        for number, mention in enumerate(mentions):
            resolution = decide(
                ranked[number],
                mention,
                elsewhere,
                threshold=threshold,
                top_k=top_k,
                language=foreign.get(mention.document),
            )
            if resolution.long_form is not None:  # NIL says by itself why
                key = ranked[number].compared
                if key not in reasons:
                    reasons[key] = self._reasons(ranked[number])
                resolution = resolution._replace(reasons=reasons[key])
            resolutions.append(resolution)
        return resolutions

    def rank(self, mentions: Sequence[Mention], elsewhere: Elsewhere = NOTHING) -> list[Meanings]:
        """Return the meanings of each mention with their probabilities, best first."""
        return by_mention(self._rank(mentions, elsewhere, {}), len(mentions))

    def questions(
        self,
        mentions: Sequence[Mention],
        elsewhere: Elsewhere = NOTHING,
        foreign: Collection[int] = (),
    ) -> list[Question]:
        """Return the acronyms of each document with their candidates."""
        return find_candidates(
            mentions,
            self.source,
            sources=self.sources,
            elsewhere=elsewhere,
            foreign=foreign,
            offensive=self.offensive,
        )

    def _rank(
        self, mentions: Sequence[Mention], elsewhere: Elsewhere, foreign: Collection[int]
    ) -> list[Ranked]:
        questions = self.questions(mentions, elsewhere, foreign)
        if self.ranking == "popularity":
            return rank_by_popularity(questions)
        return rank(self.reader.gather(questions, mentions, elsewhere), self.reader)

    def _reasons(self, ranked: Ranked) -> tuple[str, ...]:
        if ranked.evidence is None:
            return (MOST_FREQUENT,)
        weights = self.model.settings.weights(ranked.evidence.question.is_alone)
        topics, sources = self.model.topics, self.source.sources
        return tuple(find_reasons(ranked.evidence, ranked.meanings, weights, topics, sources))

    def score_given(
        self, mentions: Sequence[Mention], candidates: Sequence[Sequence[Candidate]]
    ) -> list[Floats]:
        """Score given candidates, one of which is meant, in each mention's own context.

        Args:
            mentions: Mentions, each by itself.
            candidates: Candidates of each mention.

        Returns:
            Logits of the candidates, float32 [candidates], for each mention.
        """
        weights = self.model.settings.weights_of_given
        tables, vectors = self.given_features(mentions, candidates)
        return [
            weights.logits(table) + self.reader.learnt([one.long_form for one in options], query)
            for table, options, query in zip(tables, candidates, vectors, strict=True)
        ]

    def given_features(
        self, mentions: Sequence[Mention], candidates: Sequence[Sequence[Candidate]]
    ) -> tuple[list[Floats], Floats]:
        """Return the features of given candidates, and the contexts' vectors [mentions, width].

        Each mention is by itself: the words around it tell its topics.
        """
        weights = self.model.settings.weights_of_given
        tables, topics, vectors = self.reader.read(mentions, candidates, weights)
        known = self.model.topics
        for table, options, words in zip(tables, candidates, topics, strict=True):
            if options:
                of_candidates = known.of_candidates(options, self.source.sources)
                table[:, TOPIC] = known.agreement(of_candidates, words)
        return tables, vectors
