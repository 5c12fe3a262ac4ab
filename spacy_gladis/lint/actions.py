"""The changes that an editor can offer for the acronyms and findings in a part of a document."""

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
"""Code of the lint rule whose fix replaces a long form by its acronym."""
MOST_LONG_FORMS = 3
"""Maximum number of long forms that an editor offers for an acronym."""


class Action(NamedTuple):
    """A change that an editor offers for an acronym or a finding, such as fixing the finding.

    Attributes:
        title: Description of the change, as the editor shows it.
        kind: What the change does: `fix` corrects or ignores a finding, `expand` writes out an
            acronym, and `add` adds an acronym to the project's list.
        text: New text of the whole file. None for `add`, which changes no document.
        finding: Finding that the change removes. None if the change isn't about a finding.
        entry: For `add`, the acronym and its long form, which may be empty.
    """

    title: str
    kind: Literal["fix", "expand", "add"]
    text: str | None = None
    finding: Finding | None = None
    entry: tuple[str, str] = ("", "")


def find_actions(linked: LinkedVersion, start: int, end: int) -> list[Action]:
    """Return the changes that an editor offers for a selected range of a document.

    The changes fix a finding, ignore a finding with a comment, replace a long form by its acronym,
    write out an acronym, or add an acronym to the project's list.

    Args:
        linked: Document with the findings of the lint rules and the meanings of its acronyms.
        start: Character offset in the file at which the range starts.
        end: Character offset in the file at which the range ends.

    Returns:
        The possible changes, those for findings first. Empty if the linter can't edit files of the
        document's format.
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
    """Return the text of the file after the mentions at the given places are expanded."""
    answer, source = mention.answer, linked.checked.document.source
    is_other = long_form != answer.long_form
    doc = linked.with_meaning(answer.acronym, long_form) if is_other else linked.doc
    return expand_source(source, doc, which, is_selected=lambda start, end: start in places)
