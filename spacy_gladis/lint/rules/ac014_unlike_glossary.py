"""AC014: a definition in other words than the organisation's."""

from collections.abc import Iterator

from ...text.spelling import same_key
from ..document import LintDocument
from ..finding import Found
from ..rule import Rule
from ..settings import Settings


class UnlikeGlossary(Rule):
    code = "AC014"
    name = "unlike-glossary"
    summary = "A definition's words are not those of the organisation's glossary"
    why = (
        "The organisation agreed on the words of its acronyms. Other words make a reader think of "
        "something else. The setting `glossary` names the glossary."
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
        listed={"QBR": ("quarterly business review",), "DPO": ("data protection officer",)}
    )

    def check(self, document: LintDocument) -> Iterator[Found]:
        """Report each definition that the glossary contradicts."""
        for definition in document.definitions:
            listed = document.settings.listed.get(definition.key, ())
            if listed and same_key(definition.long_form) not in set(map(same_key, listed)):
                words = "' or '".join(listed)
                message = (
                    f"'{definition.acronym}' is '{definition.long_form}' here and '{words}' in "
                    "the glossary"
                )
                yield Found(definition.offset, definition.acronym, message)
