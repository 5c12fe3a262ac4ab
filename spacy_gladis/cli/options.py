"""Options that several commands have."""

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from ..errors import unknown_name
from ..settings import FIELDS

Command = TypeVar("Command", bound=Callable[..., None])


def writable(output: Path | None) -> Path | None:
    """A file that a person names must lie in a folder that is there; what builds makes folders."""
    from ..files import is_stream

    if output is not None and not is_stream(output):
        folder = output.parent
        if output.exists() and not os.access(output, os.W_OK):
            raise typer.BadParameter(f"'{output}' cannot be written: it is read-only.")
        if not folder.is_dir():
            raise typer.BadParameter(f"'{output}' cannot be written: '{folder}' is no folder.")
        if not os.access(folder, os.W_OK):
            raise typer.BadParameter(f"'{output}' cannot be written: '{folder}' takes no files.")
    return output


def refuse_to_replace(output: Path, overwrite: bool) -> None:
    """A file that is there and holds a person's work is replaced only when told so."""
    from ..files import is_stream

    if output.exists() and not overwrite and not is_stream(output):
        raise typer.BadParameter(f"'{output}' is there. Give another name, or --overwrite.")


def _known_encoding(encoding: str | None) -> str | None:
    if encoding is not None:
        try:
            b"a".decode(encoding)
        except UnicodeDecodeError:
            pass  # half a character of UTF-16
        except (LookupError, ValueError):
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
        callback=writable,
        help="Write to this file, not the terminal.",
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace --output where it is there.")]
Field = Annotated[
    str | None,
    typer.Option(
        help="Subject field of the texts, which is known if they are all of one: "
        f"{', '.join(FIELDS)}.",
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
LanguageModel = Annotated[
    Path | None,
    typer.Option("--llm", dir_okay=False, help="Ask a language model: its config file."),
]
Model = Annotated[
    str | None,
    typer.Option(
        help="A saved spaCy pipeline, or AcroBERT weights (a folder, a Hugging Face name)."
    ),
]
Language = Annotated[str, typer.Option(help="The texts' language, for the tokenizer.")]
AnyLanguage = Annotated[
    bool,
    typer.Option(
        "--any-language", help="Ask the dictionary about texts in languages that it has not, too."
    ),
]
Offensive = Annotated[
    bool, typer.Option("--offensive", help="Also show offensive long forms of the dictionary.")
]
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
TextField = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The column of a table's texts (CSV, TSV, XLSX), or the key of those of JSON lines.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]
Processes = Annotated[int, typer.Option(min=1, help="Processes that annotate.")]

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
"""Options of a command that resolves acronyms, by the names that `load_pipeline` has for them."""

READING = {
    **LINKING,
    "alone": (Alone, False),
    "processes": (Processes, 1),
    "encoding": (Encoding, None),
    "text_field": (TextField, None),
    "quiet": (Quiet, False),
}
"""Those of a command that annotates files, as `documents.annotated` takes them."""


def with_options(options: Mapping[str, tuple[Any, object]]) -> Callable[[Command], Command]:
    """Give a command options of these types and defaults, which come as its `**keywords`."""

    def give(command: Command) -> Command:
        signature = inspect.signature(command)
        own = [one for one in signature.parameters.values() if one.kind != one.VAR_KEYWORD]
        added = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind
            )
            for name, (kind, default) in options.items()
        ]
        command.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*own, *added]
        )
        return command

    return give


def one_of(names: Iterable[str]) -> Callable[[str | None], str | None]:
    """A callback for an option: it takes these names, and says which one was meant."""
    known = tuple(names)

    def check(value: str | None) -> str | None:
        if value is None or value in known:
            return value
        raise typer.BadParameter(str(unknown_name("choice", value, known)))

    return check
