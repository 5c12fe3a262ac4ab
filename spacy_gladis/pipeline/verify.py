"""Does a word have one given sense here? No dictionary, no candidates: one question, one answer."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError
from ..text import Mention

if TYPE_CHECKING:
    from ..linking import AcroBERT


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
        if not self.described:
            return self.long_form
        return f"{self.long_form or target}: {self.described}"

    @property
    def described(self) -> str:
        """The meaning without its long form: hypernyms, then the definition."""
        return ": ".join(part for part in (", ".join(self.hypernyms), self.definition) if part)


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
    return float(verify_all([(Mention(text, start, end), sense)], model)[0])


def verify_all(questions: Sequence[tuple[Mention, Sense]], model: str | None = None) -> list[float]:
    """The probabilities of many senses, each of the mention beside it, in one pass."""
    if not questions:
        return []
    mentions = [mention for mention, _ in questions]
    senses = [sense.text(mention.acronym) for mention, sense in questions]
    return [float(value) for value in _load(model).verify(mentions, senses)]


@cache
def _load(model: str | None) -> "AcroBERT":
    from ..linking import AcroBERT

    return AcroBERT.load(model)


def _words(given: Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
