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
    """A mention to disambiguate: which of its candidates does it stand for?

    Attributes:
        sample: The mention in its context, with an empty `long_form`.
        candidates: The acronym's candidates.
    """

    sample: Sample
    candidates: Sequence[Candidate]


class Training(NamedTuple):
    """The data that a disambiguation system can learn from.

    Attributes:
        train: Labelled samples to train on. Empty in an evaluation without training.
        dev: Labelled samples for choosing settings and for early stopping.
        table: The candidates of each acronym of the set.
        dictionary: The dictionary in use.
        texts: Texts without labels: the test texts in an evaluation without training, otherwise the
            texts of the training part.
    """

    train: Sequence[Sample]
    dev: Sequence[Sample]
    table: Mapping[str, Sequence[Candidate]]
    dictionary: Dictionary
    texts: Sequence[str]

    def labelled(self) -> Sequence[Sample]:
        """Return the labelled training samples, or raise an error if there are none.

        Returns:
            The labelled samples, at least one.

        Raises:
            InputError: If there are no labelled samples.
        """
        if not self.train:
            raise InputError("It needs labelled samples for training, but this data set has none.")
        return self.train


class Gold(NamedTuple):
    """The right answers of a data set.

    Attributes:
        evaluation_set: The set with its answers.
        popularity: The same set with the counts that define which candidates are popular.
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
    """Create a data set from an evaluation set.

    Rows without a mention or without candidates are not put to systems.

    Args:
        name: The data set's name.
        evaluation_set: The rows with their answers.
        popularity: The same rows with the counts that define popularity.
        training: The data that systems can learn from.
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
    """Return the rows that have both a mention and candidates, and can therefore be answered.

    Args:
        evaluation_set: The evaluation set.

    Returns:
        Row numbers in ascending order.
    """
    return [
        row
        for row, sample in enumerate(evaluation_set.samples)
        if sample.start < sample.end and evaluation_set.candidates[row]
    ]


def describe(evaluation_set: EvaluationSet) -> dict[str, int | float | str | None]:
    """Describe an evaluation set: its size, its candidates, and the rows that cannot be answered.

    Args:
        evaluation_set: The evaluation set.

    Returns:
        Properties of the set by name, for the record of results.
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
    """Reads evaluation sets whole, for evaluation without training.

    Attributes:
        counts: Source of the candidates' counts in sets that come with a dictionary; see
            `with_counts`.
        dictionary: Dictionary for all other sets. None for the packaged dictionary.
        rows: Number of rows to draw at random from each set, always the same ones. 0 for all rows.
    """

    counts: CountsOption = "dictionary"
    dictionary: DictionaryFile = None
    rows: Annotated[
        int, typer.Option(min=0, help="Number of rows drawn from each data set. 0 takes all.")
    ] = 0

    def read(self, paths: Sequence[Path]) -> Iterator[DisambiguationData]:
        """Read sets in the formats of GLADIS, SDU-21 and SDU-22.

        Args:
            paths: Files and folders to read.

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
"""Functions that return the group of a row. Rows of a group stay in the same part. With "random",
each row is its own group, as in SciAI/SciAD (section 4). With "closed", rows with the same sentence
are a group, with "unseen" rows with the same acronym."""


class Split(NamedTuple):
    """Row numbers of the training, development and test part, in ascending order.

    Attributes:
        train: The training part.
        dev: The development part.
        test: The test part.
    """

    train: list[int]
    dev: list[int]
    test: list[int]


def split(samples: Sequence[Sample], setting: str, seed: int = 0) -> Split:
    """Divide samples 80:10:10 into training, development and test parts.

    Samples of the same group, such as the same sentence, stay in the same part.

    Args:
        samples: The samples.
        setting: A key of `SETTINGS`, which defines the groups.
        seed: Random seed of the         rder in which groups are assigned.

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
    """Draw random samples, up to a maximum number for each sense (acronym and long form).

    A limit of 17 turns UAD into UAD_small (Pouran Ben Veyseh et al. 2020, section 5.2). With the
    same seed, a smaller selection is part of a larger one.

    Args:
        samples: The samples.
        each: Maximum number of samples of each sense.
        seed: Random seed of the         hoice.

    Returns:
        The chosen samples, in their original order.
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
    """Reads evaluation sets and divides them 80:10:10 into training, development and test parts.

    Attributes:
        setting: How the set is divided. Parts have no row in common with "random", no sentence with
            "closed", and no acronym with "unseen".
        per_long_form: Maximum numbers of training samples for a long form, 0 for no limit. Each
            number gives a data set.
        counts: The source of the candidates' counts.
        dictionary: Dictionary of these counts. None for the packaged dictionary.
        seed: Random seed of the         ivision.
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
            paths: Files and folders to read.

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
