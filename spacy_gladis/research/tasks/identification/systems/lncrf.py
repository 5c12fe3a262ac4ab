"""The system `lncrf`: a conditional random field with a hidden layer and latent states.

This is a reimplementation from the description of Liu et al. (2017), "Multi-granularity sequence
labeling model for acronym expansion identification". The features, the size of the hidden layer and
the number of states were chosen here.
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
RARE = 2  # features that occur in fewer training texts are left out
_NEVER = -1e4  # score of a state that is excluded


def word_features(doc: "Doc") -> list[list[str]]:
    """Compute the features of each word of a text.

    The features describe the spelling of the word and of up to two words on either side. They also
    tell whether these words look like an acronym or like part of its long form.

    Args:
        doc: Text that is split into words.

    Returns:
        A list of features for each word. A feature is a string that starts with the distance of the
        word that it describes, such as "-1:the" for the word before.
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
    """Finds acronyms and long forms by tagging words with a latent conditional random field (CRF).

    A hidden layer combines the features of each word. Its outputs are the scores of the CRF's
    states. Each tag has several latent states, so that the CRF can distinguish more cases than
    there are tags.

    Attributes:
        epochs: Number of passes over the training texts.
        hidden: Number of units of the hidden layer.
        states: Number of latent states of each tag.
        batch: Number of texts in a training step.
        learning_rate: Learning rate of the Adam optimizer.
        seed: Random seed of the weights and of the batches.
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
            A blank English pipeline without other components.
        """
        import spacy

        return spacy.blank("en")

    def make_network(self, docs: "Sequence[Doc]") -> "LatentCRF":
        """Number the features of the training texts, and create the untrained network.

        Features that occur in a single text are left out.

        Args:
            docs: Training texts that are split into words.

        Returns:
            A network with random weights.
        """
        counts = Counter(feature for doc in docs for feature in {*chain(*word_features(doc))})
        kept = (feature for feature, count in counts.items() if count >= min(RARE, len(docs)))
        self._numbers = {feature: number for number, feature in enumerate(kept)}
        return LatentCRF(len(self._numbers), self.hidden, self.states)

    def read(self, docs: "Sequence[Doc]") -> list[list[Tensor]]:
        """Convert texts to the ids of the features of their words.

        Features that are not known from the training texts are left out.

        Args:
            docs: Texts that are split into words.

        Returns:
            For each text, a list with the feature ids of each word, int64 [features].
        """
        numbers = self._numbers
        return [
            [torch.tensor([numbers[name] for name in word if name in numbers]) for word in features]
            for features in map(word_features, docs)
        ]


class LatentCRF(nn.Module):
    """Network with a hidden layer and a conditional random field over latent states.

    Each tag has several states. The likelihood of a sequence of tags is the sum over all sequences
    of states that belong to these tags.
    """

    def __init__(self, features: int, hidden: int, states: int) -> None:
        """Create the layers of the network with random weights.

        Args:
            features: Number of known features.
            hidden: Number of units of the hidden layer.
            states: Number of states of each tag. The states of a tag have successive indices.
        """
        super().__init__()
        self.states = states
        self.features = nn.EmbeddingBag(features, hidden, mode="sum")
        self.scores = nn.Linear(hidden, states * len(TAGS))
        self.crf = CRF(states * len(TAGS), batch_first=True)
        nn.init.normal_(self.features.weight, std=0.1)

    def loss(self, rows: Sequence[list[Tensor]], gold: Sequence[Tensor]) -> Tensor:
        """Compute the negative log-likelihood of the gold tags of texts.

        Args:
            rows: For each text, the feature ids of each word, int64 [features].
            gold: Ids of the gold tags of each text, int64 [words].

        Returns:
            The mean over the texts, a scalar tensor.
        """
        emissions, mask = self._emissions(rows)
        tags = pad_sequence(list(gold), batch_first=True)
        others = torch.arange(emissions.shape[-1]) // self.states != tags[..., None]
        right = self._partition(emissions.masked_fill(others, _NEVER), mask)
        return (self._partition(emissions, mask) - right).mean()

    def decode(self, rows: Sequence[list[Tensor]]) -> list[list[int]]:
        """Find the tags that belong to the most likely sequence of states of each text.

        Args:
            rows: For each text, the feature ids of each word, int64 [features].

        Returns:
            For each text, the ids of the tags of its words.
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
        """Return the log of the summed weights of all sequences of states, [texts]."""
        total = self.crf.start_transitions + emissions[:, 0]
        for at in range(1, emissions.shape[1]):
            step = torch.logsumexp(total[:, :, None] + self.crf.transitions, 1) + emissions[:, at]
            total = torch.where(mask[:, at, None], step, total)
        return torch.logsumexp(total + self.crf.end_transitions, -1)
