"""The changes that an editor can offer for the acronyms and findings at a place in a document."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

from ..output.expansion import Expand, expand_source
from ..output.markup import EDITABLE, apply_edits
from ..text import base_form
from .edited import CheckedVersion, EditedMention, LinkedVersion
from .finding import Finding
from .fix import fix_finding
from .run import lint_documents
from .suppressions import suppress

SHORT_FORM = "AC006"
"""The rule whose fix replaces a long form by its acronym."""
MOST_LONG_FORMS = 3
"""Maximum number of long forms of an acronym that are offered."""


class Action(NamedTuple):
    """A change that an editor offers to the writer.

    Attributes:
        title: Description of the change, as the editor shows it.
        kind: Whether the change removes a finding (`fix`), expands an acronym (`expand`), or adds
            an acronym to the project's list (`add`).
        text: The new text of the file. None for `add`, which changes no document.
        finding: The finding that the change removes, if there is one.
        entry: For `add`, the acronym and its long form, which may be empty.
    """

    title: str
    kind: Literal["fix", "expand", "add"]
    text: str | None = None
    finding: Finding | None = None
    entry: tuple[str, str] = ("", "")


def find_actions(linked: LinkedVersion, start: int, end: int) -> list[Action]:
    """Return the changes to offer for the acronyms and findings in a range of a document.

    Args:
        linked: The document, with its findings and the meanings of its acronyms.
        start: Character offset in the file at which the range starts.
        end: Character offset in the file at which the range ends.

    Returns:
        The changes: fixes, replacing a long form by its acronym, comments that ignore a finding,
        long forms of an undefined acronym, and adding an acronym to the project's list.
    """
    if linked.checked.document.source.format not in EDITABLE:
        return []
    actions = [*_for_findings(linked.checked, start, end), *_for_mention(linked, start, end)]
    return [action for action in actions if action.text != linked.checked.text]


def _for_findings(checked: CheckedVersion, start: int, end: int) -> Iterator[Action]:
    document = checked.document
    settings = replace(document.settings, select=(SHORT_FORM,), ignore=(), per_file_ignores={})
    is_reported = any(finding.code == SHORT_FORM for finding in checked.findings)
    others = () if is_reported else lint_documents([document], settings, [document])
    for finding in (*checked.findings, *others):
        begin, stop = checked.span(finding)
        if begin > end or stop < start:
            continue
        reported = finding if finding in checked.findings else None
        if text := fix_finding(document.source, finding):
            is_short = finding.code == SHORT_FORM
            title = f"Use the short form: {finding.acronym}" if is_short else finding.message
            yield Action(title, "fix", text, reported)
        if reported and (edits := suppress(document.source, begin, finding.code)):
            yield Action(
                f"Ignore {finding.code} here", "fix", apply_edits(checked.text, edits), finding
            )


def _for_mention(linked: LinkedVersion, start: int, end: int) -> Iterator[Action]:
    mention = linked.find(start, end)
    if not mention:
        return
    answer, key = mention.answer, base_form(mention.answer.acronym)
    same = {other.place for other in linked.mentions if base_form(other.answer.acronym) == key}
    candidates = (answer.long_form, *(long_form for long_form, _ in answer.candidates))
    for long_form in list(dict.fromkeys(filter(None, candidates)))[:MOST_LONG_FORMS]:
        for title, which, places in (
            (f"Define at first use: {long_form} ({key})", Expand.first, same),
            (f"Expand here: {long_form}", Expand.all, {mention.place}),
        ):
            yield Action(title, "expand", _expand(linked, mention, long_form, which, places))
    if not linked.checked.document.settings.is_known(key, answer.acronym):
        entry = (key, answer.long_form or "")
        yield Action(f"Add {key} to the project's list", "add", entry=entry)


def _expand(
    linked: LinkedVersion, mention: EditedMention, long_form: str, which: Expand, places: set[int]
) -> str:
    """Return the text of the file with the mentions at some places expanded."""
    answer, source = mention.answer, linked.checked.document.source
    is_other = long_form != answer.long_form
    doc = linked.with_meaning(answer.acronym, long_form) if is_other else linked.doc
    return expand_source(source, doc, which, is_selected=lambda start, end: start in places)
