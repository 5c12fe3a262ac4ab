"""Lint rule AC014, which reports definitions that differ from the organisation's glossary."""

from collections.abc import Iterator

from ...text.spelling import same_key
from ..document import LintDocument
from ..finding import Violation
from ..rule import Rule
from ..settings import Settings


class UnlikeGlossary(Rule):
    """Lint rule AC014: a document defines an acronym with a long form not in the glossary.

    The organisation's glossary is the table that the setting `glossary` names.
    """

    code = "AC014"
    name = "unlike-glossary"
    summary = "A definition differs from the organisation's glossary"
    why = (
        "Readers may take another wording for another thing. Use the long form of the glossary "
        "that the setting `glossary` names."
    )
    bad = (
        "A quarterly board review (QBR) is short.",
        "The data privacy officer (DPO) reads it.",
        "The quarterly business report (QBR) is long.",
    )
    good = (
        "A quarterly business review (QBR) is short.",
        "The data protection officer (DPO) reads it.",
        "A virtual machine (VM) starts.",
    )
    example_settings = Settings(
        glossary={"QBR": ("quarterly business review",), "DPO": ("data protection officer",)}
    )

    def check(self, document: LintDocument) -> Iterator[Violation]:
        """Report each definition that contradicts the organisation's glossary.

        Acronyms that the glossary doesn't list are not checked.

        Args:
            document: Document to check.

        Yields:
            Violations in text order. Each message has the long forms of the glossary.
        """
        for definition in document.definitions:
            listed = document.settings.glossary.get(definition.key, ())
            if listed and same_key(definition.long_form) not in set(map(same_key, listed)):
                words = "' or '".join(listed)
                message = (
                    f"'{definition.acronym}' means '{definition.long_form}' here and '{words}' in "
                    "the glossary"
                )
                yield Violation(definition.offset, definition.acronym, message)
