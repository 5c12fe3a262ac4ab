"""Vectors of a concept's names drawn together: whitening and self-alignment.

Whitening within concepts (within-class covariance normalisation, Hatch, Kajarekar and Stolcke
2006): directions in which the names of one concept differ count less.

Self-alignment: names of one concept together, others apart (SapBERT, NAACL 2021, section 2). The
multi-similarity loss (Wang et al. 2019) over the pairs of a batch that are hard: a positive is
hard where some negative is nearer to the anchor, but for a margin, and the other way round.

Self-alignment as a run of its own: an encoder and inventories in, an aligned encoder out.

`align_encoder` gives an encoder a minute on the inventory at hand; here it reads any inventories'
names for as long as one likes, and what it learnt serves other inventories, too (SapBERT).
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
"""Texts that the covariance is of; each has to be encoded. Of fewer, as where an inventory has few
names, it tells more of these texts than of the language."""
RIDGE = 0.3
"""Of the mean variance, which every direction gets in addition."""


def whiten(
    vectors: NameVectors,
    linked: Sequence[Sequence[str]],
    others: Sequence[Sequence[str]],
    number: int = TEXTS,
) -> None:
    """Whiten vectors by names and linked phrases, of a concept each; others: names alone.

    number: of texts; groups are drawn, linked ones first, until there are so many. Where there are
    fewer the vectors stay as they are.
    """
    random = np.random.default_rng(0)
    drawn: list[list[str]] = []
    texts = 0
    for groups in (several(linked), several(others)):
        for one in random.permutation(len(groups)):
            if texts < number:
                drawn.append(groups[one])
                texts += len(groups[one])
    if texts >= number:
        vectors(
            [text for group in drawn for text in group]
        )  # all at once, in batches of one length
        vectors.transform(whitening([vectors(group) for group in drawn]))


def whitening(groups: Sequence[Floats], ridge: float = RIDGE) -> Floats:
    """The inverse square root of the covariance of vectors about the mean of their group."""
    apart = np.concatenate([group - group.mean(0) for group in groups]).astype(np.float64)
    covariance = apart.T @ apart / len(apart)
    variances, directions = np.linalg.eigh(covariance)
    variances += ridge * variances.mean()
    matrix: Floats = ((directions * variances**-0.5) @ directions.T).astype(np.float32)
    return matrix


ALPHA, BETA, BASE, MARGIN = 2.0, 50.0, 0.5, 0.2
"""Of the loss, as SapBERT has them; the margin is that by which a pair counts as hard."""

WARMUP = 10
"""Steps in which the learning rate rises."""


@dataclass(frozen=True)
class AlignmentSettings:
    """steps, passes: how often a batch is learnt, and every concept, at the most: few concepts seen
    too often are learnt by heart. pairs: in a batch. layers: the uppermost ones, which learn; those
    below stay. learning_rate: the highest, after WARMUP steps; it falls to 0 at the last one."""

    steps: int = 120
    passes: int = 16
    pairs: int = 96
    layers: int = 2
    learning_rate: float = 2e-4


def multi_similarity_loss(vectors: Tensor, labels: Tensor, margin: float = MARGIN) -> Tensor:
    """The loss of a batch, its mean over the anchors.

    vectors: unit vectors [texts, width]. labels: integers [texts], equal for one concept.
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
    """A copy of the model whose uppermost layers bring the texts of each group together.

    linked: the names and linked phrases of a concept each. others: names of a concept each; as far
    as there are enough, half of every batch. Case does not count, since no vector has any. Where no
    group has two texts there is nothing to learn, and the model itself is returned.
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
    """Let nothing of the network learn but its `count` uppermost layers; returns what they have."""
    module.requires_grad_(False)
    layers = module.bert.encoder["layer"]
    assert isinstance(layers, nn.ModuleList)
    learning = [one for layer in layers[-count:] for one in layer.parameters()]
    for parameter in learning:
        parameter.requires_grad_(True)
    return learning


def leave_out_dropout(module: nn.Module) -> None:
    """Drop nothing: it takes a fifth of a step, and no pair of names is learnt by heart."""
    for part in module.modules():
        if isinstance(part, nn.Dropout):
            part.p = 0.0
        elif isinstance(part, SelfAttention):
            part.dropout = 0.0


def encode(module: AcroNetwork, pieces: WordPieces, texts: Sequence[str]) -> Tensor:
    """Unit vectors [texts, width], packed without padding, where the network is."""
    device = next(module.parameters()).device
    packed = pack(list(group_into_rows(pieces.encode_long_forms(texts))), pieces.pad)
    return module.encode_long_forms(packed.to(device))


def cosines(vectors: Tensor) -> Tensor:
    """Cosines of unit vectors [texts, texts]; in bf16 those of near names would all be equal."""
    with torch.autocast(vectors.device.type, enabled=False):
        return vectors @ vectors.T


def loss_of_pairs(vectors: Tensor) -> Tensor:
    """The loss of texts of which every two that follow one another are of one concept."""
    labels = torch.arange(len(vectors) // 2, device=vectors.device).repeat_interleave(2)
    return multi_similarity_loss(vectors, labels)


def several(groups: Iterable[Sequence[str]]) -> list[list[str]]:
    """The groups' distinct texts, of those groups that have two."""
    distinct = (list(dict.fromkeys(text.lower() for text in group)) for group in groups)
    return [group for group in distinct if len(group) > 1]


