"""A document's text without its tokens."""

import pytest
import spacy
from hypothesis import example, given
from hypothesis import strategies as st
from spacy.tokens import Doc

from spacy_gladis.pipeline import annotations

VOCAB = spacy.blank("en").vocab
# spaCy's own symbols have numbers in a row in place of hashes.
SYMBOLS = [VOCAB.strings[number] for number in range(1, 99)]


@given(st.lists(st.tuples(st.sampled_from(SYMBOLS) | st.text(min_size=1), st.booleans())))
@example([(SYMBOLS[0], True), (SYMBOLS[1], False)])
def test_the_text_is_that_of_the_tokens(pieces: list[tuple[str, bool]]) -> None:
    words, spaces = [word for word, _ in pieces], [space for _, space in pieces]
    doc = Doc(VOCAB, words, spaces)
    assert annotations.text_of(doc) == doc.text


def test_words_are_forgotten_where_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annotations, "_MOST_WORDS", 2)
    monkeypatch.setattr(annotations, "_PIECES", {})
    for text in ("one two three", "four five", "one two, four"):
        assert annotations.text_of(spacy.blank("en")(text)) == text
    assert len(annotations._PIECES) == 6  # of eight
