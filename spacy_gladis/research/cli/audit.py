"""The command `spacy-gladis audit`, which measures leakage between training and test data."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from .results_file import Figures, as_json, present, saying, write_results

DEFAULT = "compare"


class DefaultGroup(TyperGroup):
    """A group of commands that runs `compare` if no command is named.

    With it, `spacy-gladis audit TRAIN TEST` does the same as `spacy-gladis audit compare TRAIN
    TEST`.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line, after inserting `compare` if it does not start with a command.

        An option for help, such as `--help`, in the first place is left to the group itself.

        Args:
            ctx: Click's context of the command group.
            args: Arguments after `spacy-gladis audit`, such as ``["train.json", "test.json"]``.

        Returns:
            The arguments that the group itself does not use, for the command to parse.
        """
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=DefaultGroup,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Measure leakage between training and test data. `audit TRAIN TEST` compares two sets.",
)


@app.command(DEFAULT)
def compare(
    train: Annotated[Path, typer.Argument(help="Training data: a file or a folder.")],
    test: Annotated[Path, typer.Argument(help="Test data: a file or a folder.")],
    output: Annotated[
        list[Path] | None, typer.Option(help="Report to write, as .md or .json. Repeatable.")
    ] = None,
    closest: Annotated[
        int, typer.Option(min=0, help="Number of most similar pairs of texts to show.")
    ] = 10,
) -> None:
    """Measure how similar test texts and annotations are to training ones. The default command.

    The report has the similarity of each test item to its most similar training item, counts of
    exact duplicates, and counts of acronyms that both sets have.

    Example: spacy-gladis audit train.json test.json --output report.md
    """
    from ..leakage.formats import read_all
    from ..leakage.run import audit, tables

    train_items, test_items = read_all(train), read_all(test)
    with saying() as say:
        report = audit(train_items, test_items, say, closest)
    present({"names": [str(train), str(test)], **report}, tables, *(output or ()))


@app.command("filter")
def filter_samples(
    samples: Annotated[
        Path, typer.Argument(help="Samples as JSON Lines or Parquet, or a mined folder.")
    ],
    against: Annotated[Path, typer.Option(help="Benchmark file, or folder of benchmarks.")],
    output: Annotated[Path, typer.Option(help="File or folder to write the remaining samples to.")],
    threshold: Annotated[
        float, typer.Option(help="Cosine similarity, 0 to 1, from which a sample counts as leaked.")
    ] = 0.75,
    report: Figures = None,
) -> None:
    """Drop training samples that leak into a benchmark, and count them by benchmark.

    A sample leaks if it, or a sentence of it, equals a benchmark text or is at least as similar to
    one as the threshold.

    Example: spacy-gladis audit filter mined/ --against benchmarks/ --output clean.jsonl
    """
    from ..leakage.filter import LeakageFilter, benchmark_texts, filter_file

    benchmarks, others = benchmark_texts(against)
    leakage = LeakageFilter(benchmarks, threshold)
    counts = filter_file(samples, output, leakage) | {
        "threshold": threshold,
        "items_by_benchmark": {name: len(texts) for name, texts in sorted(benchmarks.items())},
        "files_that_are_no_data": [str(path.relative_to(against)) for path in others],
    }
    write_results(report, counts)
    print(as_json(counts), end="")
