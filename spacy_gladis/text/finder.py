"""Find abbreviations that rules miss, with a linear model of their spelling and context.

The spelling of a word is enough to find ``MRI`` and ``mRNA``. The words around it are needed for
shorthand (``app``, ``Dr.``, ``desc``) and single letters. The model is a logistic regression over
hashed features, trained on fully annotated texts (`research/training/finder.py`). It reads two
tokens on each side and needs no encoder.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log, log1p
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..files import reading_tensors, write_arrays
from .known import NEAR
from .mention import Offsets, cover
from .tokens import WORD_OR_SIGN, is_initial, without_words, word_rate

LONGEST_SPELLING: Final = 30
"""Maximum number of characters of a token that may be or contain an abbreviation."""

CELLS: Final = 1 << 18
"""Number of weights of a newly trained `Finder`."""

_CHUNK: Final = re.compile(r"[^\W_](?:[\w&+.'’/-]*[\w./+])?")
_JOINED: Final = re.compile(r"[-/&+'’_.]")
_PART: Final = re.compile(r"[^-/+'’_]+")
_BEFORE_NUMBER: Final = re.compile(r"[^\W\d_]{1,8}(?=-?\d[\w.]*\Z)")
_BEHIND_NUMBER: Final = re.compile(r"\A\d[\d.,]*(?P<unit>[^\W\d_]{1,6}\.?)\Z")
_VOWEL: Final = re.compile("[aeiouy]", re.IGNORECASE)
_RUNS: Final = re.compile(r"(.)\1{2,}")

Count = Callable[[str], int]
"""A function that takes an acronym and returns how often a dictionary's sources list this
spelling."""


class Lexicon(NamedTuple):
    """The information from a dictionary that the model uses as features.

    Attributes:
        count: Function that returns how often the dictionary's sources list a spelling.
        abbreviations: Spellings that the dictionary lists as abbreviations although they may not
            look like acronyms, such as ``c/o``.
    """

    count: Count
    abbreviations: Collection[str]


@dataclass(frozen=True)
class Finder:
    """A trained model that finds the abbreviations in a text by scoring each possible spelling.

    Attributes:
        weights: Weights of the hashed features, float32 [cells].
        spellings: Abbreviations of the training texts, in lower case without full stops. They are
            always candidates. Other English words in lower case never are, unless the dictionary
            lists them as abbreviations.
        threshold: Minimum probability at which a candidate counts as an abbreviation, 0 to 1
            (exclusive).
    """

    weights: Floats
    spellings: frozenset[str]
    threshold: float = 0.5

    @classmethod
    def load(cls, path: Path) -> "Finder":
        """Load a model from a file that `Finder.save` wrote.

        Args:
            path: Path of the safetensors file.

        Returns:
            The loaded model.

        Raises:
            FormatError: If the file is missing, damaged or in another format.
        """
        with reading_tensors(path, "no finder, or a damaged file") as file:
            weights = file.get_tensor("weights").astype(np.float32)
            settings = json.loads(file.metadata()["finder"])
            spellings, threshold = frozenset(settings["spellings"]), float(settings["threshold"])
        return cls(weights, spellings, threshold)

    def save(self, path: Path) -> None:
        """Write the weights, spellings and threshold of the model to a safetensors file.

        Args:
            path: Path of the file to write. The weights are stored as float16.
        """
        settings = {"spellings": sorted(self.spellings), "threshold": self.threshold}
        weights = {"weights": self.weights.astype(np.float16)}
        write_arrays(path, weights, {"finder": json.dumps(settings)})

    def find(
        self,
        text: str,
        acronyms: Sequence[Offsets],
        lexicon: Lexicon,
        found: Iterable[Offsets] = (),
    ) -> list[Offsets]:
        """Find the abbreviations in a text that were not found yet.

        Args:
            text: Text of the document.
            acronyms: Character offsets of the words that are spelled like acronyms.
            lexicon: Counts and abbreviations of the dictionary.
            found: Character offsets of the abbreviations that rules found.

        Returns:
            Character offsets of further abbreviations, in text order. They overlap neither each
            other nor those in `found`. Of a compound, either the whole or its parts are returned,
            whichever is more probable.
        """
        spans = self.candidates(text, acronyms, lexicon, found)
        if not spans:
            return []
        odds = self.log_odds(text, spans, acronyms, lexicon)
        least = log(self.threshold / (1 - self.threshold))
        return _best_cover(spans, (odds - least).tolist())

    def candidates(
        self,
        text: str,
        acronyms: Iterable[Offsets],
        lexicon: Lexicon,
        found: Iterable[Offsets] = (),
    ) -> list[Offsets]:
        """Find all spellings in a text that may be abbreviations, before they are scored.

        Args:
            text: Text of the document.
            acronyms: Character offsets of the words that are spelled like acronyms.
            lexicon: Counts and abbreviations of the dictionary.
            found: Character offsets of the abbreviations that rules found.

        Returns:
            Character offsets of the candidates, in text order. English words in capitals, and
            initials of names such as "G. W. F.", are left out. The candidates don't overlap spans
            in `found`, but they may overlap each other, such as a compound and its parts.
        """
        taken = cover(text, found)
        spans = {span for span in acronyms if taken.find(1, *span) < 0}
        spans.update(
            span
            for span in candidate_spans(text)
            if taken.find(1, *span) < 0
            and self._may_be(text[slice(*span)], lexicon)
            and not is_initial(text, *span)
        )
        return without_words(text, sorted(spans), _is_never_attested)

    def _may_be(self, spelling: str, lexicon: Lexicon) -> bool:
        plain = spelling.lower().replace(".", "")
        if plain in self.spellings:
            return True
        if spelling.islower():
            return spelling in lexicon.abbreviations or (
                not word_rate(plain) and _is_listed(plain, lexicon.count)
            )
        return spelling in lexicon.abbreviations or _is_listed(spelling, lexicon.count)

    def log_odds(
        self,
        text: str,
        spans: Sequence[Offsets],
        acronyms: Sequence[Offsets],
        lexicon: Lexicon,
    ) -> Floats:
        """Compute how likely each candidate is an abbreviation, as log odds.

        Args:
            text: Text of the document.
            spans: Character offsets of the candidates, as returned by `candidates`.
            acronyms: Character offsets of the words that are spelled like acronyms.
            lexicon: Counts and abbreviations of the dictionary.

        Returns:
            The log odds for each candidate, float32 [candidates]. A probability of 0.5 has log odds
            of 0.
        """
        cells, values, owners = hash_features(text, spans, acronyms, lexicon, len(self.weights))
        added = self.weights[cells] * values
        odds: Floats = np.bincount(owners, added, len(spans)).astype(np.float32)
        return odds


def candidate_spans(text: str) -> Iterator[Offsets]:
    """Find the tokens of a text, and the parts of tokens with hyphens, slashes or numbers.

    For example, ``SHA256`` gives ``SHA256`` and ``SHA``. Tokens with more than 30 characters are
    skipped.

    Args:
        text: Text of the document.

    Yields:
        Character offsets of the tokens and parts. They may overlap.
    """
    for chunk in _CHUNK.finditer(text):
        start, end = chunk.span()
        if end - start > LONGEST_SPELLING:
            continue
        pieces = [(start, end)]
        if text[end - 1] in "./":
            pieces.append((start, end - 1))
        if _JOINED.search(text, start, end - 1):
            for part in _PART.finditer(text, start, end):
                pieces.append(part.span())
                if text[part.end() - 1] == ".":
                    pieces.append((part.start(), part.end() - 1))
        for first, last in list(pieces):
            if number := _BEFORE_NUMBER.match(text[first:last]):
                pieces.append((first, first + number.end()))
            if unit := _BEHIND_NUMBER.match(text[first:last]):
                pieces.append((first + unit.start("unit"), last))
        yield from {piece for piece in pieces if piece[1] > piece[0]}


def _is_never_attested(word: str) -> bool:
    return False


def _is_listed(spelling: str, count: Count) -> bool:
    return any(count(form) for form in _forms(spelling))


@lru_cache(1 << 15)
def _forms(spelling: str) -> tuple[str, ...]:
    """Return the spellings to look up in a dictionary for a spelling, which begin with it."""
    bare = spelling.replace(".", "")
    singular = bare[:-1] if bare.endswith("s") and len(bare) > 2 else bare
    forms = (spelling, bare, singular, singular.upper(), singular.lower(), singular.capitalize())
    return tuple(dict.fromkeys(form for form in forms if form))


def hash_features(
    text: str,
    spans: Sequence[Offsets],
    acronyms: Sequence[Offsets],
    lexicon: Lexicon,
    cells: int = CELLS,
) -> tuple[NDArray[np.int64], Floats, NDArray[np.int64]]:
    """Compute the features of candidates, and assign each feature to a weight by hashing its name.

    Args:
        text: Text of the document.
        spans: Character offsets of the candidates.
        acronyms: Character offsets of the words that are spelled like acronyms.
        lexicon: Counts and abbreviations of the dictionary.
        cells: Number of weights of the model.

    Returns:
        Three arrays of shape [features], which cover all candidates: the index of the feature's
        weight, the value of the feature, and the index of its candidate in `spans`.
    """
    feature_cells: list[int] = []
    values: list[float] = []
    owners: list[int] = []
    for number, features in enumerate(_features(text, spans, acronyms, lexicon)):
        for name, value in features:
            feature_cells.append(crc32(name.encode()) % cells)
            values.append(value)
            owners.append(number)
    return (
        np.array(feature_cells, np.int64),
        np.array(values, np.float32),
        np.array(owners, np.int64),
    )


def _features(
    text: str, spans: Sequence[Offsets], acronyms: Sequence[Offsets], lexicon: Lexicon
) -> Iterator[list[tuple[str, float]]]:
    tokens = [match.span() for match in WORD_OR_SIGN.finditer(text)]
    starts = [start for start, _ in tokens]
    shaped, places = set(acronyms), [start for start, _ in acronyms]
    for start, end in spans:
        spelling = text[start:end]
        small, case = spelling.lower(), _case_of(spelling)
        number = bisect_left(places, start + NEAR) - bisect_left(places, start - NEAR)
        near = log1p(max(0, number - ((start, end) in shaped)))
        features = [
            ("bias", 1.0),
            (f"spelling={small}", 1.0),
            (f"exact={spelling}", 1.0),
            (f"shape={_shape_of(spelling)}", 1.0),
            (f"case={case}", 1.0),
            ("near", near),
            (f"near {case}", near),
            ("shaped", float((start, end) in shaped)),
            *_lexical(spelling, lexicon),
        ]
        first, last = bisect_left(starts, start), bisect_left(starts, end)
        for name, place in (("-1", first - 1), ("-2", first - 2), ("+1", last), ("+2", last + 1)):
            token = text[slice(*tokens[place])] if 0 <= place < len(tokens) else ""
            shape, word = _shape_of(token), "0" if token.isdigit() else token.lower()
            features += [(f"{name}={word}", 1.0), (f"{case} {name} {shape}", 1.0)]
            if name[1] == "1":
                features += [(f"{small} {name}={word}", 1.0), (f"{small} {name} {shape}", 1.0)]
        before = text[start - 1] if start else ""
        behind = text[end] if end < len(text) else ""
        features += [
            (f"{case} left {_kind_of(before)}", 1.0),
            (f"{case} right {_kind_of(behind)}", 1.0),
        ]
        features += _line_features(text, start, end)
        yield features


def _line_features(text: str, start: int, end: int) -> list[tuple[str, float]]:
    begin = text.rfind("\n", max(0, start - 200), start) + 1
    finish = text.find("\n", end, end + 200)
    line = text[max(begin, start - 200) : finish if finish >= 0 else end + 200]
    capitals, smalls = sum(map(str.isupper, line)), sum(map(str.islower, line))
    features = []
    if capitals > max(smalls, 8):
        features.append(("line in capitals", 1.0))
    if begin == start:
        features.append(("begins a line", 1.0))
    if len(line) < 40:
        features.append(("short line", 1.0))
    return features


def _lexical(spelling: str, lexicon: Lexicon) -> list[tuple[str, float]]:
    exact, rate = lexicon.count(spelling), word_rate(spelling.rstrip("."))
    best = max(map(lexicon.count, _forms(spelling)))
    features = [
        ("count", log1p(exact) / 4),
        ("best count", log1p(best) / 4),
        ("word", log1p(rate) / 4),
        ("count over word", log((1 + best) / (1 + rate)) / 4),
    ]
    if not exact:
        features.append(("not listed", 1.0))
    if not best:
        features.append(("in no form", 1.0))
    if spelling in lexicon.abbreviations:
        features.append(("known", 1.0))
    if spelling.lower() in lexicon.abbreviations:
        features.append(("known small", 1.0))
    if not rate:
        features.append(("no word", 1.0))
    if not _VOWEL.search(spelling):
        features.append(("no vowel", 1.0))
    features.append((f"length={min(len(spelling), 8)}", 1.0))
    return features


def _case_of(spelling: str) -> str:
    if spelling.islower():
        return "small"
    if spelling.isupper():
        return "capitals"
    return "title" if spelling.istitle() else "mixed"


@lru_cache(1 << 15)
def _shape_of(token: str) -> str:
    """Return a token's shape as in spaCy, such as ``Xx`` or ``dd``. Runs are shortened to two."""
    letters = (
        "X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdigit() else c for c in token
    )
    return _RUNS.sub(r"\1\1", "".join(letters))[:10]


