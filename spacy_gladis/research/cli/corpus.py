"""The commands `spacy-gladis corpus ...`, which mine corpora and build the packaged dictionary."""

from pathlib import Path
from typing import Annotated

import typer

from ...cli.dictionary import Metadata, read_metadata
from .results_file import DictionaryFile, Figures, Output, with_command, write_results

app = typer.Typer(no_args_is_help=True, help="Mine definitions and samples from raw corpora.")

Corpora = Annotated[
    list[Path],
    typer.Argument(
        help="Corpora: Pile shards, Wikidata or UMLS files, DocBins or folders of texts."
    ),
]
Mined = Annotated[Path, typer.Argument(help="Folder that 'corpus extract' wrote.")]
Workers = Annotated[int, typer.Option(min=1, help="Number of processes.")]
Scheduler = Annotated[
    str | None, typer.Option(help="Address of a Dask cluster to run on, tcp://HOST:PORT.")
]
Memory = Annotated[
    str, typer.Option(help="Memory limit of all queries together, or of each query on a cluster.")
]
PieceSize = Annotated[
    str, typer.Option(help="Size of the pieces that large shards are split into.")
]

SHARED = Path("../shared")


@app.command()
def extract(
    corpora: Corpora,
    output: Output,
    workers: Workers = 1,
    scheduler: Scheduler = None,
    memory: Memory = "2GB",
    rules: Annotated[
        str, typer.Option(help="Rules that find definitions: schwartz_hearst or find_definitions.")
    ] = ("schwartz_hearst"),
    buckets: Annotated[
        int,
        typer.Option(min=1, max=10_000, help="Number of buckets that acronyms are divided into."),
    ] = 64,
    piece_size: PieceSize = "256MB",
    domain: Annotated[
        str | None, typer.Option(help="Domain of documents that don't name one.")
    ] = None,
) -> None:
    """Mine corpora for definitions of acronyms and for training samples.

    Also counts how often each long form is defined. If the command is interrupted, run it again to
    resume.

    Example: spacy-gladis corpus extract pile/ --output mined --workers 8
    """
    from ..mining.engine import executor
    from ..mining.mine import mine, parse_size
    from ..mining.stages import MiningSettings

    settings = MiningSettings(rules, buckets, parse_size(piece_size), domain)
    size = parse_size(memory) // (workers if scheduler is None else 1)
    with executor(workers, scheduler) as pool:
        workspace = mine(corpora, output, pool, settings, size)
    typer.echo(f"Done: {workspace.root}. See 'spacy-gladis corpus stats {workspace.root}'.")


@app.command()
def stats(mined: Mined, output: Figures = None) -> None:
    """Show statistics of a mined corpus, such as its numbers of sources, acronyms and long forms.

    Example: spacy-gladis corpus stats mined
    """
    from ..mining.engine import Workspace
    from ..mining.statistics import corpus_statistics, show_statistics

    statistics = corpus_statistics(Workspace(mined))
    show_statistics(statistics)
    write_results(output, with_command(statistics))


@app.command()
def phrases(
    corpora: Corpora,
    output: Annotated[Path, typer.Option(help="Samples to write, as JSON Lines.")],
    samples: Annotated[
        list[Path] | None,
        typer.Option(help="Existing samples. Their long forms are skipped. Repeatable."),
    ] = None,
    each: Annotated[int, typer.Option(min=1, help="Maximum number of samples per long form.")] = 4,
    dictionary: DictionaryFile = None,
) -> None:
    """Make training samples from long forms that are written out in texts.

    In each sample, the acronym replaces the written-out phrase. This gives samples for long forms
    of the dictionary that no existing sample has.

    Example: spacy-gladis corpus phrases pile/ --samples mined --output phrases.jsonl
    """
    from collections.abc import Iterator
    from itertools import chain

    from ...dictionary import Dictionary
    from ..datasets.sample import read_samples, write_samples
    from ..mining.mine import find_inputs
    from ..mining.phrases import phrase_samples, unseen
    from ..mining.readers import Document, read_documents

    inputs = find_inputs(corpora)

    def documents() -> Iterator[Document]:
        return chain.from_iterable(read_documents(corpus.path) for corpus in inputs)

    at_hand = chain.from_iterable(map(read_samples, samples or []))
    wanted = unseen(Dictionary.open(dictionary), at_hand)
    made = phrase_samples(documents(), wanted, each=each)
    typer.echo(f"{output}: {write_samples(output, made)} samples")


