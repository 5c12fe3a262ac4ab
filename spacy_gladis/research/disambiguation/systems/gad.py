"""GAD: disambiguation with the graph of the syntax (Pouran Ben Veyseh et al. 2020, section 4.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....dictionary import Candidate
from ....errors import InputError
from ...datasets.sample import Sample
from ...spacy_pipeline import load_with
from ...vocabulary import FIRST, batches, number
from .protocol import Baseline, Floats, Scores
from .trees import Tree, parse

if TYPE_CHECKING:
    from .gad_network import Batch, GADNetwork

READ_AT_ONCE = 64
"""Trees in a batch that is only read."""


@dataclass(frozen=True)
class GADTraining:
    """epochs: at most so many; patience: epochs without a better development score that end it.
    unknown: share of the words that training hides, so that the unknown word is learnt, too."""

    epochs: int = 15
    patience: int = 3
    batch_size: int = 16
    learning_rate: float = 2e-3
    unknown: float = 0.1


class GAD(Baseline):
    """A classifier over all long forms of the training samples; it knows no other.

    parser: a spaCy pipeline with a parser, by folder or name. graph: with the convolution over the
    tree; without it what is left is a BiLSTM.
    """

    def __init__(
        self,
        parser: str,
        seed: int = 0,
        *,
        graph: bool = True,
        training: GADTraining | None = None,
    ) -> None:
        self.nlp = load_with(parser, "parser", ["parser"])
        self.seed, self.graph = seed, graph
        self.training = training or GADTraining()
        self._network: GADNetwork | None = None
        self._words: dict[str, int] = {}
        self._tags: dict[str, int] = {}
        self._long_forms: dict[str, int] = {}

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Train; the weights that answer most development samples right are kept.

        Raises InputError without samples, and for a text that was not parsed.
        """
        import torch

        from .gad_network import GADNetwork, GADSizes

        rows, held_out = list(samples), list(development)
        if not rows:
            raise InputError("GAD learns from labelled samples: give some.")
        trees, held_out_trees = parse(self.nlp, rows), parse(self.nlp, held_out)
        self._words = number(word for tree in trees for word in tree.words)
        self._tags = number(tag for tree in trees for tag in tree.tags)
        self._long_forms = {name: at for at, name in enumerate(sorted({s.long_form for s in rows}))}
        answers = torch.tensor([self._long_forms[sample.long_form] for sample in rows])

        lengths = [len(tree.words) for tree in trees]

        torch.manual_seed(self.seed)
        rng = np.random.default_rng(self.seed)
        network = GADNetwork(
            len(self._words) + FIRST,
            len(self._tags) + FIRST,
            len(self._long_forms),
            GADSizes(graph=2 if self.graph else 0),
        )
        network.start_from_pieces(list(self._words))
        optimizer = torch.optim.Adam(network.parameters(), lr=self.training.learning_rate)
        best, kept, stale = -1.0, network.state_dict(), 0
        for _ in range(self.training.epochs):
            network.train()
            for indices in batches(lengths, self.training.batch_size, rng):
                batch = self._batch([trees[index] for index in indices], rng)
                optimizer.zero_grad()
                loss = torch.nn.functional.cross_entropy(network(batch), answers[indices])
                loss.backward()
                optimizer.step()
            self._network = network.eval()
            score = self._accuracy(held_out_trees or trees, held_out or rows)
            stale = 0 if score > best else stale + 1
            if score > best:
                best = score
                kept = {name: value.clone() for name, value in network.state_dict().items()}
            if stale == self.training.patience:
                break
        network.load_state_dict(kept)

    def predict(
        self, samples: Sequence[Sample], candidates: Sequence[Sequence[Candidate]]
    ) -> Scores:
        """Probabilities among the candidates that training showed; 0 of the others."""
        probabilities = self._probabilities(parse(self.nlp, samples))
        scores = []
        for row, options in zip(probabilities, candidates, strict=True):
            found = np.append(row, 0.0)
            indices = [self._long_forms.get(one.long_form, len(row)) for one in options]
            scores.append(found[indices].astype(np.float64))
        return scores

    def _probabilities(self, trees: Sequence[Tree]) -> Floats:
        """Probabilities of all long forms, [trees, long forms]."""
        import torch

        if self._network is None:
            raise InputError("GAD must be trained before it is asked.")
        order = sorted(range(len(trees)), key=lambda index: len(trees[index].words))
        probabilities = np.zeros((len(trees), len(self._long_forms)))
        with torch.inference_mode():
            for first in range(0, len(order), READ_AT_ONCE):
                indices = order[first : first + READ_AT_ONCE]
                logits = self._network(self._batch([trees[index] for index in indices]))
                probabilities[indices] = torch.softmax(logits, -1).numpy()
        return probabilities

    def _accuracy(self, trees: Sequence[Tree], samples: Sequence[Sample]) -> float:
        chosen = self._probabilities(trees).argmax(1).tolist()
        right = [
            index == self._long_forms.get(sample.long_form)
            for index, sample in zip(chosen, samples, strict=True)
        ]
        return float(np.mean(right))

    def _batch(self, trees: Sequence[Tree], hide: np.random.Generator | None = None) -> "Batch":
        from ...bilstm import hide_words
        from .gad_network import make_batch

        batch = make_batch(trees, self._words, self._tags)
        if hide is not None:
            hide_words(batch.words, self.training.unknown, hide)
        return batch


def bilstm(parser: str, seed: int = 0) -> GAD:
    """GAD without its graph: what the graph is worth is the difference."""
    return GAD(parser, seed, graph=False)
