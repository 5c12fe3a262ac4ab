"""From mentions and candidates to probabilities (GLADIS section 4.3, and beyond it)."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from copy import copy
from pathlib import Path

import numpy as np

from ..dictionary import Candidate, Dictionary
from ..rules import Mention
from ..settings import Ranking, check_settings
from . import wording
from .acrobert import AcroBERT
from .calibration import FEATURES, Floats
from .meanings import meanings
from .vectors import LongFormVectors

(
    COSINE,
    CORRECTION,
    SENSE,
    UNSEEN,
    SEEN,
    DOMAIN_PRIOR,
    COUNT_PRIOR,
    INITIALS,
    ATTESTED,
    ECHO,
) = range(len(FEATURES))

GROUPED = 32
"""Candidates beyond the first so many are not looked at for spellings of one meaning: their
probability is next to nothing, and comparing all with all is quadratic."""


class Disambiguator:
    """Ranks the dictionary's candidates for each mention.

    ranking: "cascade": the retriever shortlists, the cross-encoder ranks, counts are the prior.
        "cross": the cross-encoder reads every candidate. "retriever": no cross-encoder.
        "popularity": counts alone.
    domains: source domains whose counts are used; None: all.
    discourse: 0..1, weight of the document's other mentions of the acronym (one sense per
        discourse) against the mention's own context.
    contexts: of an acronym's mentions in a document the first so many are read in their contexts,
        the others take the mean; with a `discourse` of 0 all are read.
    cache: folder for the vectors of long forms, None keeps them in memory.
    Raises InputError when a setting is out of range.
    """

    def __init__(
        self,
        model: AcroBERT,
        dictionary: Dictionary,
        *,
        ranking: Ranking = "cascade",
        domains: Collection[str] | None = None,
        discourse: float = 0.3,
        contexts: int = 3,
        cache: Path | str | None = None,
    ) -> None:
        check_settings({"ranking": ranking, "discourse": discourse, "contexts": contexts})
        self.model, self.dictionary = model, dictionary
        self.ranking, self.domains, self.discourse = ranking, domains, discourse
        self.contexts = contexts if discourse else None
        self.vectors = LongFormVectors(model, dictionary, cache)

    def with_dictionary(self, dictionary: Dictionary) -> "Disambiguator":
        """One over another copy of this dictionary, with the same weights and stored vectors."""
        made = copy(self)
        made.dictionary, made.vectors = dictionary, self.vectors.copy()
        return made

    def resolve(self, mentions: Sequence[Mention]) -> list[list[tuple[Candidate, float]]]:
        """Each mention's meanings with their probabilities, best first.

        A meaning is the most frequent of the candidates that spell it, with the sum of their
        probabilities. What the probabilities of one mention lack to 1 is the probability that the
        dictionary does not have its long form. No candidates: an empty list.
        """
        groups: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for place, mention in enumerate(mentions):
            groups[mention.document, mention.acronym].append(place)
        acronyms = {acronym for _, acronym in groups}
        known = {acronym: self.dictionary.lookup(acronym, self.domains) for acronym in acronyms}
        read = [place for places in groups.values() for place in places[: self.contexts]]
        options = [known[mentions[place].acronym] for place in read]
        logits = self.logits([mentions[place] for place in read], options)
        own = dict(zip(read, logits, strict=True))
        answers: list[list[tuple[Candidate, float]]] = [[] for _ in mentions]
        for (_, acronym), places in groups.items():
            mean = np.mean([own[place] for place in places[: self.contexts]], axis=0)
            shared = self._answer(known[acronym], mean)
            for place in places:
                if place in own and len(places) > 1:
                    voted = (1 - self.discourse) * own[place] + self.discourse * mean
                    answers[place] = self._answer(known[acronym], voted)
                else:
                    answers[place] = list(shared)
        return answers

    def _answer(
        self, candidates: Sequence[Candidate], logits: Floats
    ) -> list[tuple[Candidate, float]]:
        """Meanings with their probabilities, best first, of the candidates' logits."""
        shares = self.model.settings.calibration.probabilities(logits)
        order = np.argsort(-logits, kind="stable")
        return _by_meaning([(candidates[i], float(shares[i])) for i in order])

    def logits(
        self, mentions: Sequence[Mention], candidates: Sequence[Sequence[Candidate]]
    ) -> list[Floats]:
        """Logits of each mention's candidates by its own context alone, float32 [candidates]."""
        calibration = self.model.settings.calibration
        return [calibration.logits(rows) for rows in self.features(mentions, candidates)]

    def features(
        self, mentions: Sequence[Mention], candidates: Sequence[Sequence[Candidate]]
    ) -> list[Floats]:
        """What speaks for each candidate, float32 [candidates, FEATURES] in their order."""
        features = [np.zeros((len(options), len(FEATURES)), np.float32) for options in candidates]
        open_questions = [i for i, options in enumerate(candidates) if options]
        for i in open_questions:
            features[i][:, COUNT_PRIOR] = np.log1p([one.total for one in candidates[i]])
        if self.ranking == "popularity":
            return features
        encoded = self.model.encode_contexts([mentions[i] for i in open_questions])
        scale = self.model.scale
        self.vectors.get([c for i in open_questions for c in candidates[i]])
        for row, i in enumerate(open_questions):
            vectors = self.vectors.get(candidates[i])
            names = [candidate.long_form for candidate in candidates[i]]
            alike, seen = self.model.senses.compare(names, encoded.vectors[row])
            features[i][:, COSINE] = scale * (vectors @ encoded.vectors[row])
            features[i][:, SENSE] = scale * alike
            features[i][:, UNSEEN] = seen == 0
            features[i][:, SEEN] = seen
            features[i][:, DOMAIN_PRIOR] = self._domain_prior(candidates[i], encoded.domains[row])
            spelt = wording.initials(mentions[i].acronym, names)
            features[i][:, INITIALS] = spelt
            features[i][:, ATTESTED] = np.maximum(spelt, features[i][:, COUNT_PRIOR] > 0)
            features[i][:, ECHO] = wording.echo(mentions[i], names)
        if self.ranking == "cross" or (self.ranking == "cascade" and self._correction_counts()):
            self._read(mentions, candidates, features, open_questions)
        return features

    def _correction_counts(self) -> bool:
        """Whether the calibration gives the cross-encoder any say: otherwise none is asked."""
        return self.model.settings.calibration.correction > 0

    def _read(
        self,
        mentions: Sequence[Mention],
        candidates: Sequence[Sequence[Candidate]],
        features: list[Floats],
        questions: Sequence[int],
    ) -> None:
        """Let the cross-encoder read the shortlists; their column CORRECTION takes the result."""
        calibration = self.model.settings.calibration
        size = self.model.settings.shortlist if self.ranking == "cascade" else None
        shortlists = [
            np.argsort(-calibration.logits(features[i]), kind="stable")[:size] for i in questions
        ]
        corrections = self.model.correct(
            [mentions[i] for i in questions],
            [
                [candidates[i][place].long_form for place in shortlist]
                for i, shortlist in zip(questions, shortlists, strict=True)
            ],
        )
        for i, shortlist, values in zip(questions, shortlists, corrections, strict=True):
            # Those not read take the worst correction: not better placed for being overlooked.
            features[i][:, CORRECTION] = values.min()
            features[i][shortlist, CORRECTION] = values

    def _domain_prior(self, candidates: Sequence[Candidate], shares: Floats) -> Floats:
        """log(1 + count), each domain's count weighted by how much the context is of it."""
        weights = dict(zip(self.model.settings.domains, shares.tolist(), strict=False))
        mixed = [
            sum(count * weights.get(domain, 0.0) for domain, count in candidate.counts.items())
            for candidate in candidates
        ]
        return np.log1p(np.array(mixed, dtype=np.float32))


def _by_meaning(ranked: list[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
    """Add up the shares of the spellings of each meaning among the first GROUPED candidates."""
    head, tail = ranked[:GROUPED], ranked[GROUPED:]
    shares: dict[int, float] = {}
    for place, (_, share) in zip(meanings([one for one, _ in head]), head, strict=True):
        shares[place] = shares.get(place, 0.0) + share
    grouped = [(head[place][0], share) for place, share in shares.items()]
    return sorted(grouped + tail, key=lambda pair: -pair[1])
