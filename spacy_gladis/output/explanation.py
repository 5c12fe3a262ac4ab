"""Explanations of the linker's answers for readers, in Markdown."""

from ..resolution import Resolution
from .markup import as_markup

MOST_RUNNERS_UP = 5
"""Maximum number of runners-up in an explanation."""


def explain(answer: Resolution, origin: str = "") -> str:
    """Return a few lines of Markdown that explain the meaning of an acronym.

    Args:
        answer: The linker's answer.
        origin: Where the long form comes from, as Markdown. If empty, the reasons of the answer are
            given instead.

    Returns:
        The Markdown text with the long form, gloss, probability, origin and runners-up.
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
