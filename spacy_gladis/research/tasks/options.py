"""Types for the settings of readers and systems that users can set on the command line.

If a field of a reader or system is annotated with one of these types, or with any
`Annotated[..., typer.Option(...)]`, it becomes an option of `spacy-gladis evaluate TASK`. Fields of
different systems with the same name share one option.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer.models import OptionInfo

_ENCODER = typer.Option(
    help="Encoder to start from: a folder, package:NAME or a Hugging Face name."
)
Base = Annotated[str | None, _ENCODER]
Encoder = Annotated[str, _ENCODER]
Checkpoint = Annotated[
    str,
    typer.Option(
        help="BERT without fine-tuning: a folder, package:NAME or a Hugging Face name, such "
        "as bert-base-uncased, allenai/scibert_scivocab_uncased or "
        "dmis-lab/biobert-v1.1."
    ),
]
Corpus = Annotated[
    Path | None, typer.Option(help="Raw text in any format that 'corpus extract' reads.")
]
Device = Annotated[str, typer.Option(help="Device to compute on: cpu, cuda or cuda:1.")]
DictionaryFile = Annotated[
    Path | None, typer.Option(help="Dictionary file. Default: the packaged one.")
]
Model = Annotated[
    Path | None, typer.Option(help="Folder of AcroBERT weights. Default: the packaged ones.")
]
Pipeline = Annotated[
    str,
    typer.Option(
        help="Folder or name of a spaCy pipeline with the components that the system needs. "
        "'spacy project run parser' writes one with a tagger and a parser."
    ),
]
Cache = Annotated[
    Path | None, typer.Option(help="Folder that keeps the vectors of long forms between runs.")
]
Epochs = Annotated[int, typer.Option(min=1, help="Number of passes over the training part.")]
LearningRate = Annotated[float, typer.Option(help="Peak learning rate.")]


def options_of(classes: Iterable[type]) -> dict[str, tuple[Any, OptionInfo]]:
    """Collect the command-line options that the fields of readers and systems declare.

    A field declares an option if its annotation contains a `typer.Option`.

    Args:
        classes: Dataclasses of readers and systems. If several of them declare an option of the
            same name, the first class's option is used.

    Returns:
        A mapping from the name of each field to its type and its option.
    """
    options: dict[str, tuple[Any, OptionInfo]] = {}
    for cls in classes:
        for name, hint in get_type_hints(cls, include_extras=True).items():
            if get_origin(hint) is Annotated:
                kind, *extras = get_args(hint)
                for extra in extras:
                    if isinstance(extra, OptionInfo):
                        options.setdefault(name, (kind, extra))
    return options


def help_of(system: type, name: str) -> str:
    """Return the command-line help text of a system's setting.

    Args:
        system: The dataclass of the system.
        name: Name of the field that holds the setting.

    Returns:
        The help text of the field's option. Empty if the field is not a command-line option.
    """
    option = options_of([system]).get(name)
    return (option[1].help or "") if option else ""
