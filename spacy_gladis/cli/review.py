"""The dialogue of ``spacy-gladis annotate --review``, in which a person checks acronyms."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ..documents.source import Source
    from ..output.review import Question

HELP = (
    "Press Enter or type y to accept the answer. Otherwise, type the number of a candidate, the "
    "right long form, - if it is not an acronym, s to skip it, or q to quit."
)
"""Help text that explains to the reviewer which replies are possible."""


def open_entries(overlay: list[Path] | None, inputs: list[str] | None) -> Path:
    """Return the table that a reviewer's replies are written to, and create it if necessary.

    Args:
        overlay: Tables of the user's own entries. The last one receives the replies.
        inputs: Arguments of the command, which are texts, files and folders.

    Returns:
        The path of the last overlay.

    Raises:
        typer.BadParameter: If there is no overlay, or if the texts come from standard input, which
            the replies need.
        InputError: If the file isn't a table that can be written.
    """
    from ..dictionary.user_entries import append_user_entries
    from ..documents.sources import STANDARD_INPUT

    if not overlay:
        raise typer.BadParameter(
            "--review needs a table to write the replies to. Pass --overlay house.tsv."
        )
    if not inputs or STANDARD_INPUT in inputs:
        raise typer.BadParameter(
            "--review reads your replies from standard input. Pass the texts as arguments or files."
        )
    append_user_entries(overlay[-1], [])  # reports an unusable file before the first question
    return overlay[-1]


def review(
    documents: "Iterable[tuple[str, Doc]]",
    sources: "Mapping[str, Source]",
    reviewed: Iterable[str],
    path: Path,
) -> None:
    """Ask a person about each acronym once, and write each reply to a table immediately.

    The dialogue stops when the person quits or standard input ends.

    Args:
        documents: Pairs of a document's name and the annotated document.
        sources: Texts that the documents were read from, by the name of the document.
        reviewed: Acronyms that already have an entry. No question is asked about them.
        path: Path of the table that receives the replies.
    """
    from ..dictionary.user_entries import append_user_entries
    from ..output.review import QUIT, questions
    from ..text import base_form

    done, written = {base_form(acronym) for acronym in reviewed}, 0
    typer.echo(HELP)
    for name, doc in documents:
        for question in questions(name, doc, done, sources[name]):
            done.add(question.acronym)
            reply = _ask(question)
            if reply == QUIT:
                _print_count(written, path)
                return
            entry = question.entry(reply)
            if entry is not None:
                append_user_entries(path, [entry])
                written += 1
    _print_count(written, path)


def _ask(question: "Question") -> str:
    from ..output.review import QUIT, SKIP

    place, answer = question.place, question.answer
    typer.echo(f"\n{place}: {place.before}", nl=False)
    typer.secho(place.mention, bold=True, nl=False)
    typer.echo(place.after)
    for number, (long_form, probability) in enumerate(answer.candidates, 1):
        typer.echo(f"  {number}  {long_form} ({probability:.2f})")
    while True:
        try:
            default = answer.long_form or SKIP
            reply: str = typer.prompt(question.acronym, default="", show_default=False).strip()
        except typer.Abort:
            return QUIT
        if not reply and answer.long_form is None:
            return SKIP
        if reply.lower() in (SKIP, QUIT):
            return reply.lower()
        if question.entry(reply) is not None:
            return reply
        typer.echo(f"'{reply}' is not a possible reply. {HELP} Enter means '{default}'.")


def _print_count(written: int, path: Path) -> None:
    noun = "entry" if written == 1 else "entries"
    typer.echo(f"\nWrote {written} {noun} to {path}.")
