"""The system `bem`: one encoder reads the mention in its context, another the candidates."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import torch
from torch import Tensor, nn

from .....arrays import Doubles
from .....errors import InputError
from ....datasets.sample import Sample
from ....training.network import inference, mean_of
from ....training.start import find_start
from ...encoders import LONGEST, load_encoder
from ...finetuning import RowObjective
from ...options import Device, Encoder, Epochs, LearningRate
from ..data import Question, Training
from ..system import SYSTEMS, DisambiguationSystem

REACH = 400
"""Number of characters of the context that are read on either side of the mention."""

READ_AT_ONCE = 64
"""Number of texts that are encoded in one batch."""


@SYSTEMS.register("bem", "Biencoder of context and long form.", "SciAI/SciAD, section 4")
@dataclass
class BEM(DisambiguationSystem):
    """Scores candidates by the dot product of the vectors that two fine-tuned encoders compute.

    This is a reimplementation from the description of Blevins and Zettlemoyer (2020). The context
    encoder represents a mention by the mean of its word pieces. The gloss encoder represents a
    candidate by the state of `[CLS]`. A candidate's gloss is its long form (SciAI/SciAD, section 4,
    footnote 6). The loss is the cross-entropy over the candidates of the acronym.

    The batch size is that of the paper (Appendix B.1). The learning rate and the number of epochs
    are not: the appendix prints a learning rate of 0.3 and no number of epochs. The appendix also
    has a dropout of 0.2 and the Adam optimizer. Here, the dropout is the encoder's own, and the
    optimizer is AdamW with a warm-up of the learning rate. The paper tunes its settings on the
    development set. Here, no development set is used.

    Attributes:
        base: Checkpoint that both encoders start from: a folder, `package:NAME` or a Hugging Face
            name.
        epochs: Number of passes over the training samples.
        learning_rate: Peak learning rate.
        batch: Number of samples in a training step.
        device: Torch device for training, such as "cuda".
        seed: Random seed of the batches and of dropout.
    """

    base: Encoder
    epochs: Epochs = 3
    learning_rate: LearningRate = 5e-5
    batch: int = 50
    device: Device = "cpu"
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Fine-tune both encoders on the labelled training samples.

        Samples whose long form is not among the acronym's candidates are left out.

        Args:
            training: Training data, of which the labelled training samples and the candidates are
                used.

        Raises:
            InputError: If there are no labelled samples, or if all of them are left out.
        """
        start = find_start(self.base)
        context, self._tokenizer = load_encoder(start)
        self._network = Biencoder(context, load_encoder(start)[0])
        rows, options, gold = [], [], []
        for row in training.labelled():
            names = [candidate.long_form for candidate in training.table.get(row.acronym, ())]
            if row.long_form in names:
                rows.append(row)
                options.append(names)
                gold.append(names.index(row.long_form))
        if not rows:
            raise InputError(
                "No training sample has a long form that is among the candidates of its acronym. "
                "Use the dictionary that belongs to the samples."
            )

        def loss(chosen: list[int]) -> Tensor:
            contexts = self._contexts([rows[row] for row in chosen])
            scores = self._scores(contexts, [options[row] for row in chosen])
            answers = torch.tensor([gold[row] for row in chosen], device=scores.device)
            return nn.functional.cross_entropy(scores, answers)

        lengths = [len(row.text.split()) for row in rows]
        objective = RowObjective(self._network, loss, lengths, self.batch, self.seed)
        objective.train(self.epochs, self.learning_rate, self.device)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Compute the probabilities of the candidate long forms of each mention.

        Args:
            questions: Mentions of acronyms, each with its candidate long forms.

        Returns:
            The probabilities for each mention, float64 [candidates], in the order of the questions.
            They are a softmax of the scores, so that their sum is 1.
        """
        probabilities = []
        with inference(self._network):
            for first in range(0, len(questions), READ_AT_ONCE):
                batch = questions[first : first + READ_AT_ONCE]
                options = [
                    [candidate.long_form for candidate in question.candidates] for question in batch
                ]
                contexts = self._contexts([question.sample for question in batch])
                rows = self._scores(contexts, options).softmax(-1).double().cpu().numpy()
                probabilities += [
                    row[: len(names)] for row, names in zip(rows, options, strict=True)
                ]
        return probabilities

    def _contexts(self, samples: Sequence[Sample]) -> Tensor:
        """Compute the vectors of mentions in their contexts, [samples, width]."""
        cut = [sample.mention.within(REACH) for sample in samples]
        inputs = self._tokenize(["".join(parts) for parts in cut], return_offsets_mapping=True)
        start, end = inputs.pop("offset_mapping").unbind(-1)
        first = torch.tensor([[len(left)] for left, _, _ in cut], device=start.device)
        last = first + torch.tensor([[len(mention)] for _, mention, _ in cut], device=start.device)
        states = self._network.context(**inputs).last_hidden_state
        return mean_of(states, (start < last) & (end > first)).float()

    def _scores(self, contexts: Tensor, options: Sequence[Sequence[str]]) -> Tensor:
        """Compute the candidates' scores, [samples, most candidates], padded with -infinity."""
        glosses = {name: index for index, name in enumerate(dict.fromkeys(chain(*options)))}
        parts = [
            [*glosses][first : first + READ_AT_ONCE]
            for first in range(0, len(glosses), READ_AT_ONCE)
        ]
        read = [self._network.gloss(**self._tokenize(part)).last_hidden_state for part in parts]
        products = contexts @ torch.cat([states[:, 0] for states in read]).float().T
        candidate_scores = [
            products[row, [glosses[name] for name in names]] for row, names in enumerate(options)
        ]
        return nn.utils.rnn.pad_sequence(
            candidate_scores, batch_first=True, padding_value=-torch.inf
        )

    def _tokenize(self, texts: list[str], **options: Any) -> Any:
        encoded = self._tokenizer(
            texts,
            padding=True,
            truncation=True,
            max_length=LONGEST,
            return_tensors="pt",
            **options,
        )
        return encoded.to(next(self._network.parameters()).device)


class Biencoder(nn.Module):
    """A network of two encoders that are trained together, for contexts and for glosses."""

    def __init__(self, context: nn.Module, gloss: nn.Module) -> None:
        """Combine a context encoder and a gloss encoder.

        Args:
            context: Encoder that reads mentions in their contexts.
            gloss: Encoder that reads the long forms of candidates.
        """
        super().__init__()
        self.context, self.gloss = context, gloss
