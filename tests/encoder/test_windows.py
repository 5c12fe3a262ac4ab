"""Windows of word pieces: one to a mention, or shared, in which dense text is read once."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.encoder.shared_windows import SharedWindow, shared_windows
from spacy_gladis.encoder.word_pieces import WordPieces, batch_by_length, crop
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.linking.acrobert import AcroBERT
from spacy_gladis.text import Mention
from tests.support.growth import assert_linear


def mention_of(pieces: WordPieces, ids: list[int], span: tuple[int, int]) -> str:
    return str(pieces.tokenizer.decode(ids[slice(*span)], skip_special_tokens=False))


@pytest.mark.parametrize(("before", "after"), [(300, 300), (0, 300), (300, 0), (3, 300), (300, 2)])
def test_a_window_is_full_and_holds_the_mention(
    pieces: WordPieces, before: int, after: int
) -> None:
    text = "potassium " * before + "AI" + " diet" * after
    start = 10 * before
    (window,) = pieces.encode_windows([Mention(text, start, start + 2)], 32)
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
    batches = list(batch_by_length(lengths, budget))
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or max(lengths[i] for i in batch) * len(batch) <= budget


WORDS = "the intake of a model is in data and daily grams"


def mentions_of(text: str, acronym: str = "AI") -> list[Mention]:
    starts = [at for at in range(len(text)) if text.startswith(acronym, at)]
    return [Mention(text, at, at + len(acronym)) for at in starts]


def read(model: AcroBERT, mentions: list[Mention], reach: int = 4, longest: int = 20) -> list:
    return shared_windows(model.pieces, mentions, reach, longest)


def words(model: AcroBERT, ids: list[int]) -> str:
    return model.pieces.tokenizer.decode(ids, skip_special_tokens=False)


def test_a_window_reaches_to_both_sides_of_its_mentions(model: AcroBERT) -> None:
    text = "data in the intake of AI in the diet and the AI of a model daily grams potassium"
    (window,) = read(model, mentions_of(text))
    start = "[CLS] in the intake of ai in the diet and the ai of a model daily [SEP]"
    assert words(model, window.ids) == start
    assert [words(model, window.ids[a:b]) for a, b in window.mention_spans] == ["ai", "ai"]


def test_no_window_is_longer_than_it_may_be(model: AcroBERT) -> None:
    mentions = mentions_of("in the AI of data " * 30)
    result = read(model, mentions)
    assert max(len(window.ids) for window in result) <= 22
    assert [number for window in result for number in window.mentions] == list(range(30))
    for window in result:
        for first, last in window.mention_spans:
            assert words(model, window.ids[first:last]) == "ai"
            whole = window is result[0] or window is result[-1]
            assert whole or (first >= 5 and len(window.ids) - last >= 5)


def test_texts_and_distant_mentions_stand_apart(model: AcroBERT) -> None:
    far = f"AI {WORDS * 40} AI"
    assert len(read(model, mentions_of(far))) == 2
    assert len(read(model, [*mentions_of("the AI"), *mentions_of("a AI")])) == 2
    nested = [Mention("the AI model", 4, 6), Mention("the AI model", 4, 12)]
    assert len(read(model, nested)) == 2


def test_odd_mentions_have_a_place(model: AcroBERT) -> None:
    text = "the \u200b model " + "ai " * 50
    (window,) = read(model, [Mention(text, 4, 5)])
    assert np.diff(window.mention_spans).item() > 0
    (long,) = read(model, [Mention(text, 10, len(text))])
    assert len(long.ids) <= 22
    with pytest.raises(InputError, match="do not fit"):
        read(model, [Mention("AI", 1, 9)])


def test_a_mention_alone_reads_as_it_does_among_others(model: AcroBERT) -> None:
    model = AcroBERT(model.weights, model.pieces, replace(model.settings, shared=True))
    text = "the AI of data in the diet is a model"
    mentions = [*mentions_of(text), *mentions_of(text, "diet")]
    together = model.encode_contexts(mentions)
    alone = np.concatenate([model.encode_contexts([mention]) for mention in mentions])
    np.testing.assert_allclose(together, alone, atol=1e-2)  # all of the text is near both


def test_dense_text_takes_linear_time(model: AcroBERT) -> None:
    def run(size: int) -> list[SharedWindow]:
        return read(model, mentions_of("AI in " * size))

    assert_linear(run, 500)
