import json
from pathlib import Path

import numpy as np
import pytest
import torch

from spacy_gladis.dictionary import Dictionary
from spacy_gladis.errors import InputError
from spacy_gladis.modeling import AcroBERT, LongFormVectors


@pytest.fixture
def dictionary(tmp_path: Path) -> Dictionary:
    path = tmp_path / "entries.json"
    path.write_text(json.dumps({"AI": [["artificial intelligence", 9], ["adequate intake", 3]]}))
    dictionary = Dictionary.open(path)
    dictionary.add("AI", "aromatase inhibitor")
    return dictionary


def test_vectors_are_those_of_the_model(model: AcroBERT, dictionary: Dictionary) -> None:
    candidates = dictionary.candidates("AI")
    expected = model.encode_long_forms([candidate.long_form for candidate in candidates])
    np.testing.assert_allclose(
        LongFormVectors(model, dictionary).get(candidates), expected, atol=1e-3
    )


def test_nothing_is_computed_twice(
    model: AcroBERT, dictionary: Dictionary, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = LongFormVectors(model, dictionary)
    candidates = dictionary.candidates("AI")
    first = vectors.get(candidates)
    monkeypatch.setattr(AcroBERT, "encode_long_forms", None)
    np.testing.assert_array_equal(vectors.get(candidates[::-1]), first[::-1])


def test_a_file_lasts_and_is_another_for_other_weights(
    model: AcroBERT, dictionary: Dictionary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = [one for one in dictionary.candidates("AI") if one.index >= 0]
    cache = tmp_path / "cache"
    first = LongFormVectors(model, dictionary, cache).get(stored)
    with monkeypatch.context() as patch:
        patch.setattr(AcroBERT, "encode_long_forms", None)
        np.testing.assert_array_equal(LongFormVectors(model, dictionary, cache).get(stored), first)
    weight = model.module.bert.embeddings.word_embeddings.weight.data
    weight += torch.randn_like(weight)
    other = LongFormVectors(model, dictionary, cache).get(stored)
    assert np.abs(other - first).max() > 1e-3
    assert len(list(cache.iterdir())) == 2


def test_a_damaged_file_is_made_anew(
    model: AcroBERT, dictionary: Dictionary, tmp_path: Path
) -> None:
    stored = [one for one in dictionary.candidates("AI") if one.index >= 0]
    first = LongFormVectors(model, dictionary, tmp_path / "cache").get(stored)
    (path,) = (tmp_path / "cache").iterdir()
    path.write_bytes(b"short")
    again = LongFormVectors(model, dictionary, tmp_path / "cache").get(stored)
    np.testing.assert_array_equal(again, first)


def test_a_folder_that_is_none(model: AcroBERT, dictionary: Dictionary, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="vector cache"):
        LongFormVectors(model, dictionary, tmp_path / "file")
