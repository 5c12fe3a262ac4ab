"""spaCy pipelines that systems of research take parts of speech and trees from."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from ..errors import InputError

if TYPE_CHECKING:
    from spacy.language import Language


def advice(what: str) -> str:
    """Which pipeline to give for what is lacking."""
    return (
        f"Give a pipeline with a {what}: one that is installed, such as en_core_web_sm, or the "
        "folder that 'spacy project run parser' writes."
    )


def load_with(
    name: str, what: str, pipes: Collection[str], exclude: Collection[str] = ()
) -> "Language":
    """The spaCy pipeline of this name or folder, without the pipes to exclude.

    Raises InputError where there is none, or none of `pipes`, which are `what` is needed, is in it.
    """
    import spacy

    try:
        nlp = spacy.load(name, exclude=list(exclude))
    except OSError as error:
        raise InputError(f"There is no spaCy pipeline '{name}'. {advice(what)}") from error
    if not any(map(nlp.has_pipe, pipes)):
        parts = ", ".join(nlp.pipe_names) or "nothing"
        raise InputError(f"The pipeline '{name}' has {parts}, and no {what}. {advice(what)}")
    return nlp