def _kind_of(character: str) -> str:
    if character.isalpha():
        return "letter"
    return "digit" if character.isdigit() else character


def _best_cover(spans: Sequence[Offsets], worth: Sequence[float]) -> list[Offsets]:
    """Select spans without overlaps so that the sum of their values is as high as possible.

    Args:
        spans: Sorted character offsets of the spans.
        worth: Value of each span. Spans without a positive value are never selected.
    """
    chosen = [(span, value) for span, value in zip(spans, worth, strict=True) if value > 0]
    chosen.sort(key=lambda item: item[0][1])
    ends = [span[1] for span, _ in chosen]
    best: list[tuple[float, int, bool]] = [(0.0, 0, False)]  # total, spans before, selected
    for number, ((start, _), value) in enumerate(chosen):
        before = _count_until(ends, start, number)
        taken, skipped = best[before][0] + value, best[number][0]
        best.append((taken, before, True) if taken > skipped else (skipped, number, False))
    selected, at = [], len(chosen)
    while at:
        _, before, is_taken = best[at]
        if is_taken:
            selected.append(chosen[at - 1][0])
        at = before
    return selected[::-1]


def _count_until(ends: Sequence[int], start: int, most: int) -> int:
    """Return how many of the first `most` spans end at or before an offset."""
    return bisect_left(ends, start + 1, 0, most)
