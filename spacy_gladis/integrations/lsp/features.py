"""Conversion of findings and annotations to the types of the Language Server Protocol."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path
from pygls.workspace import PositionCodec

from ...lint.document import Definition, LintDocument
from ...lint.edited import CheckedVersion, LinkedVersion
from ...lint.finding import Finding
from ...output.editable import editable
from ...output.markup import EDITABLE, as_markup
from ...resolution import Resolution
from ...text import base_form
from .positions import Lines

ADD = "spacy-gladis.addToList"  # the command of the server that adds an acronym to the list
_QUICK, _REWRITE = types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite
KINDS = {"fix": _QUICK, "expand": _REWRITE, "add": _QUICK}
_LONGEST = 60  # maximum number of characters before the cursor that are searched for an acronym
_MOST = 200  # maximum number of completions and of symbols in the workspace
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_SYMBOL = types.SymbolKind.Constant
_REVERSED = re.compile(r"[\w&/.-]+")  # matched backwards from the cursor, in linear time


def to_diagnostics(checked: CheckedVersion | None, lines: Lines) -> list[types.Diagnostic]:
    """Convert the linter's findings in a document to diagnostics, which an editor underlines.

    Args:
        checked: Findings in one version of the document. None means that the version couldn't be
            read, and gives no diagnostics.
        lines: Lines of the document, which convert offsets to positions.

    Returns:
        A diagnostic for each finding.
    """
    if checked is None:
        return []
    return [_to_diagnostic(checked, finding, lines) for finding in checked.findings]


def _to_diagnostic(checked: CheckedVersion, finding: Finding, lines: Lines) -> types.Diagnostic:
    place, severity = lines.range(*checked.span(finding)), _SEVERITIES[finding.severity]
    return types.Diagnostic(place, finding.message, severity, finding.code, source="spacy-gladis")


def to_code_actions(
    linked: LinkedVersion, uri: str, place: types.Range, only: Sequence[str], lines: Lines
) -> Iterator[types.CodeAction]:
    """Yield the code actions that an editor offers for a range of a document.

    An action fixes a finding, expands an acronym, or adds an acronym to the project's list.

    Args:
        linked: Version of the document with the meanings of its acronyms.
        uri: URI of the document.
        place: Range in the document for which the editor asks for actions.
        only: Kinds of actions to return. If empty, all kinds are returned.
        lines: Lines of the document, which convert offsets to positions.
    """
    from ...lint.actions import find_actions  # imports spaCy

    checked = linked.checked
    version = types.OptionalVersionedTextDocumentIdentifier(uri, checked.version)
    for action in find_actions(linked, lines.offset(place.start), lines.offset(place.end)):
        kind = KINDS[action.kind]
        if only and not any(kind.value.startswith(str(wanted)) for wanted in only):
            continue
        removed = [_to_diagnostic(checked, action.finding, lines)] if action.finding else None
        if action.text is None:
            command = types.Command(action.title, ADD, arguments=[uri, *action.entry])
            yield types.CodeAction(action.title, kind, command=command)
        else:
            change = types.TextDocumentEdit(version, [lines.edit(action.text)])
            edit = types.WorkspaceEdit(document_changes=[change])
            yield types.CodeAction(action.title, kind, diagnostics=removed, edit=edit)


def origin(answer: Resolution, document: LintDocument, others: Mapping[str, LintDocument]) -> str:
    """Return where the project defines the long form of an acronym, as Markdown.

    Args:
        answer: Meaning of an acronym in the document.
        document: Document that contains the acronym, as the linter reads it.
        others: Other documents of the project, by path.

    Returns:
        The place, such as "defined in [a.md:3](a.md#L3)". Empty if the project doesn't define the
        long form.
    """
    key, settings = base_form(answer.acronym), document.settings
    if answer.source == "folder":
        document = others.get(answer.document, document)
    for definition in document.by_key.get(key, ()):
        if definition.long_form == answer.long_form:
            path, line = document.source.path, document.position(definition.offset).line
            name = as_markup(f"{Path(path).name}:{line}", "markdown")
            return f"defined in [{name}]({_uri(path)}#L{line})"
    is_listed = answer.long_form in settings.glossary.get(key, ())
    return "defined in the project's glossary" if is_listed else ""


def complete(
    document: LintDocument, others: Iterable[LintDocument], lines: Lines, offset: int
) -> list[types.CompletionItem]:
    """Return completions for the word before the cursor.

    A completion is the long form of an acronym that the project defines. It is offered if the
    acronym or the long form begins with the typed word.

    Args:
        document: Document in the editor, as the linter reads it.
        others: Other documents of the project.
        lines: Lines of the document, which convert offsets to positions.
        offset: Character offset of the cursor.

    Returns:
        The completions, at most 200. Empty if the cursor is at a place where text can't be
        inserted.
    """
    run = _REVERSED.match(lines.text[max(0, offset - _LONGEST) : offset][::-1])
    typed = run[0][::-1].lstrip("_&/.-") if run else ""
    format = document.source.format
    if not typed or format not in EDITABLE:
        return []
    start, prefix = offset - len(typed), typed.casefold()
    if not editable(lines.text, format).can_replace(start, offset):
        return []
    place, items = lines.range(start, offset), dict[tuple[str, str], types.CompletionItem]()
    for definition in chain.from_iterable(other.definitions for other in (document, *others)):
        forms = (definition.acronym, definition.long_form)
        filters = [form for form in forms if form.casefold().startswith(prefix)]
        if filters and (definition.key, forms[1]) not in items:
            items[definition.key, forms[1]] = types.CompletionItem(
                forms[1],
                kind=types.CompletionItemKind.Text,
                detail=forms[0],
                filter_text=filters[0],
                text_edit=types.TextEdit(place, as_markup(forms[1], format)),
            )
    return list(islice(items.values(), _MOST))


def to_symbols(checked: CheckedVersion, lines: Lines) -> list[types.DocumentSymbol]:
    """Return the symbols of a document, which an editor shows as its outline.

    These are the definitions of acronyms, and the first uses of acronyms that the document doesn't
    define.

    Args:
        checked: Findings in one version of the document.
        lines: Lines of the document, which convert offsets to positions.

    Returns:
        The symbols in text order.
    """
    document, symbols = checked.document, []
    for definition in document.definitions:
        acronym, whole = _places(document, definition, lines)
        name, detail = definition.acronym, definition.long_form
        symbols.append(types.DocumentSymbol(name, _SYMBOL, whole, acronym, detail))
    for use in (uses[0] for key, uses in document.by_use.items() if key not in document.by_key):
        place = lines.range(document.offset(use), document.offset(use) + len(use.acronym))
        symbols.append(types.DocumentSymbol(use.key, _SYMBOL, place, place, "not defined here"))
    return sorted(symbols, key=lambda symbol: symbol.selection_range.start)


def find_symbols(
    documents: Iterable[LintDocument], query: str, codec: PositionCodec
) -> list[types.SymbolInformation]:
    """Return the definitions in a project whose acronym or long form contains a query.

    Args:
        documents: Documents of the project.
        query: Part of an acronym or a long form, in any case.
        codec: Codec that converts positions to the units of the editor.

    Returns:
        The definitions with their places, at most 200.
    """
    symbols: list[types.SymbolInformation] = []
    for document in documents:
        lines = Lines(document.source.source, codec)
        for definition in document.definitions:
            name = f"{definition.acronym}: {definition.long_form}"
            if query.casefold() in name.casefold() and len(symbols) < _MOST:
                place, _ = _places(document, definition, lines)
                location = types.Location(_uri(document.source.path), place)
                symbols.append(types.SymbolInformation(location, name, _SYMBOL))
    return symbols


def _places(
    document: LintDocument, definition: Definition, lines: Lines
) -> tuple[types.Range, types.Range]:
    """Return the range of the acronym in a definition, and the range of the whole definition."""
    start, original = definition.offset, document.source.original_offset
    end = start + len(definition.acronym)
    begin, stop = definition.long_form_at or (0, 0)
    spans = [(start, end), (original(begin), original(stop - 1) + 1)] if stop else [(start, end)]
    whole = min(start for start, _ in spans), max(end for _, end in spans)
    return lines.range(start, end), lines.range(*whole)


def _uri(path: str) -> str:
    return str(from_fs_path(path)) if Path(path).is_absolute() else path
