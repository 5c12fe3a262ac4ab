"""Comparison of a training and a test set for leakage (Elangovan et al. 2021)."""

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
    """Compare a test set with a training set.

    For the texts and annotations, and for uni-, bi- and trigrams, the report describes the
    similarity of each test item to its most similar training item. It also counts exact duplicates
    (ignoring case and spacing), and acronyms and (acronym, long form) pairs that both sets have.
    Labelled texts are also described label by label (Table 6).

    Args:
        train: The training items.
        test: The test items.
        progress: Called with a description of each comparison.
        closest: Number of pairs of similar texts to list, from the most similar. Equal texts are
            not listed.

    Returns:
        The figures, as JSON types. Similarities are in 0..1.
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
    """Describe the similarities of test items by mean, quartiles and counts per interval.

    Items without any n-gram count with similarity 0.

    Args:
        nearest: The best match of each test item.

    Returns:
        The figures, as JSON types.
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
    """Describe similarities by count, mean, standard deviation, quartiles and range (Table 6).

    Args:
        similarity: Similarities [items] in 0..1.

    Returns:
        The figures by name.
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

    Args:
        test: The test texts.
        train: The training texts.
        progress: Called with the n of each n-gram size.

    Returns:
        A mapping from each n to the best match of every test text.
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
    """Count the test set's distinct values, those also in training, and the items with these."""
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
    """Return the item's pairs, with equivalent spellings of a long form merged."""
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
    """Create the tables of an audit report.

    Args:
        report: The figures that `audit` returns.

    Yields:
        The tables.
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
    """Return a table of the test set's counts, those also in training, and their share."""
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
