"""An inventory's concepts for the mentions of a document, as the linker asks for them."""

from collections.abc import Sequence
from typing import NamedTuple

from ...concepts import Inventory
from ...concepts.mention import ConceptMention
from ...dictionary import Dictionary
from ...errors import InputError
from ..acrobert import AcroBERT
from ..disambiguator import Mention
from .evidence import EvidenceFinder
from .linker import ConceptLinker
from .memory import LinkedNames
from .vectors import NameVectors

MOST = 16
"""Concepts with their probabilities, of those shortlisted."""


class ConceptCandidate(NamedTuple):
    """A concept: its preferred name, and its id."""

    long_form: str
    concept: str


class ConceptDisambiguator:
    """Answers as `Disambiguator` does, with concepts in the place of long forms.

    Nothing was linked before: names and vectors alone decide. An acronym that the text defines is
    compared in its long form, too.
    """

    def __init__(self, model: AcroBERT, inventory: Inventory) -> None:
        self.inventory = inventory
        finder = EvidenceFinder(LinkedNames(inventory), NameVectors(model))
        self._linker = ConceptLinker(finder)

    def with_dictionary(self, dictionary: Dictionary) -> "ConceptDisambiguator":
        """Raises InputError: an inventory takes no entries of a user's own."""
        raise InputError(
            "An inventory of concepts takes no entries of your own: build another one."
        )

    def resolve(self, mentions: Sequence[Mention]) -> list[list[tuple[ConceptCandidate, float]]]:
        """Each mention's concepts with their probabilities, best first."""
        asked = [
            ConceptMention(one.text[one.start : one.end], (), one.text, one.start)
            for one in mentions
        ]
        return [
            [
                (ConceptCandidate(self.inventory.preferred(one), self.inventory.ids[one]), share)
                for one, share in row
            ]
            for row in self._linker.rank(asked, MOST)
        ]
