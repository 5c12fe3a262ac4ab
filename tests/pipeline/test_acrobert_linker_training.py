"""Fine-tuning the linker on Examples, and scoring it."""

from typing import Any

import pytest
import spacy
import torch
from spacy.training import Example
from thinc.api import Adam, prefer_gpu, torch2xp

from spacy_gladis.errors import InputError
from spacy_gladis.pipeline.questions import MOST_CANDIDATES, ask

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


@pytest.mark.slow
def test_it_learns_and_a_saved_copy_knows_the_same(nlp, examples, tmp_path):
    linker = nlp.get_pipe("acrobert_linker")
    optimizer = nlp.initialize(lambda: examples, sgd=Adam(0.003))
    losses = [linker.update(examples, sgd=optimizer)["acrobert_linker"] for _ in range(40)]
    assert losses[-1] < 0.2 * losses[0]
    assert meanings(nlp) == [long_form for _, long_form in DATA]
    nlp.to_disk(tmp_path / "trained")
    loaded = spacy.load(tmp_path / "trained")
    assert meanings(loaded) == meanings(nlp)
    shares = [d._.acronyms[0]._.resolution.probability for d in nlp.pipe(t for t, _ in DATA)]
    again = [d._.acronyms[0]._.resolution.probability for d in loaded.pipe(t for t, _ in DATA)]
    assert again == pytest.approx(shares, abs=1e-6)


def test_language_update_trains_it(nlp, examples):
    optimizer = nlp.initialize(lambda: examples, sgd=Adam(0.003))
    first = nlp.update(examples, sgd=optimizer)["acrobert_linker"]
    for _ in range(15):
        last = nlp.update(examples, sgd=optimizer)["acrobert_linker"]
    assert 0 < last < first


def test_other_parameters_are_used_for_a_while(nlp):
    def share():
        return nlp("the AI for potassium")._.acronyms[0]._.resolution.probability

    shim = nlp.get_pipe("acrobert_linker").model.shims[0]
    before = share()
    zeros = {
        (shim.id, name): torch2xp(torch.zeros(parameter.numel()))
        for name, parameter in shim.acrobert.module.named_parameters()
        if "word_embeddings" in name
    }
    with nlp.use_params(zeros):
        changed = share()
    assert changed != before
    assert share() == before


def test_gradients_are_those_of_the_loss(nlp, examples):
    linker = nlp.get_pipe("acrobert_linker")
    questions, gold = ask(examples, "acronyms", linker.dictionary, None)
    scores = linker.model.predict(questions)
    loss, gradients = linker.get_loss(examples, scores)
    step = 1e-3
    for row in range(len(scores)):
        for column in range(len(scores[row])):
            moved = [one.copy() for one in scores]
            moved[row][column] += step
            slope = (linker.get_loss(examples, moved)[0] - loss) / step
            assert gradients[row][column] == pytest.approx(slope, abs=5e-3)
    assert gold == [0, 1, 2, 1]


def test_nothing_to_learn_is_no_update(nlp):
    linker = nlp.get_pipe("acrobert_linker")
    useless = [
        example(nlp, "", ""),
        example(nlp, "no acronym here", ""),
        example(nlp, "an AI without a meaning", ""),
        example(nlp, "an AI that is unknown", "NIL"),
        example(nlp, "an AI of another kind", "anything inside"),
        example(nlp, "XY is no entry", "xylophone yard"),
    ]
    assert linker.update(useless, sgd=Adam(0.1)) == {"acrobert_linker": 0.0}
    assert linker.update([], sgd=Adam(0.1)) == {"acrobert_linker": 0.0}
    assert linker.get_loss(useless, []) == (0.0, [])
    with pytest.raises(InputError, match="anything to learn"):
        nlp.initialize(lambda: useless)


def test_the_right_long_form_is_asked_for_even_when_rare(nlp):
    linker = nlp.get_pipe("acrobert_linker")
    for number in range(40):
        linker.dictionary.add("XY", f"x-ray yield {number}", count=100 - number)
    (question,), (answer,) = ask(
        [example(nlp, "the XY of it", "X-ray yields 39")], "acronyms", linker.dictionary, None
    )
    assert len(question.long_forms) == MOST_CANDIDATES + 1
    assert question.long_forms[answer] == "x-ray yield 39"
    assert question.mention.acronym == "XY"


def test_evaluation_uses_the_reference_s_mentions(nlp, examples):
    nlp.initialize(lambda: examples)
    linker = nlp.get_pipe("acrobert_linker")
    predicted = meanings(nlp)
    right = sum(one == long_form for one, (_, long_form) in zip(predicted, DATA, strict=True))
    scores = linker.score(examples)
    assert scores["acronym_accuracy"] == right / len(DATA)
    assert 0 <= scores["acronym_macro_f1"] <= 1
    assert nlp.evaluate(examples)["acronym_accuracy"] == right / len(DATA)
    without = [example(nlp, "an AI", "")]
    assert linker.score(without) == {"acronym_accuracy": None, "acronym_macro_f1": None}


def test_spellings_of_one_long_form_are_equal(nlp):
    linker = nlp.get_pipe("acrobert_linker")
    linker.dictionary.add("XY", "xylophone yards")
    scores = linker.score([example(nlp, "the XY", "Xylophone-yard")])
    assert scores["acronym_accuracy"] == 1.0


@pytest.mark.gpu
def test_it_answers_on_a_gpu(settings):
    if not torch.cuda.is_available() or not prefer_gpu():
        pytest.skip("no CUDA device, or no cupy")
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    linker: Any = nlp.add_pipe("acrobert_linker", config=settings)
    assert nlp("the AI for potassium")._.acronyms[0]._.long_form
    assert linker.model.shims[0].acrobert.device.type == "cuda"
