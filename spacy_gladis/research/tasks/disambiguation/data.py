"""Data sets for disambiguation: whole sets, and sets divided into training and test parts."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
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
    """A question: which candidate is the long form of a sample's mention?

    Attributes:
        sample: The mention in its context, with an empty `long_form`.
        candidates: The acronym's candidates.
    """

    sample: Sample
    candidates: Sequence[Candidate]


class Training(NamedTuple):
    """What systems learn from.

    Attributes:
        train: Labelled samples; empty in an evaluation without training.
        dev: Labelled samples for choosing settings or ending the training.
        table: The candidates of each acronym of the set.
        dictionary: The dictionary in use.
        texts: Texts without labels: those of all questions in an evaluation without training, else
            those of the training part.
    """

    train: Sequence[Sample]
    dev: Sequence[Sample]
    table: Mapping[str, Sequence[Candidate]]
    dictionary: Dictionary
    texts: Sequence[str]

    def labelled(self) -> Sequence[Sample]:
        """Return the training samples.

        Returns:
            At least one sample.

        Raises:
            InputError: If there are none.
        """
        if not self.train:
            raise InputError("It needs labelled samples for training, but this data set has none.")
        return self.train


class Gold(NamedTuple):
    """The right answers of a data set.

    Attributes:
        evaluation_set: The set with its answers.
        popularity: The set whose counts say which candidates are popular.
    """

    evaluation_set: EvaluationSet
    popularity: EvaluationSet


DisambiguationData = DataSet[Training, Question, Gold]


def make_data(
    name: str,
    evaluation_set: EvaluationSet,
    popularity: EvaluationSet,
    training: Training,
    details: Details,
) -> DisambiguationData:
    """Make a data set. Rows without a mention or candidates are not asked about.

    Args:
        name: The data set's name.
        evaluation_set: The rows with their answers.
        popularity: The same rows with the counts that define popularity.
        training: What systems learn from.
        details: Properties shown in results.

    Returns:
        The data set.
    """
    questions = [
        Question(evaluation_set.samples[row]._replace(long_form=""), evaluation_set.candidates[row])
        for row in askable(evaluation_set)
    ]
    texts = [sample.text for sample in evaluation_set.samples]
    train_texts = [sample.text for sample in training.train]
    gold = Gold(evaluation_set, popularity)
    return DataSet(name, training, questions, gold, details, texts, train_texts)


def askable(evaluation_set: EvaluationSet) -> list[int]:
    """Return the rows that can be asked about because they have a mention and candidates.

    Args:
        evaluation_set: The set.

    Returns:
        Row numbers in ascending order.
    """
    return [
        row
        for row, sample in enumerate(evaluation_set.samples)
        if sample.start < sample.end and evaluation_set.candidates[row]
    ]


def describe(evaluation_set: EvaluationSet) -> dict[str, int | float | str | None]:
    """Describe a set: its size, its candidates, and the rows that cannot be answered.

    Args:
        evaluation_set: The set.

    Returns:
        Details for results.
    """
    sizes = [len(options) for options in evaluation_set.candidates]
    per_acronym = [len(options) for options in evaluation_set.table.values()]
    return {
        "rows": len(evaluation_set.samples),
        "acronyms": len(per_acronym),
        "candidates on average": round(float(np.mean(sizes)), 2),
        "candidates per acronym": round(float(np.mean(per_acronym)), 2),
        **evaluation_set.problems,
    }


CountsOption = Annotated[
    Counts, typer.Option(help="Counts of candidates for data sets that have their own dictionary.")
]


@dataclass
class WholeSets(Reader[Training, Question, Gold]):
    """Reads whole sets, without a training part.

    Attributes:
        counts: The source of the candidates' counts in sets with a dictionary of their own.
        dictionary: The dictionary for all other sets; None for the packaged one.
        rows: Rows to draw from each set, always the same random ones; 0 for all.
    """

    counts: CountsOption = "dictionary"
    dictionary: DictionaryFile = None
    rows: Annotated[
        int, typer.Option(min=0, help="Number of rows drawn from each data set. 0 takes all.")
    ] = 0

    def read(self, paths: Sequence[Path]) -> Iterator[DisambiguationData]:
        """Read sets in the formats of GLADIS, SDU-21 and SDU-22.

        Args:
            paths: Files and folders.

        Yields:
            A data set for each evaluation set.

        Raises:
            InputError: If a path does not exist.
            FormatError: If a path holds no evaluation set.
        """
        dictionary = Dictionary.open(self.dictionary)
        for evaluation in chain.from_iterable(read_sets(path, dictionary) for path in paths):
            if 0 < self.rows < len(evaluation.samples):
                drawn = np.random.default_rng(0).permutation(len(evaluation.samples))[: self.rows]
                evaluation = evaluation.take(sorted(drawn.tolist()))
            counted = with_counts(evaluation, self.counts, dictionary)
            # The set's own counts define popularity if they distinguish candidates.
            has_counts = any(map(informative, evaluation.candidates))
            popularity = evaluation
            if not has_counts:
                popularity = with_counts(evaluation, "dictionary", dictionary)
            details = describe(evaluation) | {
                "candidates for recall 90 %": candidates_for_recall(popularity),
                "counts": self.counts if evaluation.own_dictionary else "dictionary",
                "dictionary": dictionary.fingerprint,
            }
            texts = [sample.text for sample in counted.samples]
            training = Training((), (), counted.table, dictionary, texts)
            yield make_data(evaluation.name, counted, popularity, training, details)


SHARES = (0.8, 0.1, 0.1)
"""Shares of training, development and test rows (Pouran Ben Veyseh et al. 2020, section 4)."""

SETTINGS: dict[str, Callable[[int, Sample], Hashable]] = {
    "random": lambda row, _: row,
    "closed": lambda _, sample: sample.text,
    "unseen": lambda _, sample: sample.acronym,
}
"""Keys of the rows that stay in one part: with "random" each row is alone, as in SciAI/SciAD
(section 4), with "closed" rows share a sentence, with "unseen" an acronym."""


class Split(NamedTuple):
    """Row numbers of each part, in ascending order.

    Attributes:
        train: The training part.
        dev: The development part.
        test: The test part.
    """

    train: list[int]
    dev: list[int]
    test: list[int]


def split(samples: Sequence[Sample], setting: str, seed: int = 0) -> Split:
    """Divide samples 80:10:10 into parts that share no group of a setting.

    Args:
        samples: The samples.
        setting: A key of `SETTINGS`, which says what makes a group.
        seed: Seed of the order in which groups are assigned.

    Returns:
        The rows of each part.

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
        # A group goes to the part that lacks most of its share, so that none gets far too large.
        lacking = [(want - len(part)) / want for want, part in zip(wanted, parts, strict=True)]
        parts[lacking.index(max(lacking))] += rows
    if not all(parts):
        raise InputError(
            f"{len(samples)} samples of {len(groups)} different "
            f"{'acronyms' if setting == 'unseen' else 'sentences'} cannot be split into training, "
            "development and test. Give a larger set."
        )
    return Split(*map(sorted, parts))


