"""GAD: disambiguation with the graph of the syntax (Pouran Ben Veyseh et al. 2020, section 4.2)."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from ....arrays import Doubles
from ....errors import InputError
from ...bilstm import LSTM, BiLSTM, Vocabulary, advice, epoch, hide_words, load_with
from ...datasets.sample import Sample
from .bert import TokenVectors
from .protocol import Baseline, Candidates, Scores

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

READ_AT_ONCE = 64
"""Trees in a batch that is only read."""


EPOCHS, PATIENCE = 15, 3
"""At most so many; without a better development score, so many end the training."""

BATCH, LEARNING_RATE = 16, 2e-3
HIDDEN, GRAPH, DROPOUT = 200, 2, 0.3
"""Width of the classifier's hidden layer; layers of convolution, as wide as both directions of the
LSTM together."""


class GAD(Baseline):
    """A classifier over all long forms of the training samples; it knows no other.

    parser: a spaCy pipeline with a parser, by folder or name. graph: with the convolution over the
    tree; without it what is left is a BiLSTM. bert: an encoder whose token vectors, as they are,
    stand in for the word vectors that training changes (`find_start` says how it is named).
    """

    def __init__(
        self, parser: str, seed: int = 0, bert: str | None = None, *, graph: bool = True
    ) -> None:
        self.nlp = load_with(parser, "parser", ["parser"])
        self.seed, self.graph = seed, graph
        self.encoder = TokenVectors(bert) if bert else None

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Train; the weights that answer most development samples right are kept.

        Raises InputError without samples, and for a text that was not parsed.
        """
        rows, held_out = list(samples), list(development)
        if not rows:
            raise InputError("GAD learns from labelled samples: give some.")
        trees, held_out_trees = self._parse(rows), self._parse(held_out)
        self._vocabulary = Vocabulary(trees)
        self._long_forms = {name: at for at, name in enumerate(sorted({s.long_form for s in rows}))}
        answers = torch.tensor([self._long_forms[sample.long_form] for sample in rows])

        torch.manual_seed(self.seed)
        rng = np.random.default_rng(self.seed)
        layers, given = GRAPH if self.graph else 0, self.encoder.width if self.encoder else 0
        network = GADNetwork(self._vocabulary, len(self._long_forms), layers, given)
        if not given:
            network.start_from_pieces()
        optimizer = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE)
        best, kept, stale = -1.0, network.state_dict(), 0
        for _ in range(EPOCHS):
            network.train()
            for indices in epoch(trees, BATCH, rng):
                batch = make_batch([trees[index] for index in indices], self._vocabulary)
                hide_words(batch.words, rng)
                optimizer.zero_grad()
                loss = torch.nn.functional.cross_entropy(network(batch), answers[indices])
                loss.backward()
                optimizer.step()
            self.network = network.eval()
            score = self._accuracy(held_out_trees or trees, held_out or rows)
            stale = 0 if score > best else stale + 1
            if score > best:
                best = score
                kept = {name: value.clone() for name, value in network.state_dict().items()}
            if stale == PATIENCE:
                break
        network.load_state_dict(kept)

    def predict(self, samples: Sequence[Sample], candidates: Candidates) -> Scores:
        """Probabilities among the candidates that training showed; 0 of the others."""
        probabilities = self._probabilities(self._parse(samples))
        scores = []
        for row, options in zip(probabilities, candidates, strict=True):
            found = np.append(row, 0.0)
            indices = [self._long_forms.get(one.long_form, len(row)) for one in options]
            scores.append(found[indices].astype(np.float64))
        return scores

    def _parse(self, samples: Sequence[Sample]) -> list["Tree"]:
        trees = parse(self.nlp, samples)
        if not self.encoder:
            return trees
        vectors = self.encoder([tree.words for tree in trees])
        return [tree._replace(given=rows) for tree, rows in zip(trees, vectors, strict=True)]

    def _probabilities(self, trees: Sequence["Tree"]) -> Doubles:
        """Probabilities of all long forms, [trees, long forms]."""
        order = sorted(range(len(trees)), key=lambda index: len(trees[index].words))
        probabilities = np.zeros((len(trees), len(self._long_forms)))
        with torch.inference_mode():
            for first in range(0, len(order), READ_AT_ONCE):
                indices = order[first : first + READ_AT_ONCE]
                batch = make_batch([trees[index] for index in indices], self._vocabulary)
                probabilities[indices] = torch.softmax(self.network(batch), -1).numpy()
        return probabilities

    def _accuracy(self, trees: Sequence["Tree"], samples: Sequence[Sample]) -> float:
        chosen = self._probabilities(trees).argmax(1).tolist()
        right = [
            index == self._long_forms.get(sample.long_form)
            for index, sample in zip(chosen, samples, strict=True)
        ]
        return float(np.mean(right))


