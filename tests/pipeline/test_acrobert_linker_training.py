"""Fine-tuning the linker on Examples, and scoring it; the packaged weights keep what they know."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
import torch
from spacy.cli.train import train as spacy_train
from spacy.tokens import DocBin
from spacy.training import Example
from thinc.api import Adam, prefer_gpu

from spacy_gladis.errors import InputError
from spacy_gladis.linking.training_examples import make_training_examples
from spacy_gladis.pipeline.learn import linker_of
from spacy_gladis.text import Mention
from tests.support.teaching import (
    accuracy,
    make_pipeline,
    new_senses,
    old,
    other_old,
    train,
    training,
)

DATA = [
    ("the model learns AI from data", "artificial intelligence"),
    ("grams of potassium: the AI for a diet", "adequate intake"),
    ("the patient takes an AI daily", "aromatase inhibitor"),
    ("a scan in the CT state", "Connecticut"),
]


def example(nlp, text, long_form):
    reference = nlp.make_doc(text)
    places = [token.i for token in reference if token.text in ("AI", "CT", "XY")]
    reference.spans["acronyms"] = [
        spacy.tokens.Span(reference, i, i + 1, label="ACRONYM", kb_id=long_form) for i in places
    ]
    return Example(nlp.make_doc(text), reference)


@pytest.fixture
def examples(nlp):
    return [example(nlp, *row) for row in DATA]


def meanings(nlp):
    docs = list(nlp.pipe(text for text, _ in DATA))
    return [doc._.acronyms[0]._.long_form for doc in docs]


def test_it_learns_and_a_saved_copy_knows_the_same(nlp, examples, tmp_path):
    optimizer = nlp.initialize(lambda: examples, sgd=Adam(0.003))
    losses = [nlp.update(examples, sgd=optimizer)["acrobert_linker"] for _ in range(40)]
    assert losses[-1] < 0.2 * losses[0]
    assert meanings(nlp) == [long_form for _, long_form in DATA]
    nlp.to_disk(tmp_path / "trained")
    loaded = spacy.load(tmp_path / "trained")
    assert meanings(loaded) == meanings(nlp)
    shares = [d._.acronyms[0]._.resolution.probability for d in nlp.pipe(t for t, _ in DATA)]
    again = [d._.acronyms[0]._.resolution.probability for d in loaded.pipe(t for t, _ in DATA)]
    assert again == pytest.approx(shares, abs=1e-6)


def test_it_learns_on_top_of_a_scoring_network(scored, examples, tmp_path):
    optimizer = scored.initialize(lambda: examples, sgd=Adam(0.003))
    losses = [scored.update(examples, sgd=optimizer)["acrobert_linker"] for _ in range(40)]
    assert losses[-1] < 0.2 * losses[0]
    assert meanings(scored) == [long_form for _, long_form in DATA]
    scored.to_disk(tmp_path / "trained")
    loaded = spacy.load(tmp_path / "trained")
    assert len(linker_of(loaded).open().model.network)
    assert meanings(loaded) == meanings(scored)
    assert probability(loaded) == pytest.approx(probability(scored), abs=1e-6)


def test_a_long_form_that_the_dictionary_lacks_is_named_once(nlp, examples):
    unknown = example(nlp, "the CT of it", "cunning trick")
    with pytest.warns(UserWarning, match=r"'cunning trick' \(CT\)") as warnings:
        nlp.update([unknown])
        nlp.update([unknown, *examples])
    assert [warning.filename for warning in warnings] == [__file__]
    nlp.get_pipe("acrobert_linker").dictionary.add("CT", "cunning trick")
    assert nlp.update([unknown])["acrobert_linker"] > 0


def probability(nlp, text="the AI for potassium"):
    return nlp(text)._.acronyms[0]._.resolution.probability


def test_other_parameters_are_used_for_a_while(nlp, examples):
    optimizer = nlp.initialize(lambda: examples, sgd=Adam(0.003))
    for _ in range(5):
        nlp.update(examples, sgd=optimizer)
    shim = nlp.get_pipe("acrobert_linker").model.shims[0]
    before = probability(nlp)
    vectors = shim.acrobert.adapted_senses.vectors
    zeros = {(shim.id, str(key)): np.zeros_like(vector) for key, vector in vectors.items()}
    with nlp.use_params(zeros):
        changed = probability(nlp)
        saved = nlp.to_bytes()
    assert changed != before
    assert probability(nlp) == before
    with nlp.use_params(optimizer.averages):
        assert probability(nlp) not in (before, changed)
    assert probability(nlp.from_bytes(saved)) == changed


def test_updates_add_up_and_training_is_resumed(nlp, examples):
    linker = nlp.get_pipe("acrobert_linker")
    linker.update(examples)
    linker.update(examples)
    adapted_senses = linker.model.shims[0].acrobert.adapted_senses
    twice = {key: gradient.copy() for key, gradient in adapted_senses.gradients.items()}
    assert not any(vector.any() for vector in adapted_senses.vectors.values())
    adapted_senses.gradients.clear()
    linker.update(examples)
    for key, gradient in adapted_senses.gradients.items():
        np.testing.assert_allclose(2 * gradient, twice[key], rtol=1e-5)
    adapted_senses.gradients.clear()
    first = nlp.update(examples, sgd=nlp.resume_training())["acrobert_linker"]
    again = nlp.from_bytes(nlp.to_bytes())
    assert again.update(examples, sgd=again.resume_training())["acrobert_linker"] < first


def ask(linker, examples):
    """The questions that examples of one mention each put to the model."""
    rows = [
        (example.reference, span)
        for example in examples
        for span in example.reference.spans["acronyms"]
    ]
    mentions = [Mention(doc.text, span.start_char, span.end_char, id(doc)) for doc, span in rows]
    return make_training_examples(linker.open(), mentions, [span.kb_id_ for _, span in rows])


def test_the_scores_trained_are_those_served(nlp, examples):
    optimizer = nlp.initialize(lambda: examples, sgd=Adam(0.003))
    for _ in range(5):
        nlp.update(examples, sgd=optimizer)
    linker = nlp.get_pipe("acrobert_linker")
    questions = ask(linker, examples)
    for (text, _), scores in zip(DATA, linker.model.predict(questions), strict=True):
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        (span,) = nlp(text)._.acronyms
        served = [share for _, share in span._.resolution.candidates]
        assert served == pytest.approx(sorted(shares[:-1], reverse=True), abs=1e-5)


def test_it_learns_that_a_mention_is_none_of_them(nlp, examples):
    examples.append(example(nlp, "the AI scan in the state", "NIL"))
    optimizer = nlp.initialize(lambda: examples, sgd=Adam(0.01))
    for _ in range(150):
        nlp.update(examples, sgd=optimizer)
    nlp.get_pipe("acrobert_linker").configure(threshold=0.5)
    assert nlp("the AI scan in the state")._.acronyms[0]._.resolution.source == "nil"
    assert nlp(DATA[0][0])._.acronyms[0]._.long_form == DATA[0][1]


def test_spacy_train_trains_it(nlp, examples, tmp_path):
    data = DocBin(docs=[example.reference for example in examples])
    data.to_disk(tmp_path / "train.spacy")
    config = nlp.config.copy()
    path = str(tmp_path / "train.spacy")
    config["paths"] |= {"train": path, "dev": path}
    corpora = {"@readers": "spacy.Corpus.v1"}
    config["corpora"] = {
        "train": {**corpora, "path": "${paths.train}"},
        "dev": {**corpora, "path": "${paths.dev}"},
    }
    config["training"] |= {"max_steps": 30, "eval_frequency": 10}
    config["training"]["optimizer"] = {"@optimizers": "Adam.v1", "learn_rate": 0.003}
    config.to_disk(tmp_path / "config.cfg")
    spacy_train(tmp_path / "config.cfg", tmp_path / "out")
    trained = spacy.load(tmp_path / "out/model-best")
    assert meanings(trained) == [long_form for _, long_form in DATA]
    scores = json.loads((tmp_path / "out/model-best/meta.json").read_text())["performance"]
    assert scores["acronym_accuracy"] == 1.0


def test_nothing_to_learn_is_no_update(nlp):
    linker = nlp.get_pipe("acrobert_linker")
    useless = [
        example(nlp, "", ""),
        example(nlp, "no acronym here", ""),
        example(nlp, "an AI without a meaning", ""),
        example(nlp, "an AI of another kind", "anything inside"),
        example(nlp, "XY is not an entry", "xylophone yard"),
    ]
    assert linker.update(useless, sgd=Adam(0.1)) == {"acrobert_linker": 0.0}
    assert linker.update([], sgd=Adam(0.1)) == {"acrobert_linker": 0.0}
    assert linker.get_loss(useless, []) == (0.0, [])
    with pytest.raises(InputError, match="can be learnt from"):
        nlp.initialize(lambda: useless)


def test_spellings_of_the_right_meaning_are_right(nlp):
    linker = nlp.get_pipe("acrobert_linker")
    for name in ("x-ray yield", "X-ray yields", "xylophone"):
        linker.dictionary.add("XY", name)
    (question,) = ask(linker, [example(nlp, "the XY of it", "X-Ray Yield")])
    names = [candidate.long_form for candidate in linker.dictionary.lookup("XY")]
    right = [name for name, is_right in zip(names, question.right, strict=False) if is_right]
    assert {name.lower() for name in right} <= {"x-ray yield", "x-ray yields"}
    assert right and not question.right[-1]


def test_evaluation_uses_the_reference_s_mentions(nlp, examples):
    nlp.initialize(lambda: examples)
    linker = nlp.get_pipe("acrobert_linker")
    predicted = meanings(nlp)
    right = sum(
        prediction == long_form for prediction, (_, long_form) in zip(predicted, DATA, strict=True)
    )
    scores = linker.score(examples)
    assert scores["acronym_accuracy"] == right / len(DATA)
    assert 0 <= scores["acronym_macro_f1"] <= 1
    assert nlp.evaluate(examples)["acronym_accuracy"] == right / len(DATA)
    without = [example(nlp, "an AI", "")]
    assert linker.score(without) == {"acronym_accuracy": None, "acronym_macro_f1": None}


@pytest.mark.gpu
def test_it_answers_on_a_gpu(settings):
    if not torch.cuda.is_available() or not prefer_gpu():
        pytest.skip("no CUDA device, or no cupy")
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    linker: Any = nlp.add_pipe("acrobert_linker", config=settings)
    assert nlp("the AI for potassium")._.acronyms[0]._.long_form
    assert linker.model.shims[0].acrobert.encoder.device == "cuda"


@pytest.mark.slow
def test_new_senses_are_learnt_and_old_ones_kept(tmp_path: Path) -> None:
    nlp = make_pipeline()
    before, others_before = accuracy(nlp, old()), accuracy(nlp, other_old())
    assert accuracy(nlp, new_senses()) == 0
    train(nlp, [*training(), *old()])
    assert accuracy(nlp, new_senses()) >= 0.9
    assert accuracy(nlp, old()) >= before - 0.02
    assert accuracy(nlp, other_old()) >= others_before - 0.02
    both = "The CT scan and the MRI showed a tumour."
    nlp.to_disk(tmp_path / "taught")
    taught = spacy.load(tmp_path / "taught")
    taught.add_pipe("acronym_detector", first=True)
    long_forms = [span._.long_form for span in taught(both)._.acronyms]
    assert long_forms == ["computed tomography", "magnetic resonance imaging"]
    assert accuracy(taught, new_senses()[:20]) >= 0.9
