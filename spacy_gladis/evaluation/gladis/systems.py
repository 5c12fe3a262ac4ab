"""The systems that can be put to an evaluation set, by name."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...baselines.first_candidate import FirstCandidate
from ...baselines.popularity import Popularity
from ...corpus.sample import Sample
from ...dictionary import Candidate, Dictionary
from ...errors import InputError
from .answers import Scorer

if TYPE_CHECKING:
    from ...modeling import Disambiguator
    from ...modeling.next_sentence_bert import NextSentenceBERT

ACROBERT = ("retriever", "cross", "cascade")
SYSTEMS = ("first", "popularity", *ACROBERT)
NEXT_SENTENCE = "nsp"


def make_systems(
    names: Iterable[str],
    dictionary: Dictionary,
    model: Path | None = None,
    cache: Path | None = None,
) -> dict[str, Scorer]:
    """The systems of these names; `all` stands for every one but `nsp`.

    `model` is a folder of AcroBERT's weights (None: the packaged ones), loaded once and only when
    needed; `cache` a folder for its vectors of long forms. With `nsp` among the names, `model` is
    the BERT with a next-sentence head to load (the published `acrobert.pt`, or a folder), and the
    other systems are those of the packaged weights. Raises InputError for an unknown name.
    """
    wanted = list(dict.fromkeys(names))
    if "all" in wanted:
        wanted = list(SYSTEMS)
    known = (*SYSTEMS, NEXT_SENTENCE)
    if unknown := [name for name in wanted if name not in known]:
        raise InputError(f"There is no system {unknown[0]!r}: choose from {', '.join(known)}.")
    systems: dict[str, Scorer] = {
        "first": FirstCandidate().predict,
        "popularity": Popularity().predict,
    }
    if NEXT_SENTENCE in wanted:
        if model is None:
            raise InputError("The system 'nsp' needs --model: acrobert.pt, or a BERT folder.")
        from ...modeling.next_sentence_bert import NextSentenceBERT

        systems[NEXT_SENTENCE] = NextSentenceScorer(NextSentenceBERT.load(model))
        model = None
    if any(name in ACROBERT for name in wanted):
        from ...modeling import AcroBERT, Disambiguator

        weights = AcroBERT.load(model)
        systems["retriever"] = AcroBERTScorer(
            Disambiguator(weights, dictionary, scorer="retriever", cache=cache)
        )
        systems["cross"] = AcroBERTScorer(
            Disambiguator(weights, dictionary, scorer="cross", cache=cache)
        )
        systems["cascade"] = AcroBERTScorer(
            Disambiguator(weights, dictionary, scorer="cascade", cache=cache)
        )
    return {name: systems[name] for name in wanted}


class AcroBERTScorer:
    """AcroBERT's calibrated probabilities, each row by its own context alone."""

    def __init__(self, disambiguator: "Disambiguator") -> None:
        self.disambiguator = disambiguator

    def __call__(
        self, samples: Sequence[Sample], candidates: Sequence[Sequence[Candidate]]
    ) -> list[NDArray[np.float64]]:
        """The probabilities of each sample's candidates; what they lack to 1 is "none of these"."""
        from ...modeling import Mention

        mentions = [
            Mention(sample.acronym, sample.text, sample.start, sample.end, number)
            for number, sample in enumerate(samples)
        ]
        calibration = self.disambiguator.model.settings.calibration
        return [
            np.asarray(calibration.probabilities(logits), dtype=np.float64)
            for logits in self.disambiguator.logits(mentions, candidates)
        ]


class NextSentenceScorer:
    """`1 - d` of BERT's next-sentence head, the way of GLADIS section 4.3; no probabilities."""

    def __init__(self, model: "NextSentenceBERT") -> None:
        self.model = model

    def __call__(
        self, samples: Sequence[Sample], candidates: Sequence[Sequence[Candidate]]
    ) -> list[NDArray[np.float64]]:
        """The score of each sample's candidates, each read by itself in the context."""
        from ...modeling import Context

        contexts = [Context(sample.text, sample.start, sample.end) for sample in samples]
        names = [[candidate.long_form for candidate in options] for options in candidates]
        return [values.astype(np.float64) for values in self.model.score(contexts, names)]
