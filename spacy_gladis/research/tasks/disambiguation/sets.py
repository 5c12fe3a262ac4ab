"""Evaluation sets in the formats of GLADIS, SDU-21 and SDU-22, as samples with their candidates."""

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
"""Domain name of the counts that come from a set's own dictionary."""

PARTS = ("train", "dev", "test")

Candidates = list[Candidate]


@dataclass(frozen=True)
class EvaluationSet:
    """Samples with their candidates and right answers, row by row.

    Rows without a mention or a gold candidate always count as wrong. `problems` has their number.

    Attributes:
        name: The set's name.
        samples: The samples. If the acronym is not in its sentence, the mention is empty.
        candidates: The candidates of each sample.
        gold: Index of the right candidate of each sample, -1 if it is not among the candidates.
        own_dictionary: Whether the set has a dictionary of its own.
        problems: The number of rows with each problem.
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
        """Create an evaluation set from samples by looking up the candidates of each.

        In a set with its own dictionary, the right candidate is spelled like the gold long form. In
        another dictionary, it is the first one with the same `merge_key`.

        Args:
            name: The set's name.
            samples: The samples.
            candidates_of: Function that returns the candidates of an acronym.
            own_dictionary: Whether the candidates are from the set's own dictionary.

        Returns:
            The set.
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
        """Return a set with a selection of the rows.

        Args:
            rows: Row numbers.

        Returns:
            An evaluation set with these rows, in this order.
        """
        return EvaluationSet.of(
            self.name,
            [self.samples[row] for row in rows],
            self.table.__getitem__,
            self.own_dictionary,
        )

    @property
    def table(self) -> dict[str, Candidates]:
        """Return the candidates of each acronym."""
        pairs = zip(self.samples, self.candidates, strict=True)
        return {sample.acronym: options for sample, options in pairs}


def find_long_form(candidates: Iterable[Candidate], long_form: str, exact: bool) -> int:
    """Find the first candidate with a given long form.

    Args:
        candidates: The candidates.
        long_form: The long form.
        exact: Whether to compare spellings rather than merge keys.

    Returns:
        Index of the first match, or -1 if there is none.
    """
    key: Callable[[str], str] = str if exact else merge_key
    wanted = key(long_form)
    names = enumerate(key(candidate.long_form) for candidate in candidates)
    return next((index for index, name in names if name == wanted), -1)


def read_sets(path: Path, dictionary: Dictionary | None = None) -> list[EvaluationSet]:
    """Read the evaluation set in a file, or all sets in a folder.

    Sets with a dictionary in GLADIS's or SDU's layout (`evaluation/dict`, `diction.json`) are read
    with it. A dev.json or test.json without one, such as 'dataset build' writes, is read with
    `dictionary`.

    Args:
        path: A file or folder.
        dictionary: Dictionary for sets that come without one. None skips these sets.

    Returns:
        At least one set.

    Raises:
        InputError: If the path does not exist.
        FormatError: If there is no set, or a file is broken.
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
    """Read an evaluation set with its own dictionary.

    Args:
        path: The set's file.
        name: The set's name.
        dictionary: The dictionary's file.

    Returns:
        The set.

    Raises:
        FormatError: If a file is broken.
    """
    table = read_candidates(dictionary)
    return EvaluationSet.of(name, read_disambiguation(path), lambda acronym: table.get(acronym, []))


def read_candidates(path: Path) -> dict[str, Candidates]:
    """Read the dictionary that comes with an evaluation set.

    It maps each acronym to long forms, which are strings or pairs `[long form, count]`.

    A long form that is repeated for one acronym is kept once, with its largest count. Adding up the
    counts would give answers away: in GLADIS's biomedical dictionary the gold long forms are
    repeated, and choosing a repeated one is right in 71 % of the development rows.

    Args:
        path: A JSON file.

    Returns:
        Candidates by acronym.

    Raises:
        FormatError: If the file is not such a dictionary.
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
    """Return an evaluation set whose candidates have counts from another source.

    The candidates and their order stay. With "dictionary", a candidate gets the counts that
    `dictionary` has for the acronym and this long form, if any.

    Args:
        evaluation_set: The evaluation set. A set without its own dictionary is returned unchanged.
        counts: "own" keeps the counts, "dictionary" takes those of `dictionary`, "none" drops them.
        dictionary: Dictionary with the counts to use.

    Returns:
        The evaluation set with the new counts.
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
    """Return whether any two candidates differ in their counts.

    Args:
        options: The candidates.

    Returns:
        True if there are two candidates with different counts.
    """
    return len({candidate.total for candidate in options}) > 1


def recount(options: Sequence[Candidate], entries: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates with the counts that a dictionary has for their long forms.

    Args:
        options: The candidates.
        entries: The dictionary's candidates for the acronym.

    Returns:
        The candidates with new counts, in their order.
    """
    by_key: dict[str, Counter[str]] = {}
    for candidate in entries:
        by_key.setdefault(same_key(candidate.long_form), Counter()).update(candidate.counts)
    recounted = []
    for candidate in options:
        counts = dict(by_key.get(same_key(candidate.long_form), {}))
        recounted.append(candidate._replace(counts=counts, total=sum(counts.values())))
    return recounted
