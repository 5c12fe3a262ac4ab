"""What the commands that annotate documents share: options, progress, what is said at the end."""

import codecs
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, TypeVar

import typer

from .progress import with_progress

Item = TypeVar("Item")

if TYPE_CHECKING:
    from spacy.language import Language as Pipeline

    from ..documents.source import Source
    from ..output.writers import Documents
    from ..problem import ProblemLog

SOME_FAILED = 1
"""Exit code when some inputs could not be read or annotated; the others are done."""
UNUSABLE = 2
"""Exit code when what was given cannot be used; the same as for a wrong option."""

EXIT_CODES = (
    "Exit codes: 0 all is annotated; 1 some inputs could not be read, the others are done; "
    "2 nothing could be done with what was given."
)
_SHOWN_PROBLEMS = 20


def _writable(output: Path | None) -> Path | None:
    """A file that a person names must lie in a folder that is there; what builds makes folders."""
    if output is not None:
        folder = output.parent
        if not folder.is_dir():
            raise typer.BadParameter(f"'{output}' cannot be written: '{folder}' is no folder.")
        if not os.access(folder, os.W_OK):
            raise typer.BadParameter(f"'{output}' cannot be written: '{folder}' takes no files.")
    return output


def _known_encoding(encoding: str | None) -> str | None:
    if encoding is not None:
        try:
            codecs.lookup(encoding)
        except LookupError:
            raise typer.BadParameter(
                f"'{encoding}' is not an encoding. Give a name such as utf-8, utf-16 or latin-1."
            ) from None
    return encoding


