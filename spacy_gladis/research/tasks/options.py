"""Settings of readers and systems that can be set on the command line.

A field annotated with one of these (or with any `Annotated[..., typer.Option(...)]`) becomes an
option of `spacy-gladis evaluate TASK`. Fields of one name share one option.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer.models import OptionInfo

_ENCODER = typer.Option(help="Encoder to start from: a folder, package:NAME or a name on the hub.")
Base = Annotated[str | None, _ENCODER]
Encoder = Annotated[str, _ENCODER]
Checkpoint = Annotated[
    str,
    typer.Option(
        help="BERT as it is: a folder, package:NAME or a name on the hub, such as "
        "bert-base-uncased, allenai/scibert_scivocab_uncased or dmis-lab/biobert-v1.1."
    ),
]
Corpus = Annotated[
    Path | None, typer.Option(help="Raw text, in any format that 'corpus extract' reads.")
]
Device = Annotated[str, typer.Option(help="Where it computes: cpu, cuda or cuda:1.")]
DictionaryFile = Annotated[Path | None, typer.Option(help="Dictionary file; default: packaged.")]
Model = Annotated[Path | None, typer.Option(help="AcroBERT's folder; default: packaged.")]
Pipeline = Annotated[
    str,
    typer.Option(
        help="A spaCy pipeline with what the system needs, by folder or name; 'spacy project run "
        "parser' writes one with a tagger and a parser."
    ),
]
Cache = Annotated[Path | None, typer.Option(help="Folder for vectors of long forms.")]
Epochs = Annotated[int, typer.Option(min=1, help="Passes over the training part.")]
LearningRate = Annotated[float, typer.Option(help="Peak learning rate.")]


def options_of(classes: Iterable[type]) -> dict[str, tuple[Any, OptionInfo]]:
    """Collect the fields that are options.

    Args:
        classes: Dataclasses of readers and systems. Of fields with one name the first counts.

    Returns:
        Type and option of each field, by name.
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
    """Return the help text of a system's option.

    Args:
        system: A dataclass.
        name: The field's name.

    Returns:
        The text; empty for a field that is not an option.
    """
    option = options_of([system]).get(name)
    return (option[1].help or "") if option else ""
