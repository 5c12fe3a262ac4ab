"""The package's own concept linker, trained on the parts of a set."""

from dataclasses import dataclass

from ....training.concept_linker import train_concept_linker
from ...options import Base, Device
from ..data import Mentions, Training
from ..system import SYSTEMS, LinkingSystem, Ranking
from ..vectors import load_encoder

DENSE = 40_000
"""Maximum number of names for an exact search, which encodes all of them. Larger inventories are
searched by trigrams first."""


@SYSTEMS.register("ours-as-it-is", "Our concept linker without fine-tuning.", "ours", aligned=False)
@SYSTEMS.register("ours", "Our concept linker with an aligned encoder.", "ours")
@dataclass
class OurLinker(LinkingSystem):
    """The concept linker, trained on the parts of a data set.

    Attributes:
        aligned: Whether to align the encoder with the inventory's names first.
        base: Checkpoint of the encoder. None for the packaged AcroBERT's.
        device: The device to compute on.
    """

    aligned: bool = True
    base: Base = None
    device: Device = "cpu"

    def fit(self, training: Training) -> None:
        """Train the linker on `train` and fit its weights on `dev`. It stores the phrases of both.

        Args:
            training: The inventory of concepts and the linked training phrases.
        """
        self._linker = train_concept_linker(
            training.inventory,
            training.train,
            training.dev,
            load_encoder(self.base, self.device),
            aligned=self.aligned,
            dense=len(training.inventory.names) <= DENSE,
        )

    def rank(self, mentions: Mentions, k: int) -> list[Ranking]:
        """Rank concepts by their probabilities.

        Args:
            mentions: Phrases to link, with their contexts if available.
            k: Maximum number of concepts to return.

        Returns:
            For each mention, its concepts with their scores, best first.
        """
        return self._linker.rank(mentions, k)
