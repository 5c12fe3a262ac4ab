"""`spacy-gladis learn`: the definitions of documents as entries to review, and what a language
model says of the rest."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..progress import with_progress
from . import documents
from .options import (
    Encoding,
    Inputs,
    Language,
    LanguageModel,
    Output,
    Overlay,
    Overwrite,
    Quiet,
    TextField,
    refuse_to_replace,
)

if TYPE_CHECKING:
    from ..documents.sources import NamedSources
    from ..pipeline.acronym_llm import Budget
    from ..pipeline.ask_folder import Unsure
    from ..pipeline.expansion_task import Reply
    from ..problem import ProblemLog

app = typer.Typer()

_BUDGET = re.compile(r"(\d+) *(calls?|tokens?)?")


@app.command(epilog=documents.EXIT_CODES)
def learn(
    inputs: Inputs = None,
    output: Output = None,
    overwrite: Overwrite = False,
    overlay: Overlay = None,
    llm: LanguageModel = None,
    budget: Annotated[
        str | None, typer.Option(help="With --llm: what may be sent, as '50' or '20000 tokens'.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --llm: show what would be sent, send nothing.")
    ] = False,
    language: Language = "en",
    encoding: Encoding = None,
    text_field: TextField = None,
    quiet: Quiet = False,
) -> None:
    """Gather what documents define: acronym, long form, in how many documents, what is amiss.

    The table is one of your own entries, to look through and then to give to annotate's
    --overlay. Rules alone read the documents, and what their formats mark. With --llm a language
    model is asked once about each acronym that the linker is not sure of; its answers are marked
    until you approve them with annotate --review. Without --llm nothing is sent anywhere.

    spacy-gladis learn docs/ -o house.tsv

    spacy-gladis learn docs/ --llm llm.cfg --budget 50 -o house.tsv
    """
    from ..dictionary.tables import check_name
    from ..output.review import to_table
    from ..pipeline.learn import learn_definitions
    from ..pipeline.load import load_detector

    if llm is None and (budget or dry_run):
        raise typer.BadParameter("--budget and --dry-run are for --llm.")
    allowed = _allowed(budget)
    if output is not None and not dry_run:
        refuse_to_replace(output, overwrite)
        check_name(output)
    documents.refuse_word(inputs)
    problems = documents.new_problems()
    asked: list[tuple[Unsure, Reply | None]] = []
    given = documents.named(inputs, encoding, text_field)
    if llm is not None:
        linking = {"language": language, "overlay": overlay}
        found = _ask(given, llm, allowed, dry_run, problems, quiet, linking)
        if found is None:
            return
        asked = found
    nlp = load_detector(language, overlay or ())
    documents.say_columns(given)
    read = documents.counted(given.read(problems), problems)
    learnt = learn_definitions(nlp, with_progress(read, given.count, quiet=quiet))
    documents.say_passed_over(given)
    table = to_table(learnt, output or Path("learnt.tsv"), asked)
    with documents.destination(output, problems) as stream:
        documents.harmless(stream).write(table.encode("utf-8", "replace"))
    documents.finish(problems)


def _allowed(budget: str | None) -> "Budget":
    from ..pipeline.acronym_llm import Budget

    if budget is None:
        return Budget()
    if not (said := _BUDGET.fullmatch(budget.strip())) or not int(said[1]):
        raise typer.BadParameter(f"'{budget}' is no budget. Expected '50' calls or '20000 tokens'.")
    of_tokens = (said[2] or "").startswith("token")
    return Budget(tokens=int(said[1])) if of_tokens else Budget(calls=int(said[1]))


def _ask(
    given: "NamedSources",
    llm: Path,
    allowed: "Budget",
    dry_run: bool,
    problems: "ProblemLog",
    quiet: bool,
    linking: dict[str, Any],
) -> "list[tuple[Unsure, Reply | None]] | None":
    """What a model says of the unsure acronyms; None after a dry run, which prints the prompts."""
    from ..documents.sources import is_read_once
    from ..pipeline.ask_folder import ask_unsure, gather_unsure
    from ..pipeline.load import language_model, load_pipeline

    if any(map(is_read_once, given.given)):
        raise typer.BadParameter("--llm reads the documents twice: name them as files or folders.")
    nlp = load_pipeline(**linking)
    asker = language_model(nlp, llm)
    nlp.disable_pipe(asker.name)  # it is asked of the acronyms of all documents
    asker.budget = allowed
    documents.learn_together(nlp, given, quiet=quiet)
    silent = documents.new_problems()
    annotated = documents.annotate_read(nlp, given.read(silent), silent, given.count, quiet=quiet)
    unsure = list(gather_unsure(asker.task, annotated))
    if dry_run:
        prompts = asker.unknown_prompts([one.question for one in unsure])
        for prompt in prompts:
            typer.echo(f"{prompt}\n")
        tokens = sum(map(allowed.tokens_of, prompts))
        typer.echo(f"{len(prompts):,} calls, about {tokens:,} tokens; nothing was sent.", err=True)
        return None
    found = list(ask_unsure(asker, unsure, problems))
    typer.echo(f"{allowed.calls:,} calls, about {allowed.tokens:,} tokens.", err=True)
    if open_ones := [one.acronym for one, reply in found if reply is None]:
        typer.echo(f"No answer: {', '.join(open_ones)}.", err=True)
    return found
