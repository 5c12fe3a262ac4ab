"""LNCRF: a conditional random field with a hidden layer and latent states (Liu et al. 2017).

Reimplemented from the description in "Multi-granularity sequence labeling model for acronym
expansion identification"; features, widths and the number of states are chosen here.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence
from torchcrf import CRF

from ....datasets.construction import is_acronym_candidate, long_form_candidates
from ...options import Epochs
from ..labelling import TAGS, WordLabeller
from ..system import SYSTEMS

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

WINDOW = (-2, -1, 0, 1, 2)
RARE = 2  # features in fewer texts are left out
_NEVER = -1e4  # a score that excludes a state


def word_features(doc: "Doc") -> list[list[str]]:
    """Compute the features of each word of a text, including those of its neighbours.

    Args:
        doc: The text.

    Returns:
        The features of each word.
    """
    words = [token.text for token in doc]
    plain = [
        [token.lower_, f"shape={token.shape_}", f"{min(len(token), 12)} long", f"-{token.suffix_}"]
        for token in doc
    ]
    for at in filter(lambda at: is_acronym_candidate(words[at]), range(len(words))):
        plain[at].append("candidate")
        for start, end in long_form_candidates(words, words[at]):
            side, distance = ("before", at - end) if end <= at else ("behind", start - at)
            place = f"{'near' if distance < 3 else 'far'} {side}"
            plain[at].append(f"has {place}")
            for inside in range(start, end):
                part = "first" if inside == start else "last" if inside == end - 1 else "inner"
                plain[inside].append(f"{part}, {place}")
    steps = [[step for step in WINDOW if 0 <= at + step < len(words)] for at in range(len(words))]
    return [
        [f"{step}:{feature}" for step in steps[at] for feature in plain[at + step]]
        for at in range(len(words))
    ]


@SYSTEMS.register("lncrf", "CRF with a hidden layer and latent states.", "SciAI/SciAD, section 4")
@dataclass
class LNCRF(WordLabeller):
    """Tags words by sparse features, a hidden layer, and a CRF over several states per tag.

    Attributes:
        epochs: Number of passes over the training texts.
        hidden: Width of the hidden layer.
        states: Number of latent states of each tag.
        batch: Number of texts in a training step.
        learning_rate: Learning rate of the Adam optimizer.
        seed: Random seed of the         eights and batches.
    """

    epochs: Epochs = 5
    hidden: int = 100
    states: int = 2
    batch: int = 50
    learning_rate: float = 5e-3
    seed: int = 0

    def load(self) -> "Language":
        """Create a pipeline that splits texts into words by spaCy's rules for English.

        Returns:
            The pipeline.
        """
        import spacy

        return spacy.blank("en")

    def make_network(self, docs: "Sequence[Doc]") -> "LatentCRF":
        """Assign an id to every feature of the training texts, and create the network.

        Args:
            docs: The texts.

        Returns:
            The network.
        """
        counts = Counter(feature for doc in docs for feature in {*chain(*word_features(doc))})
        kept = (feature for feature, count in counts.items() if count >= min(RARE, len(docs)))
        self._numbers = {feature: number for number, feature in enumerate(kept)}
        return LatentCRF(len(self._numbers), self.hidden, self.states)

    def read(self, docs: "Sequence[Doc]") -> list[list[Tensor]]:
        """Convert texts to the ids of each word's features.

        Args:
            docs: The texts.

        Returns:
            For each text, one int64 tensor of feature ids [features] per word.
        """
        numbers = self._numbers
        return [
            [torch.tensor([numbers[name] for name in word if name in numbers]) for word in features]
            for features in map(word_features, docs)
        ]


class LatentCRF(nn.Module):
    """A CRF over latent states, where a tag's likelihood is the sum over its states."""

    def __init__(self, features: int, hidden: int, states: int) -> None:
        """Create the parameters of the network.

        Args:
            features: Number of sparse features.
            hidden: Width of the hidden layer.
            states: Number of states of each tag. The states of a tag have successive indices.
        """
        super().__init__()
        self.states = states
        self.features = nn.EmbeddingBag(features, hidden, mode="sum")
        self.scores = nn.Linear(hidden, states * len(TAGS))
        self.crf = CRF(states * len(TAGS), batch_first=True)
        nn.init.normal_(self.features.weight, std=0.1)

    def loss(self, rows: Sequence[list[Tensor]], gold: Sequence[Tensor]) -> Tensor:
        """Compute the negative log-likelihood of the gold tags.

        Args:
            rows: The network's inputs for each text.
            gold: Ids of the gold tags of each text, int64 [words].

        Returns:
            The mean over all texts, a scalar.
        """
        emissions, mask = self._emissions(rows)
        tags = pad_sequence(list(gold), batch_first=True)
        others = torch.arange(emissions.shape[-1]) // self.states != tags[..., None]
        right = self._partition(emissions.masked_fill(others, _NEVER), mask)
        return (self._partition(emissions, mask) - right).mean()

    def decode(self, rows: Sequence[list[Tensor]]) -> list[list[int]]:
        """Find the tags of the most likely sequence of states of each text.

        Args:
            rows: The network's inputs for each text.

        Returns:
            The ids of the tags of each text.
        """
        emissions, mask = self._emissions(rows)
        return [
            [state // self.states for state in text] for text in self.crf.decode(emissions, mask)
        ]

    def _emissions(self, rows: Sequence[list[Tensor]]) -> tuple[Tensor, Tensor]:
        words = list(chain(*rows))
        sizes = torch.tensor([0, *map(len, words)])
        hidden = torch.sigmoid(self.features(torch.cat(words).long(), sizes.cumsum(0)[:-1]))
        lengths = list(map(len, rows))
        emissions = pad_sequence(list(self.scores(hidden).split(lengths)), batch_first=True)
        return emissions, torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]

    def _partition(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """Return the log of the sum over all sequences of states, [texts]."""
        total = self.crf.start_transitions + emissions[:, 0]
        for at in range(1, emissions.shape[1]):
            step = torch.logsumexp(total[:, :, None] + self.crf.transitions, 1) + emissions[:, at]
            total = torch.where(mask[:, at, None], step, total)
        return torch.logsumexp(total + self.crf.end_transitions, -1)
