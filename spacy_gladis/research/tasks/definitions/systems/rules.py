"""The package's rules, as they are and with weights fitted on other folds."""

import random
from dataclasses import dataclass
from typing import Annotated, Any

import spacy
import typer

from .....text import find_definitions, schwartz_hearst
from ....datasets.bioc import Pair
from ....datasets.split import by_folds
from ....training.pair_scorer import fit_pair_scorer, scorer
from ..data import Training
from ..system import SYSTEMS, DefinitionSystem, pairs_of


@SYSTEMS.register("acronym_detector", "The component as it is.", "ours")
@dataclass
class Detector(DefinitionSystem):
    """The definitions that the component finds."""

    def fit(self, training: Training) -> None:
        """Make the pipeline; nothing is learnt."""
        nlp = spacy.blank("en")
        nlp.add_pipe("acronym_detector")
        self._detector: Any = nlp.get_pipe("acronym_detector")

    def answer(self, question: str) -> set[Pair]:
        """Find the pairs of one text."""
        return pairs_of(question, self._detector.find(question).definitions)


@SYSTEMS.register("find_definitions", "Our rules with the packaged weights.", "ours")
@dataclass
class Rules(DefinitionSystem):
    """The rules, whose packaged weights are fitted on Ab3P's corpus itself."""

    def answer(self, question: str) -> set[Pair]:
        """Find the pairs of one text."""
        return pairs_of(question, find_definitions(question))


@SYSTEMS.register("schwartz_hearst", "Schwartz and Hearst's rules.", "Schwartz and Hearst 2003")
@dataclass
class SchwartzHearst(DefinitionSystem):
    """Schwartz and Hearst's rules."""

    def answer(self, question: str) -> set[Pair]:
        """Find the pairs of one text."""
        return pairs_of(question, schwartz_hearst(question))


@SYSTEMS.register("cross-validated", "Our rules with weights fitted on the other folds.", "ours")
@dataclass
class CrossValidated(DefinitionSystem):
    """The rules, each abstract with weights that were fitted without its fold.

    Attributes:
        folds: Parts that the abstracts are divided into.
    """

    folds: Annotated[int, typer.Option(min=2, help="Folds for the rules' own weights.")] = 5

    def fit(self, training: Training) -> None:
        """Fit the weights of each fold on the others."""
        fold_of = [index % self.folds for index in range(len(training))]
        random.Random(0).shuffle(fold_of)
        self._weights: dict[str, dict[str, float]] = {}
        for others, held_out in by_folds(training, fold_of):
            weights = fit_pair_scorer((one.text, one.definitions) for one in others)
            self._weights.update((one.text, weights) for one in held_out)

    def answer(self, question: str) -> set[Pair]:
        """Find the pairs of one text."""
        return pairs_of(question, find_definitions(question, score=scorer(self._weights[question])))
