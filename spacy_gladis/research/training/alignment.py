"""Training of an encoder to give the names of a concept similar vectors, and whitening of vectors.

Whitening within concepts (within-class covariance normalisation; Hatch, Kajarekar and Stolcke 2006)
is a linear map. It reduces the weight of directions in which the names of a concept differ.

Self-alignment trains the encoder itself. It pulls the names of a concept together and pushes the
names of different concepts apart (SapBERT, NAACL 2021, section 2). The loss is the multi-similarity
loss (Wang et al. 2019) over the hard pairs of a batch. Two names of a concept are a hard pair if a
name of another concept is nearly as similar to the first name. Names of two concepts are a hard
pair if they are nearly as similar as two names of a concept.

`align_encoder` adapts an encoder to one inventory in about a minute. `run_alignment` trains for
longer, on the names of one or more inventories, and its encoder also works for other inventories.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from ...arrays import Floats
from ...concepts import Inventory
from ...encoder.engines.torch import SelfAttention
from ...encoder.word_pieces import WordPieces, group_into_rows
from ...errors import InputError
from ...linking.acrobert import AcroBERT
from ...linking.concepts.evidence import NameVectors
from ..locks import holding
from .loop import TrainingSettings, train
from .network import AcroNetwork, has_native_bf16, inference, pack
from .recipes import reading
from .run import claim
from .start import find_start

TEXTS = 6000
"""Number of texts from which the covariance is estimated. An estimate from fewer texts would
describe these texts rather than the language."""
RIDGE = 0.3
"""Share of the mean variance that is added to the variance of every direction."""


def whiten(
    vectors: NameVectors,
    linked: Sequence[Sequence[str]],
    others: Sequence[Sequence[str]],
    number: int = TEXTS,
) -> None:
    """Whiten name vectors in place, so that names of the same concept become more similar.

    The covariance within concepts is estimated from concepts with linked phrases first, and then
    from other concepts. If both have fewer than `number` texts in total, the vectors stay
    unchanged.

    Args:
        vectors: Cache of name vectors. All of its vectors, including later ones, are transformed.
        linked: Names and linked phrases of each concept that has linked phrases.
        others: Names of each concept without linked phrases.
        number: Number of texts from which the covariance is estimated.
    """
    random = np.random.default_rng(0)
    drawn: list[list[str]] = []
    texts = 0
    for groups in (several(linked), several(others)):
        for row in random.permutation(len(groups)):
            if texts < number:
                drawn.append(groups[row])
                texts += len(groups[row])
    if texts >= number:
        # Encode all texts at once, so that batches have texts of one length.
        vectors([text for group in drawn for text in group])
        vectors.transform(whitening([vectors(group) for group in drawn]))


def whitening(groups: Sequence[Floats], ridge: float = RIDGE) -> Floats:
    """Return a matrix that whitens vectors within groups.

    It is the inverse square root of the covariance of vectors around the means of their groups.

    Args:
        groups: For each group, such as a concept, the vectors of its texts, [texts, width].
        ridge: Share of the mean variance to add to the variance of every direction. A larger share
            makes the map weaker.

    Returns:
        A symmetric matrix by which to multiply vectors, float32 [width, width].
    """
    apart = np.concatenate([group - group.mean(0) for group in groups]).astype(np.float64)
    covariance = apart.T @ apart / len(apart)
    variances, directions = np.linalg.eigh(covariance)
    variances += ridge * variances.mean()
    matrix: Floats = ((directions * variances**-0.5) @ directions.T).astype(np.float32)
    return matrix


ALPHA, BETA, BASE, MARGIN = 2.0, 50.0, 0.5, 0.2
"""Parameters of the multi-similarity loss, as in SapBERT. `MARGIN` is the difference in cosine up
to which a pair is hard."""

WARMUP = 10
"""Number of steps over which the learning rate rises to its peak."""


@dataclass(frozen=True)
class AlignmentSettings:
    """The settings of `align_encoder`.

    Attributes:
        steps: Maximum number of batches.
        passes: Maximum number of passes over the concepts. More passes would overfit small
            inventories.
        pairs: Number of text pairs in a batch.
        layers: Number of uppermost layers to train. The layers below are frozen.
        learning_rate: Peak learning rate, which is reached after `WARMUP` steps. The rate then
            falls to 0 at the last step.
    """

    steps: int = 120
    passes: int = 16
    pairs: int = 96
    layers: int = 2
    learning_rate: float = 2e-4


def multi_similarity_loss(vectors: Tensor, labels: Tensor, margin: float = MARGIN) -> Tensor:
    """Compute the multi-similarity loss over the hard pairs of a batch (Wang et al. 2019).

    Two texts of the same concept are a hard pair if their cosine, minus `margin`, is below the
    highest cosine of the first text to another concept. Texts of two concepts are a hard pair if
    their cosine, plus `margin`, is above the lowest cosine of the first text to its own concept.

    Args:
        vectors: Unit vectors of the texts, [texts, width].
        labels: Number of each text's concept, int [texts].
        margin: Difference in cosine up to which a pair is hard.

    Returns:
        The mean loss over the texts, a scalar.
    """
    similarity = cosines(vectors)
    same = labels[:, None] == labels[None, :]
    itself = torch.eye(len(labels), dtype=torch.bool, device=labels.device)
    positive, negative = same & ~itself, ~same
    with torch.no_grad():
        infinite = torch.full_like(similarity, torch.inf)
        nearest = torch.where(negative, similarity, -infinite).amax(1, keepdim=True)
        farthest = torch.where(positive, similarity, infinite).amin(1, keepdim=True)
        positive &= similarity - margin < nearest
        negative &= similarity + margin > farthest
    zero = torch.zeros_like(similarity)
    pull = torch.where(positive, torch.exp(-ALPHA * (similarity - BASE)), zero)
    push = torch.where(negative, torch.exp(BETA * (similarity - BASE)), zero)
    loss = torch.log1p(pull.sum(1)) / ALPHA + torch.log1p(push.sum(1)) / BETA
    return loss.mean()


def align_encoder(
    model: AcroBERT,
    linked: Sequence[Sequence[str]],
    others: Sequence[Sequence[str]] = (),
    settings: AlignmentSettings = AlignmentSettings(),
) -> AcroBERT:
    """Train a copy of a model to give the texts of each concept similar vectors.

    Only the uppermost layers are trained, on texts in lower case. If no concept has two distinct
    texts, there is nothing to learn, and the model itself is returned.

    Args:
        model: AcroBERT model to copy. It stays unchanged.
        linked: Names and linked phrases of each concept that has linked phrases.
        others: Names of each concept without linked phrases. If there are enough of these concepts,
            they fill half of every batch.
        settings: Number of steps, batch size and learning rate.

    Returns:
        The aligned model, on the same device as `model`. It has no context centroids and no topics,
        which depend on the encoder.
    """
    groups = [several(linked), several(others)]
    if not any(groups):
        return model
    module = AcroNetwork.of(model.weights).to(model.encoder.device)
    learning = leave_upper_layers(module, settings.layers)
    optimizer = torch.optim.AdamW(learning, settings.learning_rate, fused=True)
    random = np.random.default_rng(0)
    device = torch.device(model.encoder.device)
    bf16 = has_native_bf16(device)
    steps = min(settings.steps, ceil(settings.passes * sum(map(len, groups)) / settings.pairs))
    for step in range(steps):
        share = min(1.0, (step + 1) / WARMUP) * (1 - step / steps)
        optimizer.param_groups[0]["lr"] = share * settings.learning_rate
        texts = _pairs(groups, settings.pairs, random)
        with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
            loss = loss_of_pairs(encode(module, model.pieces, texts))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return AcroBERT(module.weights(), model.pieces, model.settings).to(model.encoder.device)


def leave_upper_layers(module: AcroNetwork, count: int) -> list[nn.Parameter]:
    """Freeze all parameters of a network except those of its uppermost layers.

    Args:
        module: Network whose parameters are frozen in place.
        count: Number of layers, counted from the output, that stay trainable.

    Returns:
        The parameters that stay trainable.
    """
    module.requires_grad_(False)
    layers = module.bert.encoder["layer"]
    assert isinstance(layers, nn.ModuleList)
    learning = [parameter for layer in layers[-count:] for parameter in layer.parameters()]
    for parameter in learning:
        parameter.requires_grad_(True)
    return learning


def leave_out_dropout(module: nn.Module) -> None:
    """Turn off all dropout in a network. It isn't needed here and takes a fifth of a step's time.

    Args:
        module: Network that is changed in place.
    """
    for part in module.modules():
        if isinstance(part, nn.Dropout):
            part.p = 0.0
        elif isinstance(part, SelfAttention):
            part.dropout = 0.0


def encode(module: AcroNetwork, pieces: WordPieces, texts: Sequence[str]) -> Tensor:
    """Encode texts as unit vectors through which gradients can flow.

    Several texts share a row of the batch, so there is little padding.

    Args:
        module: Network that encodes the texts.
        pieces: Tokenizer of the network.
        texts: Texts to encode, such as names of concepts.

    Returns:
        A unit vector for each text, [texts, width], on the network's device.
    """
    device = next(module.parameters()).device
    packed = pack(list(group_into_rows(pieces.encode_long_forms(texts))), pieces.pad)
    return module.encode_long_forms(packed.to(device))


def cosines(vectors: Tensor) -> Tensor:
    """Compute the cosine of every pair of unit vectors with 32-bit floats.

    With bf16, the cosines of similar names would all be equal.

    Args:
        vectors: Unit vectors, [texts, width].

    Returns:
        The cosines, float32 [texts, texts].
    """
    with torch.autocast(vectors.device.type, enabled=False):
        return vectors @ vectors.T


def loss_of_pairs(vectors: Tensor) -> Tensor:
    """Compute the multi-similarity loss of a batch that has two texts of each concept.

    Args:
        vectors: Unit vectors of the texts, [2 * pairs, width]. Rows 0 and 1 belong to the first
            concept, rows 2 and 3 to the second, and so on.

    Returns:
        The mean loss over the texts, a scalar.
    """
    labels = torch.arange(len(vectors) // 2, device=vectors.device).repeat_interleave(2)
    return multi_similarity_loss(vectors, labels)


def several(groups: Iterable[Sequence[str]]) -> list[list[str]]:
    """Lower-case and deduplicate the texts of each group, and drop groups left with a single text.

    For example, the group `["MRI", "mri"]` is dropped.

    Args:
        groups: Groups of texts, such as the names of each concept.

    Returns:
        The groups that have two or more distinct texts, in their original order.
    """
    distinct = (list(dict.fromkeys(text.lower() for text in group)) for group in groups)
    return [group for group in distinct if len(group) > 1]


def _pairs(groups: Sequence[list[list[str]]], pairs: int, random: np.random.Generator) -> list[str]:
    """Draw two texts from each of `pairs` concepts. Those in `groups[0]` have linked phrases."""
    linked, others = groups
    other_count = min(len(others), max(pairs // 2, pairs - len(linked)))
    chosen: list[str] = []
    for source, count in ((others, other_count), (linked, min(len(linked), pairs - other_count))):
        for row in random.choice(len(source), count, replace=False) if count else ():
            chosen += random.choice(source[row], 2, replace=False).tolist()
    return chosen


Pair = list[str]
"""Two names of the same concept."""


@dataclass(frozen=True)
class AlignmentRun:
    """The content of a settings file for an alignment run (`configs/alignment*.cfg`).

    Attributes:
        start: Checkpoint to start from, in the form that `find_start` accepts.
        training: Settings of the training loop. A sample of its batches is a pair of names.
        layers: Number of uppermost layers to train. The layers below are frozen.
        held_out: Number of concepts that are excluded from training. Their names determine which
            weights of the run are the best.
        source: The raw content of the settings file.
    """

    start: str
    training: TrainingSettings
    layers: int = 6
    held_out: int = 200
    source: dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, path: Path, overrides: dict[str, Any] | None = None) -> "AlignmentRun":
        """Read the settings of an alignment run from a file in the format of spaCy's config files.

        Args:
            path: Path of the settings file.
            overrides: Values that replace those of the file, by dotted name, such as
                `{"training.seed": 1}`. A value of None keeps the file's value.

        Returns:
            The settings of the run.

        Raises:
            InputError: If the file is missing, or its settings are not those of an alignment.
        """
        with reading(path, "an alignment", overrides or {}) as config:
            training = TrainingSettings(**config["training"])
            sections = {**config["paths"], **config["alignment"]}
            return cls(**sections, training=training, source=dict(config))


@dataclass
class AlignmentObjective:
    """A training objective that pulls the names of a concept together and pushes concepts apart.

    Attributes:
        module: Network to train.
        pieces: Tokenizer of the network.
        groups: For each training concept, its names. Every concept has at least two.
        held_out: For each held-out concept, its names. Every concept has at least two.
        pairs: Number of pairs in a batch. Each pair belongs to a different concept.
        seed: Random seed of the batches.
    """

    module: AcroNetwork
    pieces: WordPieces
    groups: Sequence[Sequence[str]]
    held_out: Sequence[Sequence[str]]
    pairs: int
    seed: int

    def batch(self, step: int) -> list[Pair]:
        """Draw the pairs of names for a training step.

        The same step always has the same pairs, so an interrupted run can resume.

        Args:
            step: Number of the batch, starting at 0.

        Returns:
            Two different names of each concept that was drawn.
        """
        rng = np.random.default_rng([self.seed, step])
        chosen = rng.choice(len(self.groups), min(self.pairs, len(self.groups)), replace=False)
        return [rng.choice(self.groups[row], 2, replace=False).tolist() for row in chosen]

    def split(self, batch: list[Pair], parts: int) -> list[list[Pair]]:
        """Split a batch into parts that fit into the device's memory.

        The loss compares only names of the same part, so splitting changes the loss.

        Args:
            batch: Pairs of names.
            parts: Number of parts.

        Returns:
            The parts, whose sizes differ by at most one pair.
        """
        return [part.tolist() for part in np.array_split(np.array(batch, dtype=object), parts)]

    def loss(self, batch: list[Pair]) -> tuple[Tensor, dict[str, float]]:
        """Compute the multi-similarity loss of a batch.

        Args:
            batch: Pairs of names, each of a different concept.

        Returns:
            The scalar loss, and the figure `nearest` for the log. This is the share of names, 0..1,
            whose nearest neighbour in the batch is the other name of their pair.
        """
        vectors = self._encode(batch)
        return loss_of_pairs(vectors), {"nearest": _nearest(vectors.detach())}

    def evaluate(self) -> dict[str, float]:
        """Measure how well the network recognizes the names of held-out concepts.

        Returns:
            Under the key `score`, the share of names, 0..1, whose nearest neighbour is the other
            name of their concept. Two names of each concept are compared. Empty if no concepts are
            held out.
        """
        if not self.held_out:
            return {}
        with inference(self.module):
            vectors = self._encode([[*group[:2]] for group in self.held_out])
        return {"score": round(_nearest(vectors), 4)}

    def _encode(self, pairs: Sequence[Pair]) -> Tensor:
        return encode(self.module, self.pieces, [name for pair in pairs for name in pair])


def _nearest(vectors: Tensor) -> float:
    """Return the share of vectors whose nearest neighbour is the other vector of their pair."""
    similarities = cosines(vectors).fill_diagonal_(-torch.inf)
    partners = torch.arange(len(vectors), device=vectors.device) ^ 1
    return (similarities.argmax(1) == partners).float().mean().item()


def run_alignment(
    settings: AlignmentRun,
    inventories: Sequence[Path],
    folder: Path,
    *,
    device: str = "cpu",
    report: Callable[[dict[str, Any]], None] = lambda record: None,
) -> AcroBERT:
    """Align an encoder on concept inventories, and write it to `folder / "model"`.

    Call the function again with the same arguments to resume an interrupted run.

    Args:
        settings: Settings of the run.
        inventories: Files of inventories that `concepts build` wrote.
        folder: Folder of the run, with its checkpoint, its log and the model.
        device: Device to train on: "cpu", "cuda", or a single GPU such as "cuda:1".
        report: Function that is called with each record of the log.

    Returns:
        The aligned model. It has no context centroids and no topics, which depend on the encoder.

    Raises:
        InputError: If the checkpoint or an inventory is missing, or if fewer than two concepts with
            several names are left for training.
        FormatError: If the folder contains a run with other settings.
    """
    groups: list[list[str]] = []
    for path in inventories:
        inventory = Inventory.open(path)
        groups += several(map(inventory.names_of, range(len(inventory))))
    order = np.random.default_rng(settings.training.seed).permutation(len(groups))
    held_out = [groups[row] for row in order[: settings.held_out]]
    training = [groups[row] for row in order[settings.held_out :]]
    if len(training) < 2:
        raise InputError(
            f"{', '.join(map(str, inventories))}: only {len(groups)} concepts have several names, "
            f"and {settings.held_out} of them are held out from training. Give inventories with "
            "more synonyms, or lower alignment.held_out."
        )
    with holding(folder):
        described = {"inventories": [str(path) for path in inventories], **settings.source}
        claim(folder, described)
        model = AcroBERT.load(find_start(settings.start))
        module = AcroNetwork.of(model.weights)
        leave_upper_layers(module, settings.layers)
        leave_out_dropout(module)
        objective = AlignmentObjective(
            module,
            model.pieces,
            training,
            held_out,
            pairs=settings.training.batch_size // settings.training.accumulate,
            seed=settings.training.seed,
        )
        train(objective, settings.training, folder, device=device, report=report)
        # Drop centroids and topics, because they were computed with the encoder before alignment.
        aligned = AcroBERT(module.weights(), model.pieces, model.settings)
        aligned.save(folder / "model")
    return aligned