@app.command()
def words(
    corpora: Corpora,
    output: Annotated[
        Path, typer.Option(help="Table to write, with a word and its rate per line.")
    ],
    dictionary: DictionaryFile = None,
) -> None:
    """List the words of general English with their rates in a corpus.

    The detector uses the list, because such a word in capitals is usually not an acronym.
    Lower-case abbreviations of the dictionary are left out.

    Example: spacy-gladis corpus words pile/ --output spacy_gladis/text/english_words.tsv
    """
    from ...dictionary import Dictionary
    from ...files import writing
    from ..dictionary.known import english_words
    from ..mining.mine import find_inputs
    from ..mining.readers import read_documents

    shards = (
        (document.text for document in read_documents(corpus.path))
        for corpus in find_inputs(corpora)
    )
    rates = english_words(shards, Dictionary.open(dictionary).abbreviations)
    with writing(output) as temporary:
        temporary.write_text("".join(f"{word}\t{rate}\n" for word, rate in rates.items()), "utf8")
    typer.echo(f"{output}: {len(rates):,} words")


@app.command()
def draw(
    source: Annotated[
        Path, typer.Argument(help="Dictionary file, or folder that 'corpus extract' wrote.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Table to write (.tsv).")],
    size: Annotated[int, typer.Option(min=1, help="Number of pairs to draw.")] = 100,
    seed: Annotated[int, typer.Option(help="Random seed of the draw.")] = 0,
) -> None:
    """Draw a random sample of dictionary entries or mined definitions, for a person to judge.

    Write the judgements into the column 'verdict' of the table, then run 'corpus judged'.

    Example: spacy-gladis corpus draw mined -o assets/judged/extractions.tsv
    """
    from ..dictionary.judged import draw as draw_pairs
    from ..dictionary.judged import write_judged

    write_judged(output, draw_pairs(source, size, seed))
    typer.echo(f"Wrote {output}. Write 'right' or 'wrong' into its column 'verdict'.")


@app.command()
def judged(
    tables: Annotated[
        list[Path], typer.Argument(help="Tables of 'corpus draw' with the judges' verdicts.")
    ],
    output: Figures = None,
) -> None:
    """Show which share of the judged pairs of acronym and long form is right.

    The share is computed for each table, with each pair counted once and weighted by its frequency.

    Example: spacy-gladis corpus judged assets/judged/*.tsv
    """
    from ..dictionary.judged import accuracy, read_judged
    from .results_file import write_figures

    write_figures(output, {path.stem: accuracy(list(read_judged(path))) for path in tables})


@app.command("dictionary")
def dictionary_(
    sources: Annotated[
        Path, typer.Argument(help="List of the sources, such as assets/dictionary/sources.json.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Dictionary file to write.")],
    shared: Annotated[Path, typer.Option(help="Folder with the sources' data.")] = SHARED,
    metadata: Metadata = None,
    megabytes: Annotated[float, typer.Option(help="Maximum size of the file, in MB.")] = 41,
    without: Annotated[
        list[str] | None,
        typer.Option(help="Source to leave out, also with wildcards. Repeatable."),
    ] = None,
) -> None:
    """Build the packaged dictionary from glossaries, lists and mined definitions.

    Spelling variants are merged, noise is removed, and entries are selected until the file has the
    maximum size.

    Example: spacy-gladis corpus dictionary assets/dictionary/sources.json -o dictionary.sqlite
    """
    from ..dictionary.build import build
    from ..dictionary.sources import read_sources

    size = int(megabytes * 1e6)
    read = read_sources(sources, shared, without or ())
    made = build(read, output, read_metadata(metadata), size)
    typer.echo(
        f"Wrote {output}: {made.acronyms:,} acronyms, {made.long_forms:,} long forms, "
        f"{made.bytes / 1e6:,.1f} MB. The sources have {made.spellings:,} spellings in "
        f"{made.rows:,} rows. {made.merged:,} spellings were merged with a variant. "
        f"{made.dropped:,} long forms were left out because they are invalid or truncated, and "
        f"{made.unchosen:,} to stay below the maximum size. {made.glossed:,} have a gloss."
    )
