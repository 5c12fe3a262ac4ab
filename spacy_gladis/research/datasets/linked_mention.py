"""The sample that a mention makes which is linked to a concept (GLADIS, section 4)."""

from ...concepts import Concept, ConceptMention
from ...rules.schwartz_hearst import schwartz_hearst
from .sample import Sample


def to_sample(mention: ConceptMention, concept: Concept, domain: str) -> Sample | None:
    """The mention with its acronym in place of the long form; None where it has no acronym.

    The acronym is the first of the concept's names that the rules take as the mention's. None, too,
    where the long form stands elsewhere in the text: it would give the answer away.
    """
    start, end = mention.start, mention.start + len(mention.phrase)
    long_form = " ".join(mention.phrase.split())
    acronym = find_acronym(long_form, concept)
    left, right = mention.text[:start], mention.text[end:]
    if acronym is None or long_form.lower() in (left + "\n" + right).lower():
        return None
    text, kind = left + acronym + right, mention.kind or concept.domain
    end = start + len(acronym)
    return Sample(acronym, long_form, text, start, end, domain, kind, mention.document)


def find_acronym(long_form: str, concept: Concept) -> str | None:
    """The first name of a concept that is an acronym of the whole long form, by the rules."""
    for name in concept.names:
        if len(name) < len(long_form) and not set("()") & set(name):
            text = f"{long_form} ({name})"
            for definition in schwartz_hearst(text):
                if definition.long_form == (0, len(long_form)) and not name.islower():
                    return name
    return None
