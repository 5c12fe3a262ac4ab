"""Does a word have one given sense here? No dictionary, no candidates: one question, one answer."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError

if TYPE_CHECKING:
    from ..modeling import AcroBERT


class Sense(NamedTuple):
    """A meaning in words: a long form, a definition, hypernyms, or several of these."""

    long_form: str = ""
    definition: str = ""
    hypernyms: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Any, what: str) -> "Sense":
        """A sense from a settings file: a long form, or a mapping with the fields above.

        Raises InputError, naming `what`, for anything else and for a sense without words.
        """
        try:
            sense = cls(given) if isinstance(given, str) else cls(**given)
            sense = sense._replace(hypernyms=_words(sense.hypernyms))
        except TypeError:
            raise InputError(
                f"{what}: expected a long form, or long_form, definition and hypernyms, "
                f"got {given!r}"
            ) from None
        if not any(part.strip() for part in (*sense[:2], *sense.hypernyms)):
            raise InputError(f"{what}: give a long_form, a definition or hypernyms.")
        return sense

    def text(self, target: str) -> str:
        """What is compared with the context of `target`: a long form alone, else both together."""
        from ..modeling.target_sense import TargetSense  # here: spaCy imports this at every start

        described = TargetSense("", 0, 0, self.definition, self.hypernyms).sense
        if not described:
            return self.long_form
        return f"{self.long_form or target}: {described}"


def verify(
    text: str,
    start: int,
    end: int,
    *,
    long_form: str = "",
    definition: str = "",
    hypernyms: Sequence[str] = (),
    model: str | None = None,
) -> float:
    """The probability, 0..1, that `text[start:end]` has this sense, and not another one.

    long_form, definition, hypernyms: the sense, in one of these ways or several. model: a folder
    of AcroBERT's weights; None: the packaged ones. They are read at the first call.

    Raises InputError without a sense, and for offsets outside the text.
    """
    sense = Sense.of(
        {"long_form": long_form, "definition": definition, "hypernyms": hypernyms}, "verify"
    )
    return float(verify_all([(text, start, end, sense)], model)[0])


def verify_all(
    questions: Sequence[tuple[str, int, int, Sense]], model: str | None = None
) -> list[float]:
    """The probabilities of many senses, each of `text[start:end]`, in one pass."""
    if not questions:
        return []
    from ..modeling import Context

    contexts = [Context(text, start, end) for text, start, end, _ in questions]
    senses = [sense.text(text[start:end]) for text, start, end, sense in questions]
    return [float(value) for value in _load(model).verify(contexts, senses)]


@cache
def _load(model: str | None) -> "AcroBERT":
    from ..modeling import AcroBERT

    return AcroBERT.load(model)


def _words(given: Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
