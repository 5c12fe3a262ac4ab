"""n.3, n.5, n.6: a map from terms to concepts, learnt with a max-margin triplet loss (COMETA)."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ....arrays import Floats
from ....concepts import Inventory
from ....errors import InputError
from .embeddings import MakeEmbed, unit
from .protocol import Mentions, PhraseRanker, Ranking

MARGIN = 0.2
STEPS, BATCH, RATE = 600, 128, 1e-3

Targets = Callable[[Inventory, Mentions], Floats]
"""One unit vector a concept, float32 [concepts, width]."""


def concatenated(*parts: Targets) -> Targets:
    """Targets side by side, each of equal weight."""

    def make(inventory: Inventory, train: Mentions) -> Floats:
        return unit(np.concatenate([part(inventory, train) for part in parts], axis=1))

    return make


class AlignmentModel(PhraseRanker):
    """Maps a term's vector into the space of concepts' vectors and ranks by the cosine.

    The loss of a term is `max(0, margin - cos(right) + cos(hardest))`, where the hardest is the
    nearest other concept of the batch. Terms are the concepts' names and the training phrases.

    targets: the concepts' vectors; they stay as they are.
    make_embed: the terms' vectors, [texts, width]; or with several layers, [texts, layers, width],
        under an attention that is learnt with the map, a softmax over one number a layer
        (multi-level attention).
    """

    def __init__(self, targets: Targets, make_embed: MakeEmbed) -> None:
        self._make_targets, self._make_embed = targets, make_embed

    def fit(self, inventory: Inventory, train: Mentions, dev: Mentions) -> None:
        """Learn the map. Raises InputError where no training concept is in the inventory."""
        import torch
        from torch.nn import functional as F  # noqa: N812

        self._targets = self._make_targets(inventory, train)
        self._embed = self._make_embed(inventory, train)
        pairs = [
            (one.phrase, number)
            for one in train
            for id in one.concepts
            if (number := inventory.find(id)) is not None
        ]
        linked = sorted({number for _, number in pairs})
        pairs += [(inventory.preferred(number), number) for number in linked]
        pairs = list(dict.fromkeys(pairs))
        if not pairs:
            raise InputError("No training phrase has a concept of the inventory.")
        terms = torch.from_numpy(self._layers([phrase for phrase, _ in pairs]))
        right = torch.tensor([number for _, number in pairs])
        wanted = torch.from_numpy(self._targets)
        torch.manual_seed(0)
        attention = torch.zeros(terms.shape[1], requires_grad=True)
        projection = torch.nn.Linear(terms.shape[2], wanted.shape[1])
        optimizer = torch.optim.Adam([attention, *projection.parameters()], RATE)
        for _ in range(STEPS):
            rows = torch.randperm(len(pairs))[:BATCH]
            mixed = torch.einsum("l,blw->bw", attention.softmax(0), terms[rows])
            mapped = F.normalize(projection(mixed), dim=-1)
            cosines = mapped @ wanted[right[rows]].T
            same = right[rows][:, None] == right[rows][None, :]
            hardest = cosines.masked_fill(same, -1).amax(1)
            loss = (MARGIN - cosines.diagonal() + hardest).relu().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        self._attention = attention.detach().softmax(0).numpy()
        self._weight = projection.weight.detach().numpy()
        self._bias = projection.bias.detach().numpy()

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Exact: every concept is compared."""
        mixed = np.einsum("l,blw->bw", self._attention, self._layers(phrases))
        for vector in unit(mixed @ self._weight.T + self._bias):
            cosines = self._targets @ vector
            best = np.argsort(-cosines, kind="stable")[:k]
            yield [(int(concept), float(cosines[concept])) for concept in best]

    def _layers(self, texts: Sequence[str]) -> Floats:
        """The terms' vectors with an axis of layers, [texts, layers, width]."""
        vectors = self._embed(texts)
        return vectors if vectors.ndim == 3 else vectors[:, None]
