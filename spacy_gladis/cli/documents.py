"""Functions that the commands share to read documents, show progress and report problems."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import typer

from ..progress import Count, with_progress

Item = TypeVar("Item")

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from ..documents.source import Source
    from ..documents.sources import NamedSources
    from ..output.glossary import Glossary
    from ..output.writers import Documents
    from ..problem import ProblemLog

SOME_FAILED = 1
"""Exit code of a command if some inputs could not be read or annotated, but others could."""
UNUSABLE = 2
"""Exit code of a command if it could do nothing with its input.

The library click uses the same code for wrong options.
"""

EXIT_CODES = (
    "Exit codes: 0 if all inputs were processed, 1 if some of them could not be read, 2 if the "
    "command could do nothing."
)
_SHOWN_PROBLEMS = 20
_SHOWN_COLUMNS = 3
_SHOWN_NAMES = 10


def open_sources(
    inputs: list[str] | None, encoding: str | None, text_field: str | None
) -> "NamedSources":
    """Return the documents that a command reads. They come from standard input by default.

    Args:
        inputs: Arguments of the command: a text, or files, folders and ``-`` for standard input.
            None or empty reads standard input.
        encoding: Encoding of files without a byte-order mark. None means UTF-8.
        text_field: Column or key that contains the texts in tables and JSON lines. None chooses it
            automatically.

    Returns:
        The documents, none of which has been read yet.

    Raises:
        typer.BadParameter: If there is no input and standard input is a terminal.
    """
    from ..documents.sources import STANDARD_INPUT, NamedSources

    if not inputs and sys.stdin.isatty():
        raise typer.BadParameter(
            "There is no input. Pass a text, files or folders, or pipe a text to the command."
        )
    return NamedSources(inputs or [STANDARD_INPUT], encoding, text_field)


def single_word(inputs: list[str] | None) -> str | None:
    """Return the input of a command if it is a single word that names no file or folder.

    Such a word can be a text or a misspelled path.

    Args:
        inputs: Arguments of the command. None or empty if there are none.

    Returns:
        The word, or None for any other input.
    """
    from ..documents.sources import is_text

    word = inputs[0] if inputs and len(inputs) == 1 else ""
    return word if is_text(word) and not any(map(str.isspace, word)) else None


def reject_single_word(inputs: list[str] | None) -> None:
    """Raise an error if the input of a command is a single word that names no file or folder.

    Commands that need documents call this function, because the word is probably a misspelled path.

    Args:
        inputs: Arguments of the command. None or empty if there are none.

    Raises:
        typer.BadParameter: If the input is such a word.
    """
    if word := single_word(inputs):
        raise typer.BadParameter(f"There is no file or folder {word}.")


def annotate_documents(
    inputs: list[str] | None,
    problems: "ProblemLog",
    sources: "dict[str, Source] | None" = None,
    *,
    processes: int,
    alone: bool,
    encoding: str | None,
    text_field: str | None,
    quiet: bool,
    output: Path | None = None,
    resolve: bool = True,
    **linking: Any,
) -> "Documents":
    """Annotate the documents that a command reads, and show the progress on a terminal.

    The inputs, the model and the dictionary are opened before the first document is annotated.
    Errors in them are therefore reported before any output is written.

    Args:
        inputs: A text, or files, folders and ``-`` for standard input.
        problems: Log that receives the documents that can't be read or annotated.
        sources: Mapping that receives the source of each document before the document is yielded.
            The keys are the names of the documents.
        processes: Number of processes that annotate documents in parallel.
        alone: Whether to ignore definitions in the other documents and in glossaries nearby. If
            False, the documents are read an additional time to collect the definitions.
        encoding: Encoding of files without a byte-order mark. None means UTF-8.
        text_field: Column or key that contains the texts in tables and JSON lines. None chooses it
            automatically.
        quiet: Whether to show no progress.
        output: Output file of the command. It isn't used as a glossary, whatever its name is.
        resolve: Whether the linker resolves acronyms that the documents don't define. If False, no
            model runs.
        **linking: Arguments of `load_pipeline`.

    Returns:
        Pairs of a document's name and the annotated document, in the order of the input.

    Raises:
        InputError: If the inputs, the model or the dictionary can't be used.
        typer.BadParameter: If there is no input, or if an option of the linker is set although
            `resolve` is False.
    """
    from ..pipeline.annotate import unanswered_language, with_marked
    from ..pipeline.learn import linker_of
    from ..pipeline.load import load_pipeline

    named = open_sources(inputs, encoding, text_field)
    stream = named.read(problems)
    nlp = load_pipeline(**linking) if resolve else _load_detector(**linking)
    if resolve and inputs and not alone:
        learn_from_documents(nlp, named, quiet=quiet)
        learn_from_glossaries(nlp, [*inputs, *map(str, linking.get("overlay") or ())], output)
    print_columns(named)
    annotated = annotate_with_progress(
        nlp, stream, problems, named.count, processes=processes, quiet=quiet
    )
    languages = linker_of(nlp).answered_languages if resolve else None

    def documents() -> "Iterator[tuple[str, Doc]]":
        foreign: dict[str, list[str]] = {}
        for source, doc in annotated:
            if sources is not None:
                sources[source.name] = source
            if languages is not None and (language := unanswered_language(doc, languages)):
                foreign.setdefault(language, []).append(source.name)
            yield source.name, with_marked(doc, source)
        print_skipped(named)
        _print_foreign(foreign)

    return documents()


def collect_glossary(
    inputs: list[str] | None, problems: "ProblemLog", **settings: Any
) -> "Glossary":
    """Annotate the documents that a command reads, and collect their acronyms in a glossary.

    Args:
        inputs: Files, folders and ``-`` for standard input, or a text of several words.
        problems: Log that receives the documents that can't be read or annotated.
        **settings: Additional arguments of `annotate_documents`.

    Returns:
        The glossary of all documents.

    Raises:
        InputError: If the inputs, the model or the dictionary can't be used.
        typer.BadParameter: If the input is a single word, if there is no input, or if an option of
            the linker is set although `resolve` is False.
        typer.Exit: With the code `UNUSABLE`, if no input could be annotated.
    """
    from ..output.glossary import Glossary
    from ..pipeline.annotate import with_unanswered

    reject_single_word(inputs)
    acronyms = Glossary()
    sources: dict[str, Source] = {}
    for name, doc in annotate_documents(inputs, problems, sources, **settings):
        acronyms.add(name, with_unanswered(doc), sources.pop(name))
    if not problems.done:
        finish(problems)
    return acronyms


def _load_detector(
    *, language: str, overlay: list[Path] | None, top_k: int | None = None, **linking: Any
) -> "Language":
    """Load a pipeline without a linker, and raise an error if options of the linker are set."""
    from ..pipeline.load import load_detector

    for name, value in linking.items():
        if value is not None and value is not False:
            option = name.replace("_", "-")
            raise typer.BadParameter(
                f"--{option} needs the linker, which is switched off here. Remove --{option}."
            )
    return load_detector(language, overlay or ())


def annotate_with_progress(
    nlp: "Language",
    sources: "Iterable[Source]",
    problems: "ProblemLog",
    count: Count,
    *,
    processes: int = 1,
    quiet: bool,
) -> "Iterator[tuple[Source, Doc]]":
    """Annotate texts, count those that succeed, and show the progress on a terminal.

    Args:
        nlp: Pipeline that annotates the texts.
        sources: Texts to annotate.
        problems: Log that receives the texts that can't be annotated. It also counts the other
            texts.
        count: Function that returns the number of texts, or None if it isn't known.
        processes: Number of processes that annotate texts in parallel.
        quiet: Whether to show no progress.

    Returns:
        An iterator over pairs of a text and its annotated document, in order.
    """
    from ..pipeline.annotate import annotate_sources

    stream = annotate_sources(nlp, sources, problems, processes=processes)
    return with_progress(count_successes(stream, problems), count, quiet=quiet)


def learn_from_documents(nlp: "Language", named: "NamedSources", *, quiet: bool) -> None:
    """Let the linker use the definitions in each document as evidence for all other documents.

    A single document isn't read, because there are no others. Standard input and pipes are left
    out, because they can be read only once, and so are glossaries that this package wrote.
    Documents that can't be read are reported later, when they are annotated.

    Args:
        nlp: Pipeline with a linker, which receives the definitions.
        named: Documents that the command reads.
        quiet: Whether to show no progress.
    """
    from ..documents.sources import are_several, is_read_once
    from ..output.glossary_formats import is_own_output
    from ..pipeline.learn import learn_sources, linker_of

    files = replace(named, given=[path for path in named.given if not is_read_once(path)])
    if files.given and are_several(named.given):

        def read() -> "Iterator[Source]":
            sources = files.read_paths(new_problems())
            what = "documents read beforehand"
            shown = with_progress(sources, files.count, what=what, quiet=quiet)
            return (source for source in shown if not is_own_output(Path(source.path)))

        linker_of(nlp).folder_definitions.update(learn_sources(nlp, read))


def learn_from_glossaries(nlp: "Language", paths: list[str], output: Path | None) -> None:
    """Let the linker use glossary files near the documents, and print their names.

    The files are searched in the folders of the documents and in the folders above them. Files that
    this package wrote are ignored, with a message.

    Args:
        nlp: Pipeline with a linker, which receives the entries of the glossaries.
        paths: Paths of the documents and of the user's own entries.
        output: Output file of the command. It isn't used as a glossary, because it has answers of
            an earlier run.
    """
    from ..documents.sources import glossaries_beside
    from ..output.glossary_formats import is_own_output
    from ..pipeline.learn import learn_glossary
    from ..problem import escape_controls

    for path in glossaries_beside(paths):
        if output and path == output.absolute():  # answers of an earlier run are no evidence
            continue
        if is_own_output(path):
            typer.echo(
                f"Ignoring {escape_controls(str(_relative(path)))}, because spacy-gladis wrote it "
                "and its answers may be wrong.",
                err=True,
            )
            continue
        if number := learn_glossary(nlp, path):
            entries = f"{number:,} entries" if number > 1 else "1 entry"
            typer.echo(
                f"Using glossary {_relative(path)} ({entries}). Pass --alone to ignore it.",
                err=True,
            )


def _relative(path: Path) -> Path:
    """Return a path relative to the current directory if it is inside this directory."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def print_columns(named: "NamedSources") -> None:
    """Print which columns of tables are read as texts, if they were chosen automatically.

    Args:
        named: Documents that the command reads.
    """
    from ..problem import escape_controls

    if columns := [f"'{column}' of {path}" for column, path in named.guessed_columns().items()]:
        number = len(columns) - _SHOWN_COLUMNS
        more = [f"{number:,} more"] if number > 0 else []
        shown = escape_controls(", ".join([*columns[:_SHOWN_COLUMNS], *more]))
        typer.echo(
            f"Reading texts from column {shown}. Pass --text-field to choose another.", err=True
        )


