"""`spacy-gladis corpus`: mine definitions and samples from raw corpora."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Mine definitions and samples from raw corpora.", no_args_is_help=True)


@app.command()
def extract(
    shards: Annotated[list[Path], typer.Argument(help="Pile shards, text files or folders.")],
    output: Annotated[Path, typer.Option(help="The folder to write into.")],
    workers: Annotated[int, typer.Option(help="Processes.")] = 2,
) -> None:
    """Write the definitions and samples of corpora as JSON lines, a file a shard."""
    from concurrent.futures import ProcessPoolExecutor, as_completed

    from ..corpus.plain import extract_file

    with ProcessPoolExecutor(workers) as pool:
        running = {pool.submit(extract_file, shard, output): shard for shard in shards}
        for done in as_completed(running):
            definitions, samples, problems = done.result()
            typer.echo(
                f"{running[done]}: {definitions:,} definitions, {samples:,} samples, "
                f"problems: {problems}"
            )


@app.callback()
def main() -> None:
    """Mine definitions and samples from raw corpora."""
