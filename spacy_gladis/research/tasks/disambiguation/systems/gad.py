"""The system `gad`: a BiLSTM and a graph convolution over the dependency tree of the sentence.

Pouran Ben Veyseh et al. (2020, section 3) describe the network.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from .....arrays import Doubles
from .....errors import InputError
from ....datasets.sample import Sample
from ...bilstm import BiLSTM, Vocabulary, advice, epoch, load_with, pool
from ...encoders import TokenVectors
from ...options import Encoder, Pipeline
from ..data import Question, Training
from ..system import SYSTEMS, DisambiguationSystem

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

READ_AT_ONCE = 64
"""Number of texts that are classified in one batch."""


@SYSTEMS.register(
    "gad", "BiLSTM and graph convolution over the syntax tree.", "SciAI/SciAD, section 3"
)
@SYSTEMS.register(
    "gad 0.3",
    "gad with the paper's learning rate, 0.3.",
    "SciAI/SciAD, Appendix B.1",
    learning_rate=0.3,
)
@dataclass
class GAD(DisambiguationSystem):
    """Classifies mentions into long forms with a BiLSTM and a graph convolution.

    The graph is the dependency tree of the sentence. The classes are all long forms of the training
    samples, and not all long forms of the dictionary as in the paper (section 3.3). Candidates that
    do not occur in the training samples get the score 0.

    The settings are those of the paper (SciAI/SciAD, Appendix B.1), except for two: the learning
    rate of "gad", and the number of epochs, which the paper does not state. These details also
    differ or are not in the paper:

    - The weights with the best accuracy on the development samples are kept. For this accuracy, the
      network chooses among all its classes, and not only among the acronym's candidates.
    - The layers of the graph convolution have a bias, and the width of the BiLSTM's states in both
      directions (400), not 200.
    - A batch consists of texts of similar length.
    - The vectors of part-of-speech tags have 20 dimensions, the word vectors are stored as float16,
      and words after the first 256 word pieces of a text have zero vectors.

    Attributes:
        parser: Name or folder of a spaCy pipeline with a parser.
        base: Frozen encoder of the token vectors: a folder, `package:NAME` or a Hugging Face name.
            The paper uses the uncased BERT-base.
        layers: Number of layers of the BiLSTM, and also of the graph convolution.
        hidden: Number of dimensions of the BiLSTM's states in each direction, and of the
            classifier's hidden layer.
        dropout: Dropout probability before, in and after the BiLSTM, and in the classifier.
        epochs: Maximum number of passes over the training samples.
        patience: Number of passes without a better accuracy on the development samples after which
            training stops.
        batch: Number of samples in a training step.
        learning_rate: Learning rate of the Adam optimizer.
        seed: Random seed of the weights and of the batches.
    """

    parser: Pipeline
    base: Encoder
    layers: int = 2
    hidden: int = 200
    dropout: float = 0.2
    epochs: int = 15
    patience: int = 3
    batch: int = 50
    learning_rate: float = 2e-3
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Train the network, and keep the weights with the best accuracy on development samples.

        Args:
            training: Labelled training and development samples. If there are no development
                samples, the accuracy on the training samples is used.

        Raises:
            InputError: If there are no training samples, or if the pipeline does not parse a text.
        """
        rows, held_out = training.labelled(), training.dev
        self._nlp = load_with(self.parser, "parser", ["parser"])
        self._encoder = TokenVectors(self.base)
        trees, held_out_trees = self._parse(rows), self._parse(held_out)
        self._vocabulary = Vocabulary(trees)
        self._long_forms = {name: i for i, name in enumerate(sorted({s.long_form for s in rows}))}
        answers = torch.tensor([self._long_forms[sample.long_form] for sample in rows])

        torch.manual_seed(self.seed)
        rng = np.random.default_rng(self.seed)
        width = self._encoder.width
        network = GADNetwork(self._vocabulary, width, len(self._long_forms), self)
        optimizer = torch.optim.Adam(network.parameters(), lr=self.learning_rate)
        best, best_weights, stale = -1.0, network.state_dict(), 0
        for _ in range(self.epochs):
            network.train()
            for indices in epoch(trees, self.batch, rng):
                batch = make_batch([trees[index] for index in indices], self._vocabulary)
                optimizer.zero_grad()
                loss = torch.nn.functional.cross_entropy(network(batch), answers[indices])
                loss.backward()
                optimizer.step()
            self._network = network.eval()
            score = self._accuracy(held_out_trees or trees, held_out or rows)
            stale = 0 if score > best else stale + 1
            if score > best:
                best = score
                best_weights = {name: value.clone() for name, value in network.state_dict().items()}
            if stale == self.patience:
                break
        network.load_state_dict(best_weights)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Compute the probabilities of the candidate long forms of each mention.

        Args:
            questions: Mentions of acronyms, each with its candidate long forms.

        Returns:
            The probabilities for each mention, float64 [candidates], in the order of the questions.
            A candidate without training samples has the probability 0.
        """
        probabilities = self._probabilities(
            self._parse([question.sample for question in questions])
        )
        scores = []
        for row, question in zip(probabilities, questions, strict=True):
            extended = np.append(row, 0.0)
            indices = [self._long_forms.get(c.long_form, len(row)) for c in question.candidates]
            scores.append(extended[indices].astype(np.float64))
        return scores

    def _parse(self, samples: Sequence[Sample]) -> list["Tree"]:
        trees = parse(self._nlp, samples)
        vectors = self._encoder([tree.words for tree in trees])
        return [tree._replace(vectors=rows) for tree, rows in zip(trees, vectors, strict=True)]

    def _probabilities(self, trees: Sequence["Tree"]) -> Doubles:
        """Compute the probabilities of all long forms for each text, [trees, long forms]."""
        order = sorted(range(len(trees)), key=lambda index: len(trees[index].words))
        probabilities = np.zeros((len(trees), len(self._long_forms)))
        with torch.inference_mode():
            for first in range(0, len(order), READ_AT_ONCE):
                indices = order[first : first + READ_AT_ONCE]
                batch = make_batch([trees[index] for index in indices], self._vocabulary)
                probabilities[indices] = torch.softmax(self._network(batch), -1).numpy()
        return probabilities

    def _accuracy(self, trees: Sequence["Tree"], samples: Sequence[Sample]) -> float:
        chosen = self._probabilities(trees).argmax(1).tolist()
        right = [
            index == self._long_forms.get(sample.long_form)
            for index, sample in zip(chosen, samples, strict=True)
        ]
        return float(np.mean(right))


class Tree(NamedTuple):
    """A text with its dependency tree, and the position of the acronym to disambiguate.

    Attributes:
        words: Words of the text in lower case.
        tags: Part-of-speech tag of each word.
        heads: Index of the syntactic head of each word. The root of a tree is its own head.
        mention: Index of the first word of the mention.
        vectors: Vectors that an encoder gives to the words, float16 [words, width]. Empty until
            they are computed.
    """

    words: list[str]
    tags: list[str]
    heads: list[int]
    mention: int
    vectors: NDArray[np.float16] = np.zeros((0, 0), np.float16)


def parse(nlp: "Language", samples: Sequence[Sample]) -> list[Tree]:
    """Parse the texts of samples with a spaCy pipeline.

    Args:
        nlp: Pipeline with a dependency parser.
        samples: Mentions of acronyms in their texts.

    Returns:
        The dependency tree of each sample's text, in the order of the samples. The trees have no
        word vectors yet.

    Raises:
        InputError: If the pipeline does not parse a text.
    """
    docs = nlp.pipe(sample.text for sample in samples)
    return [make_tree(doc, sample) for doc, sample in zip(docs, samples, strict=True)]


def make_tree(doc: "Doc", sample: Sample) -> Tree:
    """Convert the parsed text of a sample to a dependency tree.

    Args:
        doc: Text of the sample after the spaCy pipeline has processed it.
        sample: The mention of the acronym in this text.

    Returns:
        The dependency tree, which has no word vectors yet.

    Raises:
        InputError: If the document has no dependency parse.
    """
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
    """A batch of dependency trees, converted to padded tensors.

    Attributes:
        vectors: Vectors that an encoder gives to the words, float32 [batch, tokens, width].
        tags: Ids of the part-of-speech tags, int64 [batch, tokens].
        lengths: Number of words of each tree, int64 [batch].
        mentions: Index of the word that is the mention in each tree, int64 [batch].
        neighbours: Matrix of adjacent words in each tree, float32 [batch, tokens, tokens]. A word
            is adjacent to its head, its children and itself. The values of a word sum to 1.
    """

    vectors: Tensor
    tags: Tensor
    lengths: Tensor
    mentions: Tensor
    neighbours: Tensor


def make_batch(trees: Sequence[Tree], vocabulary: Vocabulary) -> Batch:
    """Convert dependency trees to the padded tensors that the network reads.

    Args:
        trees: Dependency trees with word vectors.
        vocabulary: Vocabulary with the ids of the part-of-speech tags.

    Returns:
        A batch with one row for each tree, in the same order.
    """
    tagged = vocabulary.batch(trees)
    neighbours = np.zeros((*tagged.words.shape, tagged.words.shape[1]), dtype=np.float32)
    for row, tree in enumerate(trees):
        positions = np.arange(len(tree.words))
        neighbours[row, positions, positions] = 1
        neighbours[row, positions, tree.heads] = 1
        neighbours[row, tree.heads, positions] = 1
    neighbours /= np.maximum(neighbours.sum(-1, keepdims=True), 1)
    mentions = np.array([tree.mention for tree in trees])
    vectors = pad_sequence([torch.from_numpy(tree.vectors).float() for tree in trees], True)
    places = torch.from_numpy(mentions)
    return Batch(vectors, tagged.tags, tagged.lengths, places, torch.from_numpy(neighbours))


class GADNetwork(nn.Module):
    """Network of GAD, which classifies mentions into long forms (SciAI/SciAD, section 3).

    It consists of a BiLSTM, a graph convolution over the dependency tree, max-pooling, and a
    classifier whose classes are all long forms.
    """

    def __init__(self, vocabulary: Vocabulary, width: int, long_forms: int, settings: GAD) -> None:
        """Create the layers of the network with random weights.

        Args:
            vocabulary: Vocabulary with the ids of the part-of-speech tags.
            width: Number of dimensions of the encoder's word vectors.
            long_forms: Number of long forms, which are the classes.
            settings: The system, which has the number and sizes of layers and the dropout
                probability.
        """
        super().__init__()
        tags, layers, dropout = len(vocabulary.tags), settings.layers, settings.dropout
        self.bilstm = BiLSTM(tags, width, settings.hidden, layers, dropout)
        self.dropout = nn.Dropout(dropout)
        both = 2 * settings.hidden
        self.graph = nn.ModuleList(nn.Linear(both, both) for _ in range(layers))
        self.classifier = nn.Sequential(
            nn.Linear(4 * both, settings.hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(settings.hidden, long_forms),
        )

    def forward(self, batch: Batch) -> Tensor:
        """Compute the logits of all long forms for the mentions of a batch.

        The classifier reads the joined vectors `[h_p : h_p^s : H_sent : H_sent^s]` of the paper
        (section 3): the states of the BiLSTM and of the convolution at the mention, and their
        maxima over the sentence.

        Args:
            batch: Dependency trees as padded tensors.

        Returns:
            The logits, [batch, long forms].
        """
        states = self.bilstm(batch.vectors, batch.tags, batch.lengths)
        syntax = states
        for layer in self.graph:
            syntax = torch.relu(layer(batch.neighbours @ syntax))
        both = [pool(layer, batch.mentions, batch.lengths) for layer in (states, syntax)]
        parts = [layer[part] for part in (0, 1) for layer in both]
        logits: Tensor = self.classifier(self.dropout(torch.cat(parts, -1)))
        return logits