def print_skipped(named: "NamedSources") -> None:
    """Print how many files in folders are skipped, with the reasons and file extensions.

    Args:
        named: Documents that the command has read.
    """
    reasons = [
        f"{_format_counts(endings)} ({reason})" for reason, endings in named.passed_over().items()
    ]
    if reasons:
        typer.echo(f"Skipped: {'; '.join(reasons)}.", err=True)


def _print_foreign(foreign: Mapping[str, list[str]]) -> None:
    """Print the names of texts in other languages, as the linker warns only of the first text."""
    from ..problem import escape_controls

    for language, names in foreign.items():
        if len(names) > 1:
            more = [f"{len(names) - _SHOWN_NAMES:,} more"] if len(names) > _SHOWN_NAMES else []
            shown = escape_controls(", ".join([*names[:_SHOWN_NAMES], *more]))
            typer.echo(f"{len(names):,} texts look {language}: {shown}.", err=True)


def print_counts(label: str, counts: Counter[str]) -> None:
    """Print counts as a line such as ``Not copied: 2 x .pdf, 1 x .eml.`` on standard error.

    Args:
        label: Text before the colon.
        counts: A mapping from names to counts. Nothing is printed if it is empty.
    """
    if counts:
        typer.echo(f"{label}: {_format_counts(counts)}.", err=True)


