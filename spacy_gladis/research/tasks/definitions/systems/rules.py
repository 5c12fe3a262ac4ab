"""Systems that find definitions by the rules of this package.

The rules score each candidate pair by weights. The weights are either the packaged ones or fitted
by cross-validation.
"""

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
    """Finds definitions with the pipeline component `acronym_detector` and its default settings."""

    def fit(self, training: Training) -> None:
        """Create a blank English pipeline with the component. Nothing is trained.

        Args:
            training: Not used, because the component needs no training data.
        """
        nlp = spacy.blank("en")
        nlp.add_pipe("acronym_detector")
        self._detector: Any = nlp.get_pipe("acronym_detector")

    def answer(self, question: str) -> set[Pair]:
        """Find the distinct (acronym, long form) pairs that a text defines.

        Args:
            question: Text in which definitions are looked for.

        Returns:
            The distinct (acronym, long form) pairs.
        """
        return pairs_of(question, self._detector.find(question).definitions)


@SYSTEMS.register("find_definitions", "Our rules with the packaged weights.", "ours")
@dataclass
class Rules(DefinitionSystem):
    """Finds definitions by this package's rules with the packaged weights.

    The weights were fitted on all of Ab3P's corpus. Scores on this corpus are therefore too high.
    `CrossValidated` gives comparable ones.
    """

    def answer(self, question: str) -> set[Pair]:
        """Find the distinct (acronym, long form) pairs that a text defines.

        Args:
            question: Text in which definitions are looked for.

        Returns:
            The distinct (acronym, long form) pairs.
        """
        return pairs_of(question, find_definitions(question))


@SYSTEMS.register("schwartz_hearst", "Schwartz and Hearst's rules.", "Schwartz and Hearst 2003")
@dataclass
class SchwartzHearst(DefinitionSystem):
    """Finds definitions by the rules of Schwartz and Hearst (2003), as this package has them."""

    def answer(self, question: str) -> set[Pair]:
        """Find the distinct (acronym, long form) pairs that a text defines.

        Args:
            question: Text in which definitions are looked for.

        Returns:
            The distinct (acronym, long form) pairs.
        """
        return pairs_of(question, schwartz_hearst(question))


@SYSTEMS.register("cross-validated", "Our rules with weights fitted on the other folds.", "ours")
@dataclass
class CrossValidated(DefinitionSystem):
    """Finds definitions by this package's rules, with weights fitted by cross-validation.

    The abstracts are divided into folds at random. The definitions of an abstract are found with
    weights that were fitted on all folds but its own.

    Attributes:
        folds: Number of folds, at least 2.
    """

    folds: Annotated[
        int, typer.Option(min=2, help="Number of folds for fitting the weights of the rules.")
    ] = 5

    def fit(self, training: Training) -> None:
        """Fit the weights of the rules for each fold on the abstracts of the other folds.

        Args:
            training: Abstracts with their definitions. Their texts are also the test questions.
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
            question: Text of one of the abstracts that were passed to `fit`.

        Returns:
            The distinct (acronym, long form) pairs.

        Raises:
            KeyError: If the text is not one of these abstracts.
        """
        return pairs_of(question, find_definitions(question, score=scorer(self._weights[question])))
