"""Self-alignment as a run of its own: an encoder and inventories in, an aligned encoder out.

`align_encoder` gives an encoder a minute on the inventory at hand; here it reads any inventories'
names for as long as one likes, and what it learnt serves other inventories, too (SapBERT).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ...concepts import Inventory
from ...errors import InputError
from ...modeling.acrobert import AcroBERT
from ...modeling.tokens import WordPieces
from ..locks import holding
from .loop import TrainingSettings, train
from .network import AcroNetwork
from .precision import inference
from .run import claim
from .self_alignment import (
    AlignmentSettings,
    cosines,
    encode,
    leave_out_dropout,
    leave_upper_layers,
    loss_of_pairs,
    several,
)
from .settings import reading
from .start import find_start

LOSS = ("alpha", "beta", "base", "margin")
Pair = list[str]
"""Two names of a concept."""


@dataclass(frozen=True)
class AlignmentRun:
    """What a settings file holds (`configs/alignment*.cfg`).

    start: see `find_start`. layers: the uppermost ones, which learn. held_out: concepts that are
    never learnt, whose names choose the best weights. loss: its settings, of which the file may
    name alpha, beta, base and margin. training: its batches are of pairs of names.
    """

    start: str
    training: TrainingSettings
    layers: int = 6
    held_out: int = 200
    loss: AlignmentSettings = field(default_factory=AlignmentSettings)
    source: dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, path: Path, overrides: dict[str, Any] | None = None) -> "AlignmentRun":
        """Read a settings file in spaCy's format; raises InputError for what it may not hold."""
        with reading(path, "an alignment", overrides or {}) as config:
            training = TrainingSettings(**config["training"])
            given = {**config["paths"], **config["alignment"]}
            loss = AlignmentSettings(**{name: given.pop(name) for name in LOSS if name in given})
            return cls(**given, training=training, loss=loss, source=dict(config))


@dataclass
class AlignmentObjective:
    """Names of one concept together, others apart. groups: the names of each concept, two at the
    least. pairs: in a batch, each of another concept."""

    module: AcroNetwork
    pieces: WordPieces
    groups: Sequence[Sequence[str]]
    held_out: Sequence[Sequence[str]]
    pairs: int
    settings: AlignmentSettings
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
        return loss_of_pairs(vectors, self.settings), {"nearest": _nearest(vectors.detach())}

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
            settings=settings.loss,
            seed=settings.training.seed,
        )
        train(objective, settings.training, folder, device=device, report=report)
        # Without centroids and topics, whose vectors are of the encoder as it was before.
        aligned = AcroBERT(module.weights(), model.pieces, model.settings)
        aligned.save(folder / "model")
    return aligned