def _format_counts(counts: Counter[str]) -> str:
    return ", ".join(f"{number:,} x {name}" for name, number in counts.most_common())


def count_successes(items: Iterable[Item], problems: "ProblemLog") -> Iterator[Item]:
    """Yield items, and count each of them as an input that was processed successfully.

    If nothing succeeds, a command exits with `UNUSABLE` instead of `SOME_FAILED`.

    Args:
        items: Inputs that were processed successfully.
        problems: Log that counts the successes.

    Yields:
        The same items, in order.
    """
    for item in items:
        problems.done += 1
        yield item


def format_by_extension(output: Path | None, formats: Mapping[str, str], default: str) -> str:
    """Return the output format that the extension of the output file stands for.

    Args:
        output: Path of the output file. None stands for standard output.
        formats: A mapping from file extensions, such as ``.csv``, to names of formats.
        default: Name of the format for standard output.

    Returns:
        The name of the format.

    Raises:
        typer.BadParameter: If the extension stands for no format.
    """
    if output is None:
        return default
    format = formats.get(output.suffix.lower())
    if format is None:
        raise typer.BadParameter(
            f"'{output.name}' has no extension that names a format. Pass --format, or use one of "
            f"these extensions: {', '.join(formats)}."
        )
    return format


def new_problems() -> "ProblemLog":
    """Create an empty log of problems for a command.

    Returns:
        A log that keeps as many examples of each problem as `finish` prints.
    """
    from ..problem import ProblemLog

    return ProblemLog(keep=_SHOWN_PROBLEMS)


