"""Data sets for disambiguation, either whole or divided into training and test parts."""

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
    """A mention of an acronym to disambiguate, with the long forms that it may stand for.

    Attributes:
        sample: The mention in its context. Its `long_form` is empty, because that is the answer.
        candidates: The candidate long forms of the acronym. A system scores them in this order.
    """

    sample: Sample
    candidates: Sequence[Candidate]


class Training(NamedTuple):
    """The data that a disambiguation system can learn from.

    Attributes:
        train: Labelled samples to train on. Empty in an evaluation without training.
        dev: Labelled samples for choosing settings and for early stopping. Empty in an evaluation
            without training.
        table: A mapping from each acronym of the data set to its candidates.
        dictionary: The packaged dictionary, or the one that the user chose.
        texts: Unlabelled texts. In an evaluation without training, these are the test texts,
            otherwise the texts of the training samples.
    """

    train: Sequence[Sample]
    dev: Sequence[Sample]
    table: Mapping[str, Sequence[Candidate]]
    dictionary: Dictionary
    texts: Sequence[str]

    def labelled(self) -> Sequence[Sample]:
        """Return the labelled training samples, and make sure that there are any.

        Systems that can't work without training call this method in `fit`.

        Returns:
            At least one labelled sample.

        Raises:
            InputError: If there are no labelled samples, as in an evaluation without training.
        """
        if not self.train:
            raise InputError(
                "The system needs labelled samples for training, but this data set has none."
            )
        return self.train


class Gold(NamedTuple):
    """The right answers to the questions of a data set.

    Attributes:
        evaluation_set: All rows of the set with their right candidates.
        popularity: The same rows, with counts that tell which candidates are popular. These counts
            may differ from those that the systems see.
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
    """Create a data set for systems from the rows of an evaluation set.

    Each row with a mention and candidates becomes a question. Other rows cannot be answered and
    count as wrong.

    Args:
        name: Name of the data set in results.
        evaluation_set: The test rows with their right candidates.
        popularity: The same rows, with counts that tell which candidates are popular.
        training: Data that systems can learn from.
        details: Properties of the data set that results show.

    Returns:
        The data set, whose questions don't contain the right long forms.
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
    """Return the rows of an evaluation set that a system can answer.

    A row can be answered if its acronym occurs in the sentence and has at least one candidate.

    Args:
        evaluation_set: The rows with their candidates.

    Returns:
        Indices of the answerable rows, in ascending order.
    """
    return [
        row
        for row, sample in enumerate(evaluation_set.samples)
        if sample.start < sample.end and evaluation_set.candidates[row]
    ]


def describe(evaluation_set: EvaluationSet) -> dict[str, int | float | str | None]:
    """Summarise the size of an evaluation set, its candidates, and the problems of its rows.

    Args:
        evaluation_set: The rows with their candidates. There must be at least one row.

    Returns:
        Figures by name, which are stored with the results. They are the numbers of rows and of
        acronyms, the mean number of candidates per row and per acronym, and the number of rows with
        each problem.
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
    Counts,
    typer.Option(
        help="Source of the candidates' counts in data sets that have their own dictionary."
    ),
]


@dataclass
class WholeSets(Reader[Training, Question, Gold]):
    """Reads evaluation sets as a whole, to evaluate systems without training.

    Attributes:
        counts: Source of the candidates' counts in sets that come with a dictionary: "own",
            "dictionary" or "none". See `with_counts`.
        dictionary: Path of the dictionary that provides counts, and the candidates of sets without
            their own dictionary. None for the packaged dictionary.
        rows: Number of rows to draw at random from each set. The same rows are drawn every time. 0
            for all rows.
    """

    counts: CountsOption = "dictionary"
    dictionary: DictionaryFile = None
    rows: Annotated[
        int, typer.Option(min=0, help="Number of rows drawn from each data set. 0 takes all.")
    ] = 0

    def read(self, paths: Sequence[Path]) -> Iterator[DisambiguationData]:
        """Read evaluation sets in the formats of GLADIS, SDU-21 and SDU-22.

        Args:
            paths: Files of evaluation sets, or folders that contain them.

        Yields:
            A data set for each evaluation set. It has no labelled training samples.

        Raises:
            InputError: If a path does not exist.
            FormatError: If a path contains no evaluation set.
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
"""Functions that assign rows to groups, by the name of the setting. Rows of the same group stay in
the same part. With "random", each row is a group of its own, as in SciAI/SciAD (section 4). With
"closed", rows with the same sentence form a group. With "unseen", rows with the same acronym do."""


class Split(NamedTuple):
    """Division of a data set's rows into a training, a development and a test part.

    Attributes:
        train: Indices of the training rows, in ascending order.
        dev: Indices of the development rows, in ascending order.
        test: Indices of the test rows, in ascending order.
    """

    train: list[int]
    dev: list[int]
    test: list[int]


def split(samples: Sequence[Sample], setting: str, seed: int = 0) -> Split:
    """Divide samples into a training, a development and a test part, in the ratio 80:10:10.

    The setting determines which samples must stay together, such as those of the same sentence.

    Args:
        samples: The samples to divide.
        setting: How to divide them: "random", "closed" (no sentence in two parts) or "unseen" (no
            acronym in two parts).
        seed: Random seed of the order in which groups of samples are assigned to parts.

    Returns:
        The indices of the samples in each part.

    Raises:
        InputError: If a part would be empty, because there are too few groups.
    """
    groups: dict[Hashable, list[int]] = {}
    for row, sample in enumerate(samples):
        groups.setdefault(SETTINGS[setting](row, sample), []).append(row)
    names = list(groups)
    parts: list[list[int]] = [[], [], []]
    wanted = [share * len(samples) for share in SHARES]
    for index in np.random.default_rng(seed).permutation(len(names)).tolist():
        rows = groups[names[index]]
        # A group goes to the part that lacks most of its share, so that no part gets too large.
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
    """Draw samples at random, up to a maximum number for each pair of acronym and long form.

    This simulates a smaller training set, for example for a learning curve. A maximum of 17 turns
    the data set UAD into UAD_small (Pouran Ben Veyseh et al. 2020, section 5.2). With the same
    seed, the samples of a lower maximum are among those of a higher one.

    Args:
        samples: The samples to draw from.
        each: Maximum number of samples with the same acronym and long form.
        seed: Random seed of the selection.

    Returns:
        The drawn samples, in their original order.
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
    """Reads evaluation sets and divides each into training, development and test parts (80:10:10).

    Attributes:
        setting: Ways to divide a set, each of which gives a separate data set. "random" divides the
            rows at random. With "closed", no sentence occurs in two parts, and with "unseen" no
            acronym does.
        per_long_form: Maximum numbers of training samples for each long form. Every number gives a
            separate data set. 0 for no maximum.
        counts: Source of the candidates' counts: "own", "dictionary" or "none". See `with_counts`.
        dictionary: Path of the dictionary that provides the counts for "dictionary". None for the
            packaged dictionary.
        seed: Random seed of the division and of the selection of training samples.
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
        """Read and divide evaluation sets that come with their own dictionary.

        Args:
            paths: Files of evaluation sets, or folders that contain them.

        Yields:
            A data set for each combination of an evaluation set, a setting and a maximum number of
            training samples.

        Raises:
            InputError: If a path does not exist, a setting is unknown, two sets have the same name,
                or a set is too small to be divided.
            FormatError: If a path contains no evaluation set with its own dictionary.
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
