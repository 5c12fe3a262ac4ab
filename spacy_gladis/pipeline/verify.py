"""Verification that a word has a given sense in its context, without a dictionary or candidates."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError
from ..text import Mention

if TYPE_CHECKING:
    from ..linking import AcroBERT


class Sense(NamedTuple):
    """A meaning of a word, given by a long form, a definition, hypernyms, or several of these.

    Attributes:
        long_form: The long form of the word, such as "computed tomography". Empty if there is none.
        definition: A definition in words, such as "a programming language". Empty if there is none.
        hypernyms: Terms for broader concepts, such as "imaging technique".
    """

    long_form: str = ""
    definition: str = ""
    hypernyms: tuple[str, ...] = ()

    @classmethod
    def of(cls, value: Any, setting: str) -> "Sense":
        """Create a sense from the value of a setting in a component's config.

        Args:
            value: A long form, or a mapping with one or more of the keys `long_form`, `definition`
                and `hypernyms`.
            setting: Name of the setting, which the error message mentions.

        Returns:
            The sense with the given fields. The other fields are empty.

        Raises:
            InputError: If the value has another type, contains an unknown key, or contains no
                words.
        """
        try:
            sense = cls(value) if isinstance(value, str) else cls(**value)
            sense = sense._replace(hypernyms=_words(sense.hypernyms))
        except TypeError:
            raise InputError(
                f"{setting}: expected a long form, or a mapping with long_form, definition and "
                f"hypernyms, got {value!r}."
            ) from None
        if not any(part.strip() for part in (*sense[:2], *sense.hypernyms)):
            raise InputError(
                f"{setting}: the sense has no words. Give a long_form, a definition or hypernyms."
            )
        return sense

    def text(self, target: str) -> str:
        """Return the description of the sense that is compared with a mention's context.

        The sense with the hypernym "island" and no long form gives "Java: island" for the word
        "Java".

        Args:
            target: The mentioned word, which replaces a missing long form.

        Returns:
            The long form, followed by the hypernyms and the definition if there are any.
        """
        if not self.described:
            return self.long_form
        return f"{self.long_form or target}: {self.described}"

    @property
    def described(self) -> str:
        """The sense's hypernyms and definition, separated by a colon, without the long form."""
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

    Give at least one of `long_form`, `definition` and `hypernyms` to describe the sense. The first
    call loads the weights of the model.

    Args:
        text: The text that contains the word.
        start: Character offset at which the word starts.
        end: Character offset at which the word ends (exclusive).
        long_form: The sense's long form, such as "computed tomography".
        definition: A definition of the sense, such as "a programming language".
        hypernyms: Terms for broader concepts, such as "imaging technique".
        model: Path of a folder with AcroBERT weights. None selects the packaged weights.

    Returns:
        The probability that the word has the sense, between 0 and 1.

    Raises:
        InputError: If no sense is given, or the offsets are outside the text.
    """
    sense = Sense.of(
        {"long_form": long_form, "definition": definition, "hypernyms": hypernyms}, "verify"
    )
    return float(verify_all([(Mention(text, start, end), sense)], model)[0])


def verify_all(questions: Sequence[tuple[Mention, Sense]], model: str | None = None) -> list[float]:
    """Return the probabilities that several words have the senses that are expected of them.

    All words are processed in one pass of the model, which is faster than calling `verify` for
    each.

    Args:
        questions: Pairs of a mention, with its text, and the sense that it is expected to have.
        model: Path of a folder with AcroBERT weights. None selects the packaged weights.

    Returns:
        A probability between 0 and 1 for each pair, in the order of `questions`.
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
