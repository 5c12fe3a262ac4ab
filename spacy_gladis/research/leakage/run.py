"""Comparison of a test set with a training set, to measure leakage (Elangovan et al. 2021)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...arrays import Doubles
from ...output.figures import Columns, Table
from ...text.spelling import merge_key
from ..metrics.scores import by_interval
from .readers import Item
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
    """Measure how much of a test set is equal or similar to the training set.

    The report describes how similar each test text, and each annotation, is to the most similar one
    in the training set. It has these figures for uni-, bi- and trigrams. It also counts duplicates
    (ignoring case and spacing), and the acronyms and (acronym, long form) pairs that both sets
    have. If the texts are labelled, the similarities are also described for each label (Table 6).

    Args:
        train: Items of the training set.
        test: Items of the test set.
        progress: Function that is called with a description of each comparison before it starts,
            such as "texts, 2-grams".
        closest: Maximum number of pairs of a test text and a similar training text to list, the
            most similar first. Pairs of equal texts are not listed.

    Returns:
        The figures as JSON types, by name. Similarities are in 0..1. `tables` converts them to
        tables.
    """
    test_texts, train_texts = [item.text for item in test], [item.text for item in train]
    matches = nearest_by_ngrams(test_texts, train_texts, lambda n: progress(f"texts, {n}-grams"))
    report: Report = {
        "train": _size(train),
        "test": _size(test),
        "texts": {str(n): profile(match) for n, match in matches.items()},
        "duplicate_texts": _duplicates(test_texts, train_texts),
        "annotations": {},
        "acronyms": _shared([item.acronyms for item in test], [item.acronyms for item in train]),
        "pairs": _shared([_pairs(item) for item in test], [_pairs(item) for item in train]),
        "closest": _closest(test, train, matches[1], closest),
    }
    labels = np.array([item.label for item in test])
    for label in filter(None, np.unique(labels).tolist()):
        report.setdefault("labels", {})[label] = {
            str(n): spread(match.similarity[labels == label]) for n, match in matches.items()
        }
    test_marks, train_marks = _annotations(test), _annotations(train)
    if test_marks and train_marks:
        of_marks = nearest_by_ngrams(
            test_marks, train_marks, lambda n: progress(f"annotations, {n}-grams")
        )
        report["annotations"] = {str(n): profile(match) for n, match in of_marks.items()}
        report["duplicate_annotations"] = _duplicates(test_marks, train_marks)
    return report


def profile(nearest: Nearest) -> Report:
    """Summarize the similarities of test items by mean, quartiles and counts per interval.

    Items without any n-gram count with similarity 0.

    Args:
        nearest: The most similar training text of each test item. There is at least one item.

    Returns:
        A dictionary of JSON types: the number of `items`, their `mean` similarity, the three
        `quartiles`, the number of items in each of four `intervals`, and the number of `empty`
        items without any n-gram.
    """
    similarity = nearest.similarity
    return {
        "items": len(similarity),
        "mean": float(similarity.mean()),
        "quartiles": [float(value) for value in np.quantile(similarity, (0.25, 0.5, 0.75))],
        "intervals": {name: len(rows) for name, rows in by_interval(similarity).items()},
        "empty": int(nearest.empty.sum()),
    }


def spread(similarity: Doubles) -> Report:
    """Summarize similarities by count, mean, standard deviation, quartiles and range (Table 6).

    The standard deviation is that of a population. It divides by the number of items.

    Args:
        similarity: Similarities in 0..1, [items].

    Returns:
        A mapping from `count`, `mean`, `std`, `min`, `25%`, `50%`, `75%` and `max` to their values.
    """
    ends = dict(
        zip(("min", "25%", "50%", "75%", "max"), np.quantile(similarity, QUARTERS), strict=True)
    )
    figures = {"mean": similarity.mean(), "std": similarity.std(), **ends}
    return {"count": len(similarity), **{name: float(value) for name, value in figures.items()}}


def nearest_by_ngrams(
    test: Sequence[str], train: Sequence[str], progress: Callable[[int], None] = lambda _: None
) -> dict[int, Nearest]:
    """Find the most similar training text of each test text by uni-, bi- and trigrams.

    Repeated texts are compared only once.

    Args:
        test: Texts of the test set.
        train: Texts of the training set.
        progress: Function that is called with the size of the n-grams (1, 2 or 3) before each
            comparison.

    Returns:
        A mapping from each n-gram size to the best matches, which have one row for each test text.
    """
    number = {text: row for row, text in enumerate(dict.fromkeys(test))}
    back = np.array([number[text] for text in test], dtype=np.int64)
    first = {text: row for row, text in reversed(list(enumerate(train)))}
    distinct = list(dict.fromkeys(train))
    rows = np.array([first[text] for text in distinct] + [-1], dtype=np.int64)
    matches = {}
    for n in NGRAMS:
        progress(n)
        match = nearest(list(number), distinct, n)
        index = rows[match.train_index]  # -1, for no match, stays -1
        matches[n] = Nearest(match.similarity[back], index[back], match.empty[back])
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
    train_texts = set(map(normal, train))
    return sum(normal(text) in train_texts for text in test)


def _shared(test: Sequence[tuple[Any, ...]], train: Sequence[tuple[Any, ...]]) -> Report | None:
    """Count distinct test values, those also in training, and the items that have such a value."""
    test_values = {value for values in test for value in values}
    train_values = {value for values in train for value in values}
    if not test_values or not train_values:  # one of the sets has none to compare
        return None
    return {
        "test": len(test_values),
        "shared": len(test_values & train_values),
        "items_with_shared": sum(any(value in train_values for value in values) for values in test),
    }


def _pairs(item: Item) -> tuple[tuple[str, str], ...]:
    """Return an item's pairs with their long forms replaced by merge keys."""
    return tuple((acronym, merge_key(long_form)) for acronym, long_form in item.pairs)


