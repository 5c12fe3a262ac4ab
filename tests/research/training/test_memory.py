"""More contexts for finished weights: centroids, topics, and a run that goes on."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from spacy_gladis.dictionary import Dictionary, write_store
from spacy_gladis.errors import InputError
from spacy_gladis.linking import AcroBERT, Settings
from spacy_gladis.linking.sense_vectors import StoredVectors, sense_key
from spacy_gladis.research.datasets.sample import Sample, write_samples
from spacy_gladis.research.training.centroids import (
    balanced_rotation,
    centroids_of,
    likely_centroids,
    quantise,
)
from spacy_gladis.research.training.likelihood import SenseContexts, axes_of
from spacy_gladis.research.training.memory import add, extend, remember, store_long_forms
from spacy_gladis.research.training.network import AcroNetwork
from spacy_gladis.research.training.topics import fit_topics, source_topics
from spacy_gladis.research.training.weighing import weigh
from tests.support.checkpoints import CONFIG, make_pieces
from tests.support.scoring import make_network

SOURCES = {
    "hearts": {"kind": "common", "fields": {"clinical": 1.0}},
    "networks": {"kind": "glossary", "fields": {"computing": 1.0}},
}


@pytest.fixture
def model() -> AcroBERT:
    torch.manual_seed(0)
    return AcroBERT(AcroNetwork(CONFIG).weights(), make_pieces(), Settings())


@pytest.fixture
def dictionary(tmp_path: Path) -> Dictionary:
    path = tmp_path / "small.sqlite"
    entries = [
        ("HT", [("hypertension", {"hearts": 60}), ("hyper text", {"networks": 1})]),
        ("IP", [("internet protocol", {"networks": 1})]),
    ]
    write_store(entries, path, {"sources": SOURCES})
    return Dictionary.open(path)


def sample(acronym: str, long_form: str, text: str, document: str) -> Sample:
    start = text.index(acronym)
    return Sample(acronym, long_form, text, start, start + len(acronym), document=document)


SAMPLES = [
    sample("HT", "hypertension", "his HT was treated", "a"),
    sample("HT", "hypertension", "the same document's HT is read", "a"),
    sample("HT", "hypertension", "a third HT of a document is left out", "a"),
    sample("HT", "hypertension", "severe HT in the ward", "b"),
    sample("HT", "hypertension", "a fourth HT is left out", "c"),
    sample("IP", "internet protocol", "packets of IP arrive", "a"),
    sample("XX", "in no dictionary and one document", "an XX there", "a"),
    sample("YY", "in no dictionary", "a YY there", "a"),
    sample("YY", "in no dictionary", "another YY there", "b"),
]


def test_a_sense_is_of_the_topics_of_all_its_entries(dictionary: Dictionary) -> None:
    names, row_of, shares = source_topics(dictionary)
    assert names == ["hearts", "networks"]
    heart, protocol = (row_of[sense_key(name)] for name in ("hypertension", "internet protocol"))
    assert shares[[heart, protocol]].toarray().tolist() == [[1, 0], [0, 1]]


def test_contexts_are_told_apart_by_topic(dictionary: Dictionary) -> None:
    rng = np.random.default_rng(0)
    names = ["hypertension", "internet protocol"]
    means = rng.normal(0, 3, (2, 48)).astype(np.float32)
    contexts = np.repeat(means, 30, axis=0) + rng.normal(0, 1, (60, 48)).astype(np.float32)
    keys = np.repeat([sense_key(name) for name in names], 30).tolist()
    seen = SenseContexts.of(keys, [str(number) for number in range(60)], contexts)
    centroids = likely_centroids(seen, axes_of(seen))
    topics = fit_topics(dictionary, centroids, epochs=200)
    assert topics.names == ("hearts", "networks")
    result = topics.classify(means)
    assert result[0, 0] > 0.9 and result[1, 1] > 0.9


def test_senses_are_added_and_the_others_stay(
    model: AcroBERT, dictionary: Dictionary, tmp_path: Path
) -> None:
    first = [sample for sample in SAMPLES if sample.long_form == "hypertension"]
    with pytest.raises(InputError, match="Leave out --keep"):
        add(model, SAMPLES, dictionary, tmp_path)
    before = extend(model, first, dictionary, tmp_path, each=3)
    after = add(before, SAMPLES, dictionary, tmp_path)
    names = ["hypertension", "internet protocol", "in no dictionary"]
    assert (after.centroids.find_rows(names) >= 0).tolist() == [True, True, False]
    old, new = (
        model.centroids.decode(model.centroids.find_rows(names[:1])) for model in (before, after)
    )
    np.testing.assert_array_equal(old, new)
    assert after.centroids.seen[after.centroids.find_rows(names[1:2])].tolist() == [1]


def test_weights_are_fitted_on_new_documents(
    model: AcroBERT, dictionary: Dictionary, tmp_path: Path
) -> None:
    def of(long_form: str, kind: str, documents: range) -> list[Sample]:
        text = f"The HT of {kind} was named."
        made = (sample("HT", long_form, text, str(number)) for number in documents)
        return [sample._replace(kind="definition", domain="networks") for sample in made]

    common, rare = of("hyper text", "pages", range(90)), of("hypertension", "hearts", range(90, 97))
    held_out = [*common, *rare, *of("high tea", "cakes", range(100, 120))]
    assert weigh(model, dictionary, held_out) == model.settings.calibration  # without contexts
    made = extend(model, SAMPLES, dictionary, tmp_path)
    assert weigh(made, dictionary, common[:20]) == made.settings.calibration  # too few
    weights = weigh(made, dictionary, held_out, tmp_path)
    assert weights.initials > 0.5 and weights.folder == made.settings.calibration.folder
    assert weights.texts == weights.phrase == 0
    assert weights.unseen > 0.5 and weights.nil != 0  # what was never seen may be meant
    labelled = replace(made.settings, given=weights)
    made.settings, path = labelled, tmp_path / "samples.jsonl"
    write_samples(path, held_out)
    assert remember(made, [path], dictionary, tmp_path).settings == labelled
    made.settings, made.network = replace(made.settings, given=None), make_network()
    scored = remember(made, [path], dictionary, tmp_path)
    assert scored.settings == made.settings and scored.network is made.network


def test_a_centroid_is_the_mean_of_its_contexts() -> None:
    vectors = np.eye(4, 48, dtype=np.float32)
    keys = [sense_key(name) for name in ("one", "other", "one")]
    made = centroids_of(keys, vectors[:3], Counter({keys[0]: 3, keys[1]: 1}))
    alike, seen = made.compare(["one", "other", "none"], vectors[0])
    np.testing.assert_allclose(np.expm1(seen), [3, 1, 0], rtol=1e-5)
    np.testing.assert_allclose(alike, [3 / 4 * 0.5**0.5, 0, 0], atol=0.01)


def test_a_run_goes_on_from_the_contexts_that_were_read(
    model: AcroBERT, dictionary: Dictionary, tmp_path: Path
) -> None:
    work, done = tmp_path / "work", list[str]()
    made = extend(model, SAMPLES, dictionary, work, each=3, report=done.append)
    # Three of hypertension; of what is in no dictionary two documents or none.
    assert done[0] == "6 contexts read"
    before = {path: path.stat().st_mtime_ns for path in work.iterdir()}
    assert made.topics.names == ("hearts", "networks")
    names = ["hypertension", "in no dictionary", "in no dictionary and one document"]
    assert (made.centroids.find_rows(names) >= 0).tolist() == [True, True, False]

    again = extend(model, SAMPLES, dictionary, work, each=3)
    assert {path: path.stat().st_mtime_ns for path in work.iterdir()} == before
    np.testing.assert_array_equal(again.centroids.codes, made.centroids.codes)


def test_the_likeliest_long_forms_are_stored(model: AcroBERT, dictionary: Dictionary) -> None:
    weights = replace(model.settings.calibration, common=1.0, glossary=0.1)
    model.settings = replace(model.settings, calibration=weights)
    model.stored = store_long_forms(model, dictionary, 1)
    names = ["hypertension", "internet protocol"]
    assert (model.stored.find_rows(names) >= 0).tolist() == [True, False]
    stored, encoded = model.sense_vectors(names, [""] * len(names)), model.encode_long_forms(names)
    np.testing.assert_allclose(stored, encoded, atol=1e-3)
    assert len(store_long_forms(model, dictionary, 9)) == 3
    assert not len(store_long_forms(model, dictionary, 0))


def test_stored_vectors_are_not_encoded(
    model: AcroBERT, dictionary: Dictionary, tmp_path: Path
) -> None:
    model.stored = store_long_forms(model, dictionary, 9)
    model.save(tmp_path / "model")
    read = AcroBERT.load(tmp_path / "model").with_weights(AcroNetwork(CONFIG).weights())
    read.stored = model.stored
    result = read.sense_vectors(["Hypertension", "a new one"], ["", ""])
    np.testing.assert_allclose(result[0], model.encode_long_forms(["hypertension"])[0], atol=1e-3)
    np.testing.assert_allclose(result[1], read.encode_long_forms(["a new one"])[0], atol=1e-5)


@pytest.mark.slow
def test_quantisation_keeps_the_direction(tmp_path: Path) -> None:
    matrix = np.random.default_rng(1).normal(size=(600, 12)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    coded = StoredVectors(np.arange(600, dtype=np.uint64), *quantise(matrix, 0, parts=12))
    coded.save(tmp_path)
    coded = StoredVectors.load(tmp_path)
    decoded = coded.decode(np.arange(600))
    cosine = (decoded * matrix).sum(1) / np.linalg.norm(decoded, axis=1)
    assert coded.codes.dtype == np.uint8
    assert cosine.mean() > 0.98
    products = coded.decode_rotated(np.arange(600)) @ coded.rotate(matrix[0])
    assert np.allclose(products, decoded @ matrix[0], atol=1e-3)


def test_a_rotation_serves_vectors_of_few_directions() -> None:
    """Most of the variance in few axes, as encoders have it."""
    random = np.random.default_rng(1)
    axes = np.linalg.qr(random.normal(size=(96, 96)))[0]
    matrix = (random.normal(size=(900, 96)) * 0.95 ** np.arange(96) @ axes).astype(np.float32)
    rotation = balanced_rotation(matrix, 48)
    assert np.allclose(rotation.T @ rotation, np.eye(96), atol=1e-4)
    products = (matrix @ rotation).var(axis=0).reshape(48, 2).prod(axis=1)
    plain = matrix.var(axis=0).reshape(48, 2).prod(axis=1)
    assert products.max() < 2 * products.min()
    assert products.sum() < plain.sum() / 10
