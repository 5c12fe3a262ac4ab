"""BIOADI: classifiers over features of pairs and of words (Kuo et al. 2009).

Reimplemented from the published feature groups: spelling, the long form's words, numbers and
context. The single features are ours. So is the second logistic regression over the same groups,
which finds acronyms without a definition: the original pairs forms in abstracts, but SciAI marks
such acronyms too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline

from .....text import Definition, Offsets
from .....text.schwartz_hearst import is_acronym
from ....datasets.construction import WORD
from ..data import Prediction, Training, labelled
from ..system import SYSTEMS, IdentificationSystem
from .rules import merge

Features = dict[str, str | float | list[str]]


class Pair(NamedTuple):
    """A short form in brackets and a candidate for its long form.

    Attributes:
        short: Character offsets of the short form.
        long: Character offsets of the words before the bracket.
        features: Features of the pair by their name.
    """

    short: Offsets
    long: Offsets
    features: Features


@SYSTEMS.register("bioadi", "Logistic regression over pairs.", "SciAI/SciAD, section 4")
@dataclass
class BIOADI(IdentificationSystem):
    """Finds definitions and acronyms with two logistic regressions.

    One classifies the words before a bracket as its long form, the other words as acronyms.

    Attributes:
        strength: Inverse of the regularization strength (scikit-learn's `C`).
    """

    strength: float = 1.0

    def fit(self, training: Training) -> None:
        """Train both classifiers.

        Args:
            training: Marked texts.

        Raises:
            InputError: If there are no marked texts.
        """
        pairs: list[tuple[Features, bool]] = []
        words: list[tuple[Features, bool]] = []
        for marked in labelled(training):
            text, short, long = marked.text, {*marked.short}, {*marked.long}
            pairs += [(p.features, p.short in short and p.long in long) for p in pairs_of(text)]
            words += [(features, span in short) for span, features in words_of(text)]
        self._pairs, self._words = self._regression(pairs), self._regression(words)

    def _regression(self, rows: list[tuple[Features, bool]]) -> Pipeline | None:
        answers = [answer for _, answer in rows]
        if len({*answers}) < 2:  # with one class there is nothing to learn
            return None
        model = make_pipeline(DictVectorizer(), LogisticRegression(C=self.strength, max_iter=300))
        return model.fit([features for features, _ in rows], answers)

    def answer(self, question: str) -> Prediction:
        """Mark the acronyms of a text, defined or not, and the defined long forms.

        Args:
            question: Text to search.

        Returns:
            Character offsets of the acronyms and of the long forms.
        """
        best: dict[Offsets, tuple[float, Offsets]] = {}
        pairs = list(pairs_of(question))
        scores = _probabilities(self._pairs, [pair.features for pair in pairs])
        for pair, score in zip(pairs, scores, strict=True):
            if score > max(0.5, best.get(pair.short, (0.0,))[0]):
                best[pair.short] = score, pair.long
        words = list(words_of(question))
        scores = _probabilities(self._words, [features for _, features in words])
        acronyms = [span for (span, _), score in zip(words, scores, strict=True) if score > 0.5]
        return merge([Definition(short, long) for short, (_, long) in best.items()], acronyms)


def _probabilities(model: Pipeline | None, rows: list[Features]) -> list[float]:
    if model is None or not rows:
        return [0.0] * len(rows)
    probabilities: list[float] = model.predict_proba(rows)[:, 1].tolist()
    return probabilities


def pairs_of(text: str) -> Iterator[Pair]:
    """Find pairs of a word in brackets and one or more words before the bracket.

    Args:
        text: The text.

    Yields:
        The pairs in the order of the brackets, from the longest candidate to the shortest.
    """
    spans = [word.span() for word in WORD.finditer(text)]
    words = [text[slice(*span)] for span in spans]
    for at in range(1, len(words) - 2):
        if words[at] == "(" and words[at + 2] == ")" and is_acronym(words[at + 1]):
            short, size = words[at + 1], len(words[at + 1])
            for start in range(max(0, at - min(size + 5, 2 * size)), at):
                features = _pair_features(short, words[start:at], words[:start], words[at + 3 :])
                yield Pair(spans[at + 1], (spans[start][0], spans[at - 1][1]), features)


def _pair_features(short: str, long: list[str], before: list[str], behind: list[str]) -> Features:
    letters, lowered = short.lower(), [word.lower() for word in long]
    initials = "".join(word[0] for word in lowered if word[0].isalnum())
    rest = iter("".join(lowered))
    in_order = sum(letter in rest for letter in letters)
    return {
        **_spelling("short", short),
        "same initial": float(lowered[0][0] == letters[0]),
        "initials are the short form": float(initials == letters),
        "last initial": float(lowered[-1][0] == letters[-1]),
        "words": [f"first={lowered[0]}", f"last={lowered[-1]}", *lowered],
        "letters": float(len(letters)),
        "words less letters": float(len(long) - len(letters)),
        "initials in the short form": sum(i in letters for i in initials) / len(lowered),
        "letters in order": in_order / len(letters),
        "all letters in order": float(in_order == len(letters)),
        "context": [f"before={before[-1:]}".lower(), f"behind={behind[:1]}".lower()],
    }


def words_of(text: str) -> Iterator[tuple[Offsets, Features]]:
    """Find the words that may be acronyms: with a capital, or with letters and other characters.

    Args:
        text: The text.

    Yields:
        Each word's character offsets and features.
    """
    matches = list(WORD.finditer(text))
    words = ["", "", *(match[0] for match in matches), "", ""]
    for at, match in enumerate(matches):
        word = match[0]
        if word != word.lower() or (
            word[0].isalnum() and not word.isalpha() and not word.isdigit()
        ):
            near = {f"context {step}": words[at + 2 + step].lower() for step in (-2, -1, 1, 2)}
            yield match.span(), {**_spelling("word", word), **near, "first": float(at == 0)}


def _spelling(name: str, word: str) -> dict[str, Any]:
    shape = "".join("X" if c.isupper() else "x" if c.islower() else "9" for c in word)
    return {
        f"{name}": word,
        f"{name} shape": shape[:6],
        f"{name} capitals": shape.count("X") / len(word),
        f"{name} digits": shape.count("9") / len(word),
        f"{name} length": str(min(len(word), 12)),
        f"{name} ends": word[-2:].lower(),
    }