def _pairs(groups: Sequence[list[list[str]]], pairs: int, random: np.random.Generator) -> list[str]:
    """Two texts of each group drawn, one pair after another; groups: of linked ones, of others."""
    linked, others = groups
    few = min(len(others), max(pairs // 2, pairs - len(linked)))
    chosen: list[str] = []
    for source, count in ((others, few), (linked, min(len(linked), pairs - few))):
        for one in random.choice(len(source), count, replace=False) if count else ():
            chosen += random.choice(source[one], 2, replace=False).tolist()
    return chosen


Pair = list[str]
"""Two names of a concept."""


@dataclass(frozen=True)
class AlignmentRun:
    """What a settings file holds (`configs/alignment*.cfg`).

    start: see `find_start`. layers: the uppermost ones, which learn. held_out: concepts that are
    never learnt, whose names choose the best weights. training: its batches are of pairs of names.
    """

    start: str
    training: TrainingSettings
    layers: int = 6
    held_out: int = 200
    source: dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, path: Path, overrides: dict[str, Any] | None = None) -> "AlignmentRun":
        """Read a settings file in spaCy's format; raises InputError for what it may not hold."""
        with reading(path, "an alignment", overrides or {}) as config:
            training = TrainingSettings(**config["training"])
            given = {**config["paths"], **config["alignment"]}
            return cls(**given, training=training, source=dict(config))


@dataclass
class AlignmentObjective:
    """Names of one concept together, others apart. groups: the names of each concept, two at the
    least. pairs: in a batch, each of another concept."""

    module: AcroNetwork
    pieces: WordPieces
    groups: Sequence[Sequence[str]]
    held_out: Sequence[Sequence[str]]
    pairs: int
    seed: int

    def batch(self, step: int) -> list[Pair]:
        rng = np.random.default_rng([self.seed, step])
        chosen = rng.choice(len(self.groups), min(self.pairs, len(self.groups)), replace=False)
        return [rng.choice(self.groups[one], 2, replace=False).tolist() for one in chosen]

    def split(self, batch: list[Pair], parts: int) -> list[list[Pair]]:
        """Parts of a batch; a name is held against those of its own part alone."""
        return [part.tolist() for part in np.array_split(np.array(batch, dtype=object), parts)]

    def loss(self, batch: list[Pair]) -> tuple[Tensor, dict[str, float]]:
        """The multi-similarity loss, and the share of names whose nearest is of their concept."""
        vectors = self._encode(batch)
        return loss_of_pairs(vectors), {"nearest": _nearest(vectors.detach())}

    def evaluate(self) -> dict[str, float]:
        """The same share among two names of each concept that is held out; the score."""
        if not self.held_out:
            return {}
        with inference(self.module):
            vectors = self._encode([[*group[:2]] for group in self.held_out])
        return {"score": round(_nearest(vectors), 4)}

    def _encode(self, pairs: Sequence[Pair]) -> Tensor:
        return encode(self.module, self.pieces, [name for pair in pairs for name in pair])


def _nearest(vectors: Tensor) -> float:
    """The share of vectors of which the nearest other one is the other of their pair."""
    others = cosines(vectors).fill_diagonal_(-torch.inf)
    partners = torch.arange(len(vectors), device=vectors.device) ^ 1
    return (others.argmax(1) == partners).float().mean().item()


def run_alignment(
    settings: AlignmentRun,
    inventories: Sequence[Path],
    folder: Path,
    *,
    device: str = "cpu",
    report: Callable[[dict[str, Any]], None] = lambda record: None,
) -> AcroBERT:
    """Align an encoder and write it to `folder / "model"`; an interrupted run goes on.

    inventories: files that `concepts build` wrote. device: "cpu", "cuda" or one GPU such as
    "cuda:1". Raises InputError where start or inventory is missing or no concept has two names,
    FormatError where the folder holds a run with other settings.
    """
    groups: list[list[str]] = []
    for path in inventories:
        inventory = Inventory.open(path)
        groups += several(map(inventory.names_of, range(len(inventory))))
    order = np.random.default_rng(settings.training.seed).permutation(len(groups))
    held_out = [groups[one] for one in order[: settings.held_out]]
    learnt = [groups[one] for one in order[settings.held_out :]]
    if len(learnt) < 2:
        raise InputError(
            f"{', '.join(map(str, inventories))}: {len(groups)} concepts have several names, of "
            f"which {settings.held_out} are held out. Give inventories with more synonyms."
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
            learnt,
            held_out,
            pairs=settings.training.batch_size // settings.training.accumulate,
            seed=settings.training.seed,
        )
        train(objective, settings.training, folder, device=device, report=report)
        # Without centroids and topics, whose vectors are of the encoder as it was before.
        aligned = AcroBERT(module.weights(), model.pieces, model.settings)
        aligned.save(folder / "model")
    return aligned