def at_most(samples: Sequence[Sample], each: int, seed: int = 0) -> list[Sample]:
    """Choose random samples, with a limit for each long form of an acronym.

    A limit of 17 turns UAD into UAD_small (Pouran Ben Veyseh et al. 2020, section 5.2). A smaller
    choice is part of a larger one with the same seed.

    Args:
        samples: The samples.
        each: The most samples of a long form of an acronym.
        seed: Seed of the choice.

    Returns:
        The chosen samples, in their order.
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
        setting: What no two parts share: "random" for a row, "closed" for a sentence, "unseen"
            for an acronym.
        per_long_form: The most training samples of a long form, with a data set for each number; 0
            for all.
        counts: The source of the candidates' counts.
        dictionary: The dictionary of these counts; None for the packaged one.
        seed: Seed of the division.
    """

    setting: Annotated[
        tuple[str, ...],
        typer.Option(
            help="Split: random, closed (no sentence in two parts) or unseen (no acronym in two "
            "parts). Default: closed and unseen."
        ),
    ] = ("closed", "unseen")
    per_long_form: Annotated[
        tuple[int, ...],
        typer.Option(
            min=0,
            help="Maximum training samples per long form. 0 takes all. Repeat it for a learning "
            "curve.",
        ),
    ] = (0,)
    counts: CountsOption = "dictionary"
    dictionary: DictionaryFile = None
    seed: int = 0

    def read(self, paths: Sequence[Path]) -> Iterator[DisambiguationData]:
        """Read sets that have a dictionary of their own.

        Args:
            paths: Files and folders.

        Yields:
            A data set for each evaluation set, setting and number of training samples.

        Raises:
            InputError: If a setting is unknown, two sets have one name, or a set is too small.
            FormatError: If a path holds no evaluation set.
        """
        check_names("setting", self.setting, SETTINGS)
        dictionary = Dictionary.open(self.dictionary)
        sets = list(chain.from_iterable(map(read_sets, paths)))
        if len({evaluation.name for evaluation in sets}) < len(sets):
            raise InputError(
                "Two data sets have the same name. Evaluate them in separate commands."
            )
        for evaluation, setting in product(sets, self.setting):
            counted = with_counts(evaluation, self.counts, dictionary)
            parts = split(counted.samples, setting, self.seed)
            test = counted.take(parts.test)
            train, dev = (
                # Samples without a mention can't be learned from.
                [sample for sample in map(counted.samples.__getitem__, part) if sample.end]
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
                training = Training(chosen, dev, counted.table, dictionary, texts)
                yield make_data(
                    f"{evaluation.name} {setting}{limit}", test, test, training, details
                )
