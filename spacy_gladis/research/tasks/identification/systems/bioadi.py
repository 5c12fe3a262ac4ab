"""The system `bioadi`: logistic regression over features of pairs and of words (Kuo et al. 2009).

This is a reimplementation from the published groups of features: spelling, the long form's words,
numbers and context. The paper does not list the features in each group, so they were chosen here.

The original finds only definitions. Since SciAI also marks acronyms without a definition, a second
logistic regression over the same groups of features was added, which finds them.
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
    """An acronym in brackets, paired with words before the bracket that may be its long form.

    Attributes:
        short: Character offsets of the acronym, without the brackets.
        long: Character offsets of the words before the bracket.
        features: Features of the pair by name, for the classifier.
    """

    short: Offsets
    long: Offsets
    features: Features


@SYSTEMS.register("bioadi", "Logistic regression over pairs and words.", "SciAI/SciAD, section 4")
@dataclass
class BIOADI(IdentificationSystem):
    """Finds definitions and undefined acronyms with two logistic regressions.

    One classifier tells whether the words before a bracket are the long form of the acronym in the
    bracket. The other classifier tells whether a word is an acronym.

    Attributes:
        strength: Inverse of the regularization strength, which is `C` in scikit-learn. With a
            larger value, the classifiers fit the training texts more closely.
    """

    strength: float = 1.0

    def fit(self, training: Training) -> None:
        """Train the classifier of definitions and the classifier of words.

        Args:
            training: Texts with the character offsets of their acronyms and long forms.

        Raises:
            InputError: If there are no training texts.
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
        if len({*answers}) < 2:  # a classifier needs examples of both classes
            return None
        model = make_pipeline(DictVectorizer(), LogisticRegression(C=self.strength, max_iter=300))
        return model.fit([features for features, _ in rows], answers)

    def answer(self, question: str) -> Prediction:
        """Mark all acronyms of a text, and the long forms of those that the text defines.

        Args:
            question: Text in which acronyms and long forms are looked for.

        Returns:
            The character offsets of the acronyms and of the long forms.
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
    """Find the acronyms in brackets, and pair each with every possible long form before it.

    A possible long form consists of the last words before the bracket. For an acronym of n
    characters, it has at most min(n + 5, 2n) words.

    Args:
        text: Text in which pairs are looked for.

    Yields:
        The pairs in the order of the brackets. Those of the same bracket come from the longest to
        the shortest long form.
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
    """Find the words of a text that may be acronyms, and compute their features.

    A word may be an acronym if it contains a capital, or if it starts with a letter or digit and
    mixes letters with other characters.

    Args:
        text: Text in which words are looked for.

    Yields:
        The character offsets and the features of each word, in text order.
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
