"""AC007: an acronym with two meanings in two documents."""

from collections.abc import Iterator, Sequence

from ...text.spelling import same_key
from ..document import Defined, LintDocument
from ..finding import Found
from ..rule import Rule


class ConflictBetweenDocuments(Rule):
    code = "AC007"
    name = "conflict-between-documents"
    summary = "An acronym is defined with another meaning in another document"
    why = (
        "Readers of both documents take the acronym for the same thing. Choose one meaning for a "
        "set of documents, or write one of the two out."
    )
    known_problems = "Two wordings of one meaning count as two meanings."
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

    def check_all(self, documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
        """Report a document's first definition that contradicts the first one of all documents."""
        first: dict[str, tuple[LintDocument, Defined]] = {}
        for document in documents:
            for key, definitions in document.by_key.items():
                first_document, earlier = first.setdefault(key, (document, definitions[0]))
                if first_document is document:
                    continue
                meaning = same_key(earlier.long_form)
                for definition in definitions:
                    if same_key(definition.long_form) != meaning:
                        message = (
                            f"'{definition.acronym}' is '{definition.long_form}' here and "
                            f"'{earlier.long_form}' in {first_document.source.name}:"
                            f"{first_document.place(earlier.offset)}"
                        )
                        yield document, Found(definition.offset, definition.acronym, message)
                        break
