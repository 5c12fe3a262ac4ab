"""The systems `n.1` to `n.6`: vectors of terms are mapped to vectors of concepts.

COMETA, section 4.2, describes these systems. A vector joins one or more *views*, such as FastText
and BERT vectors. The views of each system (Table 4), the 100 epochs and the batch size of 64 are
those of the authors' program (github.com/cambridgeltl/cometa). The training differs from theirs:

- Their learning rate for n.6 is 1e-5. Here, it is 1e-4 for all systems.
- For n.1 to n.5, they keep the weights with the best sum of Acc@1, Acc@10 and Acc@100 on the
  development part. For n.6, they keep those with the best Acc@1 on the test part. Here, the weights
  with the best Acc@1 on the development part are kept for all systems.
- Their program keeps one term for each concept of a batch, and does not reset the gradients between
  steps. Here, all terms are used and the gradients are reset.
- The paper joins the vectors of labels and of the graph as they are. Here, each of them is scaled
  to length 1 first.
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
    """Network that maps the vectors of terms to vectors of concepts.

    The network is a linear map of the term's joined views, optionally followed by ReLU. Before
    that, two views are transformed:

    - The view `MLA` has a vector for each layer of BERT. Multi-level attention combines them into
      a weighted sum. The weights are the softmax of [layer . memory]+.
    - The FastText view goes through a separate linear map with ReLU, [W x + b]+. This is left out
      if the term has no other view.
    """

    def __init__(self, widths: dict[str, int], width: int, relu: bool) -> None:
        """Create the layers of the network with random weights.

        Args:
            widths: Number of dimensions of each view of a term, by the name of the view.
            width: Number of dimensions of the concepts' vectors.
            relu: Whether ReLU follows the linear map.
        """
        super().__init__()
        self.views, self.relu = list(widths), relu
        if MLA in widths:
            self.memory = nn.Parameter(torch.empty(1, widths[MLA]))
            nn.init.xavier_uniform_(self.memory)
        self.first = nn.Linear(widths[FT], widths[FT]) if FT in widths and len(widths) > 1 else None
        self.linear = nn.Linear(sum(widths.values()), width)

    def forward(self, views: Sequence[Tensor]) -> Tensor:
        """Map the vectors of terms to the vector space of concepts.

        Args:
            views: Vectors of the terms for each view, [terms, width]. The view `MLA` has a vector
                for each layer, [terms, layers, width].

        Returns:
            A vector of length 1 for each term, [terms, width].
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
    """Links terms by mapping their vectors to the vectors of concepts, which are ranked by cosine.

    Only the map is trained. The loss of a term is [margin - cos(gold) + cos(hardest)]+ (COMETA,
    equation 1). Here, "hardest" is the concept that is closest to the term among the gold concepts
    of the other terms in the batch. BERT reads terms in their contexts.

    Attributes:
        terms: Names of the views that are joined to a term's vector.
        targets: Names of the views that are joined to a concept's vector.
        relu: Whether ReLU follows the linear map.
        base: Checkpoint of the BERT encoder: a folder, `package:NAME` or a Hugging Face name. None
            for the packaged AcroBERT.
        device: Torch device to compute the BERT vectors on, such as "cuda".
        margin: Margin of the loss.
        epochs: Number of passes over the training part. The weights of the pass with the best
            accuracy on the development part are kept, or those of the last pass if there is no such
            part.
        batch: Number of terms in a training step.
        learning_rate: Learning rate of the AdamW optimizer.
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
        """Compute the vectors of terms and concepts, and train the map between them.

        Args:
            training: Inventory of concepts, and the linked phrases of the training and development
                parts.

        Raises:
            InputError: If no training phrase has a concept of the inventory, or if node2vec is one
                of the views and no concept has a parent.
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
            raise InputError(
                "No training phrase has a concept of the inventory. Use the inventory that belongs "
                "to the data set, or pass --complete."
            )
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
        """Rank all concepts of the inventory by their cosines with each mention.

        Args:
            mentions: Phrases to link, with their contexts if available.
            k: Maximum number of concepts to return for a mention.

        Returns:
            For each mention, pairs of a concept's index in the inventory and its cosine. The best
            concept comes first.
        """
        return self._rank(self._views(mentions), k) if mentions else []

    def _rank(self, views: Sequence[Tensor], k: int) -> list[Ranking]:
        with torch.inference_mode():
            cosines = self._model(views) @ self._targets.T
            scores, concepts = cosines.topk(min(k, cosines.shape[1]))
        rows = zip(concepts.tolist(), scores.tolist(), strict=True)
        return [list(zip(*row, strict=True)) for row in rows]

    def _views(self, mentions: Mentions) -> list[Tensor]:
        """Return the vectors of all terms for each view of `terms`."""
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
