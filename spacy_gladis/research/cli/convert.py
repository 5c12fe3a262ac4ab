"""The command `spacy-gladis convert`, which turns benchmark files into input for `spacy train`."""

from pathlib import Path
from typing import Annotated

import typer

from .results_file import Language

app = typer.Typer()


@app.command()
def convert(
    data: Annotated[
        Path, typer.Argument(help="File of SciAI or SDU-22 acronym extraction, or BioC XML.")
    ],
    output: Annotated[Path, typer.Argument(help="DocBin to write, with the extension .spacy.")],
    lang: Language = "xx",
) -> None:
    """Convert annotated acronyms and long forms to a DocBin, the input of `spacy train`.

    Use it to train the component `acronym_detector` on a benchmark. Annotations that had to be
    repaired are counted on stderr.

    Example: spacy-gladis convert train.json train.spacy
    """
    from ..extraction.docbin import blank, convert, write_docbin

    docs, problems = convert(data, blank(lang))
    typer.echo(write_docbin(output, docs))
    for kind, count in problems.items():
        if count:
            typer.echo(f"{count:,} {kind}", err=True)
