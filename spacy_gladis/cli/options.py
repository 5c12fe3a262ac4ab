"""Command-line options that several commands share."""

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from ..errors import unknown_name
from ..settings import FIELDS

Command = TypeVar("Command", bound=Callable[..., None])


def check_writable(output: Path | None) -> Path | None:
    """Check that an output file can be written. Used as a callback of the option.

    Args:
        output: Path of the output file. None is accepted.

    Returns:
        The same path.

    Raises:
        typer.BadParameter: If the file or its folder is read-only, or the folder doesn't exist.
    """
    from ..files import is_stream

    if output is not None and not is_stream(output):
        folder = output.parent
        if output.exists() and not os.access(output, os.W_OK):
            raise typer.BadParameter(f"Cannot write '{output}': the file is read-only.")
        if not folder.is_dir():
            raise typer.BadParameter(f"Cannot write '{output}': there is no folder '{folder}'.")
        if not os.access(folder, os.W_OK):
            raise typer.BadParameter(
                f"Cannot write '{output}': the folder '{folder}' is read-only."
            )
    return output


def check_overwrite(output: Path, overwrite: bool) -> None:
    """Raise an error if the output file exists and must not be replaced.

    Args:
        output: Path of the output file.
        overwrite: Whether an existing file may be replaced.

    Raises:
        typer.BadParameter: If the file exists and `overwrite` is False.
    """
    from ..files import is_stream

    if output.exists() and not overwrite and not is_stream(output):
        raise typer.BadParameter(
            f"'{output}' already exists. Choose another name or pass --overwrite."
        )


def _check_encoding(encoding: str | None) -> str | None:
    if encoding is not None:
        try:
            b"a".decode(encoding)
        except UnicodeDecodeError:
            pass  # half a character of UTF-16
        except (LookupError, ValueError):
            raise typer.BadParameter(
                f"'{encoding}' is not an encoding. Use a name such as utf-8, utf-16 or latin-1."
            ) from None
    return encoding


Inputs = Annotated[
    list[str] | None,
    typer.Argument(help="A text, files, folders, or - for standard input (the default)."),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        dir_okay=False,
        callback=check_writable,
        help="Write to this file instead of standard output.",
    ),
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace the output file if it exists.")
]
Field = Annotated[
    str | None,
    typer.Option(
        help=f"Subject field of the texts, if they share one: {', '.join(FIELDS)}.",
    ),
]
Precision = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        help="Target precision. The threshold is chosen to reach it.",
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option(
        min=0, max=1, help="Lowest probability of an answer. Acronyms below it stay unresolved."
    ),
]
DictionaryFile = Annotated[
    Path | None,
    typer.Option(
        "--dictionary",
        help="Dictionary file, or JSON in the published format. Default: the packaged one.",
    ),
]
Overlay = Annotated[
    list[Path] | None,
    typer.Option(
        "--overlay",
        help="Table of your own acronyms and long forms, which take precedence. An entry without "
        "a long form marks a word that is not an acronym. Repeatable.",
    ),
]
LanguageModel = Annotated[
    Path | None,
    typer.Option("--llm", dir_okay=False, help="Config file of a language model to ask."),
]
Model = Annotated[
    str | None,
    typer.Option(
        help="Saved spaCy pipeline, or AcroBERT weights as a folder or a Hugging Face name."
    ),
]
Language = Annotated[str, typer.Option(help="Language of the tokenizer, as a code such as en.")]
AnyLanguage = Annotated[
    bool,
    typer.Option(
        "--any-language", help="Use the dictionary for texts in all languages, not only its own."
    ),
]
Offensive = Annotated[
    bool, typer.Option("--offensive", help="Include offensive long forms of the dictionary.")
]
Alone = Annotated[
    bool,
    typer.Option("--alone", help="Ignore definitions in the other documents and in glossaries."),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        callback=_check_encoding,
        help="Encoding of files without a byte-order mark, such as latin-1. Default: UTF-8.",
    ),
]
TextField = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Column of the texts in CSV, TSV and XLSX, or their key in JSON lines.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Don't show progress.")]
Processes = Annotated[int, typer.Option(min=1, help="Number of processes that annotate.")]

Host = Annotated[
    str, typer.Option(help="Address to listen on. 0.0.0.0 means all addresses of the machine.")
]
Port = Annotated[
    int, typer.Option(min=0, max=65535, help="Port to listen on. 0 means any free port.")
]
MaxCharacters = Annotated[int, typer.Option(min=1, help="Most characters of a text.")]
Timeout = Annotated[float, typer.Option(min=0.1, help="Seconds until a request is aborted.")]

LINKING = {
    "field": (Field, None),
    "threshold": (Threshold, None),
    "precision": (Precision, None),
    "dictionary": (DictionaryFile, None),
    "overlay": (Overlay, None),
    "model": (Model, None),
    "language": (Language, "en"),
    "any_language": (AnyLanguage, False),
    "offensive": (Offensive, False),
}
"""Types and defaults of the options for resolving acronyms, by the argument of `load_pipeline`."""

READING = {
    **LINKING,
    "alone": (Alone, False),
    "processes": (Processes, 1),
    "encoding": (Encoding, None),
    "text_field": (TextField, None),
    "quiet": (Quiet, False),
}
"""Types and defaults of the options for annotating files, by argument of `annotate_documents`."""


def with_options(options: Mapping[str, tuple[Any, object]]) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command.

    Args:
        options: Types and defaults of the options, by parameter name.

    Returns:
        A decorator for a command that receives the values of the options as ``**keywords``.
    """

    def decorate(command: Command) -> Command:
        signature = inspect.signature(command)
        parameters = [
            parameter
            for parameter in signature.parameters.values()
            if parameter.kind != parameter.VAR_KEYWORD
        ]
        added = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind
            )
            for name, (kind, default) in options.items()
        ]
        command.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*parameters, *added]
        )
        return command

    return decorate


def one_of(choices: Iterable[str]) -> Callable[[str | None], str | None]:
    """Return a callback for an option that accepts only some values.

    Args:
        choices: The accepted values.

    Returns:
        A function that returns its argument, and raises `typer.BadParameter` for an unknown
        value. None is accepted.
    """
    names = tuple(choices)

    def check(value: str | None) -> str | None:
        if value is None or value in names:
            return value
        raise typer.BadParameter(str(unknown_name("choice", value, names)))

    return check
