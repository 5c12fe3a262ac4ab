"""Data sets for disambiguation: whole sets, and sets divided into training and test parts."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer

from ....dictionary import Candidate, Dictionary
from ....errors import InputError, check_names
from ...datasets.sample import Sample
from ..options import DictionaryFile
from ..task import DataSet, Details, Reader
from .robustness import candidates_for_recall
from .sets import Counts, EvaluationSet, informative, read_sets, with_counts


class Question(NamedTuple):
    """A context whose long form is not told (`sample.long_form` is empty), and its candidates."""

    sample: Sample
    candidates: Sequence[Candidate]


class Training(NamedTuple):
    """What systems learn from.

    Attributes:
        train: Labelled samples; none in an evaluation without training.
        dev: Labelled samples that may choose among settings or end the training.
        table: The candidates of each acronym of the set.
        dictionary: The dictionary in use.
        texts: Texts without labels: those of all questions where nothing is labelled, else those of
            the training part.
    """

    train: Sequence[Sample]
    dev: Sequence[Sample]
    table: Mapping[str, Sequence[Candidate]]
    dictionary: Dictionary
    texts: Sequence[str]

    def labelled(self) -> Sequence[Sample]:
        """Return the labelled samples.

        Raises:
            InputError: If there are none.
        """
        if not self.train:
            raise InputError("It learns from labelled samples, and this set gives none.")
        return self.train


class Gold(NamedTuple):
    """A set with its answers, and the set whose counts say which candidate is popular."""

    asked: EvaluationSet
    popularity: EvaluationSet


DisambiguationData = DataSet[Training, Question, Gold]


def make_data(
    name: str,
    asked: EvaluationSet,
    popularity: EvaluationSet,
    training: Training,
    details: Details,
) -> DisambiguationData:
    """Make the data set of some rows; those without a mention or candidates are not asked."""
    questions = [
        Question(asked.samples[row]._replace(long_form=""), asked.candidates[row])
        for row in askable(asked)
    ]
    texts = [one.text for one in asked.samples]
    train_texts = [one.text for one in training.train]
    gold = Gold(asked, popularity)
    return DataSet(name, training, questions, gold, details, texts, train_texts)


def askable(asked: EvaluationSet) -> list[int]:
    """The rows that can be asked about: they have a mention and candidates."""
    return [
        row
        for row, sample in enumerate(asked.samples)
        if sample.start < sample.end and asked.candidates[row]
    ]


def describe(one: EvaluationSet) -> dict[str, int | float | str | None]:
    """Describe a set: its size, its candidates, and the rows that cannot be answered."""
    sizes = [len(options) for options in one.candidates]
    per_acronym = [len(options) for options in one.table.values()]
    return {
        "rows": len(one.samples),
        "acronyms": len(per_acronym),
        "candidates on average": round(float(np.mean(sizes)), 2),
        "candidates per acronym": round(float(np.mean(per_acronym)), 2),
        **one.problems,
    }


CountsOption = Annotated[
    Counts, typer.Option(help="Counts for sets that have a dictionary of their own.")
]


@dataclass
class WholeSets(Reader[Training, Question, Gold]):
    """Reads whole sets, of which nothing is learnt.

    Attributes:
        counts: Whose counts the candidates of sets with a dictionary of their own carry.
        dictionary: The dictionary that the other sets are put to; None for the packaged one.
        rows: Rows of each set, drawn at random but always the same ones; 0 for all.
    """

    counts: CountsOption = "dictionary"
    dictionary: DictionaryFile = None
    rows: Annotated[int, typer.Option(min=0, help="Rows drawn of each set; 0: all.")] = 0

    def read(self, paths: Sequence[Path]) -> Iterator[DisambiguationData]:
        """Read sets in the formats of GLADIS, SDU-21 and SDU-22."""
        dictionary = Dictionary.open(self.dictionary)
        for one in (found for path in paths for found in read_sets(path, dictionary)):
            if 0 < self.rows < len(one.samples):
                drawn = np.random.default_rng(0).permutation(len(one.samples))[: self.rows]
                one = one.take(sorted(drawn.tolist()))
            asked = with_counts(one, self.counts, dictionary)
            # Its own counts tell which long form is popular, if they say anything.
            own = any(map(informative, one.candidates))
            popularity = one if own else with_counts(one, "dictionary", dictionary)
            details = describe(one) | {
                "candidates for recall 90 %": candidates_for_recall(popularity),
                "counts": self.counts if one.own_dictionary else "dictionary",
                "dictionary": dictionary.fingerprint,
            }
            texts = [sample.text for sample in asked.samples]
            training = Training((), (), asked.table, dictionary, texts)
            yield make_data(one.name, asked, popularity, training, details)


SHARES = (0.8, 0.1, 0.1)
"""Of the rows, for training, development and test (Pouran Ben Veyseh et al. 2020, section 4)."""

SETTINGS: dict[str, Callable[[int, Sample], Hashable]] = {
    "random": lambda row, _: row,
    "closed": lambda _, sample: sample.text,
    "unseen": lambda _, sample: sample.acronym,
}
"""What rows must share to stay together: random, nothing, as in SciAI/SciAD (section 4); closed,
their sentence; unseen, their acronym."""


class Split(NamedTuple):
    """Row numbers, each in ascending order."""

    train: list[int]
    dev: list[int]
    test: list[int]


def split(samples: Sequence[Sample], setting: str, seed: int = 0) -> Split:
    """Divide the samples 80:10:10; what must stay together is drawn in a seeded random order.

    Raises:
        InputError: If a part would be empty.
    """
    groups: dict[Hashable, list[int]] = {}
    for row, sample in enumerate(samples):
        groups.setdefault(SETTINGS[setting](row, sample), []).append(row)
    names = list(groups)
    parts: list[list[int]] = [[], [], []]
    wanted = [share * len(samples) for share in SHARES]
    for index in np.random.default_rng(seed).permutation(len(names)).tolist():
        rows = groups[names[index]]
        # To the part that lacks most of its share: no part is overrun by one large group.
        lacking = [(want - len(part)) / want for want, part in zip(wanted, parts, strict=True)]
        parts[lacking.index(max(lacking))] += rows
    if not all(parts):
        raise InputError(
            f"{len(samples)} samples of {len(groups)} different "
            f"{'acronyms' if setting == 'unseen' else 'sentences'} cannot be divided into "
            "training, development and test: give a larger set."
        )
    return Split(*map(sorted, parts))


def at_most(samples: Sequence[Sample], each: int, seed: int = 0) -> list[Sample]:
    """Choose at random at most `each` samples of every long form of an acronym, in their order.

    With 17 it makes UAD_small of UAD (Pouran Ben Veyseh et al. 2020, section 5.2). A smaller choice
    is part of a larger one of the same seed.
    """
    taken: Counter[tuple[str, str]] = Counter()
    chosen = []
    for row in np.random.default_rng(seed).permutation(len(samples)).tolist():
        pair = samples[row].acronym, samples[row].long_form
        if taken[pair] < each:
            taken[pair] += 1
            chosen.append(row)
    return [samples[row] for row in sorted(chosen)]


@dataclass
class DividedSets(Reader[Training, Question, Gold]):
    """Reads sets and divides them 80:10:10.

    Attributes:
        setting: What no two parts share: random, a row; closed, a sentence; unseen, an acronym.
        per_long_form: Training samples of a long form at most, a data set for each; 0 takes all.
        counts: Whose counts the candidates carry.
        dictionary: The dictionary of these counts; None for the packaged one.
        seed: Of the division.
    """

    setting: Annotated[
        tuple[str, ...],
        typer.Option(
            help="random; closed: no sentence twice; unseen: no acronym twice. Default: the last "
            "two."
        ),
    ] = ("closed", "unseen")
    per_long_form: Annotated[
        tuple[int, ...],
        typer.Option(min=0, help="Training samples of a long form; 0: all (repeatable: a curve)."),
    ] = (0,)
    counts: CountsOption = "dictionary"
    dictionary: DictionaryFile = None
    seed: int = 0

    def read(self, paths: Sequence[Path]) -> Iterator[DisambiguationData]:
        """Read sets that have a dictionary of their own."""
        check_names("setting", self.setting, SETTINGS)
        dictionary = Dictionary.open(self.dictionary)
        sets = [one for path in paths for one in read_sets(path)]
        if len({one.name for one in sets}) < len(sets):
            raise InputError("Two of the sets have one name: give them in separate commands.")
        for one, setting in product(sets, self.setting):
            asked = with_counts(one, self.counts, dictionary)
            parts = split(asked.samples, setting, self.seed)
            test = asked.take(parts.test)
            train, dev = (
                # A sample without a mention teaches nothing.
                [sample for sample in map(asked.samples.__getitem__, part) if sample.end]
                for part in (parts.train, parts.dev)
            )
            for each in self.per_long_form:
                chosen = at_most(train, each, self.seed) if each else train
                limit = f", at most {each} of a long form" if each else ""
                details = describe(test) | {
                    "training rows": len(chosen),
                    "counts": self.counts,
                    "dictionary": dictionary.fingerprint,
                }
                texts = [sample.text for sample in chosen]
                training = Training(chosen, dev, asked.table, dictionary, texts)
                yield make_data(f"{one.name} {setting}{limit}", test, test, training, details)
