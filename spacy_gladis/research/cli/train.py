"""The commands `spacy-gladis train ...`, which train AcroBERT and fit the models around it."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from .results_file import Cache, Device, DictionaryFile, Figures, Model, Output, write_figures

app = typer.Typer(
    no_args_is_help=True, help="Pre-train and fine-tune AcroBERT, and fit the models around it."
)

Run = Annotated[
    Path, typer.Option("--output", "-o", help="Folder for checkpoints, the log and the model.")
]
Steps = Annotated[int | None, typer.Option(help="Number of optimiser steps.")]


@app.command("acrobert")
def acrobert(
    config: Annotated[Path, typer.Argument(help="Settings file, such as configs/acrobert.cfg.")],
    output: Run,
    samples: Annotated[
        Path | None, typer.Option(help="Samples, as a file or a mined folder.")
    ] = None,
    start: Annotated[
        str | None, typer.Option(help="Checkpoint to start from: a folder or a Hugging Face name.")
    ] = None,
    steps: Steps = None,
    accumulate: Annotated[
        int | None, typer.Option(help="Number of parts that each batch is computed in.")
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(
            help="Objective: candidates, candidate_triplet, distilled, triplet, mlm_nsp, nsp, mlm."
        ),
    ] = None,
    device: Device = "cpu",
) -> None:
    """Train the encoder AcroBERT on mined samples. Run it again to resume an interrupted run.

    The settings file selects the recipe. The packaged AcroBERT was trained with
    configs/acrobert.cfg, and then further with configs/acrobert_shared_windows.cfg. GLADIS's own
    recipe is configs/acrobert_paper.cfg, and its ablations use configs/ablation.cfg.

    To divide each batch between several processes or GPUs,
    set --accumulate to the number of parts and start the command with torchrun:
    torchrun --nproc_per_node 2 -m -- spacy_gladis train acrobert ... --accumulate 2

    Example: spacy-gladis train acrobert configs/acrobert.cfg --samples mined.jsonl -o runs/first
    """
    from ..training.recipes import RunSettings
    from ..training.run import run

    overrides = {
        "paths.samples": samples and str(samples),
        "paths.start": start,
        "objective.name": objective,
        "training.steps": steps,
        "training.accumulate": accumulate,
    }
    settings = RunSettings.read(config, overrides)
    with _progress(settings.training.steps) as progress:
        run(settings, output, device=device, report=progress)
    typer.echo(f"Wrote {output / 'model'}.")


@app.command("align")
def align(
    config: Annotated[Path, typer.Argument(help="Settings file, such as configs/alignment.cfg.")],
    inventory: Annotated[
        list[Path], typer.Option(help="Inventory that `concepts build` wrote. Repeatable.")
    ],
    output: Run,
    start: Annotated[
        str | None,
        typer.Option(
            help="Checkpoint to start from: a folder, package:NAME or a Hugging Face name."
        ),
    ] = None,
    layers: Annotated[
        int | None, typer.Option(help="Number of upper layers that are trained.")
    ] = None,
    steps: Steps = None,
    device: Device = "cpu",
) -> None:
    """Train an encoder to give the names of a concept similar vectors, for concept linking.

    The names come from concept inventories. If a run was interrupted, run it again to resume.

    Example: spacy-gladis train align configs/alignment.cfg --inventory mesh.concepts -o runs/mpnet
    """
    from ..training.alignment import AlignmentRun, run_alignment

    overrides = {"paths.start": start, "alignment.layers": layers, "training.steps": steps}
    settings = AlignmentRun.read(config, overrides)
    with _progress(settings.training.steps) as progress:
        run_alignment(settings, inventory, output, device=device, report=progress)
    typer.echo(f"Wrote {output / 'model'}.")


@app.command("start")
def start(
    name: Annotated[
        str, typer.Argument(help="Checkpoint: a folder, package:NAME or a Hugging Face name.")
    ],
) -> None:
    """Print the path of the folder that a checkpoint is stored in.

    Use it to pass a checkpoint to a program that does not understand the notation package:NAME.

    Example: spacy-gladis train start package:all-mpnet-base-v2
    """
    from ..training.start import find_start

    typer.echo(find_start(name))


@app.command("evidence")
def evidence(
    output: Output,
    labels: Annotated[
        Path, typer.Option(help="Folder with the labels and texts for training.")
    ] = Path("assets/training"),
    shared: Annotated[Path, typer.Option(help="Folder with the labelled texts.")] = Path(
        "../shared"
    ),
    model: Model = None,
    dictionary: DictionaryFile = None,
    cache: Cache = None,
    report: Figures = None,
) -> None:
    """Fit how the linker combines its evidence, on the labelled texts for training.

    The projection of contexts, the weights of the features and the scoring network are fitted, and
    evaluated on sources that were held out.

    Example: spacy-gladis train evidence -o acrobert --report evidence.json
    """
    from ..evidence.fit_texts import fit_texts
    from ..evidence.training_texts import read_training_texts

    fitted = fit_texts(
        read_training_texts(labels, shared),
        output,
        model=model,
        dictionary=dictionary,
        cache=cache,
        report=lambda message: typer.echo(message, err=True),
    )
    write_figures(report, fitted)


@app.command()
def finder(
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write.")],
    labels: Annotated[Path, typer.Option(help="Folder with the labels.")] = Path("assets/training"),
    shared: Annotated[Path, typer.Option(help="Folder with the labelled texts.")] = Path(
        "../shared"
    ),
    dictionary: DictionaryFile = None,
    report: Figures = None,
) -> None:
    """Train the model that finds abbreviations which the rules miss.

    Example: spacy-gladis train finder -o spacy_gladis/data/finder.safetensors
    """
    from ...dictionary import Dictionary
    from ..datasets.training_labels import read_passages
    from ..training.finder import cross_validate, fit_finder, gather_examples, small_spellings

    passages = read_passages(labels, shared)
    spellings = small_spellings(passages)
    typer.echo(f"Read {len(passages)} passages.", err=True)
    examples = gather_examples(passages, Dictionary.open(dictionary), spellings)
    figures = cross_validate(examples)
    fit_finder(examples, spellings).save(output)
    write_figures(report, {"passages": len(passages), **figures})
    typer.echo(f"{output}: {figures['by_threshold']}")


@app.command()
def vectors(
    output: Output,
    model: Model = None,
    dictionary: DictionaryFile = None,
    long_forms: Annotated[int, typer.Option(min=1, help="Maximum number of long forms.")] = 110_000,
) -> None:
    """Store the vectors of a dictionary's most likely long forms in AcroBERT weights.

    Long forms with a gloss come first, and are encoded together with it.

    Example: spacy-gladis train vectors --dictionary dictionary.sqlite -o acrobert
    """
    from ...dictionary import Dictionary
    from ...linking import AcroBERT
    from ..training.memory import store_long_forms

    acrobert = AcroBERT.load(model)
    acrobert.stored = store_long_forms(acrobert, Dictionary.open(dictionary), long_forms)
    acrobert.save(output, compact=True)
    typer.echo(f"{output}: stored the vectors of {len(acrobert.stored):,} long forms.")


@app.command("memory")
def memory(
    samples: Annotated[list[Path], typer.Argument(help="Samples, as files or mined folders.")],
    output: Output,
    work: Annotated[
        Path, typer.Option(help="Folder that keeps vectors, so that an interrupted run can resume.")
    ],
    model: Model = None,
    dictionary: DictionaryFile = None,
    each: Annotated[int, typer.Option(help="Maximum number of contexts read for each sense.")] = 12,
    long_forms: Annotated[int, typer.Option(help="Number of long forms to store vectors of.")] = 0,
    keep: Annotated[
        bool, typer.Option(help="Add senses to the model and keep its present senses unchanged.")
    ] = False,
) -> None:
    """Complete trained AcroBERT weights with sense contexts, topics and stored vectors.

    Also fits evidence weights and the odds of one sense, on held-out acronyms. If you have labelled
    texts, run 'train evidence' next, which fits better evidence weights. Weights that it fitted
    before are kept.

    Example: spacy-gladis train memory mined --work runs/contexts -o acrobert
    """
    from ...dictionary import Dictionary
    from ...linking import AcroBERT
    from ..training.memory import remember

    made = remember(
        AcroBERT.load(model),
        samples,
        Dictionary.open(dictionary),
        work,
        each=each,
        long_forms=long_forms,
        keep=keep,
        report=lambda done: typer.echo(done, err=True),
    )
    made.save(output, compact=True)
    typer.echo(
        f"Wrote {output}: {len(made.centroids):,} centroids, {len(made.topics)} topics, "
        f"{len(made.stored):,} long forms"
    )


@app.command("neighbours")
def neighbours(
    samples: Annotated[list[Path], typer.Argument(help="Samples, as files or mined folders.")],
    output: Output,
    model: Model = None,
    dictionary: DictionaryFile = None,
) -> None:
    """Count the words that occur next to long forms in samples, and add them to AcroBERT weights.

    Run 'train evidence' next, because the earlier calibration did not include this evidence.

    Example: spacy-gladis train neighbours mined -o acrobert
    """
    from itertools import chain

    from ...dictionary import Dictionary
    from ...linking import AcroBERT
    from ..datasets.sample import read_samples
    from ..training.memory import fit_neighbours

    made = AcroBERT.load(model)
    read = chain.from_iterable(read_samples(path) for path in samples)
    made.neighbours = fit_neighbours(
        read, Dictionary.open(dictionary), report=lambda done: typer.echo(done, err=True)
    )
    made.save(output, compact=True)
    typer.echo(f"Wrote {output}: {made.neighbours.pair_count:,} words next to long forms")


@app.command("finetune")
def finetune(
    model: Annotated[
        Path, typer.Argument(help="Folder of AcroBERT or BERT weights, or acrobert.pt.")
    ],
    samples: Annotated[Path, typer.Option(help="Labelled samples, as JSON Lines.")],
    dev: Annotated[
        Path, typer.Option(help="Development samples, on which the best model is chosen.")
    ],
    output: Run,
    dictionary: DictionaryFile = None,
    learning_rate: Annotated[
        list[float] | None,
        typer.Option(help="Learning rate to try. Repeatable. Default: five rates."),
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Number of passes over the samples.")] = 3,
    batch_size: Annotated[
        int | None, typer.Option(min=1, help="Number of samples per step. Default: 32.")
    ] = None,
    accumulate: Annotated[
        int, typer.Option(min=1, help="Number of parts that each batch is computed in.")
    ] = 1,
    paper: Annotated[
        bool,
        typer.Option(
            "--paper",
            help="Use GLADIS's triplet loss and learning rates, batches of 8, and Adam at a "
            "constant rate.",
        ),
    ] = False,
    device: Device = "cpu",
) -> None:
    """Fine-tune AcroBERT or BERT on labelled samples, and keep the best of several learning rates.

    The best model is the one with the highest score on the development set. AcroBERT learns to
    choose among candidates, and a BERT with a next-sentence head learns from triplets. The context
    centroids of AcroBERT don't fit the new weights and are left out. Run 'train memory' to make new
    ones.

    Example: spacy-gladis train finetune acrobert --samples train.json --dev dev.json -o tuned
    """
    from ...dictionary import Dictionary
    from ..training.finetune import LEARNING_RATES, PAPER_BATCH, PAPER_RATES, FinetuneSettings
    from ..training.finetune import finetune as run

    rates, size = (PAPER_RATES, PAPER_BATCH) if paper else (LEARNING_RATES, 32)
    settings = FinetuneSettings(
        tuple(learning_rate or rates),
        epochs,
        batch_size or size,
        accumulate=accumulate,
        paper=paper,
    )
    with _progress() as progress:
        figures = run(
            model,
            samples,
            dev,
            Dictionary.open(dictionary),
            output,
            settings,
            device=device,
            report=progress,
        )
    typer.echo(json.dumps(figures, indent=1))
    if figures["after"]["macro_f1"] < figures["before"]["macro_f1"]:
        typer.echo(
            "The model scored higher on the development set before fine-tuning. Try lower learning "
            "rates or more samples. For AcroBERT, also add context centroids to the new weights "
            "with 'train memory'.",
            err=True,
        )


@app.command("import")
def import_published(
    weights: Annotated[
        Path, typer.Argument(help="File acrobert.pt, or folder of a BERT checkpoint.")
    ],
    output: Output,
) -> None:
    """Convert the AcroBERT weights that the GLADIS paper published to a folder of safetensors.

    The folder also has the tokenizer and settings, so that nothing else is needed to load it.

    Example: spacy-gladis train import acrobert.pt -o acrobert-published
    """
    from ..training.next_sentence import NextSentenceBERT

    NextSentenceBERT.load(weights).save(output)
    typer.echo(f"Wrote {output}.")


@app.command("assemble")
def assemble(
    model: Annotated[
        Path, typer.Argument(help="Folder of AcroBERT weights, such as 'train memory' writes.")
    ],
    output: Output,
    dictionary: DictionaryFile = None,
    language: Annotated[str, typer.Option(help="Language of the texts, for the tokenizer.")] = "en",
) -> None:
    """Save a spaCy pipeline that detects and resolves acronyms, to be loaded with `spacy.load`.

    The pipeline contains the detector, the AcroBERT weights and the dictionary.

    Example: spacy-gladis train assemble acrobert --dictionary ours.sqlite -o pipeline
    """
    from ...pipeline.load import load_pipeline

    load_pipeline(model, language=language, dictionary=dictionary).to_disk(output)
    typer.echo(f"Wrote {output}.")


@app.command("pairs")
def pairs(
    corpus: Annotated[Path, typer.Argument(help="BioC file with labelled definitions.")],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="File to write, such as spacy_gladis/data/pair_scorer.json."
        ),
    ],
) -> None:
    """Fit the model that separates definitions from coincidental matches, and write its weights.

    Example: spacy-gladis train pairs Ab3P_bioc_gold.xml -o pair_scorer.json
    """
    from ..training.pair_scorer import write_pair_scorer

    typer.echo(f"{len(write_pair_scorer(corpus, output))} weights: {output}")


@contextmanager
def _progress(steps: int = 0) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Show the progress of a training run on stderr, as a progress bar if it is a terminal.

    Yields a function that takes a record of the run, such as ``{"step": 100, "loss": 0.12}``.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    def report(record: dict[str, Any]) -> None:
        if console.is_terminal and "loss" in record:
            status = f"loss {record['loss']:.3f}, {record['samples_per_second']} samples/s"
            bar.update(task, completed=record["step"], description=status)
        else:
            console.out("  ".join(f"{name} {value}" for name, value in record.items()))

    console = Console(stderr=True, highlight=False)
    description, done = "{task.description}", "{task.completed}/{task.total} steps"
    columns = (TextColumn(description), BarColumn(), TextColumn(done), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("training", total=steps)
        yield report
