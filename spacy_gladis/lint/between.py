"""Rules on what documents say together."""

from collections.abc import Sequence

from ..dictionary import same_key
from .document import Defined, LintDocument
from .finding import Checked, Found, rule_of_all


@rule_of_all
def ac007_meanings_in_documents(documents: Sequence[LintDocument]) -> Checked:
    """An acronym is defined with another meaning in another document.

    Reports:
        Artificial intelligence (AI) helps. ¦ The adequate intake (AI) is 4.7 grams.
        A central processing unit (CPU) is fast. ¦ A central paging utility (CPU) is slow.
        The adequate intake (AI) is low. ¦ Artificial intelligence (AI) is new.

    Does not report:
        Artificial intelligence (AI) helps. ¦ Artificial intelligence (AI) is new.
        Artificial intelligence (AI) helps. The adequate intake (AI) is 4.7 grams.
        Artificial intelligence (AI) helps. ¦ The AI is new.
    """
    first: dict[str, tuple[LintDocument, Defined]] = {}
    for document in documents:
        for key, definitions in document.by_key.items():
            there, other = first.setdefault(key, (document, definitions[0]))
            for one in definitions:
                if there is not document and same_key(one.long_form) != same_key(other.long_form):
                    message = (
                        f"'{one.acronym}' is '{one.long_form}' here and '{other.long_form}' in "
                        f"{there.source.name}:{there.place(other.offset)}"
                    )
                    yield document, Found(one.offset, one.acronym, message)
                    break


@rule_of_all
def ac008_acronyms_in_documents(documents: Sequence[LintDocument]) -> Checked:
    """A meaning has two acronyms.

    Reports:
        The World Health Organization (WHO) met. ¦ The World Health Organization (WHOrg) voted.
        A virtual machine (VM) starts. ¶ Each virtual machine (VMA) has a disk.
        A digital elevation model (DEM) is a grid. ¦ The digital elevation model (DEMO) is old.

    Does not report:
        The World Health Organization (WHO) met. ¦ The World Health Organization (WHO) voted.
        A virtual machine (VM) starts. ¦ Virtual machines (VMs) start.
        A virtual machine (VM) starts. ¦ A vector machine (VM) learns.
    """
    first: dict[str, tuple[LintDocument, Defined]] = {}
    told: set[tuple[str, str]] = set()
    for document in documents:
        for one in document.definitions:
            sense = same_key(one.long_form)
            there, other = first.setdefault(sense, (document, one))
            spelled = one.key.casefold()
            if spelled != other.key.casefold() and (sense, spelled) not in told:
                told.add((sense, spelled))
                message = (
                    f"'{one.long_form}' is '{one.acronym}' here and '{other.acronym}' in "
                    f"{there.source.name}:{there.place(other.offset)}"
                )
                yield document, Found(one.offset, one.acronym, message)


@rule_of_all
def ac011_unused_entry(documents: Sequence[LintDocument]) -> Checked:
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
