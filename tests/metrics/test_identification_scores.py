import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.errors import InputError
from spacy_gladis.metrics.identification import score_labels, score_offsets, score_spans
from spacy_gladis.text.bio import decode_bio, repair_bio

LABELS = st.lists(st.sampled_from(["O", "B-short", "I-short", "B-long", "I-long"]), max_size=12)
OFFSETS = st.sets(st.tuples(st.integers(0, 4), st.integers(5, 8)), max_size=4)


def test_a_worked_example() -> None:
    gold = [["B-long", "I-long", "O", "B-short"], ["B-short", "O", "B-short", "O"]]
    predicted = [["B-long", "I-long", "O", "B-short"], ["O", "O", "B-short", "I-short"]]
    scores = score_labels(gold, predicted)
    assert scores.short == pytest.approx((1 / 2, 1 / 3, 0.4))
    assert scores.long == (1.0, 1.0, 1.0)
    assert scores.macro[:2] == pytest.approx((3 / 4, 2 / 3))
    assert scores.macro.f1 == pytest.approx(2 * (3 / 4) * (2 / 3) / (3 / 4 + 2 / 3))
    assert scores.micro[:2] == pytest.approx((2 / 3, 1 / 2))


def test_nothing_predicted_has_precision_one() -> None:
    scores = score_labels([["B-short", "B-long"]], [["O", "O"]])
    assert scores.macro == (1.0, 0.0, 0.0)
    assert score_labels([["O"]], [["O"]]).macro == (1.0, 1.0, 1.0)


def test_spans_are_joined_up_to_the_next_begin_or_outside() -> None:
    # `I-long` after `I-short` ends no short span, and joins nothing into one either.
    mixed = [["B-short", "I-long", "I-short", "O", "B-long"]]
    scores = score_labels([["B-short", "I-short", "I-short", "O", "B-long"]], mixed)
    assert scores.short == (1.0, 1.0, 1.0)  # tokens 0 to 2, whatever lies between
    assert scores.long.precision == pytest.approx(1 / 2)  # tokens 1 and 4 against 4
    # A span that begins with I counts as any other.
    assert score_labels([["B-short", "O"]], [["I-short", "O"]]).short == (1.0, 1.0, 1.0)


@given(st.lists(LABELS, max_size=5), st.randoms())
def test_valid_labels_score_as_their_spans(texts: list[list[str]], random) -> None:
    gold = [repair_bio(labels)[0] for labels in texts]
    predicted = [repair_bio(random.sample(labels, len(labels)))[0] for labels in texts]

    def spans(side: list[list[str]], kind: str) -> set[tuple[int, int, int]]:
        return {
            (number, span.start, span.end - 1)
            for number, labels in enumerate(side)
            for span in decode_bio(labels)
            if span.label == kind
        }

    kinds = ("short", "long")
    expected = score_spans(
        [spans(gold, kind) for kind in kinds], [spans(predicted, kind) for kind in kinds]
    )
    assert score_labels(gold, predicted) == expected


@given(st.lists(st.tuples(OFFSETS, OFFSETS, OFFSETS, OFFSETS), min_size=1, max_size=5))
def test_offsets_by_the_definition(rows: list[tuple[set, set, set, set]]) -> None:
    scores = score_offsets([row[:2] for row in rows], [row[2:] for row in rows])
    for kind, score in ((0, scores.short), (1, scores.long)):
        right = sum(len(row[kind] & row[kind + 2]) for row in rows)
        gold, predicted = (sum(len(row[kind + side]) for row in rows) for side in (0, 2))
        assert score.precision == pytest.approx(right / predicted if predicted else 1.0)
        assert score.recall == pytest.approx(right / gold if gold else 1.0)
    assert scores.macro.precision == pytest.approx(
        (scores.short.precision + scores.long.precision) / 2
    )
    assert 0 <= scores.macro.f1 <= 1


def test_micro_counts_a_span_of_both_kinds_once() -> None:
    scores = score_offsets([([(0, 3)], [(0, 3)])], [([(0, 3)], [(5, 6)])])
    assert scores.micro[:2] == pytest.approx((1 / 2, 1.0))


def test_bad_input_is_named() -> None:
    with pytest.raises(InputError, match="1 gold texts but 0"):
        score_labels([["O"]], [])
    with pytest.raises(InputError, match="Text 1 has 2 gold labels but 1"):
        score_labels([["O"], ["O", "O"]], [["O"], ["O"]])
