"""Explanations of what acronyms mean in a text, as Markdown for readers."""

from ..resolution import Resolution
from .markup import as_markup

MOST_RUNNERS_UP = 5
"""Maximum number of other candidates that the explanation of an acronym shows."""


def explain(answer: Resolution, origin: str = "") -> str:
    """Return a few lines of Markdown that explain what an acronym means and why.

    An editor shows them when the reader points at the acronym.

    Args:
        answer: The meaning of the acronym at one place in a text.
        origin: Where the long form comes from, as Markdown, such as "defined in [a.md:3](a.md#L3)".
            If empty, the explanation gives the reasons of the answer instead.

    Returns:
        Markdown with the long form, its gloss, its probability, its origin, and up to
        `MOST_RUNNERS_UP` other candidates.
    """
    long_form, gloss = _escape(answer.long_form or "unknown"), _escape(answer.gloss)
    paragraphs = [f"**{_escape(answer.acronym)}**: {long_form}", f"*{gloss}*" if gloss else ""]
    if answer.long_form:
        reasons = origin or _escape("; ".join(answer.why))
        paragraphs.append(f"Probability {answer.probability:.2f}: {reasons}")
    if pairs := answer.runners_up[:MOST_RUNNERS_UP]:
        others = ", ".join(f"{_escape(form)} ({probability:.2f})" for form, probability in pairs)
        paragraphs.append(f"Other candidates: {others}")
    return "\n\n".join(filter(None, paragraphs))


def _escape(text: str) -> str:
    return as_markup(text, "markdown")
