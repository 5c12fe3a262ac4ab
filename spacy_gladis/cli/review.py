"""`spacy-gladis annotate --review`: a person's replies become own entries."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ..documents.source import Source
    from ..output.review import Question

HELP = (
    "Enter or y accepts, a number chooses, - says it is not an acronym, s skips, q stops; anything "
    "else is the long form."
)


def create(overlay: list[Path] | None, inputs: list[str] | None) -> Path:
    """The file that replies go to: the last overlay, which is made where it is not there."""
    from ..dictionary.user_entries import append_user_entries
    from ..documents.sources import STANDARD_INPUT

    if not overlay:
        raise typer.BadParameter("--review needs a file for the entries: --overlay house.tsv.")
    if not inputs or STANDARD_INPUT in inputs:
        raise typer.BadParameter("--review asks on standard input: name the texts as files.")
    append_user_entries(overlay[-1], [])  # what is wrong with it is said before anything is asked
    return overlay[-1]


def review(
    documents: "Iterable[tuple[str, Doc]]",
    sources: "Mapping[str, Source]",
    known: Iterable[str],
    path: Path,
) -> None:
    """Ask of each acronym once and write each reply at once; the end of the input stops, too.

    sources: what each document was read from. known: the acronyms that have own entries already.
    """
    from ..dictionary.user_entries import append_user_entries
    from ..output.review import QUIT, questions
    from ..text import base_form

    done, written = {base_form(one) for one in known}, 0
    typer.echo(HELP)
    for name, doc in documents:
        for question in questions(name, doc, done, sources[name]):
            done.add(question.acronym)
            reply = _ask(question)
            if reply == QUIT:
                _finish(written, path)
                return
            entry = question.entry(reply)
            if entry is not None:
                append_user_entries(path, [entry])
                written += 1
    _finish(written, path)


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
            shown = answer.long_form or SKIP
            reply: str = typer.prompt(question.acronym, default="", show_default=False).strip()
        except typer.Abort:
            return QUIT
        if not reply and answer.long_form is None:
            return SKIP
        if reply.lower() in (SKIP, QUIT):
            return reply.lower()
        if question.entry(reply) is not None:
            return reply
        typer.echo(f"There is no {reply}. {HELP} Enter: {shown}.")


def _finish(written: int, path: Path) -> None:
    noun = "entry" if written == 1 else "entries"
    typer.echo(f"\n{written} {noun} written to {path}.")
