"""`spacy-gladis convert`: benchmark files as DocBins for `spacy train`."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer()


@app.command()
def convert(
    data: Annotated[
        Path, typer.Argument(help="A file of SciAI, of SDU-22's extraction task, or BioC XML.")
    ],
    output: Annotated[Path, typer.Argument(help="The DocBin to write, ending in .spacy.")],
    format: Annotated[
        str | None, typer.Option(help="sciai, sdu22-ae or bioc; the file tells, if not given.")
    ] = None,
    lang: Annotated[
        str, typer.Option(help="Language whose rules cut texts into tokens, as spaCy codes it.")
    ] = "xx",
) -> None:
    """Turn marked acronyms and long forms into a DocBin, the input of `spacy train`.

    Example: spacy-gladis convert train.json train.spacy
    """
    from spacy.tokens import DocBin

    from ..errors import InputError
    from ..evaluation.docbin import blank, convert
    from ..files import writing

    if output.suffix != ".spacy":
        raise InputError(f"'{output}' does not end in .spacy, by which spaCy knows a DocBin.")
    docs, problems = convert(data, blank(lang), format)
    with writing(output) as temporary:
        temporary.write_bytes(DocBin(docs=docs, store_user_data=True).to_bytes())
    counts = [sum(len(doc.spans[key]) for doc in docs) for key in ("acronyms", "long_forms")]
    typer.echo(f"{output}: {len(docs):,} texts, {counts[0]:,} acronyms, {counts[1]:,} long forms")
    for kind, count in problems.items():
        if count:
            typer.echo(f"{count:,} {kind}", err=True)
