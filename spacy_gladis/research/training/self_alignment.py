"""Self-alignment: names of one concept together, others apart (SapBERT, NAACL 2021, section 2).

The multi-similarity loss (Wang et al. 2019) over the pairs of a batch that are hard: a positive is
hard where some negative is nearer to the anchor, but for a margin, and the other way round.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import torch
from torch import Tensor, nn

from ...modeling.acrobert import AcroBERT
from ...modeling.engines.torch import SelfAttention
from ...modeling.packing import in_rows
from ...modeling.tokens import WordPieces
from .network import AcroNetwork, pack
from .precision import has_native_bf16


@dataclass(frozen=True)
class AlignmentSettings:
    """alpha, beta, base: of the loss, as SapBERT has them. margin: by which a pair counts as hard.
    steps, passes: how often a batch is learnt, and every concept, at the most: few concepts seen
    too often are learnt by heart. pairs: in a batch. layers: the uppermost ones, which learn; those
    below stay. learning_rate: the highest, after `warmup` steps; it falls to 0 at the last one."""

    steps: int = 120
    passes: int = 16
    pairs: int = 96
    layers: int = 2
    learning_rate: float = 2e-4
    warmup: int = 10
    alpha: float = 2.0
    beta: float = 50.0
    base: float = 0.5
    margin: float = 0.2
    seed: int = 0


def multi_similarity_loss(
    vectors: Tensor, labels: Tensor, settings: AlignmentSettings = AlignmentSettings()
) -> Tensor:
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
        positive &= similarity - settings.margin < nearest
        negative &= similarity + settings.margin > farthest
    zero = torch.zeros_like(similarity)
    pull = torch.where(positive, torch.exp(-settings.alpha * (similarity - settings.base)), zero)
    push = torch.where(negative, torch.exp(settings.beta * (similarity - settings.base)), zero)
    loss = torch.log1p(pull.sum(1)) / settings.alpha + torch.log1p(push.sum(1)) / settings.beta
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
    random = np.random.default_rng(settings.seed)
    device = torch.device(model.encoder.device)
    bf16 = has_native_bf16(device)
    steps = min(settings.steps, ceil(settings.passes * sum(map(len, groups)) / settings.pairs))
    for step in range(steps):
        rising = (step + 1) / settings.warmup if settings.warmup else 1.0
        share = min(1.0, rising) * (1 - step / steps)
        optimizer.param_groups[0]["lr"] = share * settings.learning_rate
        texts = _pairs(groups, settings.pairs, random)
        with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
            loss = loss_of_pairs(encode(module, model.pieces, texts), settings)
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
    packed = pack(list(in_rows(pieces.long_forms(texts))), pieces.pad)
    return module.encode_long_forms(packed.to(device))


def cosines(vectors: Tensor) -> Tensor:
    """Cosines of unit vectors [texts, texts]; in bf16 those of near names would all be equal."""
    with torch.autocast(vectors.device.type, enabled=False):
        return vectors @ vectors.T


def loss_of_pairs(vectors: Tensor, settings: AlignmentSettings) -> Tensor:
    """The loss of texts of which every two that follow one another are of one concept."""
    labels = torch.arange(len(vectors) // 2, device=vectors.device).repeat_interleave(2)
    return multi_similarity_loss(vectors, labels, settings)


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
