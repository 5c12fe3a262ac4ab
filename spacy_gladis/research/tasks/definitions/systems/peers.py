"""Tools that others publish."""

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
    """scispaCy's abbreviation detector."""

    def fit(self, training: Training) -> None:
        """Make the pipeline; nothing is learnt."""
        require("scispacy.abbreviation", "bench")  # registers the pipe
        self._nlp = spacy.blank("en")
        self._nlp.add_pipe("abbreviation_detector")
        self._nlp.max_length = 1 << 40

    def answer(self, question: str) -> set[Pair]:
        """Find the pairs of one text."""
        found: list[Any] = self._nlp(question)._.abbreviations
        return {(span.text, span._.long_form.text) for span in found}


@SYSTEMS.register("abbreviations", "Schwartz and Hearst's rules.", "package abbreviations")
@dataclass
class Abbreviations(DefinitionSystem):
    """Schwartz and Hearst's rules, as `abbreviations` has them."""

    def fit(self, training: Training) -> None:
        """Import the package; nothing is learnt."""
        self._package = require("abbreviations.schwartz_hearst", "bench")

    def answer(self, question: str) -> set[Pair]:
        """Find the pairs of one text."""
        return set(self._package.extract_abbreviation_definition_pairs(doc_text=question).items())


@SYSTEMS.register(
    "abbreviation_extractor", "Schwartz and Hearst's rules.", "package abbreviation_extractor"
)
@dataclass
class AbbreviationExtractor(DefinitionSystem):
    """Schwartz and Hearst's rules, as `abbreviation_extractor` has them."""

    def fit(self, training: Training) -> None:
        """Import the package; nothing is learnt."""
        self._package = require("abbreviation_extractor", "bench")

    def answer(self, question: str) -> set[Pair]:
        """Find the pairs of one text."""
        found = self._package.extract_abbreviation_definition_pairs(question)
        return {(one.abbreviation, one.definition) for one in found}


@SYSTEMS.register("pyab3p", "Ab3P, the NLM's program.", "Sohn et al. 2008, package pyab3p")
@dataclass
class Ab3P(DefinitionSystem):
    """Ab3P, the NLM's program."""

    def fit(self, training: Training) -> None:
        """Load the program; nothing is learnt."""
        self._program = require("pyab3p", "bench").Ab3p()

    def answer(self, question: str) -> set[Pair]:
        """Find the pairs of one text."""
        return {(one.short_form, one.long_form) for one in self._program.get_abbrs(question)}
