"""Fine-tuning on labelled samples, with the learning rate chosen on a development set.

Follows GLADIS, section 5.2.1 and appendix A.4. AcroBERT learns by candidates or triplets, a BERT
with a next-sentence head by triplets. Negatives are the dictionary's other long forms of the
sample's acronym.
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
from ...linking.model_folder import is_acrobert
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
"""Usual learning rates for BERT. The rate with the best score on the development set is chosen."""

PAPER_RATES, PAPER_BATCH = (1e-5, 8e-6, 6e-6, 4e-6, 2e-6), 8
"""The paper's learning rates and batch size (A.4), for the triplet loss."""

OPTIMIZER: dict[str, Any] = {"warmup": 0.1}
PAPER_OPTIMIZER: dict[str, Any] = {
    "warmup": 0.0,
    "schedule": "constant",
    "weight_decay": 0.0,
    "clip": 1e6,
}
"""Settings of the optimizer: the default, and those of the paper (Adam at a constant rate, A.4)."""

LARGEST_POOL = 200
"""Number of long forms of an acronym, the most frequent ones, that can be negatives."""


@dataclass(frozen=True)
class FinetuneSettings:
    """Settings of `finetune`.

    Attributes:
        learning_rates: Learning rates to choose from.
        epochs: Number of epochs of each run.
        batch_size: Number of samples in a training step.
        negatives: Number of negatives per sample.
        accumulate: Number of parts in which a batch is processed, to save memory.
        dropout: Dropout of a BERT with a next-sentence head. AcroBERT keeps its own.
        held_out: Number of development samples that select the best weights of a run. The learning
            rate is selected with all development samples.
        seed: Random seed of the whole run.
        paper: Whether to train as the paper does: by triplets, which BERT always learns by, and by
            Adam at a constant rate. Otherwise AdamW's rate rises at first and then falls to zero.
    """

    learning_rates: tuple[float, ...] = LEARNING_RATES
    epochs: int = 3
    batch_size: int = 32
    negatives: int = 2
    accumulate: int = 1
    dropout: float = 0.1
    held_out: int = 500
    seed: int = 0
    paper: bool = False

    def __post_init__(self) -> None:
        """Raise InputError if a setting is out of range."""
        if min(self.learning_rates, default=0) <= 0:
            raise InputError(
                "Fine-tuning needs at least one learning rate, and all must be above 0."
            )


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
    """Fine-tune a model once per learning rate, and write the best one to `folder / "model"`.

    The model with the best score on `dev` is kept. Rates at which the loss diverges are skipped. An
    interrupted run is resumed by the same call.

    Args:
        model: Folder of AcroBERT's weights or a BERT checkpoint, or the published file
            `acrobert.pt`.
        samples: Path of the training samples; see `read_samples`.
        dev: Path of the development samples.
        dictionary: Dictionary that provides the candidates.
        folder: Output folder.
        settings: Rates, epochs and batch size.
        device: "cpu", "cuda" or one GPU such as "cuda:1".
        report: Called with each log record.

    Returns:
        Figures on `dev` before and after, also written to `folder / "finetune.json"`.

    Raises:
        InputError: If the loss diverges at every rate.
    """
    training, development = list(read_samples(samples)), list(read_samples(dev))
    processes = Processes.here(device)
    loaded = load_model(model)
    candidates = [dictionary.lookup(sample.acronym) for sample in development]

    def long_forms(acronym: str) -> list[str]:
        return [candidate.long_form for candidate in dictionary.lookup(acronym)[:LARGEST_POOL]]

    tokenised, held_out = (
        TrainingSet.build(part, loaded.pieces, window_of(loaded), long_forms)
        for part in (training, development)
    )
    held_out_sample = held_out.take(settings.held_out, settings.seed)
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
        recipe = make_recipe(run, load_start(run, model), tokenised, held_out_sample)
        run_folder = folder / f"rate-{rate:g}"
        try:
            train(recipe.objective, run.training, run_folder, device=device, report=report)
        except NotFiniteError as error:
            runs[f"{rate:g}"] = {"diverged": str(error)}
            continue
        trained = recipe.model()
        runs[f"{rate:g}"] = figures = assess(trained, dictionary, development, candidates)
        report({"learning_rate": rate, **figures})
        if best is None or figures["macro_f1"] > runs[best[0]]["macro_f1"]:
            best = f"{rate:g}", trained
    if best is None:
        raise InputError("The loss diverged at every learning rate. Give lower rates.")
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
    """Load an AcroBERT model, or a BERT model with a next-sentence head.

    Args:
        path: Folder or file of weights.

    Returns:
        The model.
    """
    if is_acrobert(path):
        return AcroBERT.load(path)
    return NextSentenceBERT.load(path, start=True)


def window_of(model: Model) -> int:
    """Return the number of word pieces of a context window that a model reads.

    Args:
        model: The model.

    Returns:
        The length of the window.
    """
    return model.settings.window if isinstance(model, AcroBERT) else model.window


def assess(
    model: Model,
    dictionary: Dictionary,
    samples: Sequence[Sample],
    candidates: Sequence[Sequence[Candidate]],
) -> dict[str, float]:
    """Measure how often a model ranks the right candidate first.

    Args:
        model: The model.
        dictionary: Dictionary of the candidates.
        samples: Labelled samples.
        candidates: Candidates of each sample. A sample without candidates counts as wrong.

    Returns:
        `accuracy` and GLADIS's `macro_f1`, 0..1, and the number of `samples`.
    """
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
    measured = score_disambiguation([merge_key(sample.long_form) for sample in samples], predicted)
    return {
        "accuracy": round(measured.accuracy, 4),
        "macro_f1": round(measured.gladis_macro_f1, 4),
        "samples": len(samples),
    }


def _objective(model: Model, settings: FinetuneSettings) -> str:
    if isinstance(model, AcroBERT):
        return "candidate_triplet" if settings.paper else "candidates"
    return "triplet"


def _settings(
    model: Path, samples: Path, loaded: Model, settings: FinetuneSettings, rate: float, count: int
) -> RunSettings:
    epoch = max(1, count // settings.batch_size)
    optimizer = PAPER_OPTIMIZER if settings.paper else OPTIMIZER
    return RunSettings(
        samples=samples,
        start=str(model),
        objective=_objective(loaded, settings),
        window=window_of(loaded),
        dropout=settings.dropout,
        negatives=settings.negatives,
        cap=max(1, count),  # no cap, since the samples are labelled rather than mined
        training=TrainingSettings(
            steps=settings.epochs * epoch,
            batch_size=settings.batch_size,
            accumulate=settings.accumulate,
            learning_rate=rate,
            seed=settings.seed,
            log_every=min(50, epoch),
            evaluate_every=epoch,
            checkpoint_every=epoch,
            **optimizer,
        ),
    )
