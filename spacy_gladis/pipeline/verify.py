"""Verification that a word has a given sense in its context, without a dictionary or candidates."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError
from ..text import Mention

if TYPE_CHECKING:
    from ..linking import AcroBERT


class Sense(NamedTuple):
    """A meaning that is given by a long form, a definition or hypernyms, or several of these.

    Attributes:
        long_form: A long form.
        definition: A definition.
        hypernyms: Terms for broader concepts.
    """

    long_form: str = ""
    definition: str = ""
    hypernyms: tuple[str, ...] = ()

    @classmethod
    def of(cls, value: Any, setting: str) -> "Sense":
        """Create a sense from the value of a setting.

        Args:
            value: A long form, or a mapping with the fields of `Sense`.
            setting: Name of the setting, which the error message mentions.

        Returns:
            The sense.

        Raises:
            InputError: If the value has another type, or contains no words.
        """
        try:
            sense = cls(value) if isinstance(value, str) else cls(**value)
            sense = sense._replace(hypernyms=_words(sense.hypernyms))
        except TypeError:
            raise InputError(
                f"{setting}: expected a long form, or long_form, definition and hypernyms, "
                f"got {value!r}"
            ) from None
        if not any(part.strip() for part in (*sense[:2], *sense.hypernyms)):
            raise InputError(
                f"{setting}: the sense is empty. Give a long_form, a definition or hypernyms."
            )
        return sense

    def text(self, target: str) -> str:
        """Return the text that is compared with a mention's context.

        Args:
            target: The mentioned word, which stands in for a missing long form.

        Returns:
            The long form, with the description if there is one.
        """
        if not self.described:
            return self.long_form
        return f"{self.long_form or target}: {self.described}"

    @property
    def described(self) -> str:
        """The description of the meaning without its long form: hypernyms, then definition."""
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
    """Return the probability that a word has a given sense at one place in a text.

    The first call loads the weights. Give at least one of `long_form`, `definition` and
    `hypernyms`.

    Args:
        text: The text that contains the mention.
        start: Character offset at which the mention starts.
        end: Character offset at which the mention ends.
        long_form: The sense's long form.
        definition: The sense's definition.
        hypernyms: Terms for broader concepts.
        model: Path of a folder with AcroBERT weights. None selects the packaged weights.

    Returns:
        The probability, 0 to 1.

    Raises:
        InputError: If no sense is given, or the offsets are outside the text.
    """
    sense = Sense.of(
        {"long_form": long_form, "definition": definition, "hypernyms": hypernyms}, "verify"
    )
    return float(verify_all([(Mention(text, start, end), sense)], model)[0])


def verify_all(questions: Sequence[tuple[Mention, Sense]], model: str | None = None) -> list[float]:
    """Return the probabilities that many mentions have their expected senses, computed in one pass.

    Args:
        questions: Pairs of a mention and the sense that it is expected to have.
        model: Path of a folder with AcroBERT weights. None selects the packaged weights.

    Returns:
        The probability, 0 to 1, of each pair, in the order of `questions`.
    """
    if not questions:
        return []
    mentions = [mention for mention, _ in questions]
    senses = [sense.text(mention.acronym) for mention, sense in questions]
    return [float(value) for value in _load(model).verify(mentions, senses)]


@cache
def _load(model: str | None) -> "AcroBERT":
    from ..linking import AcroBERT

    return AcroBERT.load(model)


def _words(value: Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
