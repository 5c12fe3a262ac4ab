"""The comparison of two sets (Elangovan, He and Verspoor 2021), and its tables."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...arrays import Doubles
from ...output.figures import Columns, Table
from ...text.spelling import merge_key
from ..metrics.scores import by_interval
from .formats import Item
from .similarity import Nearest, nearest, normal

NGRAMS = (1, 2, 3)
QUARTERS = (0, 0.25, 0.5, 0.75, 1)
CLOSEST = 10

Report = dict[str, Any]
Progress = Callable[[str], None]


def audit(
    train: Sequence[Item],
    test: Sequence[Item],
    progress: Progress = lambda _: None,
    closest: int = CLOSEST,
) -> Report:
    """Compare a test set with a training set; every figure as JSON types.

    For texts and for annotations, and for uni-, bi- and trigrams: the similarity of each test item
    to its most similar training item, as mean, quartiles and counts by interval. Exact duplicates
    (but for case and blanks), acronyms and (acronym, long form) pairs that both sets have, and the
    `closest` most similar pairs of texts that are not equal. Where test items have labels, the
    similarities of each label, too (Table 6). `progress` is told what is compared.
    """
    test_texts, train_texts = [one.text for one in test], [one.text for one in train]
    matches = nearest_by_ngrams(test_texts, train_texts, lambda n: progress(f"texts, {n}-grams"))
    report: Report = {
        "train": _size(train),
        "test": _size(test),
        "texts": {str(n): profile(found) for n, found in matches.items()},
        "duplicate_texts": _duplicates(test_texts, train_texts),
        "annotations": {},
        "acronyms": _shared([one.acronyms for one in test], [one.acronyms for one in train]),
        "pairs": _shared([_pairs(one) for one in test], [_pairs(one) for one in train]),
        "closest": _closest(test, train, matches[1], closest),
    }
    labels = np.array([one.label for one in test])
    for label in filter(None, np.unique(labels).tolist()):
        report.setdefault("labels", {})[label] = {
            str(n): spread(found.similarity[labels == label]) for n, found in matches.items()
        }
    test_marks, train_marks = _annotations(test), _annotations(train)
    if test_marks and train_marks:
        of_marks = nearest_by_ngrams(
            test_marks, train_marks, lambda n: progress(f"annotations, {n}-grams")
        )
        report["annotations"] = {str(n): profile(found) for n, found in of_marks.items()}
        report["duplicate_annotations"] = _duplicates(test_marks, train_marks)
    return report


def profile(found: Nearest) -> Report:
    """Mean, quartiles and counts by interval of test items' similarities.

    Items without any n-gram (`empty`) are in, with similarity 0.
    """
    similarity = found.similarity
    return {
        "items": len(similarity),
        "mean": float(similarity.mean()),
        "quartiles": [float(one) for one in np.quantile(similarity, (0.25, 0.5, 0.75))],
        "intervals": {name: len(rows) for name, rows in by_interval(similarity).items()},
        "empty": int(found.empty.sum()),
    }


def spread(similarity: Doubles) -> Report:
    """Describe similarities as Table 6 does: count, mean, deviation, quartiles, both ends."""
    ends = dict(
        zip(("min", "25%", "50%", "75%", "max"), np.quantile(similarity, QUARTERS), strict=True)
    )
    found = {"mean": similarity.mean(), "std": similarity.std(), **ends}
    return {"count": len(similarity), **{name: float(value) for name, value in found.items()}}


def nearest_by_ngrams(
    test: Sequence[str], train: Sequence[str], progress: Callable[[int], None] = lambda _: None
) -> dict[int, Nearest]:
    """`nearest` by n, each distinct text compared once: sets with many repeats are common.

    `progress` is told each n.
    """
    number = {text: row for row, text in enumerate(dict.fromkeys(test))}
    back = np.array([number[text] for text in test], dtype=np.int64)
    first = {text: row for row, text in reversed(list(enumerate(train)))}
    distinct = list(dict.fromkeys(train))
    rows = np.array([first[text] for text in distinct] + [-1], dtype=np.int64)
    matches = {}
    for n in NGRAMS:
        progress(n)
        found = nearest(list(number), distinct, n)
        index = rows[found.train_index]  # -1, which is none, is the last
        matches[n] = Nearest(found.similarity[back], index[back], found.empty[back])
    return matches


def _annotations(items: Sequence[Item]) -> list[str]:
    return [annotation for item in items for annotation in item.annotations]


def _size(items: Sequence[Item]) -> Report:
    return {
        "items": len(items),
        "distinct_texts": len({normal(item.text) for item in items}),
        "annotations": sum(len(item.annotations) for item in items),
        "documents": len({item.document for item in items if item.document}) or None,
    }


def _duplicates(test: Sequence[str], train: Sequence[str]) -> int:
    known = set(map(normal, train))
    return sum(normal(text) in known for text in test)


def _shared(test: Sequence[tuple[Any, ...]], train: Sequence[tuple[Any, ...]]) -> Report | None:
    """Distinct values of the test set, those that training has too, and the items that hold one."""
    wanted = {value for values in test for value in values}
    known = {value for values in train for value in values}
    if not wanted or not known:  # one of the sets has none to compare
        return None
    return {
        "test": len(wanted),
        "shared": len(wanted & known),
        "items_with_shared": sum(any(value in known for value in values) for values in test),
    }


def _pairs(item: Item) -> tuple[tuple[str, str], ...]:
    """The item's pairs; spellings of one long form are one."""
    return tuple((acronym, merge_key(long_form)) for acronym, long_form in item.pairs)


