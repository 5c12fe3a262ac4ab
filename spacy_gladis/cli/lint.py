"""`spacy-gladis lint`: what is wrong with the acronyms of documents."""

import operator
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import documents
from .options import LINKING, READING, one_of, with_options

if TYPE_CHECKING:
    from spacy.language import Language as Pipeline
    from spacy.tokens import Doc

    from ..documents.source import Source
    from ..lint.document import LintDocument
    from ..lint.finding import Finding
    from ..lint.settings import Settings

FORMATS = ("text", "json", "sarif", "github")
_MOST_ROUNDS = 4
"""Times that documents are read again because of what was changed in others."""
FOUND = 1
"""Exit code where something was found."""

PROPOSING: dict[str, tuple[Any, object]] = {
    **{name: one for name, one in LINKING.items() if name != "threshold"},
    **{name: READING[name] for name in ("alone", "encoding", "quiet")},
}
"""Options by which undefined acronyms are looked up."""

app = typer.Typer()


def _codes(given: list[str] | None) -> list[str] | None:
    """The codes of an option, which may come several times."""
    codes = [code.strip() for one in given or () for code in one.split(",")]
    if not all(codes):
        raise typer.BadParameter("Give codes, or their beginnings, such as AC001,AC01.")
    return codes


@app.command(
    epilog="Exit codes: 0 nothing is wrong; 1 something was found, or some inputs could not be "
    "read; 2 nothing could be done with what was given."
)
@with_options(PROPOSING)
def lint(
    paths: Annotated[
        list[str] | None, typer.Argument(help="Files, folders, or - for standard input.")
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(callback=_codes, help="Codes to report, or their beginnings: AC001,AC01."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(callback=_codes, help="Codes to leave out.")
    ] = None,
    allow: Annotated[
        Path | None, typer.Option(help="A list of acronyms that need no definition, one a line.")
    ] = None,
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
        bool | None,
        typer.Option(
            "--propose/--no-propose",
            help="Look undefined acronyms up; without, no network runs and nothing is guessed.",
        ),
    ] = None,
    **linking: Any,
) -> None:
    """Tell what is wrong with the acronyms of documents, where, and how to put it right.

    spacy-gladis lint docs/ README.md

    spacy-gladis lint thesis.tex --ignore AC005 --fix

    spacy-gladis lint docs/ --format sarif > acronyms.sarif
    """
    from ..dictionary.own_entries import read_own_entries
    from ..documents.sources import STANDARD_INPUT, count_sources, read_paths
    from ..lint.detector import load_detector
    from ..lint.document import LintDocument
    from ..lint.fix import write
    from ..lint.formats import FORMATS as WRITERS
    from ..lint.rules import RULES
    from ..lint.run import check
    from ..lint.settings import find_settings
    from ..pipeline.load import load_pipeline

    alone, quiet, encoding = (linking.pop(name) for name in ("alone", "quiet", "encoding"))
    if fix and diff:
        raise typer.BadParameter("--fix changes files, --diff changes none: give one of them.")
    if (fix or diff) and STANDARD_INPUT in (paths or ()):
        raise typer.BadParameter("--fix and --diff are for files, not for standard input.")
    settings = find_settings(Path.cwd())
    settings = replace(settings, select=tuple(select or settings.select))
    settings = replace(settings, ignore=tuple(ignore or settings.ignore))
    if propose is not None:
        settings = replace(settings, propose=propose)
    if allow is not None:
        settings = settings.with_allow_file(allow)
    overlay = linking["overlay"] or []
    own = frozenset(entry.acronym for entry in read_own_entries(overlay) if entry.long_form)
    settings = replace(settings, own=own).checked(RULES)
    problems = documents.new_problems()
    paths = paths or ["."]
    sources = read_paths(paths, problems, settings.reads, encoding)
    if settings.propose:
        nlp = load_pipeline(**linking)
        if not alone:
            documents.learn_together(nlp, paths, settings.reads, encoding, quiet=quiet)
    else:
        nlp = load_detector(linking["language"], overlay)
    count = partial(count_sources, paths, settings.reads)
    annotated = documents.annotate_read(nlp, sources, problems, count, quiet=quiet)
    read = [LintDocument.of(source, doc, settings) for source, doc in annotated]
    findings = check(read, settings)
    if fix or diff:
        learns = settings.propose and not alone
        fixed, findings = _fixed(nlp, read, findings, settings, learns=learns)
        changes = _changes(read, fixed, None if diff else partial(write, encoding=encoding))
        if diff:
            sys.stdout.write(changes)
            documents.finish(problems)
            raise typer.Exit(FOUND if changes else 0)
    if read or format != "text":  # of nothing that could be read, nothing is in order
        sys.stdout.write(WRITERS[format](findings))
    sys.stdout.flush()
    documents.finish(problems)
    if findings:
        raise typer.Exit(FOUND)


def _fixed(
    nlp: "Pipeline",
    read: "list[LintDocument]",
    findings: "list[Finding]",
    settings: "Settings",
    learns: bool,
) -> "tuple[list[LintDocument], list[Finding]]":
    """The documents put right, and what remains to be found.

    learns: documents explain one another; what fixes write in one may settle what others mean, so
    all are read again until nothing changes.
    """
    from ..lint.document import LintDocument
    from ..lint.run import check
    from ..pipeline.learn import learn_sources, linker_of

    for _ in range(_MOST_ROUNDS):
        of = defaultdict(list)
        for finding in findings:
            of[finding.path].append(finding)
        before = read
        read = [_put_right(nlp, one, of[one.source.path], settings) for one in read]
        sources = [one.source for one in read]
        if all(map(operator.is_, before, read)):
            break
        if learns and len(sources) > 1:
            files = [one for one in sources if one.path]
            linker_of(nlp).learnt = learn_sources(nlp, partial(list, files))
            read = [LintDocument.of(one, _annotated(nlp, one), settings) for one in sources]
        findings = check(read, settings)
    return read, findings


def _put_right(
    nlp: "Pipeline", document: "LintDocument", findings: "list[Finding]", settings: "Settings"
) -> "LintDocument":
    """The document with the fixes of its findings made; itself where there are none."""
    from ..lint.document import LintDocument
    from ..lint.fix import changed, fix
    from ..lint.run import lint

    source = document.source
    if not any(one.fix for one in findings):
        return document
    done = fix(source, findings, lambda one: lint([(one, _annotated(nlp, one))], settings))
    if done.text == source.source:
        return document
    source = changed(source, done.text)
    return LintDocument.of(source, _annotated(nlp, source), settings)


def _annotated(nlp: "Pipeline", source: "Source") -> "Doc":
    """The text annotated as a document of that name."""
    from ..pipeline.annotations import DOCUMENT

    doc = nlp.make_doc(source.text)
    doc.user_data[DOCUMENT] = source.name
    return nlp(doc)


def _changes(
    read: "list[LintDocument]",
    fixed: "list[LintDocument]",
    write: Callable[[Path, str], None] | None,
) -> str:
    """The diff of all changes, which are written if so wished."""
    from ..lint.fix import diff

    changes = ""
    for before, after in zip(read, fixed, strict=True):
        path, text = before.source.path, after.source.source
        if text != before.source.source:
            changes += diff(path, before.source.source, text)
            if write:
                write(Path(path), text)
    return changes
