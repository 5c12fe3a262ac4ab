"""Reads evaluation sets in the formats of GLADIS, SDU-21 and SDU-22, with their candidates."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from ....dictionary import Candidate, Dictionary
from ....errors import FormatError, InputError
from ....text.spelling import merge_key, same_key
from ...datasets.disambiguation import read_disambiguation
from ...datasets.files import first_line
from ...datasets.sample import Sample

NO_MENTION = "acronym not in the sentence"
NO_GOLD = "gold long form not among the candidates"
NO_CANDIDATES = "acronym not in the dictionary"
OWN = "own"
"""Name of the source of counts that come from the dictionary of an evaluation set."""

PARTS = ("train", "dev", "test")

Candidates = list[Candidate]


@dataclass(frozen=True)
class EvaluationSet:
    """Labelled samples of acronyms with their candidates, to evaluate disambiguation.

    Each row has a sample, its candidates and the index of the right candidate. A row without a
    mention or without a right candidate always counts as wrong.

    Attributes:
        name: Name of the set in results.
        samples: Labelled sample of each row. Its mention is empty if the acronym does not occur in
            the sentence.
        candidates: Candidate long forms of each row.
        gold: Index of the right candidate in each row. -1 if it is not among the candidates.
        own_dictionary: Whether the candidates come from the set's own dictionary.
        problems: Number of rows with each problem, such as an acronym that does not occur in its
            sentence.
    """

    name: str
    samples: list[Sample]
    candidates: list[Candidates]
    gold: list[int]
    own_dictionary: bool = True
    problems: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(
        cls,
        name: str,
        samples: Iterable[Sample],
        candidates_of: Callable[[str], Candidates],
        own_dictionary: bool = True,
    ) -> "EvaluationSet":
        """Create an evaluation set from labelled samples by looking up their candidates.

        If the candidates come from the set's own dictionary, the right candidate is spelled exactly
        like the gold long form. Otherwise, it is the first candidate with the same `merge_key`,
        which ignores small differences of spelling.

        Args:
            name: Name of the set in results.
            samples: Labelled samples, one for each row.
            candidates_of: Function that takes an acronym and returns its candidates.
            own_dictionary: Whether the candidates come from the set's own dictionary.

        Returns:
            An evaluation set with the samples in the same order.
        """
        rows = list(samples)
        table = {acronym: candidates_of(acronym) for acronym in {row.acronym for row in rows}}
        candidates = [table[row.acronym] for row in rows]
        gold = [
            find_long_form(options, row.long_form, exact=own_dictionary)
            for row, options in zip(rows, candidates, strict=True)
        ]
        problems: Counter[str] = Counter()
        for row, options, index in zip(rows, candidates, gold, strict=True):
            problems[NO_MENTION] += row.start == row.end
            problems[NO_CANDIDATES] += not options
            problems[NO_GOLD] += index < 0
        return cls(name, rows, candidates, gold, own_dictionary, +problems)

    def take(self, rows: Iterable[int]) -> "EvaluationSet":
        """Return an evaluation set with a selection of this set's rows.

        Args:
            rows: Indices of the rows to select.

        Returns:
            A new set of the same name with the selected rows, in the order of `rows`.
        """
        return EvaluationSet.of(
            self.name,
            [self.samples[row] for row in rows],
            self.table.__getitem__,
            self.own_dictionary,
        )

    @property
    def table(self) -> dict[str, Candidates]:
        """A mapping from each acronym of the set to its candidates."""
        pairs = zip(self.samples, self.candidates, strict=True)
        return {sample.acronym: options for sample, options in pairs}


def find_long_form(candidates: Iterable[Candidate], long_form: str, exact: bool) -> int:
    """Find the first candidate that has a given long form.

    Args:
        candidates: Candidates of an acronym.
        long_form: Long form to look for.
        exact: Whether the spellings must be equal. Otherwise, only their `merge_key` must be, so
            that "Neural networks" matches "neural network".

    Returns:
        Index of the first matching candidate, or -1 if there is none.
    """
    key: Callable[[str], str] = str if exact else merge_key
    wanted = key(long_form)
    names = enumerate(key(candidate.long_form) for candidate in candidates)
    return next((index for index, name in names if name == wanted), -1)


def read_sets(path: Path, dictionary: Dictionary | None = None) -> list[EvaluationSet]:
    """Read the evaluation set in a file, or all evaluation sets in a folder.

    A set comes with its own dictionary if the dictionary is where GLADIS or SDU puts it: in a
    folder `dict` next to the set's folder, or in `diction.json` next to the set's file. The command
    `dataset build` writes a dev.json and a test.json without a dictionary. Their candidates are
    looked up in `dictionary`.

    This lookup differs from GLADIS in two ways. It also finds the candidates of other spellings of
    the acronym; see `Dictionary.lookup`. And no gold long form is added that the dictionary lacks,
    so such a row can't be answered right (the paper adds it with the count 1, section 3.2).

    Args:
        path: File of an evaluation set, or a folder that contains evaluation sets.
        dictionary: Dictionary for sets that come without their own. None ignores these sets.

    Returns:
        At least one evaluation set.

    Raises:
        InputError: If the path does not exist.
        FormatError: If there is no evaluation set, or if a file is damaged.
    """
    if not path.exists():
        raise InputError(f"{path} does not exist.")
    sets = []
    for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
        stem = file.stem.removesuffix("_test")
        if own_dictionary := _find_dictionary(file):
            whole = file == path or stem != file.stem
            name = stem if whole else file.relative_to(path).with_suffix("").as_posix()
            if whole or stem in PARTS:
                sets.append(read_set(file, name, own_dictionary))
        elif stem in PARTS[1:] and dictionary and '"short_term"' in first_line(file):
            name, samples = f"{file.parent.name}/{stem}", read_disambiguation(file)
            sets.append(EvaluationSet.of(name, samples, dictionary.lookup, False))
    if not sets:
        raise FormatError(
            f"{path} contains no evaluation set. Expected GLADIS's folders test_set and dict, its "
            "dev.json or test.json, or train.json or dev.json next to diction.json."
        )
    return sets


def read_set(path: Path, name: str, dictionary: Path) -> EvaluationSet:
    """Read an evaluation set that comes with its own dictionary.

    Args:
        path: File with the labelled samples.
        name: Name of the set in results.
        dictionary: File with the dictionary, a JSON object.

    Returns:
        The evaluation set. An acronym that is not in the dictionary has no candidates.

    Raises:
        FormatError: If one of the files is damaged.
    """
    table = read_candidates(dictionary)
    return EvaluationSet.of(name, read_disambiguation(path), lambda acronym: table.get(acronym, []))


def read_candidates(path: Path) -> dict[str, Candidates]:
    """Read the dictionary that comes with an evaluation set.

    The file maps each acronym to a list of its long forms. A long form is a string, whose count is
    1, or a pair `[long form, count]`.

    If a list contains a long form twice, the candidate has the larger of the two counts. The sum of
    the counts would give the answers away. In GLADIS's biomedical dictionary, the gold long forms
    are repeated: choosing a repeated long form is right in 71 % of the development rows.

    Args:
        path: Path of the JSON file.

    Returns:
        A mapping from each acronym to its candidates, in the order of the file.

    Raises:
        FormatError: If the file does not map acronyms to lists of long forms.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return {acronym: _candidates(options) for acronym, options in record.items()}
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise FormatError(
            f"{path} is not a dictionary of acronyms with lists of long forms: {error}."
        ) from error


