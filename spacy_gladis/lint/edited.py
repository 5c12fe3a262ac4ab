"""Versions of documents that are being edited, with the results of lint rules and of the linker.

spaCy is imported only where the linker is used, so that rules can check documents while spaCy
loads.
"""

import re
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
    """A mention of an acronym in a document that is being edited, with its meaning.

    Attributes:
        start: Character offset in the file at which the mention starts.
        end: Character offset in the file at which the mention ends.
        place: Character offset in the plain text, without markup, at which the mention starts.
        answer: The linker's answer for the mention.
    """

    start: int
    end: int
    place: int
    answer: Resolution


@dataclass(frozen=True)
class CheckedVersion:
    """A version of an edited document that the lint rules have checked.

    Attributes:
        version: Number of the version, as the editor counts them.
        document: The document with the annotations that lint rules need.
        findings: Findings of the lint rules in this version.
        definitions: Definitions in all documents of the project at the time of the check.
    """

    version: int
    document: LintDocument
    findings: tuple[Finding, ...]
    definitions: FolderDefinitions

    @property
    def text(self) -> str:
        """The text of the file in this version, including the markup."""
        return self.document.source.source

    def span(self, finding: Finding) -> tuple[int, int]:
        """Return the range of the text that an editor underlines for a finding.

        The range covers the acronym, if the file has it at the finding's position. Otherwise, it
        reaches to the end of the finding's fix, or covers the word at the position.

        Args:
            finding: Finding in this version.

        Returns:
            Start and end of the range as character offsets in the file.
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
    """A version of an edited document with the meanings of its acronyms.

    Attributes:
        checked: The same version with the results of the lint rules.
        doc: The plain text of the version, annotated by the pipeline.
    """

    checked: CheckedVersion
    doc: "Doc"

    @cached_property
    def mentions(self) -> list[EditedMention]:
        """The mentions of acronyms in this version with their meanings, in text order."""
        from ..pipeline.annotations import mentions_of

        original = self.checked.document.source.original_offset
        return [
            EditedMention(original(start), original(end - 1) + 1, start, answer)
            for start, end, answer in mentions_of(self.doc)
        ]

    def find(self, start: int, end: int) -> EditedMention | None:
        """Return the first mention of an acronym that overlaps or touches a range of the file.

        Args:
            start: Character offset in the file at which the range starts.
            end: Character offset in the file at which the range ends.

        Returns:
            The mention with its meaning, or None if the range has no acronym.
        """
        touching = (
            mention for mention in self.mentions if mention.start <= end and start <= mention.end
        )
        return next(touching, None)

    def find_in(self, newer: CheckedVersion, offset: int) -> EditedMention | None:
        """Return the acronym at an offset in a newer version, if its meaning is still known.

        This lets an editor show meanings before the linker has read the newer version. In an
        unchanged paragraph, acronyms keep their meanings. In a changed paragraph, an acronym has
        the meaning that all its mentions in this version have. If the newer version defines the
        acronym, the definition is the meaning.

        Args:
            newer: Newer version of the document, or the version of this object.
            offset: Character offset in the file of the newer version.

        Returns:
            The mention with its position in the newer version. None if there is no acronym, or if
            the linker has to read the newer version first.
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
        start, end = next(span for span in _paragraphs(text) if offset <= span[1])
        paragraph = text[start:end]
        if not paragraph:
            return None
        for earlier_start, earlier_end in _paragraphs(self.checked.text):
            if self.checked.text[earlier_start:earlier_end] == paragraph:
                shift = start - earlier_start
                mention = self.find(offset - shift, offset - shift)
                if mention and earlier_start <= mention.start and mention.end <= earlier_end:
                    start, end = mention.start + shift, mention.end + shift
                    return mention._replace(start=start, end=end)
        return None

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
        """Return whether the meanings in this version also hold for a newer version.

        If they do, the linker doesn't have to read the newer version.

        Args:
            newer: Newer version of the same document.

        Returns:
            True if the texts, the glossary and the definitions of the project are the same.
        """
        before, after = self.checked.document, newer.document
        has_same_texts = before.source == after.source  # those of included files, too
        has_same_glossary = before.settings.glossary == after.settings.glossary
        return (
            has_same_texts and has_same_glossary and self.checked.definitions is newer.definitions
        )

    def with_meaning(self, acronym: str, long_form: str) -> "Doc":
        """Return a copy of the annotated document in which an acronym has the given meaning.

        Args:
            acronym: Acronym that the document doesn't define.
            long_form: Long form to use as the meaning of the acronym.

        Returns:
            Copy of `doc` in which all mentions of the acronym have this meaning.
        """
        definition = MarkedDefinition(acronym, long_form, 0)
        return _with_definitions(self.doc.copy(), self.checked.document.source, definition)


def _paragraphs(text: str) -> list[tuple[int, int]]:
    """Return the offsets of the paragraphs of a text, without the blank lines after them."""
    gaps = [match.span() for match in _PARAGRAPH_END.finditer(text)]
    starts = [0, *(end for _, end in gaps)]
    ends = [*(start for start, _ in gaps), len(text.rstrip())]
    return [(start, max(start, end)) for start, end in zip(starts, ends, strict=True)] + [
        (len(text), len(text))
    ]


def link(nlp: "Language", checked: CheckedVersion) -> LinkedVersion:
    """Resolve the acronyms in a version of an edited document.

    The document's own definitions take precedence, followed by the project's glossary, the other
    documents of the project, and the dictionary.

    Args:
        nlp: Pipeline with a detector and a linker. The linker's definitions from other documents
            are replaced by those of the project.
        checked: Version of the document that the lint rules have checked.

    Returns:
        The same version with the meanings of its acronyms.
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
    """Resolve the mentions of a document with additional definitions and those in its markup."""
    from ..pipeline.annotate import with_marked

    return with_marked(doc, source.at(definitions=(*definitions, *source.definitions)))
