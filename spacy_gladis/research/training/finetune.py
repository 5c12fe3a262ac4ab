"""Fine-tuning of a model on labelled samples, with a choice of the learning rate.

It follows GLADIS, section 5.2.1 and appendix A.4. A BERT with a next-sentence head learns by
triplets, as in the paper. AcroBERT learns by choosing among candidates, or by triplets whose
distance is computed from its cosines. Negatives are the other long forms that the dictionary has
for a sample's acronym. The learning rate is chosen on a development set.
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
"""Usual learning rates for BERT. The one with the best score on the development set is chosen."""

PAPER_RATES, PAPER_BATCH = (1e-5, 8e-6, 6e-6, 4e-6, 2e-6), 8
"""Learning rates and batch size of GLADIS (appendix A.4), for the triplet loss."""

OPTIMIZER: dict[str, Any] = {"warmup": 0.1}
PAPER_OPTIMIZER: dict[str, Any] = {
    "warmup": 0.0,
    "schedule": "constant",
    "weight_decay": 0.0,
    "clip": 1e6,
}
"""Settings of the optimizer: the default, and those of GLADIS (Adam, appendix A.4). The paper does
not say how the rate changes in fine-tuning, so it stays constant."""

LARGEST_POOL = 200
"""Maximum number of an acronym's long forms that can be negatives. They are the most frequent
ones. GLADIS draws negatives from all of them (section 5.2.1)."""


@dataclass(frozen=True)
class FinetuneSettings:
    """The settings of `finetune`.

    Attributes:
        learning_rates: Learning rates to choose from.
        epochs: Number of epochs of the run with each learning rate.
        batch_size: Number of samples in a training step.
        negatives: Number of wrong long forms that each sample is compared with.
        accumulate: Number of parts in which a batch is processed, to save memory.
        dropout: Dropout probability of a BERT with a next-sentence head. AcroBERT keeps its own.
        held_out: Maximum number of development samples on which the best weights of each run are
            selected. The learning rate is chosen on all development samples.
        seed: Random seed of the samples, the batches and the dropout.
        paper: Whether to train as in GLADIS: with the triplet loss and with Adam at a constant
            rate. By default, AcroBERT is trained to choose among candidates, and the rate of AdamW
            first rises and then falls to zero. A BERT with a next-sentence head always uses the
            triplet loss.
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
        """Check the learning rates, and raise InputError if there is none or one is not above 0."""
        if min(self.learning_rates, default=0) <= 0:
            raise InputError(
                "Fine-tuning needs at least one learning rate, and all rates must be above 0, got "
                f"{list(self.learning_rates)}."
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
    """Fine-tune a model once for each learning rate, and write the best one to `folder / "model"`.

    The best model has the highest macro F1 on the development samples. Learning rates at which the
    loss diverges are skipped. Call the function again with the same arguments to resume an
    interrupted run.

    Args:
        model: Folder of AcroBERT weights or of a BERT checkpoint, or path of the published file
            `acrobert.pt`.
        samples: Path of the training samples; see `read_samples`.
        dev: Path of the development samples; see `read_samples`.
        dictionary: Dictionary with the candidates of the acronyms.
        folder: Folder of the run, with a subfolder for each learning rate.
        settings: Learning rates, number of epochs and other settings.
        device: Device to train on: "cpu", "cuda", or a single GPU such as "cuda:1".
        report: Function that is called with each record of the log.

    Returns:
        The chosen learning rate, the scores on the development samples `before` and `after`
        fine-tuning, and those of all `runs`. They are also written to `folder / "finetune.json"`.

    Raises:
        InputError: If the loss diverges at every learning rate.
        FormatError: If the folder contains a run with other settings.
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
        raise InputError(
            f"The loss diverged at every learning rate ({', '.join(runs)}). Give lower rates."
        )
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
    """Load a model to fine-tune: AcroBERT, or a BERT with a next-sentence head.

    Args:
        path: Folder of the weights, or path of the published file `acrobert.pt`.

    Returns:
        AcroBERT if the folder contains its weights, and otherwise a BERT, whose next-sentence head
        is untrained if the checkpoint lacks one.
    """
    if is_acrobert(path):
        return AcroBERT.load(path)
    return NextSentenceBERT.load(path, start=True)


def window_of(model: Model) -> int:
    """Return the number of word pieces that a model reads around a mention.

    Args:
        model: AcroBERT, or a BERT with a next-sentence head.
    """
    return model.settings.window if isinstance(model, AcroBERT) else model.window


def assess(
    model: Model,
    dictionary: Dictionary,
    samples: Sequence[Sample],
    candidates: Sequence[Sequence[Candidate]],
) -> dict[str, float]:
    """Measure how often a model ranks the right long form of a sample first.

    Args:
        model: AcroBERT, or a BERT with a next-sentence head.
        dictionary: Dictionary that the candidates come from.
        samples: Labelled samples.
        candidates: Candidates of each sample. A sample without candidates counts as wrong.

    Returns:
        `accuracy` and `macro_f1` (as GLADIS defines it), both in 0..1, and the number of `samples`.
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
        cap=max(1, count),  # no limit, because the samples are labelled rather than mined
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
