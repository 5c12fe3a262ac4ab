"""Train AcroBERT on a machine that has a GPU and little else, and measure the pace of that GPU.

Here, with the whole package; RUN is a run's folder, whose samples are tokenised:

    python benchmarks/gpu.py prepare configs/acrobert_gpu.cfg RUN -o build/gpu

There, from the root of the same tree; torch, numpy, safetensors and tokenizers are enough:

    PYTHONPATH=. python benchmarks/gpu.py train build/gpu build/gpu-run --minutes 25 -o OUT

The same command goes on with a run that was killed. Figures and weights come back in files of at
most 15 MiB: cat OUT/model.tar.gz.* | tar xz -C build
"""

import argparse
import json
import lzma
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from measuring import peak_megabytes

from spacy_gladis.errors import InputError
from spacy_gladis.files import write_json
from spacy_gladis.modeling.acrobert import AcroBERT
from spacy_gladis.modeling.tokens import crop
from spacy_gladis.modeling.weights import Weights
from spacy_gladis.research.locks import holding
from spacy_gladis.research.training.dataset import Array, Ragged, TrainingSet
from spacy_gladis.research.training.log import read_log
from spacy_gladis.research.training.loop import TrainingSettings, train
from spacy_gladis.research.training.objective import Objective
from spacy_gladis.research.training.precision import has_native_bf16
from spacy_gladis.research.training.recipes import Recipe, RunSettings, make_recipe
from spacy_gladis.research.training.start import find_start

ROOT = Path(__file__).parents[1]
TRAVELS = 64 * 2**20
"""Bytes that may travel, the repository's own files among them."""

PART = 15 * 2**20
"""Bytes of each file of weights that comes back."""

TRAINING, HELD_OUT = "training.safetensors.xz", "held-out.safetensors.xz"
FIRST = 20_000
"""Samples that are packed first, to learn how many fit."""

SPARE = 0.1
"""Share of the minutes for evaluations, checkpoints and new starts."""

WARMING = 5
"""Steps before anything is timed."""

ENDLESS = 10**9