def _closest(
    test: Sequence[Item], train: Sequence[Item], match: Nearest, number: int
) -> list[Report]:
    closest: list[Report] = []
    seen: set[str] = set()
    for row in np.argsort(-match.similarity, kind="stable"):
        if len(closest) >= number or match.train_index[row] < 0:
            break
        test_item, train_item = test[row], train[match.train_index[row]]
        key = normal(test_item.text)
        if key == normal(train_item.text) or key in seen:
            continue
        seen.add(key)
        closest.append(
            {
                "similarity": float(match.similarity[row]),
                "test": {"id": test_item.id, "text": test_item.text},
                "train": {"id": train_item.id, "text": train_item.text},
            }
        )
    return closest


GRAMS = {"1": "unigrams", "2": "bigrams", "3": "trigrams"}
SIZES: Columns = {
    name: name.replace(" ", "_") for name in ("items", "distinct texts", "annotations", "documents")
}


def tables(report: Report) -> Iterator[Table]:
    """Convert the report of a leakage audit to tables.

    Args:
        report: The figures that `audit` returned.

    Yields:
        The sizes of both sets, the similarities of texts, annotations and labels, the numbers of
        shared items, and the closest pairs of texts. Tables without data are left out.
    """
    sides = ((side, report[side]) for side in ("train", "test"))
    yield Table.of("Sets", ("set",), SIZES, sides)
    for what in ("texts", "annotations"):
        if report[what]:
            yield _profile(what, report[what])
    for label, profiles in report.get("labels", {}).items():
        names = list(profiles["1"])
        rows = [(GRAMS[n], *figures.values()) for n, figures in profiles.items()]
        yield Table(f"Similarity of test texts of label {label}", ["n-grams", *names], rows)
    yield _shared_table(report)
    closest: Columns = {"similarity": "similarity", "test": "test.text", "training": "train.text"}
    if report["closest"]:
        pairs = ((pair,) for pair in report["closest"])
        yield Table.of("The closest texts that are not equal", (), closest, pairs)


def _profile(what: str, profiles: Report) -> Table:
    intervals = next(iter(profiles.values()))["intervals"]
    columns = (what, "mean", "quartile 1", "median", "quartile 3", *intervals, "without any")
    rows = [
        (GRAMS[n], row["mean"], *row["quartiles"], *row["intervals"].values(), row["empty"])
        for n, row in profiles.items()
    ]
    return Table(f"Best similarity of test {what} to training {what}, % (and items)", columns, rows)


def _shared_table(report: Report) -> Table:
    """Create a table that counts the test set's values and those that are also in training."""
    items, annotations = report["test"]["items"], report["test"]["annotations"]
    counts = [("equal texts", items, report["duplicate_texts"])]
    if report["annotations"]:
        counts.append(("equal annotations", annotations, report["duplicate_annotations"]))
    for key, name in (("acronyms", "acronyms"), ("pairs", "(acronym, long form) pairs")):
        if shared := report[key]:
            counts.append((name, shared["test"], shared["shared"]))
            counts.append((f"items with shared {name}", items, shared["items_with_shared"]))
    rows = [(*row, row[2] / row[1] if row[1] else None) for row in counts]
    return Table("What both sets have", ("", "in the test set", "also in training", "share"), rows)
