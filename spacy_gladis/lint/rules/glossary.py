"""Definitions beside the entries of a glossary."""

from collections.abc import Iterator, Sequence

from ...dictionary import same_key
from ..document import Found, LintDocument


def ac011(documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
    """An entry of a document's glossary is used in none of the documents.

    Reports:
        *[QBR]: quarterly business review ¶ The review is short.
        *[VM]: virtual machine ¶ *[QBR]: quarterly business review ¶ The VM runs.
        *[DPO]: data protection officer ¶ An officer reads it.

    Does not report:
        *[QBR]: quarterly business review ¶ The QBR is short.
        *[QBR]: quarterly business review ¦ The QBR is short.
        The review is short.
    """
    used = {use.key for document in documents for use in document.uses}
    for document in documents:
        for one in document.definitions:
            if one.glossary and one.key not in used:
                message = f"'{one.acronym}' of the glossary is not used"
                yield document, Found(one.offset, one.acronym, message)


def ac012(document: LintDocument) -> Iterator[Found]:
    """An acronym is defined in the text and missing in the document's glossary.

    Reports:
        *[VM]: virtual machine ¶ The VM has a quarterly business review (QBR).
        *[VM]: virtual machine ¶ A digital elevation model (DEM) of the VM.
        *[QBR]: quarterly business review ¶ The QBR of the World Health Organization (WHO).

    Does not report:
        *[QBR]: quarterly business review ¶ The quarterly business review (QBR) is short.
        The quarterly business review (QBR) is short.
        *[VM]: virtual machine ¶ The VM runs.
    """
    # A finding at the first definition of each such acronym.
    listed = {one.key for one in document.definitions if one.glossary}
    seen: set[str] = set()
    for one in document.running_definitions:
        if listed and not one.glossary and one.key not in listed and one.key not in seen:
            seen.add(one.key)
            yield Found(one.offset, one.acronym, f"'{one.acronym}' is not in the glossary")


def ac014(document: LintDocument) -> Iterator[Found]:
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
    # A finding at each such definition; the glossary is the setting `glossary`.
    for one in document.definitions:
        meant = document.settings.listed.get(one.key, ())
        if meant and same_key(one.long_form) not in {same_key(words) for words in meant}:
            words = "' or '".join(meant)
            message = f"'{one.acronym}' is '{one.long_form}' here and '{words}' in the glossary"
            yield Found(one.offset, one.acronym, message)
