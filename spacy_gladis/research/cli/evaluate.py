"""`spacy-gladis evaluate`: the benchmarks, one command each."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from .evaluate_ad import CountsFrom, ad
from .evaluate_texts import texts
from .evaluate_wic_tsv import wic_tsv
from .results_file import as_json, command_line, write_text

app = typer.Typer(no_args_is_help=True, help="Run the benchmarks.")
app.command("ad")(ad)
app.command("texts")(texts)
app.command("wic-tsv")(wic_tsv)


@app.callback()
def evaluate() -> None:
    """Run the benchmarks."""


@app.command("gladis")
def gladis(
    data: Annotated[
        Path, typer.Argument(help="Folder with sets in the format of GLADIS, SDU-21 or SDU-22.")
    ],
    system: Annotated[
        list[str] | None,
        typer.Option(help="first, popularity, retriever, all of these, or nsp (repeatable)."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Only sets whose name contains this (repeatable).")
    ] = None,
    counts: Annotated[
        CountsFrom, typer.Option(help="Counts for sets that have a dictionary of their own.")
    ] = CountsFrom.own,
    dictionary: Annotated[
        Path | None, typer.Option(help="Dictionary file; the packaged one if not given.")
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(help="AcroBERT's folder (default: packaged); for nsp: acrobert.pt or folder."),
    ] = None,
    cache: Annotated[Path | None, typer.Option(help="Folder for vectors of long forms.")] = None,
    resamples: Annotated[
        int, typer.Option(min=0, help="Bootstrap resamples for the intervals; 0: none.")
    ] = 1000,
    output: Annotated[
        Path | None, typer.Option(help="Results as JSON, or as Markdown where it ends in .md.")
    ] = None,
    plots: Annotated[Path | None, typer.Option(help="Folder for figures (SVG).")] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="Folder for every system's answers, as JSON lines.")
    ] = None,
) -> None:
    """Acronym disambiguation: macro F1 and accuracy of any system on any set.

    Example: spacy-gladis evaluate gladis benchmarks/ --system retriever --output gladis.json
    """
    from rich.console import Console
    from rich.progress import Progress

    from ...dictionary import Dictionary
    from ..disambiguation.gladis.answers import Answers, write_answers
    from ..disambiguation.gladis.report import markdown, overview, summary
    from ..disambiguation.gladis.run import evaluate
    from ..disambiguation.gladis.systems import make_systems

    def keep(set_name: str, system_name: str, answers: Answers) -> None:
        if predictions:
            name = f"{set_name.replace('/', '-')}-{system_name}.jsonl"
            write_answers(predictions / name, answers)

    entries = Dictionary.open(dictionary)
    systems = make_systems(system or ["all"], entries, model, cache)
    with Progress(transient=True) as bar:
        tasks = {name: bar.add_task(name, total=None) for name in systems}
        results = evaluate(
            data,
            systems,
            entries,
            counts=counts.value,
            only=only or (),
            resamples=resamples,
            progress=lambda name, done: bar.update(tasks[name], advance=done),
            keep=keep,
        )
    results = {"command": command_line(), **results}
    console = Console()
    for table in (overview(results), summary(results)):
        console.print(table.rich())
    if output:
        text = markdown(results) if output.suffix == ".md" else as_json(results)
        write_text(output, text)
    if plots:
        from ..disambiguation.gladis.plots import plot

        plot(results, plots)


@app.command("bioc")
def bioc(
    data: Annotated[Path, typer.Argument(help="A BioC XML file with gold pairs, or its folder.")],
    system: Annotated[
        list[str] | None, typer.Option(help="A system's name, or all (repeatable).")
    ] = None,
    folds: Annotated[
        int, typer.Option(min=0, help="Folds for the rules' own weights; 0: packaged ones only.")
    ] = 5,
    output: Annotated[Path | None, typer.Option(help="Results as JSON.")] = None,
) -> None:
    """Definitions in abstracts: exact pairs, beside the tools in use today.

    Example: spacy-gladis evaluate bioc Ab3P_bioc.xml
    """
    from rich.console import Console

    from ..datasets.bioc import read_bioc
    from ..extraction.bioc.report import tables
    from ..extraction.bioc.run import evaluate
    from ..extraction.bioc.systems import make_systems

    documents = read_bioc(data)
    console = Console()
    with console.status("") as status:
        results = evaluate(documents, make_systems(system or ["all"]), folds, status.update)
    for table in tables(results):
        console.print(table.rich())
    if output:
        write_text(output, as_json({"command": command_line(), **results}))


_SETS = typer.Argument(help="A JSON file of the shared task, or a folder that holds such files.")
_SYSTEMS = typer.Option(help="A system's name, or all (repeatable).")
_ONLY = typer.Option(help="Only sets whose name contains this (repeatable).")
_TRAIN = typer.Option(help="A training file, for lstm-crf.")
_TAGGER = typer.Option(help="spaCy pipeline with a part-of-speech tagger, for lstm-crf.")


@app.command("sciai")
def sciai(
    data: Annotated[Path, _SETS],
    system: Annotated[list[str] | None, _SYSTEMS] = None,
    only: Annotated[list[str] | None, _ONLY] = None,
    train: Annotated[Path | None, _TRAIN] = None,
    tagger: Annotated[str | None, _TAGGER] = None,
    output: Annotated[Path | None, typer.Option(help="Results as JSON.")] = None,
) -> None:
    """Acronyms and long forms in sentences of tokens (SDU-21): macro F1 of exact spans.

    Example: spacy-gladis evaluate sciai sciai/dev.json --system all --system tagger/model-best
    """
    from ..extraction.sciai.run import evaluate

    _extraction(evaluate, data, system, only, train, tagger, output)


@app.command("sdu22-ae")
def sdu22_ae(
    data: Annotated[Path, _SETS],
    system: Annotated[list[str] | None, _SYSTEMS] = None,
    only: Annotated[list[str] | None, _ONLY] = None,
    train: Annotated[Path | None, _TRAIN] = None,
    tagger: Annotated[str | None, _TAGGER] = None,
    output: Annotated[Path | None, typer.Option(help="Results as JSON.")] = None,
) -> None:
    """Acronyms and long forms in six languages (SDU-22): macro F1 of exact offsets.

    Example: spacy-gladis evaluate sdu22-ae sdu22/
    """
    from ..extraction.sdu22_ae import evaluate

    _extraction(evaluate, data, system, only, train, tagger, output)


def _extraction(
    evaluate: Callable[..., dict[str, Any]],
    data: Path,
    system: list[str] | None,
    only: list[str] | None,
    train: Path | None,
    tagger: str | None,
    output: Path | None,
) -> None:
    from rich.console import Console

    from ..datasets.sciai import find_sets
    from ..extraction.sciai.report import tables
    from ..extraction.sciai.systems import make_systems

    sets = find_sets(data, only or ())
    console = Console()
    with console.status("") as status:
        systems = make_systems(system or ["all"], train, tagger)
        results = evaluate(sets, systems, status.update)
    for table in tables(results):
        console.print(table.rich())
    if output:
        write_text(output, as_json({"command": command_line(), **results}))


@app.command("cometa")
def cometa(
    data: Annotated[
        Path, typer.Argument(help="COMETA's folder, PubTator files, PsyTAR or AskAPatient.")
    ],
    inventory: Annotated[
        Path | None, typer.Option(help="A file that `concepts build` wrote; none: training's.")
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(help="A name such as 's.1', a family such as 's', or all (repeatable)."),
    ] = None,
    split: Annotated[
        list[str] | None,
        typer.Option(help="published, stratified or zeroshot; default: what there is."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Only sets whose name contains this (repeatable).")
    ] = None,
    complete: Annotated[
        bool, typer.Option("--complete", help="Concepts without names take training's phrases.")
    ] = False,
    resamples: Annotated[
        int, typer.Option(min=0, help="Bootstrap resamples for the intervals; 0: none.")
    ] = 1000,
    output: Annotated[Path | None, typer.Option(help="Results as JSON.")] = None,
) -> None:
    """Linking phrases to concepts: Acc@1, Acc@10 and MRR of any system on any split.

    Example: spacy-gladis evaluate cometa cometa/ --inventory snomed.concepts
    """
    from rich.console import Console

    from ...concepts import Inventory
    from ...problem import ProblemLog
    from ..linking.registry import make_systems
    from ..linking.report import tables
    from ..linking.run import evaluate
    from ..linking.sets import read_sets

    systems = make_systems(system or ["all"])
    opened = None if inventory is None else Inventory.open(inventory)
    problems = ProblemLog()
    sets = [
        (name, parts)
        for name, parts in read_sets(data, split, problems)
        if not only or any(one in name for one in only)
    ]
    console = Console()
    with console.status("") as status:
        results = evaluate(
            sets,
            opened,
            systems,
            complete=complete,
            resamples=resamples,
            progress=status.update,
        )
    for table in tables(results):
        console.print(table.rich())
    for kind, count in sorted(problems.counts.items()):
        typer.echo(f"{count:,} x {kind}, such as {problems.examples[kind][0]}", err=True)
    if output:
        counts = dict(sorted(problems.counts.items()))
        content = {"command": command_line(), "problems": counts, **results}
        write_text(output, as_json(content))


@app.command("report")
def report(
    folder: Annotated[Path, typer.Argument(help="Folder of results (JSON).")] = Path(
        "benchmarks/results"
    ),
    output: Annotated[
        list[Path] | None, typer.Option("--output", "-o", help="Report: .md or .html (repeatable).")
    ] = None,
) -> None:
    """Gather all results in one report, the papers' own figures beside them.

    A Markdown report has its figures in a folder of its own name, a page in HTML has them inside.

    Example: spacy-gladis evaluate report benchmarks/results -o report.html
    """
    from ...errors import InputError
    from ..report.report import WRITERS, sections
    from ..report.results import read_results

    paths = output or [Path("report.md"), Path("report.html")]
    for path in paths:
        if path.suffix not in WRITERS:
            raise InputError(f"{path}: a report ends in {', '.join(WRITERS)}.")
    results = read_results(folder)
    made = sections(results)
    for path in paths:
        text = WRITERS[path.suffix](made, results.left_out, path.with_suffix(""))
        write_text(path, text)
        typer.echo(f"Wrote {path}: {len(results.found)} results, {len(made)} parts.")
    for line in results.left_out:
        typer.echo(f"Left out {line}.", err=True)
