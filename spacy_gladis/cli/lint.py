"""`spacy-gladis lint`: what is wrong with the acronyms of documents."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import documents
from .options import LINKING, READING, one_of, with_options

if TYPE_CHECKING:
    from ..documents.source import Source
    from ..documents.sources import NamedSources
    from ..lint.run import Propose
    from ..problem import ProblemLog

FORMATS = ("text", "json", "sarif", "github")
FOUND = 1
"""Exit code where something was found."""

PROPOSING: dict[str, tuple[Any, object]] = {
    **{name: one for name, one in LINKING.items() if name != "threshold"},
    "encoding": READING["encoding"],
    "text_field": READING["text_field"],
}
"""Options by which files are read, and undefined acronyms looked up."""

app = typer.Typer()


PROPOSED = 0.5
"""The least probability of a proposal, which a person looks at: less sure than an answer."""


def _codes(given: list[str] | None) -> list[str] | None:
    """The codes of an option, which may come several times."""
    codes = [code.strip() for one in given or () for code in one.split(",")]
    if not all(codes):
        raise typer.BadParameter("Give codes, or their beginnings, such as AC001,AC01, or ALL.")
    return codes


def _list_rules(wanted: bool) -> None:
    from ..lint.rules import DEFAULT, RULES

    if wanted:
        for code, rule in RULES.items():
            typer.echo(f"{code}{'' if code in DEFAULT else ' (opt-in)'}: {rule.summary}.")
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
            "--rules", callback=_list_rules, is_eager=True, help="List the rules and stop."
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
    from ..lint import fix as fixes
    from ..lint.formats import FORMATS as WRITERS
    from ..lint.run import lint as check
    from ..lint.settings import find_settings

    encoding, text_field = linking.pop("encoding"), linking.pop("text_field")
    overlays = linking["overlay"] or ()
    paths = paths or [STANDARD_INPUT if stdin_filename else "."]
    if stdin_filename and STANDARD_INPUT not in paths:
        raise typer.BadParameter("--stdin-filename names standard input: give - among the paths.")
    if fix and diff:
        raise typer.BadParameter("--fix changes files, --diff changes none: give one of them.")
    if (fix or diff) and STANDARD_INPUT in paths:
        raise typer.BadParameter("--fix and --diff are for files, not for standard input.")
    settings = find_settings(Path.cwd())
    if select:
        settings = replace(settings, select=tuple(select))
    if ignore:
        settings = replace(settings, ignore=tuple(ignore))
    if known_file:
        settings = settings.with_known_file(known_file)
    for path in (*overlays, *([glossary] if glossary else ())):
        settings = settings.with_glossary(path)
    if baseline:
        settings = settings.with_baseline(baseline)
    settings.checked()
    problems = documents.new_problems()
    given = NamedSources(paths, encoding, text_field, settings.reads, stdin_filename)
    read = given.read_paths(problems)
    documents.say_columns(given)
    sources = list(documents.counted(read, problems))
    documents.say_passed_over(given)
    if fix or diff:
        after = [fixes.fix(source, settings) for source in sources]
        pairs = {one.name: (one, now.source) for one, now in zip(sources, after, strict=True)}
        numbers = {one.name: now.number for one, now in zip(sources, after, strict=True)}
        changed = [(one, now) for one, now in pairs.values() if one.source != now.source]
        if diff:
            stream = documents.harmless(sys.stdout.buffer)
            for one, now in changed:
                shown = fixes.diff(one.path, one.source, now.source)
                stream.write(shown.encode("utf-8", "backslashreplace"))
            sys.stdout.flush()
            documents.finish(problems)
            raise typer.Exit(FOUND if changed else 0)
        for one, now in changed:
            if not _written(one, now, encoding, problems):
                pairs[one.name] = (one, one)
                numbers[one.name] = 0
        _say_fixed(numbers, {name: one.path for name, (one, _) in pairs.items()})
        sources = [now for _, now in pairs.values()]
    findings = check(sources, settings, _proposer(given, linking) if propose else None)
    if sources or format != "text":  # of nothing that could be read, nothing is in order
        sys.stdout.write(WRITERS[format](findings))
    sys.stdout.flush()
    documents.finish(problems)
    if any(one.severity != "note" for one in findings):
        raise typer.Exit(FOUND)


def _say_fixed(numbers: Mapping[str, int], paths: Mapping[str, str]) -> None:
    """Say how many findings were put right, in how many files, by the documents' names."""
    if total := sum(numbers.values()):
        files = len({paths[name] for name, number in numbers.items() if number})
        findings, in_files = ("finding", "findings")[total > 1], ("file", "files")[files > 1]
        typer.echo(f"Put right: {total:,} {findings} in {files:,} {in_files}.", err=True)


def _written(
    before: "Source", after: "Source", encoding: str | None, problems: "ProblemLog"
) -> bool:
    """Put a document right in its file; where that may not be, the others still are."""
    from ..errors import InputError
    from ..lint.fix import write
    from ..problem import Problem

    try:
        write(Path(before.path), before.source, after.source, encoding)
    except (InputError, OSError) as error:
        problems(Problem("not put right", before.path, None, str(error)))
        return False
    return True


def _proposer(given: "NamedSources", linking: dict[str, Any]) -> "Propose":
    """What the linker says of the acronyms of a text, beside the other documents."""
    from ..pipeline.annotations import place_of
    from ..pipeline.load import load_pipeline

    nlp = load_pipeline(threshold=PROPOSED, **linking)
    documents.learn_together(nlp, given, quiet=not sys.stderr.isatty())

    def propose(source: "Source") -> Mapping[int, tuple[str, float]]:
        found = {}
        for span in nlp(source.text)._.acronyms:
            if (answer := span._.resolution) and answer.long_form:
                found[place_of(span)[0]] = (answer.long_form, answer.probability)
        return found

    return propose
