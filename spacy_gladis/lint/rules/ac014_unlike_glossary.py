"""A definition's words are not those of the organisation's glossary.

Reports:
    A quarterly board review (QBR) is short.
    The data privacy officer (DPO) reads it.
    The quarterly business report (QBR) is long.

Does not report:
    A quarterly business review (QBR) is short.
    The data protection officer (DPO) reads it.
    A virtual machine (VM) starts.
"""

from collections.abc import Iterator

from ...text.spelling import same_key
from ..document import LintDocument
from ..finding import Found


def check(document: LintDocument) -> Iterator[Found]:
    """A finding at each such definition; the glossary is the setting `glossary`."""
    for one in document.definitions:
        meant = document.settings.listed.get(one.key, ())
        if meant and same_key(one.long_form) not in {same_key(words) for words in meant}:
            words = "' or '".join(meant)
            message = f"'{one.acronym}' is '{one.long_form}' here and '{words}' in the glossary"
            yield Found(one.offset, one.acronym, message)
