import json
import multiprocessing
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spacy_gladis.arrays import Floats
from spacy_gladis.dictionary import Dictionary
from spacy_gladis.errors import InputError
from spacy_gladis.linking import AcroBERT, LongFormVectors
from spacy_gladis.research.training.network import AcroNetwork
from tests.support.checkpoints import CONFIG


@pytest.fixture
def dictionary(tmp_path: Path) -> Dictionary:
    path = tmp_path / "entries.json"
    path.write_text(json.dumps({"AI": [["artificial intelligence", 9], ["adequate intake", 3]]}))
    dictionary = Dictionary.open(path)
    dictionary.add("AI", "aromatase inhibitor")
    return dictionary


class Once(AcroBERT):
    """Encodes long forms once."""

    done = False

    def encode_long_forms(self, *given: Any) -> Floats:
        assert not self.done
        self.done = True
        return super().encode_long_forms(*given)


def test_nothing_is_computed_twice_and_a_file_is_another_for_other_weights(
    model: AcroBERT, dictionary: Dictionary, tmp_path: Path
) -> None:
    stored = [candidate for candidate in dictionary.candidates("AI") if candidate.index >= 0]
    cache, once = tmp_path / "cache", Once(model.weights, model.pieces, model.settings)
    vectors = LongFormVectors(once, dictionary, cache)
    first = vectors.get(stored)
    np.testing.assert_array_equal(vectors.get(stored[::-1]), first[::-1])
    copy = dictionary.copy()
    copy.add("QBZ", "quartz band zone")
    for same in (dictionary, copy):
        np.testing.assert_array_equal(LongFormVectors(once, same, cache).get(stored), first)
    another = model.with_weights(AcroNetwork(CONFIG).weights())
    other = LongFormVectors(another, dictionary, cache).get(stored)
    assert np.abs(other - first).max() > 1e-3
    assert len(list(cache.iterdir())) == 2


def test_a_damaged_file_is_made_anew(
    model: AcroBERT, dictionary: Dictionary, tmp_path: Path
) -> None:
    stored = [candidate for candidate in dictionary.candidates("AI") if candidate.index >= 0]
    first = LongFormVectors(model, dictionary, tmp_path / "cache").get(stored)
    (path,) = (tmp_path / "cache").iterdir()
    path.write_bytes(b"short")
    again = LongFormVectors(model, dictionary, tmp_path / "cache").get(stored)
    np.testing.assert_array_equal(again, first)


def fill(weights: Path, entries: Path, cache: Path, names: list[str], start: Any) -> None:
    """Make the cache at the same moment as another process, and fill some of its rows."""
    model, dictionary = AcroBERT.load(weights), Dictionary.open(entries)
    wanted = [
        candidate for candidate in dictionary.candidates("AI") if candidate.long_form in names
    ]
    start.wait(60)
    LongFormVectors(model, dictionary, cache).get(wanted)


@pytest.mark.slow
def test_two_processes_make_one_cache_at_once(
    tiny_weights: Path, tiny_dictionary: Path, tmp_path: Path
) -> None:
    context = multiprocessing.get_context("spawn")
    names = ["artificial intelligence", "adequate intake"]
    cache = tmp_path / "cache"
    start = context.Barrier(2)
    makers = [
        context.Process(target=fill, args=(tiny_weights, tiny_dictionary, cache, [name], start))
        for name in names
    ]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join(120)
    assert [maker.exitcode for maker in makers] == [0, 0]
    assert len(list(cache.iterdir())) == 1  # no temporary file is left
    model, dictionary = AcroBERT.load(tiny_weights), Dictionary.open(tiny_dictionary)
    candidates = dictionary.candidates("AI")
    np.testing.assert_allclose(
        LongFormVectors(model, dictionary, cache).get(candidates),
        model.encode_long_forms([candidate.long_form for candidate in candidates]),
        atol=1e-3,
    )


@pytest.mark.skipif(os.name != "posix", reason="Windows limits no file's size")
def test_a_disk_that_fills_up_is_an_error(
    model: AcroBERT, dictionary: Dictionary, tmp_path: Path
) -> None:
    import resource

    vectors, candidates = LongFormVectors(model, dictionary, tmp_path), dictionary.candidates("AI")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        with pytest.raises(InputError, match="vector cache"):
            vectors.get(candidates)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert vectors.get(candidates).any(axis=1).all()


def test_a_folder_that_is_none(model: AcroBERT, dictionary: Dictionary, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="vector cache"):
        LongFormVectors(model, dictionary, tmp_path / "file")
