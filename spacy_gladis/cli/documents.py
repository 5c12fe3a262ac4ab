"""What the commands that annotate documents share: reading, progress, what is said at the end."""

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
    from ..output.writers import Documents
    from ..problem import ProblemLog

SOME_FAILED = 1
"""Exit code when some inputs could not be read or annotated; the others are done."""
UNUSABLE = 2
"""Exit code when what was given cannot be used; the same as for a wrong option."""

EXIT_CODES = (
    "Exit codes: 0 all is done; 1 some inputs could not be read, the others are done; "
    "2 nothing could be done with what was given."
)
_SHOWN_PROBLEMS = 20
_SHOWN_COLUMNS = 3
_SHOWN_NAMES = 10


def named(inputs: list[str] | None, encoding: str | None, text_field: str | None) -> "NamedSources":
    """What to read: by default what is piped in."""
    from ..documents.sources import STANDARD_INPUT, NamedSources

    if not inputs and sys.stdin.isatty():
        raise typer.BadParameter("Give a text, files, folders, or pipe a text in.")
    return NamedSources(inputs or [STANDARD_INPUT], encoding, text_field)


def lone_word(inputs: list[str] | None) -> str | None:
    """The one word that is given and names no file or folder: a text, or a slip."""
    from ..documents.sources import is_text

    word = inputs[0] if inputs and len(inputs) == 1 else ""
    return word if is_text(word) and not any(map(str.isspace, word)) else None


def refuse_word(inputs: list[str] | None) -> None:
    """An error for one word that names no file or folder, where documents are to be read."""
    if word := lone_word(inputs):
        raise typer.BadParameter(f"There is no file or folder {word}.")


