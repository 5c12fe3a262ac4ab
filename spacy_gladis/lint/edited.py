"""Versions of documents that are being edited, after the rules or the linker have read them.

spaCy is imported only where the linker is used, so that rules can check documents while spaCy
loads.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ..dictionary.folder_definitions import FolderDefinitions
from ..documents.source import MarkedDefinition, Source
from ..resolution import Resolution
from ..text import base_form
from .document import LintDocument
from .finding import Finding

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_PARAGRAPH_END = re.compile(r"\n[ \t\r]*\n")
_WORD = re.compile(r"\w+")


class EditedMention(NamedTuple):
    """An acronym in a document that is being edited.

    Attributes:
        start: Character offset in the file at which the acronym starts.
        end: Character offset in the file at which the acronym ends.
        place: Character offset in the plain text at which the acronym starts.
        answer: The linker's answer for the acronym.
    """

    start: int
    end: int
    place: int
    answer: Resolution


@dataclass(frozen=True)
class CheckedVersion:
    """A version of a document that the linter's rules have checked.

    Attributes:
        version: Number of the version.
        document: The document as the rules see it.
        findings: The findings of the rules.
        definitions: The definitions in all documents of the project.
    """

    version: int
    document: LintDocument
    findings: tuple[Finding, ...]
    definitions: FolderDefinitions

    @property
    def text(self) -> str:
        """The text of the file in this version, with its markup."""
        return self.document.source.source

    def span(self, finding: Finding) -> tuple[int, int]:
        """Return the range of the words that a finding is about.

        Args:
            finding: A finding in this version.

        Returns:
            The start and end of the words as character offsets in the file.
        """
        start = self.document.source.offset_of(finding.position)
        if self.text.startswith(finding.acronym, start):
            return start, start + len(finding.acronym)
        if finding.fix and finding.fix[0].start <= start < finding.fix[-1].end:
            return start, finding.fix[-1].end
        word = _WORD.match(self.text, start)
        return start, word.end() if word else start + 1


@dataclass(frozen=True)
class LinkedVersion:
    """A version of a document with the meanings of its acronyms.

    Attributes:
        checked: The version after the linter's rules.
        doc: The annotated document.
    """

    checked: CheckedVersion
    doc: "Doc"

    @cached_property
    def mentions(self) -> list[EditedMention]:
        """The acronyms in this version with their meanings, in text order."""
        from ..pipeline.annotations import mentions_of

        original = self.checked.document.source.original_offset
        return [
            EditedMention(original(start), original(end - 1) + 1, start, answer)
            for start, end, answer in mentions_of(self.doc)
        ]

    def find(self, start: int, end: int) -> EditedMention | None:
        """Return the first acronym that overlaps or touches a range.

        Args:
            start: Character offset in the file at which the range starts.
            end: Character offset in the file at which the range ends.

        Returns:
            The acronym, or None if there is none.
        """
        touching = (
            mention for mention in self.mentions if mention.start <= end and start <= mention.end
        )
        return next(touching, None)

    def find_in(self, newer: CheckedVersion, offset: int) -> EditedMention | None:
        """Return the acronym at an offset of a newer version, if its meaning is still known.

        In an unchanged paragraph, acronyms keep their meanings. In a changed paragraph, an acronym
        has the meaning that all its earlier mentions have. In both, a definition in the newer
        version takes precedence. For other acronyms, the linker has to read the newer version.

        Args:
            newer: The newer version of the document, or this version.
            offset: Character offset in the file of the newer version.

        Returns:
            The acronym with its place in the newer version, or None if there is none.
        """
        if newer is self.checked:
            return self.find(offset, offset)
        mention = self._find_unchanged(newer.text, offset) or self._find_alike(newer, offset)
        if not mention:
            return None
        if definitions := newer.document.by_key.get(base_form(mention.answer.acronym)):
            definition = definitions[0]
            answer = Resolution.from_definition(mention.answer.acronym, definition.long_form)
            return mention._replace(answer=answer)
        return None if mention.answer.source == "definition" else mention

    def _find_unchanged(self, text: str, offset: int) -> EditedMention | None:
        """Return the acronym at an offset of a newer text if this version has its paragraph."""
        ends = [match.end() for match in _PARAGRAPH_END.finditer(text)]
        number = bisect_right(ends, offset)
        start, end = [0, *ends][number], [*ends, len(text)][number]
        shift = start - self.checked.text.find(text[start:end])
        mention = self.find(offset - shift, offset - shift) if shift <= start else None
        return mention and mention._replace(start=mention.start + shift, end=mention.end + shift)

    def _find_alike(self, newer: CheckedVersion, offset: int) -> EditedMention | None:
        """Return the acronym at an offset if all its mentions in this version mean the same."""
        original = newer.document.source.original_offset
        for use in newer.document.uses:
            start, end = original(use.start), original(use.end - 1) + 1
            if start <= offset <= end:
                answers = [mention.answer for mention in self.mentions]
                alike = [answer for answer in answers if base_form(answer.acronym) == use.key]
                is_clear = len({answer.long_form for answer in alike}) == 1
                return EditedMention(start, end, use.start, alike[0]) if is_clear else None
        return None

    def holds_for(self, newer: CheckedVersion) -> bool:
        """Return whether the meanings also hold for a newer version, because no input has changed.

        Args:
            newer: The newer version.

        Returns:
            True if the text, the glossary and the definitions of the project are the same.
        """
        before, after = self.checked.document, newer.document
        has_same_texts = before.source == after.source  # those of included files, too
        has_same_glossary = before.settings.glossary == after.settings.glossary
        return (
            has_same_texts and has_same_glossary and self.checked.definitions is newer.definitions
        )

    def with_meaning(self, acronym: str, long_form: str) -> "Doc":
        """Return a copy of the annotated document in which an acronym has another meaning.

        Args:
            acronym: An acronym that the document doesn't define.
            long_form: The new meaning of the acronym.

        Returns:
            The annotated copy.
        """
        definition = MarkedDefinition(acronym, long_form, 0)
        return _with_definitions(self.doc.copy(), self.checked.document.source, definition)


def link(nlp: "Language", checked: CheckedVersion) -> LinkedVersion:
    """Resolve the acronyms in a version of a document.

    The document's own definitions take precedence, then come the project's glossary, the other
    documents of the project, and the dictionary.

    Args:
        nlp: A pipeline with a linker. Its definitions of other documents are replaced.
        checked: The version after the linter's rules.

    Returns:
        The version with the meanings of its acronyms.
    """
    from ..pipeline.annotations import DOCUMENT
    from ..pipeline.learn import linker_of

    source, settings = checked.document.source, checked.document.settings
    glossary = (
        MarkedDefinition(acronym, long_forms[0], 0, glossary=True)
        for acronym, long_forms in settings.glossary.items()
        if len(long_forms) == 1
    )
    linker_of(nlp).folder_definitions = checked.definitions
    doc = nlp.make_doc(source.text)
    doc.user_data[DOCUMENT] = source.name
    return LinkedVersion(checked, _with_definitions(nlp(doc), source, *glossary))


def _with_definitions(doc: "Doc", source: Source, *definitions: MarkedDefinition) -> "Doc":
    """Resolve mentions with additional definitions, after the definitions in the document."""
    from ..pipeline.annotate import with_marked

    return with_marked(doc, source.at(definitions=(*definitions, *source.definitions)))
