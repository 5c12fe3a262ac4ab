"""AC008: a meaning with two acronyms."""

from collections.abc import Iterator, Sequence

from ...text.spelling import same_key
from ..document import Defined, LintDocument
from ..finding import Found
from ..rule import Rule


class SeveralAcronyms(Rule):
    code = "AC008"
    name = "several-acronyms"
    summary = "A meaning has two acronyms"
    why = (
        "A reader takes two acronyms for two things. Choose one of them for the whole set of "
        "documents."
    )
    bad = (
        (
            "The World Health Organization (WHO) met.",
            "The World Health Organization (WHOrg) voted.",
        ),
        "A virtual machine (VM) starts.\n\nEach virtual machine (VMA) has a disk.",
        (
            "A digital elevation model (DEM) is a grid.",
            "The digital elevation model (DEMO) is old.",
        ),
    )
    good = (
        (
            "The World Health Organization (WHO) met.",
            "The World Health Organization (WHO) voted.",
        ),
        ("A virtual machine (VM) starts.", "Virtual machines (VMs) start."),
        ("A virtual machine (VM) starts.", "A vector machine (VM) learns."),
    )

    def check_all(self, documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
        """Report the first definition that gives a meaning each further acronym."""
        first: dict[str, tuple[LintDocument, Defined]] = {}
        reported: set[tuple[str, str]] = set()
        for document in documents:
            for definition in document.definitions:
                meaning = same_key(definition.long_form)
                first_document, earlier = first.setdefault(meaning, (document, definition))
                spelled = definition.key.casefold()
                if spelled == earlier.key.casefold() or (meaning, spelled) in reported:
                    continue
                reported.add((meaning, spelled))
                message = (
                    f"'{definition.long_form}' is '{definition.acronym}' here and "
                    f"'{earlier.acronym}' in {first_document.source.name}:"
                    f"{first_document.place(earlier.offset)}"
                )
                yield document, Found(definition.offset, definition.acronym, message)
