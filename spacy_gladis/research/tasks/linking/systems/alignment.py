"""Systems n.1 to n.6: alignment of terms with vectors of concepts (COMETA, section 4.2).

The views that each row of the paper's Table 4 maps, the 100 epochs of AdamW and the batches of 64
are those of the authors' program (github.com/cambridgeltl/cometa).
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from .....arrays import Floats
from .....concepts import ConceptMention
from .....errors import InputError
from ...options import Base, Device
from ..data import Mentions, Training
from ..system import SYSTEMS, LinkingSystem, Ranking
from ..vectors import fasttext, label_vectors, mean_vectors, node2vec, once, term_layers, unit

FT, BERT, MLA, GRAPH = "fasttext", "bert", "bert-mla", "node2vec"


class Aligner(nn.Module):
    """The alignment model: a linear map, optionally followed by ReLU.

    Multi-Level Attention fuses the layers of the view `MLA`. Their weights are the softmax of
    [layer . memory]+. FastText's view goes through a map of its own, [W x + b]+, when there is
    another view.
    """

    def __init__(self, widths: dict[str, int], width: int, relu: bool) -> None:
        """Create the linear map.

        Args:
            widths: Width of each view of a term, by its name.
            width: Width of the concepts' vectors.
            relu: Whether ReLU follows the map.
        """
        super().__init__()
        self.views, self.relu = list(widths), relu
        if MLA in widths:
            self.memory = nn.Parameter(torch.empty(1, widths[MLA]))
            nn.init.xavier_uniform_(self.memory)
        self.first = nn.Linear(widths[FT], widths[FT]) if FT in widths and len(widths) > 1 else None
        self.linear = nn.Linear(sum(widths.values()), width)

    def forward(self, views: Sequence[Tensor]) -> Tensor:
        """Map terms into the space of concepts.

        Args:
            views: For each view [terms, width], or [terms, layers, width] for `MLA`.

        Returns:
            Unit vectors [terms, width].
        """
        parts = []
        for name, view in zip(self.views, views, strict=True):
            if name == MLA:
                weights = (view @ self.memory[0]).relu().softmax(-1)
                view = torch.einsum("bl,blw->bw", weights, view)
            elif name == FT and self.first is not None:
                view = self.first(view).relu()
            parts.append(view)
        mapped = self.linear(torch.cat(parts, -1))
        return F.normalize(mapped.relu() if self.relu else mapped, dim=-1)


SECTION = "COMETA, section 4.2"


@SYSTEMS.register(
    "n.6 ft + bert-mla to ft + bert + node2vec",
    "All views of terms and of concepts, concatenated.",
    SECTION,
    terms=(FT, MLA),
    targets=(FT, BERT, GRAPH),
    relu=False,
)
@SYSTEMS.register(
    "n.5 ft to ft + node2vec",
    "FastText terms to labels and graph.",
    SECTION,
    terms=(FT,),
    targets=(FT, GRAPH),
)
@SYSTEMS.register(
    "n.4 ft to node2vec", "FastText terms to the graph.", SECTION, terms=(FT,), targets=(GRAPH,)
)
@SYSTEMS.register(
    "n.3 bert-mla to bert",
    "BERT terms, with attention over all layers, to labels.",
    SECTION,
    terms=(MLA,),
    targets=(BERT,),
    relu=False,
)
@SYSTEMS.register(
    "n.2 bert to bert", "BERT terms to labels.", SECTION, terms=(BERT,), targets=(BERT,)
)
@SYSTEMS.register("n.1 ft to ft", "FastText terms to labels.", SECTION, terms=(FT,), targets=(FT,))
@dataclass
class Alignment(LinkingSystem):
    """Maps a term's vector into the space of the concepts' vectors, and ranks concepts by cosine.

    The loss of a term is [margin - cos(gold) + cos(hardest)]+ (equation 1), where the hardest
    concept is the nearest other one of the batch. BERT reads terms in their contexts and is not
    trained.

    Attributes:
        terms: Names of the views that are concatenated to a term's vector.
        targets: Names of the views that are concatenated to a concept's vector. They are not
            trained.
        relu: Whether ReLU follows the linear map.
        base: Checkpoint of the encoder. None for the packaged AcroBERT's.
        device: The device to compute on.
        margin: Margin of the loss.
        epochs: Number of passes over the training part. The weights of the best pass, as measured
            on the development part, are kept.
        batch: Number of terms in a training step.
        learning_rate: AdamW's learning rate.
    """

    terms: tuple[str, ...]
    targets: tuple[str, ...]
    relu: bool = True
    base: Base = None
    device: Device = "cpu"
    margin: float = 0.2
    epochs: int = 100
    batch: int = 64
    learning_rate: float = 1e-4

    def fit(self, training: Training) -> None:
        """Train the alignment model.

        Args:
            training: The inventory of concepts and the linked training phrases.

        Raises:
            InputError: If no training term has a concept of the inventory, or there is no graph.
        """
        self._training, inventory = training, training.inventory
        self._fasttext = (
            once(training, FT, lambda: fasttext(training)) if FT in self.terms else None
        )
        makers = {
            FT: lambda: label_vectors(inventory, once(training, FT, lambda: fasttext(training))),
            BERT: lambda: label_vectors(inventory, mean_vectors(self.base, self.device)),
            GRAPH: lambda: node2vec(inventory),
        }
        targets = [once(training, f"{name} {self.base}", makers[name]) for name in self.targets]
        self._targets = torch.from_numpy(unit(np.concatenate(targets, axis=1)))
        pairs = [(m, number) for m in training.train for number in inventory.find_all(m.concepts)]
        if not pairs:
            raise InputError("No training phrase has a concept of the inventory.")
        views = self._views([mention for mention, _ in pairs])
        right = torch.tensor([number for _, number in pairs])
        gold = [inventory.find_all(mention.concepts) for mention in training.dev]
        held_out = self._views(training.dev) if training.dev else []
        torch.manual_seed(0)
        widths = {name: view.shape[-1] for name, view in zip(self.terms, views, strict=True)}
        self._model = Aligner(widths, self._targets.shape[1], self.relu)
        optimizer = torch.optim.AdamW(self._model.parameters(), self.learning_rate)
        best, weights = -1.0, self._model.state_dict()
        for _ in range(self.epochs):
            for rows in torch.randperm(len(pairs)).split(self.batch):
                cosines = self._model([v[rows] for v in views]) @ self._targets[right[rows]].T
                same = right[rows][:, None] == right[rows][None, :]
                hardest = cosines.masked_fill(same, -1).amax(1)
                loss = (self.margin - cosines.diagonal() + hardest).relu().sum()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            if held_out:
                first = [row[0][0] for row in self._rank(held_out, 1)]
                accuracy = float(
                    np.mean([n in concepts for n, concepts in zip(first, gold, strict=True)])
                )
                if accuracy > best:
                    best, weights = accuracy, deepcopy(self._model.state_dict())
            else:
                weights = self._model.state_dict()
        self._model.load_state_dict(weights)

    def rank(self, mentions: Mentions, k: int) -> list[Ranking]:
        """Rank concepts by their cosines with each mention, comparing all concepts.

        Args:
            mentions: Phrases to link, with their contexts if available.
            k: Maximum number of concepts to return.

        Returns:
            For each mention, its concepts with their scores, best first.
        """
        return self._rank(self._views(mentions), k) if mentions else []

    def _rank(self, views: Sequence[Tensor], k: int) -> list[Ranking]:
        with torch.inference_mode():
            cosines = self._model(views) @ self._targets.T
            scores, concepts = cosines.topk(min(k, cosines.shape[1]))
        rows = zip(concepts.tolist(), scores.tolist(), strict=True)
        return [list(zip(*row, strict=True)) for row in rows]

    def _views(self, mentions: Mentions) -> list[Tensor]:
        """Return the terms' vectors for each view."""
        read: dict[ConceptMention, Floats] = once(self._training, f"terms {self.base}", dict)
        if set(self.terms) & {BERT, MLA}:
            new = [mention for mention in dict.fromkeys(mentions) if mention not in read]
            layers: Any = term_layers(new, self.base, self.device) if new else []
            read.update(zip(new, layers, strict=True))

        def make(name: str) -> Floats:
            if self._fasttext and name == FT:
                return self._fasttext([mention.phrase for mention in mentions])
            layers = np.stack([read[mention] for mention in mentions])
            return layers if name == MLA else layers[:, -1]

        return [torch.from_numpy(make(name)) for name in self.terms]
