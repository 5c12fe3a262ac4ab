"""`spacy-gladis lint`: what is wrong with the acronyms of documents."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..lint.formats import FORMATS
from . import documents
from .options import LINKING, READING, one_of, with_options

if TYPE_CHECKING:
    from ..documents.sources import NamedSources
    from ..lint.fix import FixedDocument
    from ..lint.run import Propose

FOUND = 1
"""Exit code where something was found."""

PROPOSING: dict[str, tuple[Any, object]] = {
    **{name: option for name, option in LINKING.items() if name != "threshold"},
    "encoding": READING["encoding"],
    "text_field": READING["text_field"],
}
"""Options by which files are read, and undefined acronyms looked up."""

app = typer.Typer()


def _codes(given: list[str] | None) -> list[str] | None:
    """The codes of an option, which may come several times."""
    codes = [code.strip() for one in given or () for code in one.split(",")]
    if not all(codes):
        raise typer.BadParameter("Give codes, or their beginnings, such as AC001,AC01, or ALL.")
    return codes


def _show_rules(wanted: bool) -> None:
    if wanted:
        from ..lint.rule_pages import rules_page

        typer.echo(rules_page(), nl=False)
        raise typer.Exit


@app.command(
    epilog="Exit codes: 0 nothing is wrong, or there are only notes; 1 something was found, or "
    "some inputs could not be read; 2 nothing could be done with what was given."
)
@with_options(PROPOSING)
def lint(
    paths: Annotated[
        list[str] | None, typer.Argument(help="Files, folders, or - for standard input.")
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            callback=_codes, help="Codes to report, or their beginnings, AC001,AC01, or ALL."
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(callback=_codes, help="Codes to leave out.")
    ] = None,
    known_file: Annotated[
        Path | None, typer.Option(help="A list of acronyms that need no definition, one a line.")
    ] = None,
    glossary: Annotated[
        Path | None,
        typer.Option(help="The organisation's glossary, a table of acronym and long form."),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(help="What an earlier run with --format json has told: it is passed over."),
    ] = None,
    stdin_filename: Annotated[
        str,
        typer.Option(help="The file that standard input is the text of, as an editor has it."),
    ] = "",
    format: Annotated[
        str, typer.Option(callback=one_of(FORMATS), metavar="|".join(FORMATS))
    ] = "text",
    fix: Annotated[
        bool, typer.Option("--fix", help="Put right what can be, in the files.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change, and change nothing.")
    ] = False,
    propose: Annotated[
        bool, typer.Option("--propose", help="Look undefined acronyms up with the model.")
    ] = False,
    rules: Annotated[
        bool,
        typer.Option(
            "--rules", callback=_show_rules, is_eager=True, help="Explain all rules and stop."
        ),
    ] = False,
    **linking: Any,
) -> None:
    """Tell what is wrong with the acronyms of documents, where, and how to put it right.

    spacy-gladis lint docs/ README.md

    spacy-gladis lint thesis.tex --select ALL --ignore AC005 --fix

    spacy-gladis lint docs/ --format sarif > acronyms.sarif

    spacy-gladis lint docs/ --format json > told.json; spacy-gladis lint docs/ --baseline told.json
    """
    from ..documents.sources import STANDARD_INPUT, NamedSources
    from ..lint.fix import diff_all, fix_all, write_all
    from ..lint.registry import load_rules
    from ..lint.run import lint as check
    from ..lint.settings import find_settings

    encoding, text_field = linking.pop("encoding"), linking.pop("text_field")
    paths = paths or [STANDARD_INPUT if stdin_filename else "."]
    _check_input(STANDARD_INPUT in paths, stdin_filename, fix=fix, diff=diff)
    settings = find_settings(Path.cwd()).override(
        select=select or (),
        ignore=ignore or (),
        known_file=known_file,
        glossaries=[*(linking["overlay"] or ()), *([glossary] if glossary else ())],
        baseline=baseline,
    )
    settings.check(load_rules())
    problems = documents.new_problems()
    given = NamedSources(paths, encoding, text_field, settings.is_included, stdin_filename)
    read = given.read_paths(problems)
    documents.say_columns(given)
    sources = list(documents.counted(read, problems))
    documents.say_passed_over(given)
    if diff:
        differences = diff_all(fix_all(sources, settings))
        stream = documents.harmless(sys.stdout.buffer)
        stream.write(differences.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
        documents.finish(problems)
        raise typer.Exit(FOUND if differences else 0)
    if fix:
        fixed = write_all(fix_all(sources, settings), encoding, problems)
        _say_fixed(fixed)
        sources = [document.after for document in fixed]
    findings = check(sources, settings, _proposer(given, linking) if propose else None)
    if sources or format != "text":  # of nothing that could be read, nothing is in order
        sys.stdout.write(FORMATS[format](findings))
    sys.stdout.flush()
    documents.finish(problems)
    if any(finding.severity != "note" for finding in findings):
        raise typer.Exit(FOUND)


def _check_input(is_piped: bool, stdin_filename: str, *, fix: bool, diff: bool) -> None:
    """Refuse options that contradict each other."""
    if stdin_filename and not is_piped:
        raise typer.BadParameter("--stdin-filename names standard input: give - among the paths.")
    if fix and diff:
        raise typer.BadParameter("--fix changes files, --diff changes none: give one of them.")
    if (fix or diff) and is_piped:
        raise typer.BadParameter("--fix and --diff are for files, not for standard input.")


def _say_fixed(fixed: "Iterable[FixedDocument]") -> None:
    """Say how many findings were put right, in how many files."""
    changed = [document for document in fixed if document.fix_count]
    if total := sum(document.fix_count for document in changed):
        files = len({document.before.path for document in changed})
        findings, in_files = ("finding", "findings")[total > 1], ("file", "files")[files > 1]
        typer.echo(f"Put right: {total:,} {findings} in {files:,} {in_files}.", err=True)


def _proposer(given: "NamedSources", linking: dict[str, Any]) -> "Propose":
    """What the linker proposes for the acronyms of a text, beside the other documents."""
    from ..lint.proposals import LEAST_PROBABILITY, propose_with
    from ..pipeline.load import load_pipeline

    nlp = load_pipeline(threshold=LEAST_PROBABILITY, **linking)
    documents.learn_together(nlp, given, quiet=not sys.stderr.isatty())
    return propose_with(nlp)
