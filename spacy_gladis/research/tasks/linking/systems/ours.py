"""The systems `ours` and `ours-as-it-is`: this package's concept linker."""

from dataclasses import dataclass

from ....training.concept_linker import train_concept_linker
from ...options import Base, Device
from ..data import Mentions, Training
from ..system import SYSTEMS, LinkingSystem, Ranking
from ..vectors import load_encoder

DENSE = 40_000
"""Maximum number of names in an inventory for an exact search, which compares all vectors. In a
larger inventory, a search by trigrams selects names first."""


@SYSTEMS.register("ours-as-it-is", "Our concept linker without fine-tuning.", "ours", aligned=False)
@SYSTEMS.register("ours", "Our concept linker with an aligned encoder.", "ours")
@dataclass
class OurLinker(LinkingSystem):
    """Links phrases with this package's concept linker, which is trained on the data set.

    Attributes:
        aligned: Whether to train the encoder on the names of the inventory first.
        base: Checkpoint of the encoder: a folder, `package:NAME` or a Hugging Face name. None for
            the packaged AcroBERT.
        device: Torch device to compute on, such as "cuda".
    """

    aligned: bool = True
    base: Base = None
    device: Device = "cpu"

    def fit(self, training: Training) -> None:
        """Train the concept linker, and fit the weights of its evidence on the development part.

        The linker stores the phrases of both parts with their concepts.

        Args:
            training: Inventory of concepts, and the linked phrases of the training and development
                parts.
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
        """Rank concepts by the probability that each mention refers to them.

        Args:
            mentions: Phrases to link, with their contexts if available.
            k: Maximum number of concepts to return for a mention.

        Returns:
            For each mention, pairs of a concept's index in the inventory and its probability. The
            best concept comes first.
        """
        return self._linker.rank(mentions, k)