def _closest(
    test: Sequence[Item], train: Sequence[Item], found: Nearest, number: int
) -> list[Report]:
    closest: list[Report] = []
    seen: set[str] = set()
    for row in np.argsort(-found.similarity, kind="stable"):
        if len(closest) >= number or found.train_index[row] < 0:
            break
        one, other = test[row], train[found.train_index[row]]
        key = normal(one.text)
        if key == normal(other.text) or key in seen:
            continue
        seen.add(key)
        closest.append(
            {
                "similarity": float(found.similarity[row]),
                "test": {"id": one.id, "text": one.text},
                "train": {"id": other.id, "text": other.text},
            }
        )
    return closest


GRAMS = {"1": "unigrams", "2": "bigrams", "3": "trigrams"}
SIZES: Columns = {
    name: name.replace(" ", "_") for name in ("items", "distinct texts", "annotations", "documents")
}


def tables(report: Report) -> Iterator[Table]:
    """The tables of an audit."""
    sides = ((side, report[side]) for side in ("train", "test"))
    yield Table.of("Sets", ("set",), SIZES, sides)
    for what in ("texts", "annotations"):
        if report[what]:
            yield _profile(what, report[what])
    for label, profiles in report.get("labels", {}).items():
        names = list(profiles["1"])
        rows = [(GRAMS[n], *one.values()) for n, one in profiles.items()]
        yield Table(f"Similarity of test texts of label {label}", ["n-grams", *names], rows)
    yield _shared_table(report)
    closest: Columns = {"similarity": "similarity", "test": "test.text", "training": "train.text"}
    if report["closest"]:
        pairs = ((one,) for one in report["closest"])
        yield Table.of("The closest texts that are not equal", (), closest, pairs)


def _profile(what: str, profiles: Report) -> Table:
    intervals = next(iter(profiles.values()))["intervals"]
    columns = (what, "mean", "quartile 1", "median", "quartile 3", *intervals, "without any")
    rows = [
        (GRAMS[n], one["mean"], *one["quartiles"], *one["intervals"].values(), one["empty"])
        for n, one in profiles.items()
    ]
    return Table(f"Best similarity of test {what} to training {what}, % (and items)", columns, rows)


def _shared_table(report: Report) -> Table:
    """Numbers of what the test set has, of what training has, too, and their share."""
    items, annotations = report["test"]["items"], report["test"]["annotations"]
    found = [("equal texts", items, report["duplicate_texts"])]
    if report["annotations"]:
        found.append(("equal annotations", annotations, report["duplicate_annotations"]))
    for key, name in (("acronyms", "acronyms"), ("pairs", "(acronym, long form) pairs")):
        if one := report[key]:
            found.append((name, one["test"], one["shared"]))
            found.append((f"items with shared {name}", items, one["items_with_shared"]))
    rows = [(*row, row[2] / row[1] if row[1] else None) for row in found]
    return Table("What both sets have", ("", "in the test set", "also in training", "share"), rows)