def annotated(
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
    """The named documents as they are annotated, with a bar where somebody watches.

    sources: what a document was read from is put there before it comes, under its name.
    alone: do without what the other documents define, which takes a pass of its own.
    output: what is written, and is no glossary to learn from, whatever its name.
    resolve: ask the linker what the documents do not define;
    without, no model runs. linking: as `load_pipeline` has it.

    Inputs, model and dictionary are opened at once, so that what is wrong with them is said
    before anything is written.
    """
    from ..pipeline.annotate import unanswered_language, with_marked
    from ..pipeline.learn import linker_of
    from ..pipeline.load import load_pipeline

    given = named(inputs, encoding, text_field)
    read = given.read(problems)
    nlp = load_pipeline(**linking) if resolve else _detector(**linking)
    if resolve and inputs and not alone:
        learn_together(nlp, given, quiet=quiet)
        learn_beside(nlp, [*inputs, *map(str, linking.get("overlay") or ())], output)
    say_columns(given)
    found = annotate_read(nlp, read, problems, given.count, processes=processes, quiet=quiet)

    languages = linker_of(nlp).answered_languages if resolve else None

    def documents() -> "Iterator[tuple[str, Doc]]":
        foreign: dict[str, list[str]] = {}
        for source, doc in found:
            if sources is not None:
                sources[source.name] = source
            if languages is not None and (language := unanswered_language(doc, languages)):
                foreign.setdefault(language, []).append(source.name)
            yield source.name, with_marked(doc, source)
        say_passed_over(given)
        _say_foreign(foreign)

    return documents()


def _detector(
    *, language: str, overlay: list[Path] | None, top_k: int | None = None, **linking: Any
) -> "Language":
    """The pipeline that finds acronyms and definitions; an option of the linker is refused."""
    from ..pipeline.load import load_detector

    for name, value in linking.items():
        if value is not None and value is not False:
            option = name.replace("_", "-")
            raise typer.BadParameter(f"--{option} is for the linker, which is not asked.")
    return load_detector(language, overlay or ())


def annotate_read(
    nlp: "Language",
    read: "Iterable[Source]",
    problems: "ProblemLog",
    count: Count,
    *,
    processes: int = 1,
    quiet: bool,
) -> "Iterator[tuple[Source, Doc]]":
    """Texts with their annotated documents, each counted as an input that went well."""
    from ..pipeline.annotate import annotate_sources

    stream = annotate_sources(nlp, read, problems, processes=processes)
    return with_progress(counted(stream, problems), count, quiet=quiet)


def learn_together(nlp: "Language", given: "NamedSources", *, quiet: bool) -> None:
    """Let the linker learn what several documents say, so that they explain one another.

    What cannot be read is said when it is annotated; what is read but once is left out.
    """
    from ..documents.sources import are_several, is_read_once
    from ..pipeline.learn import learn_sources, linker_of

    files = replace(given, given=[path for path in given.given if not is_read_once(path)])
    if files.given and are_several(given.given):

        def read() -> "Iterator[Source]":
            sources = files.read_paths(new_problems())
            what = "documents read beforehand"
            return with_progress(sources, files.count, what=what, quiet=quiet)

        linker_of(nlp).learnt.update(learn_sources(nlp, read))


def learn_beside(nlp: "Language", paths: list[str], output: Path | None) -> None:
    """Let the linker learn the glossaries that lie beside the documents or above, and say which."""
    from ..documents.sources import glossaries_beside
    from ..pipeline.learn import learn_glossary

    for path in glossaries_beside(paths):
        if output and path == output.absolute():  # its own answers are no evidence
            continue
        if number := learn_glossary(nlp, path):
            entries = f"{number:,} entries" if number > 1 else "1 entry"
            typer.echo(f"Glossary {_shown(path)}: {entries} used; --alone leaves it out.", err=True)


def _shown(path: Path) -> Path:
    """A path as seen from here, where it is below."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def say_columns(given: "NamedSources") -> None:
    """Say which columns of tables are read as the texts, where they are guessed."""
    from ..problem import escape_controls

    if shown := [f"'{column}' of {path}" for column, path in given.guessed_columns().items()]:
        more = [f"{len(shown) - _SHOWN_COLUMNS:,} more"] if len(shown) > _SHOWN_COLUMNS else []
        columns = escape_controls(", ".join([*shown[:_SHOWN_COLUMNS], *more]))
        typer.echo(f"Column read as texts: {columns}; --text-field names another.", err=True)


def say_passed_over(given: "NamedSources") -> None:
    """Say how many files of folders are not read, by their endings, and why."""
    found = given.passed_over().items()
    if shown := [f"{_numbers(endings)} ({reason})" for reason, endings in found]:
        typer.echo(f"Not read: {'; '.join(shown)}.", err=True)


def _say_foreign(foreign: Mapping[str, list[str]]) -> None:
    """Name the texts of each other language, where the linker's warnings don't name all of them."""
    from ..problem import escape_controls

    for language, names in foreign.items():
        if len(names) > 1:
            more = [f"{len(names) - _SHOWN_NAMES:,} more"] if len(names) > _SHOWN_NAMES else []
            shown = escape_controls(", ".join([*names[:_SHOWN_NAMES], *more]))
            typer.echo(f"{len(names):,} texts look {language}: {shown}.", err=True)


def say_numbers(what: str, found: Counter[str]) -> None:
    """Say how many of each there are, if there are any."""
    if found:
        typer.echo(f"{what}: {_numbers(found)}.", err=True)


def _numbers(found: Counter[str]) -> str:
    return ", ".join(f"{number:,} x {name}" for name, number in found.most_common())


def counted(things: Iterable[Item], problems: "ProblemLog") -> Iterator[Item]:
    """The same, each counted as an input that went well; `finish` then knows of it."""
    for thing in things:
        problems.done += 1
        yield thing


def format_by_ending(output: Path | None, known: Mapping[str, str], default: str) -> str:
    """The format that a file's ending asks for; another ending is refused. default: without a
    file."""
    if output is None:
        return default
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


def harmless(stream: IO[bytes]) -> IO[bytes]:
    """The stream; for a terminal one that shows what would steer it."""
    return Harmless(stream) if stream.isatty() else stream


class Harmless(BytesIO):
    """What is written, texts in UTF-8, goes to a terminal with control characters as escapes."""

    def __init__(self, terminal: IO[bytes]) -> None:
        super().__init__()
        self._terminal = terminal

    def write(self, content: Any) -> int:
        from ..problem import escape_controls

        text = bytes(content).decode("utf-8", "replace").replace("\r\n", "\n")
        return self._terminal.write(escape_controls(text).encode())


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
