"""Command-line options that several commands share, and checks of their values."""

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
    """Raise an error if an output file can't be written. Use it as the callback of an option.

    Args:
        output: Path of the output file. None is accepted and stands for standard output.

    Returns:
        The same path.

    Raises:
        typer.BadParameter: If the file or its folder is read-only, or the folder doesn't exist.
    """
    from ..files import is_stream

    if output is not None and not is_stream(output):
        folder = output.parent
        if output.exists() and not os.access(output, os.W_OK):
            raise typer.BadParameter(
                f"Cannot write '{output}': the file is read-only. Choose another name."
            )
        if not folder.is_dir():
            raise typer.BadParameter(
                f"Cannot write '{output}': there is no folder '{folder}'. Create the folder first."
            )
        if not os.access(folder, os.W_OK):
            raise typer.BadParameter(
                f"Cannot write '{output}': the folder '{folder}' is read-only. Choose another one."
            )
    return output


def check_overwrite(output: Path, overwrite: bool) -> None:
    """Raise an error if an output file exists and must not be replaced.

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
            pass  # one byte is half a character of UTF-16, which is fine
        except (LookupError, ValueError):
            raise typer.BadParameter(
                f"'{encoding}' is not an encoding. Use a name such as utf-8, utf-16 or latin-1."
            ) from None
    return encoding


Inputs = Annotated[
    list[str] | None,
    typer.Argument(help="A text, or files and folders, or - for standard input (the default)."),
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
        help=f"Subject field, if all texts belong to one: {', '.join(FIELDS)}.",
    ),
]
Precision = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        help="Target precision, the share of right answers. The threshold is chosen to reach it.",
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option(
        min=0, max=1, help="Minimum probability of an answer. Acronyms below it stay unresolved."
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
    typer.Option(
        "--llm", dir_okay=False, help="Config file of a language model for uncertain acronyms."
    ),
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
        "--any-language",
        help="Use the dictionary for texts in any language, not only in its own language.",
    ),
]
Offensive = Annotated[
    bool, typer.Option("--offensive", help="Include long forms that are marked as offensive.")
]
Alone = Annotated[
    bool,
    typer.Option(
        "--alone", help="Ignore definitions in the other documents and in glossaries nearby."
    ),
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
        help="Column that contains the texts in CSV, TSV and XLSX, or their key in JSON lines.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Don't show progress.")]
Processes = Annotated[
    int, typer.Option(min=1, help="Number of processes that annotate in parallel.")
]

Host = Annotated[
    str, typer.Option(help="Address to listen on. 0.0.0.0 means all addresses of the machine.")
]
Port = Annotated[
    int, typer.Option(min=0, max=65535, help="Port to listen on. 0 means any free port.")
]
MaxCharacters = Annotated[
    int, typer.Option(min=1, help="Maximum number of characters in the text of a request.")
]
Timeout = Annotated[
    float, typer.Option(min=0.1, help="Number of seconds until a request is aborted.")
]

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
"""Types and defaults of the options for resolving acronyms. The keys are arguments of
`load_pipeline`."""

READING = {
    **LINKING,
    "alone": (Alone, False),
    "processes": (Processes, 1),
    "encoding": (Encoding, None),
    "text_field": (TextField, None),
    "quiet": (Quiet, False),
}
"""Types and defaults of the options for annotating files. The keys are arguments of
`annotate_documents`."""


def with_options(options: Mapping[str, tuple[Any, object]]) -> Callable[[Command], Command]:
    """Return a decorator that adds shared options to a command.

    The decorated function receives the values of these options as keyword arguments.

    Args:
        options: A mapping from the names of parameters to the types and defaults of the options.

    Returns:
        A decorator for a function with ``**keywords``.
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
    """Return a callback that checks whether the value of an option is one of several choices.

    Args:
        choices: Values that the option accepts.

    Returns:
        A function that returns its argument, and raises `typer.BadParameter` for an unknown value.
        None is accepted and means that the option isn't set.
    """
    names = tuple(choices)

    def check(value: str | None) -> str | None:
        if value is None or value in names:
            return value
        raise typer.BadParameter(str(unknown_name("choice", value, names)))

    return check
