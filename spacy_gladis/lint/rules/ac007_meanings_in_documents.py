"""Lint rule AC007, which reports acronyms with different meanings in different documents."""

from collections.abc import Iterator, Sequence

from ...text.spelling import same_key
from ..document import Definition, LintDocument
from ..finding import Violation
from ..rule import Rule


class ConflictBetweenDocuments(Rule):
    """Lint rule AC007: two documents define an acronym with different long forms."""

    code = "AC007"
    name = "conflict-between-documents"
    summary = "An acronym is defined with another meaning in another document"
    why = (
        "Readers of both documents expect the acronym to mean the same. Choose one meaning for all "
        "documents, or write out one of the two long forms."
    )
    known_problems = "Different wordings of one meaning count as different meanings."
    bad = (
        ("Artificial intelligence (AI) helps.", "The adequate intake (AI) is 4.7 grams."),
        (
            "A central processing unit (CPU) is fast.",
            "A central paging utility (CPU) is slow.",
        ),
        ("The adequate intake (AI) is low.", "Artificial intelligence (AI) is new."),
    )
    good = (
        ("Artificial intelligence (AI) helps.", "Artificial intelligence (AI) is new."),
        "Artificial intelligence (AI) helps. The adequate intake (AI) is 4.7 grams.",
        ("Artificial intelligence (AI) helps.", "The AI is new."),
    )

    def check_all(
        self, documents: Sequence[LintDocument]
    ) -> Iterator[tuple[LintDocument, Violation]]:
        """Report the first definition in each document that contradicts one in an earlier document.

        Args:
            documents: All documents that the linter checks together.

        Yields:
            Pairs of a document and a violation. The message has both long forms and the place of
            the earlier definition.
        """
        first: dict[str, tuple[LintDocument, Definition]] = {}
        for document in documents:
            for key, definitions in document.by_key.items():
                first_document, earlier = first.setdefault(key, (document, definitions[0]))
                if first_document is document:
                    continue
                meaning = same_key(earlier.long_form)
                for definition in definitions:
                    if same_key(definition.long_form) != meaning:
                        message = (
                            f"'{definition.acronym}' means '{definition.long_form}' here and "
                            f"'{earlier.long_form}' in {first_document.location(earlier.offset)}"
                        )
                        yield document, Violation(definition.offset, definition.acronym, message)
                        break
