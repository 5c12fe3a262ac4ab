"""`spacy-gladis audit`: leakage between training and test data."""

import json
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="Leakage between training and test data.")


@app.callback()
def audit() -> None:
    """Leakage between training and test data."""


@app.command("filter")
def filter_samples(
    samples: Annotated[Path, typer.Argument(help="JSON lines or Parquet with a 'text' each.")],
    against: Annotated[Path, typer.Option(help="Folder (or file) of benchmarks.")],
    output: Annotated[Path, typer.Option(help="Where the samples that are kept go.")],
    threshold: Annotated[float, typer.Option(help="Cosine similarity that is leakage.")] = 0.75,
    n: Annotated[int, typer.Option("--n", help="Words in an n-gram: 1, 2 or 3.")] = 1,
    sentences: Annotated[bool, typer.Option(help="Compare single sentences too.")] = True,
    report: Annotated[Path | None, typer.Option(help="Write the counts here, as JSON.")] = None,
) -> None:
    """Drop the training samples that leak into a benchmark, and count them by benchmark."""
    from rich.progress import Progress

    from ..evaluation.leakage.filter import LeakageFilter
    from ..evaluation.leakage.filter_file import benchmark_texts, filter_file
    from ..files import writing

    benchmarks, others = benchmark_texts(against)
    leakage = LeakageFilter(benchmarks, threshold, n, sentences)
    with Progress(transient=True) as bar:
        task = bar.add_task("samples", total=None)
        counts = filter_file(samples, output, leakage, lambda done: bar.update(task, advance=done))
    counts |= {
        "threshold": threshold,
        "n": n,
        "sentences": sentences,
        "items_by_benchmark": {name: len(texts) for name, texts in sorted(benchmarks.items())},
        "files_that_are_no_data": [str(path.relative_to(against)) for path in others],
    }
    if report:
        with writing(report) as temporary:
            temporary.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(counts, indent=2))
