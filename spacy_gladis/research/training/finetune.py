"""Fine-tuning on labelled samples, its rate chosen on a development set (GLADIS, 5.2.1 and A.4).

Either kind of model: AcroBERT learns by candidates or by triplets, BERT with its next-sentence head
by triplets.
The wrong long forms are those that the dictionary offers for the sample's acronym.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...dictionary import Candidate, Dictionary
from ...errors import InputError
from ...files import write_json
from ...linking import Linker
from ...linking.acrobert import AcroBERT
from ...metrics.disambiguation import score_disambiguation
from ...text import merge_key
from ..datasets.sample import Sample, read_samples
from .dataset import TrainingSet
from .loop import NotFiniteError, TrainingSettings, train
from .next_sentence import NextSentenceBERT
from .processes import Processes
from .recipes import Model, RunSettings, load_start, make_recipe
from .run import claim

LEARNING_RATES = (1e-5, 2e-5, 3e-5, 5e-5, 1e-4)
"""Those usual for BERT; the best on the development set is taken."""

PAPER_RATES, PAPER_BATCH = (1e-5, 8e-6, 6e-6, 4e-6, 2e-6), 8
"""Those of the paper (A.4), whose loss is that of triplets."""

LARGEST_POOL = 200
"""An acronym's most frequent long forms, so many of which may become negatives."""


@dataclass(frozen=True)
class FinetuneSettings:
    """learning_rates: to choose from. epochs: of each run. batch_size, negatives: see RunSettings.
    held_out: development samples that choose the best weights within a run; all choose the rate.
    dropout: of a BERT with a next-sentence head; AcroBERT keeps its own. triplets: AcroBERT learns
    by triplets, as a BERT does anyway."""

    learning_rates: tuple[float, ...] = LEARNING_RATES
    epochs: int = 3
    batch_size: int = 32
    negatives: int = 2
    accumulate: int = 1
    dropout: float = 0.1
    held_out: int = 500
    seed: int = 0
    triplets: bool = False

    def __post_init__(self) -> None:
        if min(self.learning_rates, default=0) <= 0:
            raise InputError("fine-tuning needs at least one learning rate, all above 0")


def finetune(
    model: Path,
    samples: Path,
    dev: Path,
    dictionary: Dictionary,
    folder: Path,
    settings: FinetuneSettings,
    *,
    device: str = "cpu",
    report: Callable[[dict[str, Any]], None] = lambda record: None,
) -> dict[str, Any]:
    """Fine-tune once for each learning rate; the best on `dev` becomes `folder / "model"`.

    model: a folder of AcroBERT's (learns by candidates), else a BERT checkpoint or the published
        `acrobert.pt` (learns by triplets). samples, dev: what `read_samples` takes.
    Returns the figures on `dev` before and after, also in `folder / "finetune.json"`. A rate at
    which the loss diverges is counted out. An interrupted call goes on. Raises InputError when all
    rates diverge.
    """
    training, development = list(read_samples(samples)), list(read_samples(dev))
    processes = Processes.here(device)
    loaded = load_model(model)
    candidates = [dictionary.lookup(sample.acronym) for sample in development]

    def long_forms(acronym: str) -> list[str]:
        return [one.long_form for one in dictionary.lookup(acronym)[:LARGEST_POOL]]

    tokenised, held_out = (
        TrainingSet.build(some, loaded.pieces, window_of(loaded), long_forms)
        for some in (training, development)
    )
    few = held_out.take(settings.held_out, settings.seed)
    described: dict[str, Any] = {"model": str(model), "samples": str(samples), "dev": str(dev)}
    described["bytes"] = [samples.stat().st_size, dev.stat().st_size]
    with processes.main_first():
        folder.mkdir(parents=True, exist_ok=True)
        claim(folder, {**described, "dictionary": dictionary.fingerprint, **asdict(settings)})

    runs: dict[str, Any] = {}
    best: tuple[str, Model] | None = None
    before = assess(loaded, dictionary, development, candidates)
    for rate in settings.learning_rates:
        run = _settings(model, samples, loaded, settings, rate, len(training))
        recipe = make_recipe(run, load_start(run, model), tokenised, few)
        place = folder / f"rate-{rate:g}"
        try:
            train(recipe.objective, run.training, place, device=device, report=report)
        except NotFiniteError as error:
            runs[f"{rate:g}"] = {"diverged": str(error)}
            continue
        trained = recipe.model()
        runs[f"{rate:g}"] = figures = assess(trained, dictionary, development, candidates)
        report({"learning_rate": rate, **figures})
        if best is None or figures["macro_f1"] > runs[best[0]]["macro_f1"]:
            best = f"{rate:g}", trained
    if best is None:
        raise InputError("the loss diverged at every learning rate. Give lower ones.")
    result = {
        "objective": _objective(loaded, settings),
        "chosen_learning_rate": float(best[0]),
        "before": before,
        "after": runs[best[0]],
        "runs": runs,
        "settings": asdict(settings),
    }
    if processes.main:
        best[1].save(folder / "model")
        write_json(folder / "finetune.json", result)
    return result


def load_model(path: Path) -> Model:
    """AcroBERT from a folder of its own, else BERT with its next-sentence head."""
    if (path / "acrobert.json").is_file():
        return AcroBERT.load(path)
    return NextSentenceBERT.load(path, start=True)


def window_of(model: Model) -> int:
    """Word pieces of context that a model reads."""
    return model.settings.window if isinstance(model, AcroBERT) else model.window


def assess(
    model: Model,
    dictionary: Dictionary,
    samples: Sequence[Sample],
    candidates: Sequence[Sequence[Candidate]],
) -> dict[str, float]:
    """Accuracy and GLADIS's macro F1 of the best candidate; without candidates a row is wrong."""
    contexts = [sample.mention for sample in samples]
    scores: Sequence[Any]
    if isinstance(model, AcroBERT):
        mentions = [context._replace(document=number) for number, context in enumerate(contexts)]
        scores = Linker(model, dictionary).score_candidates(mentions, candidates)
    else:
        names = [[candidate.long_form for candidate in options] for options in candidates]
        scores = model.score(contexts, names)
    predicted = [
        merge_key(options[int(values.argmax())].long_form) if len(options) else None
        for options, values in zip(candidates, scores, strict=True)
    ]
    found = score_disambiguation([merge_key(sample.long_form) for sample in samples], predicted)
    return {
        "accuracy": round(found.accuracy, 4),
        "macro_f1": round(found.gladis_macro_f1, 4),
        "samples": len(samples),
    }


def _objective(model: Model, settings: FinetuneSettings) -> str:
    if isinstance(model, AcroBERT):
        return "candidate_triplet" if settings.triplets else "candidates"
    return "triplet"


def _settings(
    model: Path, samples: Path, loaded: Model, settings: FinetuneSettings, rate: float, count: int
) -> RunSettings:
    epoch = max(1, count // settings.batch_size)
    return RunSettings(
        samples=samples,
        start=str(model),
        objective=_objective(loaded, settings),
        window=window_of(loaded),
        dropout=settings.dropout,
        negatives=settings.negatives,
        cap=max(1, count),  # all samples count: they were labelled, not mined
        training=TrainingSettings(
            steps=settings.epochs * epoch,
            batch_size=settings.batch_size,
            accumulate=settings.accumulate,
            learning_rate=rate,
            warmup=0.1,
            seed=settings.seed,
            log_every=min(50, epoch),
            evaluate_every=epoch,
            checkpoint_every=epoch,
        ),
    )
