"""LNCRF: a conditional random field with a hidden layer and latent states (Liu et al. 2017).

Reimplemented from the description in "Multi-granularity sequence labeling model for acronym
expansion identification", whose features and widths it leaves to this file.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence
from torchcrf import CRF

from .....pipeline.tags import LABELS
from ....datasets.construction import is_acronym_candidate, long_form_candidates
from ...options import Epochs
from ..labelling import WordLabeller
from ..system import SYSTEMS

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

WINDOW = (-2, -1, 0, 1, 2)
RARE = 2  # texts; a feature of fewer is left out
_NEVER = -1e4  # a score that no state survives


def word_features(doc: "Doc") -> list[list[str]]:
    """Return the features of each word of a text, those of its neighbours among them."""
    words = [token.text for token in doc]
    plain = [
        [
            f"word={token.lower_}",
            f"shape={token.shape_}",
            f"length={min(len(token), 12)}",
            f"ends={token.suffix_}",
            *(["candidate"] if is_acronym_candidate(token.text) else []),
        ]
        for token in doc
    ]
    for at, word in enumerate(words):
        if is_acronym_candidate(word):
            for start, end in long_form_candidates(words, word):
                side = "before" if end <= at else "behind"
                near = "near" if -3 < (at - end if side == "before" else at - start) < 3 else "far"
                for inside in range(start, end):
                    part = "first" if inside == start else "last" if inside == end - 1 else "inner"
                    plain[inside].append(f"{part}, {near} {side}")
                plain[at].append(f"has {near} {side}")
    return [
        [
            f"{step}:{feature}"
            for step in WINDOW
            if 0 <= at + step < len(words)
            for feature in plain[at + step]
        ]
        for at in range(len(words))
    ]


@SYSTEMS.register("lncrf", "CRF with a hidden layer and latent states.", "SciAI/SciAD, section 4")
@dataclass
class LNCRF(WordLabeller):
    """Labels words by sparse features, a hidden layer, and a CRF over several states a label.

    Attributes:
        epochs: Passes over the training texts.
        hidden: Width of the hidden layer.
        states: Latent states of each label.
        batch: Texts a step.
        learning_rate: Of Adam.
        seed: Of the weights and of the batches.
    """

    epochs: Epochs = 5
    hidden: int = 100
    states: int = 3
    batch: int = 50
    learning_rate: float = 5e-3
    seed: int = 0

    def load(self) -> "Language":
        """Cut texts by spaCy's rules for English."""
        import spacy

        return spacy.blank("en")

    def train(self, docs: "Sequence[Doc]", labels: Sequence[list[str]]) -> None:
        """Train; the loss is minus the log-likelihood of a text's labels."""
        features = [word_features(doc) for doc in docs]
        counts = Counter(one for text in features for one in {one for word in text for one in word})
        kept = (one for one, count in counts.items() if count >= min(RARE, len(docs)))
        self._numbers = {one: number for number, one in enumerate(kept)}
        rows = [self._numbered(text) for text in features]
        gold = [torch.tensor([LABELS.index(one) for one in text]) for text in labels]
        torch.manual_seed(self.seed)
        self._network = LatentCRF(len(self._numbers), self.hidden, self.states)
        optimizer = torch.optim.Adam(self._network.parameters(), lr=self.learning_rate)
        for _ in range(self.epochs):
            for chosen in torch.randperm(len(rows)).split(self.batch):
                optimizer.zero_grad()
                batch = [rows[index] for index in chosen], [gold[index] for index in chosen]
                self._network.loss(*batch).backward()
                optimizer.step()

    def label(self, docs: "Sequence[Doc]") -> list[list[str]]:
        """Find the likeliest states, and their labels."""
        rows = [self._numbered(word_features(doc)) for doc in docs]
        with torch.inference_mode():
            decoded = self._network.decode(rows)
        return [[LABELS[state // self.states] for state in text] for text in decoded]

    def _numbered(self, text: Sequence[Sequence[str]]) -> list[Tensor]:
        known = self._numbers
        return [torch.tensor([known[one] for one in word if one in known]) for word in text]


class LatentCRF(nn.Module):
    """A CRF whose states are latent: each label has several, and sums over them.

    Args:
        features: How many sparse features there are.
        hidden: Width of the hidden layer.
        states: States of each label; those of a label are neighbours.
    """

    def __init__(self, features: int, hidden: int, states: int) -> None:
        super().__init__()
        self.states = states
        self.features = nn.EmbeddingBag(features, hidden, mode="sum")
        self.scores = nn.Linear(hidden, states * len(LABELS))
        self.crf = CRF(states * len(LABELS), batch_first=True)
        nn.init.normal_(self.features.weight, std=0.1)

    def loss(self, rows: Sequence[list[Tensor]], gold: Sequence[Tensor]) -> Tensor:
        """Minus the log-likelihood of a text's labels, summed over their states; texts' mean."""
        emissions, mask = self._emissions(rows)
        labels = pad_sequence(list(gold), batch_first=True)
        of_state = torch.arange(emissions.shape[-1]) // self.states
        right = emissions.masked_fill(of_state != labels[..., None], _NEVER)
        return (self._partition(emissions, mask) - self._partition(right, mask)).mean()

    def decode(self, rows: Sequence[list[Tensor]]) -> list[list[int]]:
        """The likeliest sequence of states of each text."""
        emissions, mask = self._emissions(rows)
        found: list[list[int]] = self.crf.decode(emissions, mask=mask)
        return found

    def _emissions(self, rows: Sequence[list[Tensor]]) -> tuple[Tensor, Tensor]:
        words = [word for row in rows for word in row]
        sizes = torch.tensor([0, *(len(word) for word in words)])
        hidden = torch.sigmoid(self.features(torch.cat(words).long(), sizes.cumsum(0)[:-1]))
        lengths = [len(row) for row in rows]
        emissions = pad_sequence(list(self.scores(hidden).split(lengths)), batch_first=True)
        mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
        return emissions, mask

    def _partition(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """The log of the sum over all sequences of states, [texts]."""
        total = self.crf.start_transitions + emissions[:, 0]
        for at in range(1, emissions.shape[1]):
            step = torch.logsumexp(total[:, :, None] + self.crf.transitions, 1) + emissions[:, at]
            total = torch.where(mask[:, at, None], step, total)
        return torch.logsumexp(total + self.crf.end_transitions, -1)
