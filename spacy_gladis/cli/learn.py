"""The command ``spacy-gladis learn``, which collects the definitions in documents as a table."""

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
    check_overwrite,
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
        str | None,
        typer.Option(
            help="With --llm: maximum number of calls or tokens, such as 50 or '20000 tokens'."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --llm: print the prompts, but send nothing.")
    ] = False,
    language: Language = "en",
    encoding: Encoding = None,
    text_field: TextField = None,
    quiet: Quiet = False,
) -> None:
    """Collect the definitions of documents as a table of acronyms and long forms.

    Review the table, then pass it to annotate --overlay. Definitions are found by rules and in the
    markup of the documents. With --llm, a language model is asked once about each acronym that the
    linker is not sure of. Its answers are marked until you approve them with annotate --review.
    Without --llm, no text leaves your machine.

    spacy-gladis learn docs/ -o house.tsv

    spacy-gladis learn docs/ --llm llm.cfg --budget 50 -o house.tsv
    """
    from ..dictionary.tables import check_name
    from ..output.review import to_table
    from ..pipeline.learn import learn_definitions
    from ..pipeline.load import load_detector

    if llm is None and (budget or dry_run):
        raise typer.BadParameter(
            "--budget and --dry-run require --llm. Pass the config file of a language model."
        )
    parsed_budget = _parse_budget(budget)
    if output is not None and not dry_run:
        check_overwrite(output, overwrite)
        check_name(output)
    documents.reject_single_word(inputs)
    problems = documents.new_problems()
    answers: list[tuple[Unsure, Reply | None]] = []
    named = documents.open_sources(inputs, encoding, text_field)
    if llm is not None:
        linking = {"language": language, "overlay": overlay}
        replies = _ask(named, llm, parsed_budget, dry_run, problems, quiet, linking)
        if replies is None:
            return
        answers = replies
    nlp = load_detector(language, overlay or ())
    documents.print_columns(named)
    source_stream = documents.count_successes(named.read(problems), problems)
    definitions = learn_definitions(nlp, with_progress(source_stream, named.count, quiet=quiet))
    documents.print_skipped(named)
    table = to_table(definitions, output or Path("learnt.tsv"), answers)
    with documents.open_output(output, problems) as stream:
        documents.escape_on_terminal(stream).write(table.encode("utf-8", "replace"))
    documents.finish(problems)


def _parse_budget(budget: str | None) -> "Budget":
    from ..pipeline.acronym_llm import Budget

    if budget is None:
        return Budget()
    match = _BUDGET.fullmatch(budget.strip())
    if not match or not int(match[1]):
        raise typer.BadParameter(
            f"'{budget}' is not a budget. Pass a number of calls such as '50', or a number of "
            "tokens such as '20000 tokens'."
        )
    is_tokens = (match[2] or "").startswith("token")
    return Budget(tokens=int(match[1])) if is_tokens else Budget(calls=int(match[1]))


def _ask(
    named: "NamedSources",
    llm: Path,
    budget: "Budget",
    dry_run: bool,
    problems: "ProblemLog",
    quiet: bool,
    linking: dict[str, Any],
) -> "list[tuple[Unsure, Reply | None]] | None":
    """Ask a language model about the acronyms that the linker is unsure of.

    With `dry_run`, the prompts are only printed, and the result is None.
    """
    from ..documents.sources import is_read_once
    from ..pipeline.ask_folder import ask_unsure, gather_unsure
    from ..pipeline.load import language_model, load_pipeline

    if any(map(is_read_once, named.given)):
        raise typer.BadParameter(
            "--llm reads the documents twice. Pass files or folders, not standard input or pipes."
        )
    nlp = load_pipeline(**linking)
    asker = language_model(nlp, llm)
    nlp.disable_pipe(asker.name)  # it is asked later about the acronyms of all documents
    asker.budget = budget
    documents.learn_from_documents(nlp, named, quiet=quiet)
    silent = documents.new_problems()
    annotated = documents.annotate_with_progress(
        nlp, named.read(silent), silent, named.count, quiet=quiet
    )
    unsure = list(gather_unsure(asker.task, annotated))
    if dry_run:
        prompts = asker.unknown_prompts([entry.question for entry in unsure])
        for prompt in prompts:
            typer.echo(f"{prompt}\n")
        tokens = sum(map(budget.tokens_of, prompts))
        typer.echo(f"{len(prompts):,} calls, about {tokens:,} tokens. Nothing was sent.", err=True)
        return None
    answers = list(ask_unsure(asker, unsure, problems))
    typer.echo(f"{budget.calls:,} calls, about {budget.tokens:,} tokens.", err=True)
    if unanswered := [entry.acronym for entry, reply in answers if reply is None]:
        typer.echo(f"The model gave no answer for: {', '.join(unanswered)}.", err=True)
    return answers
