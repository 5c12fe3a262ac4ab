"""n.3, n.5 and n.6: terms mapped into the space of concepts (COMETA, section 4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional as F  # noqa: N812

from .....arrays import Floats
from .....errors import InputError
from ...options import Base, Device
from ..data import Training
from ..system import SYSTEMS, LinkingSystem, Ranking
from ..vectors import label_vectors, layer_vectors, load_encoder, mean_vectors, node2vec, unit


@SYSTEMS.register(
    "n.6 bert to labels and node2vec",
    "Terms mapped to labels and graph vectors side by side.",
    "COMETA, section 4",
    targets=("labels", "node2vec"),
)
@SYSTEMS.register(
    "n.5 bert to node2vec",
    "Terms mapped to graph vectors.",
    "COMETA, section 4",
    targets=("node2vec",),
)
@SYSTEMS.register(
    "n.3 layers to labels",
    "Terms, all layers under attention, mapped to labels.",
    "COMETA, section 4",
    targets=("labels",),
    layers=True,
)
@dataclass
class Alignment(LinkingSystem):
    """Maps a term's vector into the space of concepts' vectors and ranks by the cosine.

    The loss of a term is `max(0, margin - cos(right) + cos(hardest))`, where the hardest is the
    nearest other concept of the batch. Terms are the concepts' names and the training phrases.

    Attributes:
        targets: The concepts' vectors, side by side: labels, node2vec. They stay as they are.
        layers: Whether terms have a vector of each layer, under an attention that is learnt with
            the map: a softmax over one number a layer.
        base: The encoder; None for the packaged AcroBERT's.
        device: Where it computes.
        margin: Of the loss.
        steps: Steps of the training.
        batch: Terms a step.
        learning_rate: Of Adam.
    """

    targets: tuple[str, ...]
    layers: bool = False
    base: Base = None
    device: Device = "cpu"
    margin: float = 0.2
    steps: int = 600
    batch: int = 128
    learning_rate: float = 1e-3

    def fit(self, training: Training) -> None:
        """Learn the map.

        Raises:
            InputError: If no training concept is in the inventory.
        """
        inventory = training.inventory
        embed = mean_vectors(self.base, self.device)
        parts = {
            "labels": lambda: label_vectors(inventory, embed),
            "node2vec": lambda: node2vec(inventory),
        }
        vectors = [parts[name]() for name in self.targets]
        self._targets = unit(np.concatenate(vectors, axis=1)) if len(vectors) > 1 else vectors[0]
        self._embed = layer_vectors(load_encoder(self.base, self.device)) if self.layers else embed
        pairs = [
            (one.phrase, number)
            for one in training.train
            for id in one.concepts
            if (number := inventory.find(id)) is not None
        ]
        linked = sorted({number for _, number in pairs})
        pairs += [(inventory.preferred_name(number), number) for number in linked]
        pairs = list(dict.fromkeys(pairs))
        if not pairs:
            raise InputError("No training phrase has a concept of the inventory.")
        terms = torch.from_numpy(self._layers([phrase for phrase, _ in pairs]))
        right = torch.tensor([number for _, number in pairs])
        wanted = torch.from_numpy(self._targets)
        torch.manual_seed(0)
        attention = torch.zeros(terms.shape[1], requires_grad=True)
        projection = torch.nn.Linear(terms.shape[2], wanted.shape[1])
        optimizer = torch.optim.Adam([attention, *projection.parameters()], self.learning_rate)
        for _ in range(self.steps):
            rows = torch.randperm(len(pairs))[: self.batch]
            mixed = torch.einsum("l,blw->bw", attention.softmax(0), terms[rows])
            mapped = F.normalize(projection(mixed), dim=-1)
            cosines = mapped @ wanted[right[rows]].T
            same = right[rows][:, None] == right[rows][None, :]
            hardest = cosines.masked_fill(same, -1).amax(1)
            loss = (self.margin - cosines.diagonal() + hardest).relu().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        self._attention = attention.detach().softmax(0).numpy()
        self._weight, self._bias = (one.detach().numpy() for one in projection.parameters())

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Rank concepts by cosine; exact, every concept is compared."""
        mixed = np.einsum("l,blw->bw", self._attention, self._layers(phrases))
        for vector in unit(mixed @ self._weight.T + self._bias):
            cosines = self._targets @ vector
            best = np.argsort(-cosines, kind="stable")[:k]
            yield [(int(concept), float(cosines[concept])) for concept in best]

    def _layers(self, texts: Sequence[str]) -> Floats:
        """The terms' vectors with an axis of layers, [texts, layers, width]."""
        vectors = self._embed(texts)
        return vectors if vectors.ndim == 3 else vectors[:, None]
