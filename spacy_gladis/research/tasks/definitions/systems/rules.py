"""The package's rules, with packaged weights and with weights fitted by cross-validation."""

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


@SYSTEMS.register("acronym_detector", "The component with its defaults.", "ours")
@dataclass
class Detector(DefinitionSystem):
    """The component `acronym_detector` with its defaults."""

    def fit(self, training: Training) -> None:
        """Create the pipeline. Nothing is trained.

        Args:
            training: Not used by this system.
        """
        nlp = spacy.blank("en")
        nlp.add_pipe("acronym_detector")
        self._detector: Any = nlp.get_pipe("acronym_detector")

    def answer(self, question: str) -> set[Pair]:
        """Find the distinct (acronym, long form) pairs that a text defines.

        Args:
            question: Text to search.

        Returns:
            The distinct (acronym, long form) pairs.
        """
        return pairs_of(question, self._detector.find(question).definitions)


@SYSTEMS.register("find_definitions", "Our rules with the packaged weights.", "ours")
@dataclass
class Rules(DefinitionSystem):
    """The rules with the packaged weights, which are fitted on Ab3P's corpus itself."""

    def answer(self, question: str) -> set[Pair]:
        """Find the distinct (acronym, long form) pairs that a text defines.

        Args:
            question: Text to search.

        Returns:
            The distinct (acronym, long form) pairs.
        """
        return pairs_of(question, find_definitions(question))


@SYSTEMS.register("schwartz_hearst", "Schwartz and Hearst's rules.", "Schwartz and Hearst 2003")
@dataclass
class SchwartzHearst(DefinitionSystem):
    """Schwartz and Hearst's rules (2003), as this package implements them."""

    def answer(self, question: str) -> set[Pair]:
        """Find the distinct (acronym, long form) pairs that a text defines.

        Args:
            question: Text to search.

        Returns:
            The distinct (acronym, long form) pairs.
        """
        return pairs_of(question, schwartz_hearst(question))


@SYSTEMS.register("cross-validated", "Our rules with weights fitted on the other folds.", "ours")
@dataclass
class CrossValidated(DefinitionSystem):
    """The package's rules, with weights fitted by cross-validation.

    Each abstract is scored with weights that were fitted on the other folds.

    Attributes:
        folds: The number of folds, at least 2.
    """

    folds: Annotated[
        int, typer.Option(min=2, help="Number of folds for fitting the weights of the rules.")
    ] = 5

    def fit(self, training: Training) -> None:
        """Fit the weights for each fold on the other folds.

        Args:
            training: The abstracts, which are also the questions.
        """
        fold_of = [index % self.folds for index in range(len(training))]
        random.Random(0).shuffle(fold_of)
        self._weights: dict[str, dict[str, float]] = {}
        for others, held_out in by_folds(training, fold_of):
            weights = fit_pair_scorer((abstract.text, abstract.definitions) for abstract in others)
            self._weights.update((abstract.text, weights) for abstract in held_out)

    def answer(self, question: str) -> set[Pair]:
        """Find the distinct (acronym, long form) pairs that a text defines.

        Args:
            question: The text of one of the abstracts.

        Returns:
            The distinct (acronym, long form) pairs.
        """
        return pairs_of(question, find_definitions(question, score=scorer(self._weights[question])))
