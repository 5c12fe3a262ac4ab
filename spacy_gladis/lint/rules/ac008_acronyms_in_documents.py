"""Lint rule AC008, which reports long forms with two acronyms."""

from collections.abc import Iterator, Sequence

from ...text.spelling import same_key
from ..document import Definition, LintDocument
from ..finding import Violation
from ..rule import Rule


class SeveralAcronyms(Rule):
    """Lint rule AC008: a long form is defined with two different acronyms."""

    code = "AC008"
    name = "several-acronyms"
    summary = "A long form has two acronyms"
    why = "Readers expect two acronyms to mean two things. Choose one acronym for all documents."
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

    def check_all(
        self, documents: Sequence[LintDocument]
    ) -> Iterator[tuple[LintDocument, Violation]]:
        """Report the first definition of each further acronym of a long form.

        Args:
            documents: All documents that the linter checks together.

        Yields:
            Pairs of a document and a violation. The message has both acronyms and the place of the
            earlier definition.
        """
        first: dict[str, tuple[LintDocument, Definition]] = {}
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
                    f"'{definition.long_form}' is abbreviated '{definition.acronym}' here and "
                    f"'{earlier.acronym}' in {first_document.location(earlier.offset)}"
                )
                yield document, Violation(definition.offset, definition.acronym, message)
