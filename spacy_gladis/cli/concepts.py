"""The commands ``spacy-gladis concepts``, which build, describe and search concept inventories."""

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="Build and inspect concept inventories.")

_INVENTORY = typer.Argument(help="Concept inventory that 'concepts build' wrote.")
EXAMPLES = 3
"""Number of examples that are shown for each kind of problem with the input."""


@app.command()
def build(
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="Vocabularies to read: a SNOMED CT release (folder), MRCONSO.RRF, .obo, "
            ".sssom.tsv, MEDIC, CTD, scispacy JSON, PsyTAR (folder), tab-separated IDs and "
            "names, or .concepts."
        ),
    ],
    output: Annotated[Path, typer.Option(help="Inventory to write, such as medic.concepts.")],
    vocabulary: Annotated[
        str | None,
        typer.Option(
            help="Vocabulary whose IDs are used (MESH, UMLS or SNOMEDCT), for sources with several."
        ),
    ] = None,
) -> None:
    """Build a concept inventory from one or several vocabularies.

    Concepts with the same ID are merged.

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
        write_inventory(chain.from_iterable(readers), output, problems)
    for kind, count in sorted(problems.counts.items()):
        typer.echo(f"{count:,} x {kind}:", err=True)
        for example in problems.examples[kind]:
            console.print(f"  {escape(str(example))}", highlight=False)
    stats(output)


@app.command()
def stats(inventory: Annotated[Path, _INVENTORY]) -> None:
    """Show how many concepts and names a concept inventory has.

    Example: spacy-gladis concepts stats medic.concepts
    """
    import json

    from ..concepts import Inventory

    opened = Inventory.open(inventory)
    counts = json.loads(opened.metadata["counts"])
    typer.echo(", ".join(f"{count:,} {name}" for name, count in counts.items()))


@app.command()
def lookup(
    inventory: Annotated[Path, _INVENTORY],
    query: Annotated[str, typer.Argument(help="ID or name of a concept.")],
) -> None:
    """Show the concepts that have a given ID or name.

    Example: spacy-gladis concepts lookup medic.concepts asthma
    """
    from difflib import get_close_matches

    from ..concepts import Inventory
    from ..errors import InputError

    opened = Inventory.open(inventory)
    number = opened.find(query)
    numbers = opened.lookup(query) if number is None else [number]
    if not numbers:
        first, longest = query[:1].casefold(), 2 * len(query)
        names = (
            name for name in opened.names if name[:1].casefold() == first and len(name) <= longest
        )
        matches = "; ".join(get_close_matches(query, names, n=3))
        hint = f" Similar names: {matches}." if matches else ""
        raise InputError(f"{inventory} has no concept with the ID or name '{query}'.{hint}")
    for concept in map(opened.concept, numbers):
        domain = f"\t{concept.domain}" if concept.domain else ""
        typer.echo(f"{concept.id}\t{concept.names[0]}{domain}")
        rows = {
            "names": concept.names[1:],
            "alternate ids": concept.alternates,
            "parents": concept.parents,
            "definition": (concept.definition,) if concept.definition else (),
        }
        for label, values in rows.items():
            if values:
                typer.echo(f"  {label}: {'; '.join(values)}")
