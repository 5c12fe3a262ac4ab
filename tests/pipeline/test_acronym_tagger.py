"""The tagger in `acronym_detector`: training, decoding, saving."""

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, DocBin, SpanGroup
from spacy.training import Example
from thinc.api import Config, fix_random_seed

from spacy_gladis.errors import InputError
from spacy_gladis.pipeline.annotations import definitions_of
from spacy_gladis.pipeline.tags import gold_labels, tagged_spans
from tests.support.checkpoints import write_mpnet
from tests.support.paths import CONFIGS

TEXTS = [  # text, acronyms, long forms; the rules alone would find neither of the marked ones
    ("we take slow river boats or srb here", ["srb"], ["slow river boats"]),
    ("they sell warm bread or wbr there", ["wbr"], ["warm bread"]),
    ("nothing is said of boats or bread", [], []),
]


def example(nlp, text, short, long):
    reference = nlp.make_doc(text)
    for key, forms in (("acronyms", short), ("long_forms", long)):
        spans = [reference.char_span(text.index(f), text.index(f) + len(f)) for f in forms]
        reference.spans[key] = SpanGroup(reference, name=key, spans=spans)
    return Example(nlp.make_doc(text), reference)


def pipeline(**settings):
    tok2vec = {
        "@architectures": "spacy.HashEmbedCNN.v2",
        **{"width": 16, "depth": 1, "embed_size": 200, "window_size": 1, "maxout_pieces": 2},
        **{"subword_features": True, "pretrained_vectors": None},
    }
    model = {
        "@architectures": "spacy-gladis.AcronymTagger.v1",
        "tok2vec": tok2vec,
        "width": 16,
        "depth": 1,
    }
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector", config={"model": model, **settings})
    return nlp


def train(nlp, steps=40, optimizer=None):
    examples = [example(nlp, *row) for row in TEXTS]
    fix_random_seed(0)
    if optimizer is None:
        optimizer = nlp.initialize(lambda: examples)
        optimizer.learn_rate = 0.02
    losses = [nlp.update(examples, sgd=optimizer)["acronym_detector"] for _ in range(steps)]
    return losses, examples


@pytest.fixture(scope="module")
def trained():
    fix_random_seed(0)
    nlp = pipeline()
    train(nlp)
    return nlp


def spans_of(doc):
    return tuple([s.text for s in doc.spans[key]] for key in ("acronyms", "long_forms"))


def test_a_few_sentences_are_learnt_by_heart_and_scored(trained):
    for text, short, long in TEXTS:
        assert spans_of(trained(text)) == (short, long)
    scores = trained.evaluate([example(trained, *row) for row in TEXTS])
    assert scores["identification_f"] == 1.0


def test_pairs_are_formed_without_brackets_and_have_a_confidence(trained):
    doc = trained(TEXTS[0][0])
    (definition,) = definitions_of(doc)
    assert 0 < definition.confidence <= 1
    assert doc.spans["acronyms"][0]._.long_form == "slow river boats"


def test_training_lowers_the_loss_and_goes_on_from_disk(tmp_path):
    nlp = pipeline()
    before, _ = train(nlp, 5)
    assert before[-1] < before[0]
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    optimizer = loaded.resume_training()
    optimizer.learn_rate = 0.02
    after, _ = train(loaded, 5, optimizer)
    assert after[0] < before[0] and after[-1] < after[0]


@pytest.mark.parametrize("way", ["disk", "bytes"])
def test_a_saved_tagger_finds_the_same(trained, tmp_path, way):
    if way == "disk":
        trained.to_disk(tmp_path)
        copy = spacy.load(tmp_path)
    else:
        copy = pipeline().from_bytes(trained.to_bytes())
    for text, short, long in TEXTS:
        assert spans_of(copy(text)) == (short, long)


def test_documents_without_tokens_and_long_ones(trained):
    docs = list(trained.pipe(["", TEXTS[0][0], ""]))
    assert [spans_of(doc) for doc in docs] == [([], []), (TEXTS[0][1], TEXTS[0][2]), ([], [])]
    assert spans_of(trained("")) == ([], [])
    long_doc = trained(". ".join([TEXTS[0][0]] * 500))
    assert len(long_doc.spans["acronyms"]) > 400


def test_examples_without_tokens_or_without_spans_change_nothing(trained):
    empty = Example(trained.make_doc(""), trained.make_doc(""))
    plain = Example(trained.make_doc("some words"), trained.make_doc("some words"))
    assert trained.update([empty])["acronym_detector"] == 0
    pipe = trained.get_pipe("acronym_detector")
    marked = example(trained, *TEXTS[0])
    examples = [plain, empty, marked]
    scores = pipe.model.predict([example.x for example in examples])
    loss, gradients = pipe.get_loss(examples, scores)
    assert loss > 0
    assert [bool(gradient.any()) for gradient in gradients] == [False, False, True]


def test_training_data_without_marks_is_refused():
    nlp = pipeline()
    plain = Example(nlp.make_doc("some words"), nlp.make_doc("some words"))
    with pytest.raises(InputError, match="spacy-gladis convert"):
        nlp.initialize(lambda: [plain])


def test_tokens_of_the_reference_may_differ():
    nlp = spacy.blank("en")
    doc = Doc(nlp.vocab, words=["(", "NN)based", "neural", "network"])
    labels = gold_labels(doc, [(2, 4)], [(11, 25)])
    assert labels == ["O", "B-short", "B-long", "I-long"]
    assert gold_labels(doc, [(0, 4)], [(2, 25)]) == ["O", "B-long", "I-long", "I-long"]


def probabilities(*rows):
    return np.array(rows, dtype="float32")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["detector_tagger.cfg", "detector_trf.cfg"])
def test_the_configs_train(name, tmp_path, fp32_products):
    """`spacy train` on tiny data; the transformer is a tiny MPNet with random weights."""
    from spacy.cli.train import train as spacy_train

    nlp = spacy.blank("en")
    docs = [example(nlp, *row).reference for row in TEXTS] * 4
    path = tmp_path / "data.spacy"
    DocBin(docs=docs).to_disk(path)
    config = Config().from_disk(CONFIGS / name)
    overrides = {
        "paths.train": str(path),
        "paths.dev": str(path),
        "training.max_epochs": 1,
        "training.eval_frequency": 1,
    }
    if "transformer" in config["components"]:
        overrides["components.transformer.model.name"] = str(write_mpnet(tmp_path / "mpnet"))
    spacy_train(CONFIGS / name, tmp_path / "out", overrides=overrides)
    trained = spacy.load(tmp_path / "out" / "model-last")
    assert set(trained(TEXTS[0][0]).spans) == {"acronyms", "long_forms"}


def test_rules_say_what_part_of_a_token_is_marked():
    nlp = spacy.blank("en")
    doc = Doc(
        nlp.vocab, words=["EU-landene", "ILO/WHO", "(", "EU)x"], spaces=[True, True, False, False]
    )
    rows = probabilities([0, 1, 0, 0, 0], [0, 1, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 1, 0])
    acronyms, long_forms = tagged_spans(doc, rows, [(0, 2), (11, 14), (15, 18)], [])
    texts = [doc.text[acronym.start : acronym.end] for acronym in acronyms]
    assert texts == ["EU", "ILO", "WHO"]
    assert [doc.text[form.start : form.end] for form in long_forms] == ["EU)x"]
