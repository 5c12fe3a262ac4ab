"""A document's text without its tokens."""

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.symbols import NAMES
from spacy.tokens import Doc

from spacy_gladis.pipeline import annotations

VOCAB = spacy.blank("en").vocab
# spaCy's own symbols have numbers in a row in place of hashes.


@given(st.lists(st.tuples(st.sampled_from(NAMES[1:99]) | st.text(min_size=1), st.booleans())))
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