def _candidates(options: list[Any]) -> Candidates:
    counts: dict[str, int] = {}
    for option in options:
        long_form, count = (option, 1) if isinstance(option, str) else option
        counts[str(long_form)] = max(int(count), counts.get(str(long_form), 0))
    return [Candidate(name, {OWN: count}, count, -1) for name, count in counts.items()]


def _find_dictionary(path: Path) -> Path | None:
    stem = path.stem.removesuffix("_test")
    for file in (path.parents[1] / "dict" / f"{stem}_dict.json", path.with_name("diction.json")):
        if file.is_file():
            return file
    return None


Counts = Literal["own", "dictionary", "none"]


def with_counts(
    evaluation_set: EvaluationSet, counts: Counts, dictionary: Dictionary
) -> EvaluationSet:
    """Replace the counts of an evaluation set's candidates by those of another source.

    The candidates and their order stay the same.

    Args:
        evaluation_set: The evaluation set. A set without its own dictionary is returned unchanged.
        counts: Source of the counts. "own" keeps the present counts. "dictionary" takes the counts
            that `dictionary` has for the acronym and the long form, or 0. "none" sets all counts to
            0.
        dictionary: Dictionary that provides the counts for "dictionary".

    Returns:
        An evaluation set with the same rows and the new counts.
    """
    if counts == "own" or not evaluation_set.own_dictionary:
        return evaluation_set
    table = {
        acronym: recount(options, [] if counts == "none" else dictionary.lookup(acronym))
        for acronym, options in evaluation_set.table.items()
    }
    return replace(
        evaluation_set, candidates=[table[sample.acronym] for sample in evaluation_set.samples]
    )


def informative(options: list[Candidate]) -> bool:
    """Return whether the counts of an acronym's candidates tell which ones are more popular.

    Args:
        options: Candidates of an acronym.

    Returns:
        True if at least two candidates have different counts.
    """
    return len({candidate.total for candidate in options}) > 1


def recount(options: Sequence[Candidate], entries: Sequence[Candidate]) -> list[Candidate]:
    """Replace the counts of an acronym's candidates by those of a dictionary.

    Small differences between the spellings of a long form are ignored, as by `same_key`.

    Args:
        options: Candidates of the acronym, whose counts are replaced.
        entries: Candidates that the dictionary has for the same acronym.

    Returns:
        The candidates of `options` with their new counts, in the same order. A candidate that the
        dictionary does not have gets the count 0.
    """
    by_key: dict[str, Counter[str]] = {}
    for candidate in entries:
        by_key.setdefault(same_key(candidate.long_form), Counter()).update(candidate.counts)
    recounted = []
    for candidate in options:
        counts = dict(by_key.get(same_key(candidate.long_form), {}))
        recounted.append(candidate._replace(counts=counts, total=sum(counts.values())))
    return recounted
