"""What a device does in a second: steps of training, contexts, long forms, mentions linked."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from measuring import peak_megabytes

from spacy_gladis.dictionary import Dictionary
from spacy_gladis.dictionary.dictionary import PACKAGED
from spacy_gladis.modeling.acrobert import AcroBERT
from spacy_gladis.modeling.disambiguator import Disambiguator
from spacy_gladis.modeling.precision import has_native_bf16
from spacy_gladis.modeling.tokens import WordPieces
from spacy_gladis.research.training.dataset import TrainingSet
from spacy_gladis.research.training.loop import train
from spacy_gladis.research.training.objective import Objective
from spacy_gladis.research.training.recipes import make_recipe
from spacy_gladis.research.training.settings import RunSettings
from spacy_gladis.rules import Mention

WARMING = 5
"""Steps and passes before anything is timed."""

ENCODED = 2048
"""Contexts and long forms in each call of the encoder."""

ENDLESS = 10**9


class EnoughError(Exception):
    """The time for measuring is over."""


def measure(
    settings: RunSettings,
    start: Path,
    sets: Sequence[TrainingSet],
    texts: Path,
    device: str,
    seconds: float,
) -> dict[str, Any]:
    """The figures of a device. seconds: for the steps of training; a third for each other one."""
    training, held_out = sets
    figures: dict[str, Any] = {
        "device": name_of(device),
        "torch": torch.__version__,
        "bf16": has_native_bf16(torch.device(device)),
        "samples": len(training),
    }
    recipes = {
        "encoder": (replace(settings, reading=False), seconds),
        "cross_encoder": (replace(settings, objective="candidates", reading=True), seconds / 3),
    }
    for name, (one, limit) in recipes.items():
        objective = make_recipe(one, start, training, held_out).objective
        work = partial(trained, objective, one, device, limit)
        figures[name] = with_peak(device, work)
        del objective, work  # and their memory
    model = AcroBERT.load(start).to(device)
    figures["encoded"] = with_peak(device, lambda: encoded(model, training, seconds / 3))
    figures["linked"] = with_peak(device, lambda: linked(model, texts))
    return figures


def name_of(device: str) -> str:
    """The GPU's name, or that it is none."""
    return torch.cuda.get_device_name(device) if device.startswith("cuda") else device


def with_peak(device: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Figures, and the most memory of the device meanwhile; on a CPU of the process so far."""
    if not device.startswith("cuda"):
        return {**work(), "peak_megabytes": peak_megabytes()}
    torch.cuda.reset_peak_memory_stats(device)
    return {**work(), "peak_megabytes": torch.cuda.max_memory_allocated(device) // 2**20}


def trained(
    objective: Objective, settings: RunSettings, device: str, seconds: float
) -> dict[str, Any]:
    """Steps and samples a second of the training loop, in a run that is thrown away."""
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
    with TemporaryDirectory() as folder, suppress(EnoughError):
        train(objective, endless, Path(folder), device=device, report=note)
    pace = (len(ends) - 1 - WARMING) / (ends[-1] - ends[WARMING])
    size = settings.training.batch_size
    return {
        "objective": settings.objective,
        "batch_size": size,
        "steps_per_second": round(pace, 3),
        "samples_per_second": round(pace * size, 1),
    }


def encoded(model: AcroBERT, data: TrainingSet, seconds: float) -> dict[str, Any]:
    """Contexts and long forms a second, from text each time."""
    mentions = list(islice(contexts(data, model.pieces), ENCODED))
    long_forms = list(islice(names(data, model.pieces), ENCODED))
    return {
        f"{name}_per_second": rate(work, size, seconds)
        for name, work, size in (
            ("contexts", lambda: model.encode_contexts(mentions), len(mentions)),
            ("long_forms", lambda: model.encode_long_forms(long_forms), len(long_forms)),
        )
    }


def rate(work: Callable[[], object], size: int, seconds: float) -> float:
    """Things of such calls in a second: each call ends when its result is in the host's memory."""
    work()
    began = time.perf_counter()
    calls, taken = 0, 0.0
    while taken <= seconds:
        work()
        calls, taken = calls + 1, time.perf_counter() - began
    return round(calls * size / taken, 1)


def contexts(data: TrainingSet, pieces: WordPieces) -> Iterator[Mention]:
    """The samples' contexts as the tokenizer spells them."""
    marker = len(pieces.markers) // 2
    for row in range(len(data)):
        ids, (first, last) = data.windows[row].tolist(), data.mentions[row].tolist()
        parts = ids[1:first], ids[first + marker : last - marker], ids[last:-1]
        left, mention, right = (spelt(pieces, part) for part in parts)
        at = len(left) + 1
        yield Mention(f"{left} {mention} {right}", at, at + len(mention), row)


def names(data: TrainingSet, pieces: WordPieces) -> Iterator[str]:
    """The long forms as the tokenizer spells them."""
    return (
        spelt(pieces, data.long_forms[row].tolist()[1:-1]) for row in range(len(data.long_forms))
    )


def spelt(pieces: WordPieces, ids: list[int]) -> str:
    """The text of word pieces, unknown ones included."""
    text: str = pieces.tokenizer.decode(ids, skip_special_tokens=False)
    return text


def linked(model: AcroBERT, texts: Path) -> dict[str, Any]:
    """Mentions a second of the linker's answers, first and again: long forms are then known."""
    if not (texts.is_file() and PACKAGED.is_file()):
        return {"not measured": "no texts were prepared, or there is no dictionary"}
    rows = json.loads(texts.read_text("utf8"))
    mentions = [
        Mention(row["text"], one["start"], one["end"], number)
        for number, row in enumerate(rows)
        for one in row["mentions"]
    ]
    dictionary = Dictionary.open(None)
    Disambiguator(model, dictionary).resolve(mentions)  # the device is warm, no vector is kept
    disambiguator = Disambiguator(model, dictionary)
    figures: dict[str, Any] = {"mentions": len(mentions)}
    for name in ("first_pass", "second_pass"):
        began = time.perf_counter()
        disambiguator.resolve(mentions)
        figures[f"{name}_per_second"] = round(len(mentions) / (time.perf_counter() - began), 1)
    return figures
