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

ACROBERT = ("retriever", "cross", "cascade")
SYSTEMS = ("first", "popularity", *ACROBERT)


def make_systems(
    names: Iterable[str],
    dictionary: Dictionary,
    model: Path | None = None,
    cache: Path | None = None,
) -> dict[str, Scorer]:
    """The systems of these names; `all` stands for every one.

    `model` is a folder of AcroBERT's weights (None: the packaged ones), loaded once and only when
    needed; `cache` a folder for its vectors of long forms. Raises InputError for an unknown name.
    """
    wanted = list(dict.fromkeys(names))
    if "all" in wanted:
        wanted = list(SYSTEMS)
    if unknown := [name for name in wanted if name not in SYSTEMS]:
        raise InputError(f"There is no system {unknown[0]!r}: choose from {', '.join(SYSTEMS)}.")
    systems: dict[str, Scorer] = {
        "first": FirstCandidate().predict,
        "popularity": Popularity().predict,
    }
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
