"""`spacy-gladis concepts`: inventories of concepts."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="Build and inspect inventories of concepts.")

_INVENTORY = typer.Argument(help="A file that `concepts build` wrote.")
EXAMPLES = 3
"""Problems of each kind that are shown."""


@app.command()
def build(
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="A SNOMED CT release (folder), MRCONSO.RRF, .obo, .sssom.tsv, MEDIC, CTD, "
            "scispacy's JSON, PsyTAR (folder), ids and names with tabs between them, .concepts."
        ),
    ],
    output: Annotated[Path, typer.Option(help="The file to write, such as medic.concepts.")],
    vocabulary: Annotated[
        str | None,
        typer.Option(help="Of sources that map to others, take its ids: MESH, UMLS, SNOMEDCT."),
    ] = None,
) -> None:
    """Write one inventory from one or several sources; concepts of one id become one.

    Example: spacy-gladis concepts build CTD_diseases.csv --output medic.concepts
    """
    from rich.console import Console
    from rich.markup import escape

    from ..concepts import write_inventory
    from ..concepts.readers import read_concepts
    from ..problem import ProblemLog

    problems = ProblemLog(EXAMPLES)
    readers = [read_concepts(source, problems, vocabulary) for source in sources]
    console = Console(stderr=True)
    with console.status(f"reading {len(sources)} sources"):
        write_inventory((one for reader in readers for one in reader), output, problems)
    for kind, count in sorted(problems.counts.items()):
        typer.echo(f"{count:,} x {kind}:", err=True)
        for example in problems.examples[kind]:
            console.print(f"  {escape(str(example))}", highlight=False)
    stats(output)


@app.command()
def stats(inventory: Annotated[Path, _INVENTORY]) -> None:
    """How many concepts and names there are.

    Example: spacy-gladis concepts stats medic.concepts
    """
    import json

    from ..concepts import Inventory

    opened = Inventory.open(inventory)
    counts = json.loads(opened.metadata["counts"])
    typer.echo(", ".join(f"{count:,} {what}" for what, count in counts.items()))


@app.command()
def lookup(
    inventory: Annotated[Path, _INVENTORY],
    query: Annotated[str, typer.Argument(help="A concept's id or one of its names.")],
) -> None:
    """Show the concepts with this id or name.

    Example: spacy-gladis concepts lookup medic.concepts asthma
    """
    from difflib import get_close_matches

    from ..concepts import Inventory
    from ..errors import InputError

    opened = Inventory.open(inventory)
    number = opened.find(query)
    found = opened.lookup(query) if number is None else [number]
    if not found:
        begins, most = query[:1].casefold(), 2 * len(query)
        alike = (one for one in opened.names if one[:1].casefold() == begins and len(one) <= most)
        near = "; ".join(get_close_matches(query, alike, n=3))
        names = f" Names like it: {near}." if near else ""
        raise InputError(f"{inventory} has no concept '{query}'.{names}")
    for one in map(opened.concept, found):
        typer.echo(f"{one.id}\t{one.names[0]}" + f"\t{one.domain}" * bool(one.domain))
        rows = {
            "names": one.names[1:],
            "alternate ids": one.alternates,
            "parents": one.parents,
            "definition": (one.definition,) if one.definition else (),
        }
        for what, values in rows.items():
            if values:
                typer.echo(f"  {what}: {'; '.join(values)}")
