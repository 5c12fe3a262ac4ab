import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.errors import FormatError
from spacy_gladis.modeling.tokens import (
    WordPieces,
    crop,
    length_buckets,
)
from spacy_gladis.rules import Mention


def mention_of(pieces: WordPieces, ids: list[int], span: tuple[int, int]) -> str:
    return str(pieces.tokenizer.decode(ids[slice(*span)], skip_special_tokens=False))


@pytest.mark.parametrize(("before", "after"), [(300, 300), (0, 300), (300, 0), (3, 300), (300, 2)])
def test_a_window_is_full_and_holds_the_mention(
    pieces: WordPieces, before: int, after: int
) -> None:
    text = "potassium " * before + "AI" + " diet" * after
    start = 10 * before
    (window,) = pieces.windows([Mention(text, start, start + 2)], 32)
    assert len(window.ids) == 32
    assert mention_of(pieces, window.ids, window.mention) == "[unused1] ai [unused2]"


def test_a_vocabulary_without_special_tokens_is_refused() -> None:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel

    with pytest.raises(FormatError, match=r"\[CLS\]"):
        WordPieces(Tokenizer(WordLevel({"a": 0}, unk_token="a")))


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 5), st.integers(8, 80))
def test_a_crop_keeps_the_mention(before: int, after: int, length: int, size: int) -> None:
    ids = [1, *range(100, 100 + before), *([7] * length), *range(300, 300 + after), 2]
    window = crop(ids, (1 + before, 1 + before + length), size)
    assert window.ids[slice(*window.mention)] == [7] * length
    assert len(window.ids) <= max(size, length + 2)
    assert (window.ids[0], window.ids[-1]) == (1, 2)


@given(st.lists(st.integers(1, 50), max_size=60), st.integers(1, 200))
def test_buckets_hold_each_sequence_once(lengths: list[int], budget: int) -> None:
    batches = list(length_buckets(lengths, budget))
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or max(lengths[i] for i in batch) * len(batch) <= budget
