"""Systems that find definitions with other Python packages, for comparison."""

from dataclasses import dataclass
from typing import Any

import spacy

from .....errors import require
from ....datasets.bioc import Pair
from ..data import Training
from ..system import SYSTEMS, DefinitionSystem


@SYSTEMS.register("scispacy", "scispaCy's abbreviation detector.", "package scispacy")
@dataclass
class SciSpacy(DefinitionSystem):
    """Finds definitions with scispaCy's abbreviation detector in a blank English pipeline."""

    def fit(self, training: Training) -> None:
        """Create a blank English pipeline with scispaCy's detector. Nothing is trained.

        Args:
            training: Not used, because the detector needs no training data.

        Raises:
            MissingExtraError: If scispaCy is not installed.
        """
        require("scispacy.abbreviation", "bench")  # registers the pipe
        self._nlp = spacy.blank("en")
        self._nlp.add_pipe("abbreviation_detector")
        self._nlp.max_length = 1 << 40

    def answer(self, question: str) -> set[Pair]:
        """Find the distinct (acronym, long form) pairs that a text defines.

        Args:
            question: Text in which definitions are looked for.

        Returns:
            The distinct (acronym, long form) pairs that the package finds.
        """
        spans: list[Any] = self._nlp(question)._.abbreviations
        return {(span.text, span._.long_form.text) for span in spans}


@SYSTEMS.register("abbreviations", "Schwartz and Hearst's rules.", "package abbreviations")
@dataclass
class Abbreviations(DefinitionSystem):
    """Finds definitions by Schwartz and Hearst's rules, with the package `abbreviations`."""

    def fit(self, training: Training) -> None:
        """Import the package `abbreviations`. Nothing is trained.

        Args:
            training: Not used, because the rules need no training data.

        Raises:
            MissingExtraError: If the package `abbreviations` is not installed.
        """
        self._package = require("abbreviations.schwartz_hearst", "bench")

    def answer(self, question: str) -> set[Pair]:
        """Find the distinct (acronym, long form) pairs that a text defines.

        Args:
            question: Text in which definitions are looked for.

        Returns:
            The distinct (acronym, long form) pairs that the package finds.
        """
        return set(self._package.extract_abbreviation_definition_pairs(doc_text=question).items())


@SYSTEMS.register(
    "abbreviation_extractor", "Schwartz and Hearst's rules.", "package abbreviation_extractor"
)
@dataclass
class AbbreviationExtractor(DefinitionSystem):
    """Finds definitions by Schwartz and Hearst's rules, with the package `abbreviation_extractor`.

    The package is written in Rust.
    """

    def fit(self, training: Training) -> None:
        """Import the package `abbreviation_extractor`. Nothing is trained.

        Args:
            training: Not used, because the rules need no training data.

        Raises:
            MissingExtraError: If the package `abbreviation_extractor` is not installed.
        """
        self._package = require("abbreviation_extractor", "bench")

    def answer(self, question: str) -> set[Pair]:
        """Find the distinct (acronym, long form) pairs that a text defines.

        Args:
            question: Text in which definitions are looked for.

        Returns:
            The distinct (acronym, long form) pairs that the package finds.
        """
        definitions = self._package.extract_abbreviation_definition_pairs(question)
        return {(item.abbreviation, item.definition) for item in definitions}


@SYSTEMS.register("pyab3p", "Ab3P, the NLM's program.", "Sohn et al. 2008, package pyab3p")
@dataclass
class Ab3P(DefinitionSystem):
    """Finds definitions with Ab3P, a program of the US National Library of Medicine.

    Sohn et al. (2008) describe the program. The package `pyab3p` makes it available in Python.
    """

    def fit(self, training: Training) -> None:
        """Load the program Ab3P. Nothing is trained.

        Args:
            training: Not used, because the program needs no training data.

        Raises:
            MissingExtraError: If pyab3p is not installed.
        """
        self._program = require("pyab3p", "bench").Ab3p()

    def answer(self, question: str) -> set[Pair]:
        """Find the distinct (acronym, long form) pairs that a text defines.

        Args:
            question: Text in which definitions are looked for.

        Returns:
            The distinct (acronym, long form) pairs that the package finds.
        """
        return {(item.short_form, item.long_form) for item in self._program.get_abbrs(question)}