class EnoughError(Exception):
    """The time for measuring is over."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Prepare, or train and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    before = commands.add_parser("prepare", help="write what travels")
    before.add_argument("settings", type=Path, help="a settings file of `train acrobert`")
    before.add_argument("run", type=Path, help="the folder of a run with the samples")
    before.add_argument("--megabytes", type=float, help="instead of all that may travel")
    before.add_argument("-o", "--output", type=Path, required=True)
    before.set_defaults(command=prepare)
    there = commands.add_parser("train", help="train and measure")
    there.add_argument("prepared", type=Path, help="the folder that `prepare` wrote")
    there.add_argument("run", type=Path, help="the run's own folder, which a killed run leaves")
    there.add_argument("--minutes", type=float, help="of the whole run; else the settings' steps")
    there.add_argument("--seconds", type=float, default=60, help="of measuring before the run")
    there.add_argument("--device", default="cuda")
    there.add_argument("-o", "--output", type=Path, required=True)
    there.set_defaults(command=train_there)
    options = parser.parse_args(arguments)
    options.command(options)


def prepare(options: argparse.Namespace) -> None:
    """Write settings and samples, as many as fit."""
    settings = RunSettings.read(options.settings, {"paths.samples": str(options.run)})
    if settings.objective != "candidates":
        raise InputError(f"{settings.objective}: only candidates are trained there")
    if not (ROOT / settings.start).is_dir():
        raise InputError(f"{settings.start}: give a start that is a folder of the repository")
    space = round(options.megabytes * 1e6) if options.megabytes else TRAVELS - tree_size()
    folder: Path = options.output
    shutil.rmtree(folder, ignore_errors=True)
    described = asdict(settings)
    del described["samples"], described["source"]
    write_json(folder / "settings.json", described)
    held_out = tokenised(options.run, "held-out")
    order = np.random.default_rng(0).permutation(len(held_out))[: settings.held_out]
    counts = {"held_out": pack(held_out, order, settings.window, folder / HELD_OUT, space)}
    training = tokenised(options.run, "train")
    order, left = np.random.default_rng(0).permutation(len(training)), space - size_of(folder)
    counts["samples"] = pack(training, order, settings.window, folder / TRAINING, left)
    print(json.dumps({**counts, "bytes": size_of(folder), "space": space}))


def tree_size() -> int:
    """Bytes of the repository's files, but for those that git ignores."""
    call = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(call, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return sum(path.stat().st_size for x in names.split("\0") if (path := ROOT / x).is_file())


def size_of(folder: Path) -> int:
    """Bytes of a folder's files."""
    return sum(path.stat().st_size for path in folder.iterdir() if path.is_file())


def tokenised(run: Path, name: str) -> TrainingSet:
    """A set that `train acrobert` tokenised; InputError where there is none, or several."""
    found = list(run.glob(f"{name}-*.safetensors"))
    if len(found) != 1:
        raise InputError(f"{run}: {len(found)} files {name}-*.safetensors, expected one")
    return TrainingSet.load(found[0])


def pack(data: TrainingSet, order: Array, window: int, path: Path, space: int) -> int:
    """Write the first samples of an order, as many as fit; returns how many."""
    count = min(FIRST, len(order))
    with TemporaryDirectory() as folder:
        plain = Path(folder) / "set.safetensors"
        while count:
            subset(data, order[:count], window).save(plain)
            path.write_bytes(lzma.compress(plain.read_bytes(), preset=4))
            size = path.stat().st_size
            if size <= space and (count == len(order) or size > 0.9 * space):
                return count
            count = min(len(order), int(0.98 * count * space / size))
    raise InputError(f"{path}: not a single sample fits into {space} bytes")


def subset(data: TrainingSet, samples: Array, window: int) -> TrainingSet:
    """Samples with all that their acronyms could mean, numbered anew.

    window: word pieces a context, at most. A document's samples lie together, so that what their
    contexts share is compressed away.
    """
    samples = samples[np.argsort(data.documents[samples], kind="stable")]
    views = [crop(data.windows[i], data.mentions[i], window) for i in samples]
    acronyms, acronym_of = np.unique(data.acronyms[samples], return_inverse=True)
    pools = [data.pools[acronym] for acronym in acronyms]
    rows = np.unique(np.concatenate(pools))
    number = np.full(len(data.long_forms), -1)
    number[rows] = np.arange(len(rows))
    spellings = [number[data.spellings[row]] for row in rows]
    return replace(
        data,
        windows=Ragged.pack([view.ids for view in views], np.uint16),
        mentions=np.array([view.mention for view in views], dtype=np.int16),
        positives=number[data.positives[samples]].astype(np.int32),
        acronyms=acronym_of.astype(np.int32),
        documents=data.documents[samples],
        long_forms=Ragged.pack([data.long_forms[row] for row in rows], np.uint16),
        pools=Ragged.pack([number[pool] for pool in pools], np.int32),
        spellings=Ragged.pack([others[others >= 0] for others in spellings], np.int32),
    )


def train_there(options: argparse.Namespace) -> None:
    """Measure, choose the steps, train, and hand over figures and weights."""
    began = time.perf_counter()
    run, output = options.run, options.output
    output.mkdir(parents=True, exist_ok=True)
    with holding(run):
        settings = read_settings(options.prepared / "settings.json")
        sets = [unpacked(options.prepared / name, run) for name in (TRAINING, HELD_OUT)]
        start = find_start(settings.start)
        known = run / "figures.json"
        if not known.is_file():
            objective = make_recipe(settings, start, sets[0], sets[1]).objective
            figures = measure(objective, settings, options.device, options.seconds)
            spent = time.perf_counter() - began
            planned = plan(settings.training, options.minutes, spent, figures["steps_per_second"])
            write_json(known, {**figures, "training": asdict(planned)})
        figures = json.loads(known.read_text("utf8"))
        write_json(output / "figures.json", figures)
        settings = replace(settings, training=TrainingSettings(**figures["training"]))
        torch.manual_seed(settings.training.seed)
        recipe = make_recipe(settings, start, sets[0], sets[1])
        hand_over_best(recipe, run, output)
        train(recipe.objective, settings.training, run, device=options.device, report=show)
        hand_over(recipe, output)
        write_json(output / "figures.json", {**figures, "log": read_log(run / "log.jsonl")})


def measure(
    objective: Objective, settings: RunSettings, device: str, seconds: float
) -> dict[str, Any]:
    """Steps and samples a second of the training loop, in a run that is thrown away, and memory."""
    ends: list[float] = []

    def note(record: dict[str, Any]) -> None:
        ends.append(time.perf_counter())
        if len(ends) > WARMING + 1 and ends[-1] - ends[0] > seconds:
            raise EnoughError

    endless = replace(
        settings.training,
        steps=ENDLESS,
        log_every=1,
        evaluate_every=ENDLESS,
        checkpoint_every=ENDLESS,
    )
    cuda = device.startswith("cuda")
    memory: Callable[[], int] = peak_megabytes
    if cuda:
        torch.cuda.reset_peak_memory_stats(device)
        memory = lambda: torch.cuda.max_memory_allocated(device) // 2**20  # noqa: E731
    with TemporaryDirectory() as folder, suppress(EnoughError):
        train(objective, endless, Path(folder), device=device, report=note)
    pace = (len(ends) - 1 - WARMING) / (ends[-1] - ends[WARMING])
    return {
        "device": torch.cuda.get_device_name(device) if cuda else device,
        "torch": torch.__version__,
        "bf16": has_native_bf16(torch.device(device)),
        "batch_size": settings.training.batch_size,
        "steps_per_second": round(pace, 3),
        "samples_per_second": round(pace * settings.training.batch_size, 1),
        "peak_megabytes": memory(),
    }


def show(record: dict[str, Any]) -> None:
    """Print a record of the log."""
    print(json.dumps(record), flush=True)


def read_settings(path: Path) -> RunSettings:
    """The settings that `prepare` wrote."""
    described: dict[str, Any] = json.loads(path.read_text("utf8"))
    training = TrainingSettings(**described.pop("training"))
    return RunSettings(samples=path.parent, training=training, **described)


def unpacked(path: Path, run: Path) -> TrainingSet:
    """A set that `pack` wrote."""
    plain = run / path.stem
    plain.write_bytes(lzma.decompress(path.read_bytes()))
    return TrainingSet.load(plain)


def plan(
    settings: TrainingSettings, minutes: float | None, spent: float, pace: float
) -> TrainingSettings:
    """The settings with the steps that fit into the minutes, at so many steps a second."""
    if minutes is None:
        return settings
    steps = max(1, int(pace * (60 * minutes * (1 - SPARE) - spent)))
    return replace(
        settings,
        steps=steps,
        log_every=max(1, steps // 100),
        evaluate_every=max(1, steps // 10),
        checkpoint_every=max(1, steps // 25),
    )


def hand_over_best(recipe: Recipe, run: Path, output: Path) -> None:
    """Hand over what an earlier call left, in case that this one is not the last and is killed."""
    from safetensors.torch import load_model

    if (run / "best.safetensors").is_file():
        load_model(recipe.objective.module, run / "best.safetensors")
        hand_over(recipe, output)


def hand_over(recipe: Recipe, output: Path) -> None:
    """The model's folder with weights of 16 bits, as an archive in parts."""
    model = recipe.model()
    assert isinstance(model, AcroBERT)
    for part in output.glob("model.tar.gz.*"):
        part.unlink()
    with TemporaryDirectory() as name:
        folder = Path(name)
        halved = {name: one.astype(np.float16) for name, one in model.weights.whole().items()}
        model.with_weights(Weights(model.weights.config, halved)).save(folder / "model")
        archive = shutil.make_archive(str(folder / "model"), "gztar", folder, "model")
        content = Path(archive).read_bytes()
    for number, first in enumerate(range(0, len(content), PART)):
        (output / f"model.tar.gz.{number}").write_bytes(content[first : first + PART])


if __name__ == "__main__":
    main()