Inputs = Annotated[
    list[str] | None,
    typer.Argument(help="A text, or files, or folders, or - for standard input (the default)."),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        dir_okay=False,
        callback=_writable,
        help="Write to this file, not the terminal.",
    ),
]
Field = Annotated[
    str | None,
    typer.Option(
        help="What the texts are of, such as clinical or computing; a wrong name lists all."
    ),
]
Precision = Annotated[
    float | None,
    typer.Option(
        min=0, max=1, help="Choose the threshold that gave so many right answers of those given."
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="Leave an acronym open below this probability."),
]
DictionaryFile = Annotated[
    Path | None,
    typer.Option("--dictionary", help="A dictionary file, or JSON in the published format."),
]
Overlay = Annotated[
    list[Path] | None,
    typer.Option(
        "--overlay",
        help="Your own entries, a table of acronym and long form; without a long form it is no "
        "acronym (repeatable).",
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        help="A saved spaCy pipeline, or AcroBERT weights (a folder, a Hugging Face name)."
    ),
]
Language = Annotated[str, typer.Option(help="The texts' language, for the tokenizer.")]
Alone = Annotated[
    bool,
    typer.Option("--alone", help="Each document by itself, whatever the others define."),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        callback=_known_encoding,
        help="Of texts without a byte-order mark, such as latin-1 or utf-16; else UTF-8.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]
Processes = Annotated[int, typer.Option(min=1, help="Processes that annotate.")]


def one_of(names: Iterable[str]) -> Callable[[str | None], str | None]:
    """A callback for an option: it takes these names, and says which one was meant."""
    known = tuple(names)

    def check(value: str | None) -> str | None:
        if value is None or value in known:
            return value
        meant = get_close_matches(value.lower(), known, n=1)
        hint = f" Did you mean '{meant[0]}'?" if meant else ""
        raise typer.BadParameter(f"'{value}' is none of {', '.join(known)}.{hint}")

    return check


def given(inputs: list[str] | None) -> list[str]:
    """What to read: by default what is piped in."""
    from ..documents.sources import STANDARD_INPUT

    if not inputs and sys.stdin.isatty():
        raise typer.BadParameter("Give a text, files, folders, or pipe a text in.")
    return inputs or [STANDARD_INPUT]


def annotated(
    inputs: list[str] | None,
    problems: "ProblemLog",
    *,
    field: str | None,
    threshold: float | None,
    precision: float | None,
    top_k: int | None = None,
    why: bool = False,
    dictionary: Path | None,
    overlay: list[Path] | None,
    model: str | None,
    language: str,
    processes: int,
    alone: bool = True,
    encoding: str | None = None,
    quiet: bool = False,
    sources: "dict[str, Source] | None" = None,
) -> "Documents":
    """The named documents as they are annotated, with a bar where somebody watches.

    alone: do without what the other documents define, which takes a pass of its own.
    why: tell the evidence of each answer.
    sources: what a document was read from is put there before it comes, under its name.

    Inputs, model and dictionary are opened at once, so that what is wrong with them is said
    before anything is written.
    """
    from ..documents.sources import count_sources, read_sources
    from ..output.marked import with_marked
    from ..pipeline.annotate import annotate_sources
    from ..pipeline.load import load_pipeline

    paths = given(inputs)
    read = read_sources(paths, problems, encoding)
    nlp = load_pipeline(
        model,
        language=language,
        dictionary=dictionary,
        overlay=overlay or (),
        field=field,
        threshold=threshold,
        precision=precision,
        top_k=top_k,
        why=why,
    )
    if inputs and not alone:
        learn_together(nlp, inputs, encoding=encoding, quiet=quiet)
    kept: dict[str, Source] = {} if sources is None else sources
    stream = annotate_sources(nlp, _noted(read, kept), problems, processes=processes)
    documents = counted(((name, with_marked(doc, kept[name])) for name, doc in stream), problems)
    return with_progress(documents, partial(count_sources, paths), quiet=quiet)


def learn_together(
    nlp: "Pipeline",
    paths: list[str],
    kept: Callable[[Path], bool] = lambda path: True,
    encoding: str | None = None,
    *,
    quiet: bool,
) -> None:
    """Let the linker learn what several documents say, so that they explain one another.

    kept: which files of folders are read. What cannot be read is said when it is annotated.
    """
    from ..documents.sources import STANDARD_INPUT, are_several, count_sources, read_paths
    from ..pipeline.learn import learn_sources, linker_of

    if are_several(paths):
        files = [path for path in paths if path != STANDARD_INPUT]
        count = partial(count_sources, files, kept)

        def read() -> "Iterator[Source]":
            sources = read_paths(files, new_problems(), kept, encoding)
            return with_progress(sources, count, what="documents read beforehand", quiet=quiet)

        linker_of(nlp).learnt.update(learn_sources(nlp, read))


def _noted(read: "Iterator[Source]", kept: "dict[str, Source]") -> "Iterator[Source]":
    for source in read:
        kept[source.name] = source
        yield source


def counted(things: Iterable[Item], problems: "ProblemLog") -> Iterator[Item]:
    """The same, each counted as an input that went well; `finish` then knows of it."""
    for thing in things:
        problems.done += 1
        yield thing


def format_by_ending(output: Path, known: Mapping[str, str]) -> str:
    """The format that a file's ending asks for; another ending is refused."""
    found = known.get(output.suffix.lower())
    if found is None:
        raise typer.BadParameter(
            f"'{output.name}' ends like no format. Give --format, or an ending of "
            f"{', '.join(known)}."
        )
    return found


def new_problems() -> "ProblemLog":
    """A log that keeps as many examples as `finish` shows."""
    from ..problem import ProblemLog

    return ProblemLog(keep=_SHOWN_PROBLEMS)


@contextmanager
def destination(output: Path | None, problems: "ProblemLog") -> Iterator[IO[bytes]]:
    """The file to write, which is whole in the end or not there, or standard output.

    Where nothing could be done the old file stays, and the program ends as `finish` says.
    """
    from ..files import writing

    if output is None:
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    with writing(output) as temporary, temporary.open("wb") as stream:
        yield stream
        if not problems.done:
            finish(problems)


def finish(problems: "ProblemLog") -> None:
    """Say what was left out, if anything was, and leave with SOME_FAILED, or UNUSABLE for all."""
    say_left_out(problems)
    if problems.counts:
        raise typer.Exit(SOME_FAILED if problems.done else UNUSABLE)


def say_left_out(problems: "ProblemLog") -> None:
    """Show examples of what is wrong, and how many there are of each kind."""
    for example in problems.to_json()["examples"]:
        typer.echo(example, err=True)
    if problems.counts:
        kinds = sorted(problems.counts.items())
        counts = ", ".join(f"{number:,} x {kind}" for kind, number in kinds)
        typer.secho(f"Left out: {counts}.", fg="yellow", err=True)
