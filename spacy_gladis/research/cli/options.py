"""The options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

Systems = Annotated[
    list[str] | None, typer.Option("--system", help="A system's name, or all (repeatable).")
]
Only = Annotated[
    list[str] | None, typer.Option(help="Only sets whose name contains this (repeatable).")
]
DictionaryFile = Annotated[
    Path | None, typer.Option("--dictionary", "-d", help="Dictionary file; default: packaged.")
]
Device = Annotated[str, typer.Option(help="Where it computes: cpu, cuda or cuda:1.")]
Language = Annotated[
    str, typer.Option(help="Language whose rules cut texts into tokens, as spaCy codes it.")
]
Model = Annotated[Path | None, typer.Option(help="AcroBERT's folder; default: packaged.")]
Cache = Annotated[Path | None, typer.Option(help="Folder for vectors of long forms.")]
Resamples = Annotated[
    int, typer.Option(min=0, help="Bootstrap resamples for the intervals; 0: none.")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="The folder to write into.")]
Results = Annotated[Path | None, typer.Option("--output", "-o", help="Results as JSON.")]
Report = Annotated[
    Path | None, typer.Option("--output", "-o", help="Results as JSON, or as Markdown (.md).")
]
Figures = Annotated[Path | None, typer.Option(help="Write the figures here, as JSON.")]
Predictions = Annotated[
    Path | None,
    typer.Option(help="Folder for every system's answers; `audit --predictions` reads them."),
]