@contextmanager
def open_output(output: Path | None, problems: "ProblemLog") -> Iterator[IO[bytes]]:
    """Open the output file of a command, or standard output.

    The content is written to a temporary file, which replaces the output file when the context
    ends. If no input succeeded, an existing output file is kept, and the program exits as `finish`
    does.

    Args:
        output: Path of the output file. None writes to standard output.
        problems: Log with the problems and the number of successes so far.

    Yields:
        A binary stream to write to.

    Raises:
        typer.Exit: If no input succeeded.
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


def escape_on_terminal(stream: IO[bytes]) -> IO[bytes]:
    """Return a stream that escapes control characters if it writes to a terminal.

    Texts and file names could otherwise change the state of the terminal.

    Args:
        stream: Binary stream to write to.

    Returns:
        An `EscapingStream` for a terminal, and the same stream otherwise.
    """
    return EscapingStream(stream) if stream.isatty() else stream


class EscapingStream(BytesIO):
    """A binary stream for a terminal that escapes control characters in UTF-8 text."""

    def __init__(self, terminal: IO[bytes]) -> None:
        """Wrap the stream of a terminal.

        Args:
            terminal: Binary stream that receives the escaped text.
        """
        super().__init__()
        self._terminal = terminal

    def write(self, content: Any) -> int:
        """Write text to the terminal with its control characters escaped.

        Args:
            content: Text as bytes in UTF-8.

        Returns:
            The number of bytes written to the terminal.
        """
        from ..problem import escape_controls

        text = bytes(content).decode("utf-8", "replace").replace("\r\n", "\n")
        return self._terminal.write(escape_controls(text).encode())


def finish(problems: "ProblemLog") -> None:
    """Print the problems of a command, and exit with an error code if there are any.

    Args:
        problems: Log with the problems and the number of successes of the command.

    Raises:
        typer.Exit: With the code `SOME_FAILED` if some inputs succeeded, and `UNUSABLE` if none
            did.
    """
    print_problems(problems)
    if problems.counts:
        raise typer.Exit(SOME_FAILED if problems.done else UNUSABLE)


def print_problems(problems: "ProblemLog") -> None:
    """Print examples of each kind of problem, and how often each kind occurred.

    Args:
        problems: Log with the problems of the command.
    """
    for example in problems.to_json()["examples"]:
        typer.echo(example, err=True)
    if problems.counts:
        kinds = sorted(problems.counts.items())
        counts = ", ".join(f"{number:,} x {kind}" for kind, number in kinds)
        typer.secho(f"Problems: {counts}.", fg="yellow", err=True)
