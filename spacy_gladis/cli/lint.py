"""The command ``spacy-gladis lint``, which reports and fixes problems with acronyms."""

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

FINDINGS = 1
"""Exit code of the command ``lint`` if there are findings other than notes."""

OPTIONS: dict[str, tuple[Any, object]] = {
    **{name: option for name, option in LINKING.items() if name != "threshold"},
    "encoding": READING["encoding"],
    "text_field": READING["text_field"],
}
"""Options of the command ``lint`` for reading files and for proposing long forms."""

app = typer.Typer()


def _split_codes(values: list[str] | None) -> list[str] | None:
    """Split the comma-separated rule codes of an option, which may be repeated."""
    codes = [code.strip() for value in values or () for code in value.split(",")]
    if not all(codes):
        raise typer.BadParameter(
            "A code is empty. Pass codes or their beginnings, such as AC001,AC01, or ALL."
        )
    return codes


def _print_rules(is_set: bool) -> None:
    if is_set:
        from ..lint.rule_pages import rules_page

        typer.echo(rules_page(), nl=False)
        raise typer.Exit


@app.command(
    epilog="Exit codes: 0 if there are no findings other than notes, 1 if there are findings or "
    "some inputs could not be read, 2 if the command could do nothing."
)
@with_options(OPTIONS)
def lint(
    paths: Annotated[
        list[str] | None,
        typer.Argument(help="Files, folders, or - for standard input. Default: current folder."),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            callback=_split_codes,
            help="Rules to check: codes or their beginnings, such as AC001,AC01, or ALL.",
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(callback=_split_codes, help="Rules to leave out, as codes like --select."),
    ] = None,
    known_file: Annotated[
        Path | None,
        typer.Option(help="File with acronyms that need no definition, one per line."),
    ] = None,
    glossary: Annotated[
        Path | None,
        typer.Option(help="Your organisation's glossary, a table of acronyms and long forms."),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            help="Output of an earlier run with --format json. Its findings are not reported again."
        ),
    ] = None,
    force_exclude: Annotated[
        bool,
        typer.Option(
            "--force-exclude",
            help="Also skip excluded files that are named on the command line, as by pre-commit.",
        ),
    ] = False,
    stdin_filename: Annotated[
        str,
        typer.Option(help="Path of the file whose content is on standard input, for editors."),
    ] = "",
    format: Annotated[
        str,
        typer.Option(callback=one_of(FORMATS), metavar="|".join(FORMATS), help="Output format."),
    ] = "text",
    fix: Annotated[
        bool, typer.Option("--fix", help="Fix findings in the files where possible.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change as a diff.")
    ] = False,
    propose: Annotated[
        bool,
        typer.Option(
            "--propose",
            help="Let the model propose long forms for undefined acronyms. Rule AC001 must be "
            "selected.",
        ),
    ] = False,
    rules: Annotated[
        bool,
        typer.Option(
            "--rules", callback=_print_rules, is_eager=True, help="Explain all rules and exit."
        ),
    ] = False,
    **linking: Any,
) -> None:
    """Report problems with the acronyms of documents. With --fix, fix them where possible.

    spacy-gladis lint docs/ README.md

    spacy-gladis lint docs/ --select AC001,AC002

    spacy-gladis lint thesis.tex --select ALL --ignore AC005 --fix

    spacy-gladis lint docs/ --format sarif > acronyms.sarif

    spacy-gladis lint docs/ --format json > old.json; spacy-gladis lint docs/ --baseline old.json
    """
    from ..documents.sources import STANDARD_INPUT, NamedSources
    from ..lint.fix import diff_all, fix_all, write_all
    from ..lint.registry import load_rules
    from ..lint.run import lint_checked
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
    if force_exclude:
        names = {STANDARD_INPUT: stdin_filename or STANDARD_INPUT}
        paths = [path for path in paths if settings.is_included(Path(names.get(path, path)))]
        if not paths:
            sys.stdout.write("" if diff or format == "text" else FORMATS[format]([]))
            return
    problems = documents.new_problems()
    named = NamedSources(paths, encoding, text_field, settings.is_included, stdin_filename)
    source_stream = named.read_paths(problems)
    documents.print_columns(named)
    sources = list(documents.count_successes(source_stream, problems))
    documents.print_skipped(named)
    if diff:
        differences = diff_all(fix_all(sources, settings))
        stream = documents.escape_on_terminal(sys.stdout.buffer)
        stream.write(differences.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
        documents.finish(problems)
        raise typer.Exit(FINDINGS if differences else 0)
    if fix:
        fixed = write_all(fix_all(sources, settings), encoding, problems)
        _print_fixed(fixed)
        sources = [document.after for document in fixed]
    findings = lint_checked(sources, settings, _load_proposer(named, linking) if propose else None)
    if sources or format != "text":  # if nothing could be read, "no problems" would be wrong
        sys.stdout.write(FORMATS[format](findings))
    sys.stdout.flush()
    documents.finish(problems)
    if any(finding.severity != "note" for finding in findings):
        raise typer.Exit(FINDINGS)


def _check_input(is_piped: bool, stdin_filename: str, *, fix: bool, diff: bool) -> None:
    """Raise an error if options contradict each other or don't fit standard input."""
    if stdin_filename and not is_piped:
        raise typer.BadParameter("--stdin-filename needs standard input. Pass - as a path.")
    if fix and diff:
        raise typer.BadParameter("--fix and --diff cannot be combined. Pass one of them.")
    if (fix or diff) and is_piped:
        raise typer.BadParameter(
            "--fix and --diff need files, not standard input. Pass files or folders."
        )


def _print_fixed(fixed: "Iterable[FixedDocument]") -> None:
    """Print how many findings were fixed, and in how many files."""
    changed = [document for document in fixed if document.fix_count]
    if total := sum(document.fix_count for document in changed):
        files = len({document.before.path for document in changed})
        findings, in_files = ("finding", "findings")[total > 1], ("file", "files")[files > 1]
        typer.echo(f"Fixed {total:,} {findings} in {files:,} {in_files}.", err=True)


def _load_proposer(named: "NamedSources", linking: dict[str, Any]) -> "Propose":
    """Load a pipeline that proposes long forms for undefined acronyms.

    It uses the definitions in all documents. The threshold is the one for the requested precision,
    or `LEAST_PROBABILITY` if none is requested.
    """
    from ..lint.proposals import LEAST_PROBABILITY, propose_with
    from ..pipeline.load import load_pipeline

    threshold = LEAST_PROBABILITY if linking["precision"] is None else None
    nlp = load_pipeline(threshold=threshold, **linking)
    documents.learn_from_documents(nlp, named, quiet=not sys.stderr.isatty())
    return propose_with(nlp)
