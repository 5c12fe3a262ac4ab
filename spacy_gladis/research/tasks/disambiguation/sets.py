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
OWN = "own"  # the domain name of counts that a set's own dictionary carries

PARTS = ("train", "dev", "test")

Candidates = list[Candidate]


@dataclass(frozen=True)
class EvaluationSet:
    """Rows to answer: `samples[i]` asks about `candidates[i]`, and `gold[i]` is the answer's index.

    `gold` is -1 where the answer is not among the candidates. A sample whose acronym is not in its
    sentence has an empty mention. Such rows can only be answered wrong; `problems` counts them.
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
        """Pair samples with their candidates and count the rows that have no right answer.

        In a set with its own dictionary the answer is the candidate spelt like the gold long form;
        in another dictionary it is one that `merge_key` holds for the same.
        """
        rows = list(samples)
        known = {acronym: candidates_of(acronym) for acronym in {row.acronym for row in rows}}
        candidates = [known[row.acronym] for row in rows]
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
        """These rows alone, in this order."""
        return EvaluationSet.of(
            self.name,
            [self.samples[row] for row in rows],
            self.table.__getitem__,
            self.own_dictionary,
        )

    @property
    def table(self) -> dict[str, Candidates]:
        """The candidates of each acronym."""
        return {s.acronym: found for s, found in zip(self.samples, self.candidates, strict=True)}


def find_long_form(candidates: Iterable[Candidate], long_form: str, exact: bool) -> int:
    """The index of a long form among candidates, -1 if it is not there."""
    key: Callable[[str], str] = str if exact else merge_key
    wanted = key(long_form)
    places = (at for at, one in enumerate(candidates) if key(one.long_form) == wanted)
    return next(places, -1)


def read_sets(path: Path, dictionary: Dictionary | None = None) -> list[EvaluationSet]:
    """The evaluation set in a file, or every one below a folder.

    Sets with a dictionary beside them (GLADIS's `evaluation`, `train|dev.json` with `diction.json`)
    are read with it. A dev.json or test.json in GLADIS's format without one, such as 'dataset
    build' writes, is put to `dictionary`, and left out when that is None. Raises FormatError where
    there is none.
    """
    if not path.exists():
        raise InputError(f"There is no file or folder {path}.")
    sets = []
    for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
        stem = file.stem.removesuffix("_test")
        if own := _own_dictionary(file):
            whole = file == path or stem != file.stem
            name = stem if whole else file.relative_to(path).with_suffix("").as_posix()
            if whole or stem in PARTS:
                sets.append(read_set(file, name, own))
        elif stem in PARTS[1:] and dictionary and '"short_term"' in first_line(file):
            name, samples = f"{file.parent.name}/{stem}", read_disambiguation(file)
            sets.append(EvaluationSet.of(name, samples, dictionary.lookup, False))
    if not sets:
        raise FormatError(
            f"{path} holds no evaluation set: expected GLADIS's folders test_set and dict, its "
            "dev.json or test.json, or train.json or dev.json beside diction.json."
        )
    return sets


def read_set(path: Path, name: str, dictionary: Path) -> EvaluationSet:
    """An evaluation set and its own dictionary; raises FormatError where one is broken."""
    table = read_candidates(dictionary)
    return EvaluationSet.of(name, read_disambiguation(path), lambda acronym: table.get(acronym, []))


def read_candidates(path: Path) -> dict[str, Candidates]:
    """A set's dictionary: acronym -> long forms, plain or as `[long form, count]`.

    A long form that is repeated for one acronym is taken once, with its largest count. (Adding up
    would give the answers away: in GLADIS's biomedical dictionary it is the gold long forms that
    are repeated, and choosing a repeated one is right in 71 % of the development rows.)
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


def _own_dictionary(path: Path) -> Path | None:
    stem = path.stem.removesuffix("_test")
    for beside in (path.parents[1] / "dict" / f"{stem}_dict.json", path.with_name("diction.json")):
        if beside.is_file():
            return beside
    return None


Counts = Literal["own", "dictionary", "none"]


def with_counts(
    evaluation_set: EvaluationSet, counts: Counts, dictionary: Dictionary
) -> EvaluationSet:
    """The set with the counts of its own dictionary, of `dictionary`, or with none.

    From `dictionary` a candidate takes the counts of those of the acronym's long forms that are
    spellings of it, and none where there is no such. The candidates and their order stay.
    """
    if counts == "own" or not evaluation_set.own_dictionary:
        return evaluation_set
    table = {
        acronym: recount(options, [] if counts == "none" else dictionary.lookup(acronym))
        for acronym, options in evaluation_set.table.items()
    }
    return replace(
        evaluation_set, candidates=[table[one.acronym] for one in evaluation_set.samples]
    )


def informative(options: list[Candidate]) -> bool:
    """Whether the counts tell the candidates apart at all."""
    return len({candidate.total for candidate in options}) > 1


def recount(options: Sequence[Candidate], known: Sequence[Candidate]) -> list[Candidate]:
    """Give candidates the counts that their spellings have among those of a dictionary."""
    by_key: dict[str, Counter[str]] = {}
    for candidate in known:
        by_key.setdefault(same_key(candidate.long_form), Counter()).update(candidate.counts)
    recounted = []
    for candidate in options:
        counts = dict(by_key.get(same_key(candidate.long_form), {}))
        recounted.append(candidate._replace(counts=counts, total=sum(counts.values())))
    return recounted