class Tree(NamedTuple):
    """A parsed text: its words in lower case, their tags, the place of each one's head (its own
    for a root), the place of the mention, and an encoder's vectors [words, width], if any."""

    words: list[str]
    tags: list[str]
    heads: list[int]
    mention: int
    given: NDArray[np.float16] | None = None


def parse(nlp: "Language", samples: Sequence[Sample]) -> list[Tree]:
    """The trees of the samples' texts. Raises InputError for a text that was not parsed."""
    docs = nlp.pipe(sample.text for sample in samples)
    return [make_tree(doc, sample) for doc, sample in zip(docs, samples, strict=True)]


def make_tree(doc: "Doc", sample: Sample) -> Tree:
    """The tree of a sample's document."""
    if not doc.has_annotation("DEP"):
        raise InputError(f"The text {sample.text[:60]!r} was not parsed. {advice('parser')}")
    mention = doc.char_span(sample.start, sample.end, alignment_mode="expand")
    return Tree(
        [token.lower_ for token in doc],
        [token.tag_ or token.pos_ for token in doc],
        [token.head.i for token in doc],
        mention.start if mention else 0,
    )


class Batch(NamedTuple):
    """Padded trees. words, tags: int64 [batch, tokens]. lengths, mentions: int64 [batch].
    neighbours: float [batch, tokens, tokens], rows that sum to 1: the tree without directions,
    with self-loops. given: an encoder's vectors [batch, tokens, width], if any."""

    words: Tensor
    tags: Tensor
    lengths: Tensor
    mentions: Tensor
    neighbours: Tensor
    given: Tensor | None


def make_batch(trees: Sequence[Tree], vocabulary: Vocabulary) -> Batch:
    """Trees as numbers."""
    tagged = vocabulary.batch(trees)
    neighbours = np.zeros((*tagged.words.shape, tagged.words.shape[1]), dtype=np.float32)
    for row, tree in enumerate(trees):
        positions = np.arange(len(tree.words))
        neighbours[row, positions, positions] = 1
        neighbours[row, positions, tree.heads] = 1
        neighbours[row, tree.heads, positions] = 1
    neighbours /= np.maximum(neighbours.sum(-1, keepdims=True), 1)
    mentions = np.array([tree.mention for tree in trees])
    vectors = [torch.from_numpy(tree.given).float() for tree in trees if tree.given is not None]
    given = pad_sequence(vectors, batch_first=True) if vectors else None
    return Batch(*tagged, torch.from_numpy(mentions), torch.from_numpy(neighbours), given)


class GADNetwork(BiLSTM):
    """BiLSTM, graph convolution, max-pooling and a classifier over all long forms.

    layers: of convolution, 0 for none. given: width of the encoder's vectors, 0 for none.
    """

    def __init__(
        self, vocabulary: Vocabulary, long_forms: int, layers: int, given: int = 0
    ) -> None:
        super().__init__(vocabulary, DROPOUT, given)
        width = 2 * LSTM
        self.graph = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))
        parts = 4 if layers else 2
        self.classifier = nn.Sequential(
            nn.Linear(parts * width, HIDDEN),
            nn.ReLU(),
            nn.Dropout(DROPOUT),
            nn.Linear(HIDDEN, long_forms),
        )

    def forward(self, batch: Batch) -> Tensor:
        """Logits [batch, long forms] of `[h_p : h_p^s : H_sent : H_sent^s]`; without the graph of
        `[h_p : H_sent]`."""
        states = self.states(batch.words, batch.tags, batch.lengths, batch.given)
        layers = [states]
        if self.graph:
            syntax = states
            for layer in self.graph:
                syntax = torch.relu(layer(batch.neighbours @ syntax))
            layers.append(syntax)
        rows = torch.arange(len(states))
        at_mention = [layer[rows, batch.mentions] for layer in layers]
        beyond = torch.arange(states.shape[1]) >= batch.lengths[:, None]
        sentence = [layer.masked_fill(beyond[..., None], -torch.inf).amax(1) for layer in layers]
        logits: Tensor = self.classifier(self.dropout(torch.cat(at_mention + sentence, -1)))
        return logits
