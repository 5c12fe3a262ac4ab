"""The BiLSTM and conditional random field over words and tags."""

import json

import pytest
import spacy
from spacy.training import Example
from typer.testing import CliRunner

from spacy_gladis.errors import InputError
from spacy_gladis.research.cli.evaluate import app
from spacy_gladis.research.extraction.docbin import AnnotatedText
from spacy_gladis.research.tasks.identification.systems.lstm_crf import LSTMCRFNetwork, TaggedWords
from tests.support.tasks import make

torch = pytest.importorskip("torch")
pytest.importorskip("torchcrf")

TEXTS = [
    ("they sail slow river boats SRB here", [(27, 30)], [(10, 26)]),
    ("we bake warm bread WB there", [(19, 21)], [(8, 18)]),
    ("nothing is said of them", [], []),
]


@pytest.fixture(scope="module")
def tagger(tmp_path_factory):
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    docs = [(nlp.make_doc(text), ["NN"] * len(text.split())) for text, _, _ in TEXTS]
    nlp.initialize(lambda: [Example.from_dict(doc, {"tags": tags}) for doc, tags in docs])
    folder = tmp_path_factory.mktemp("tagger")
    nlp.to_disk(folder)
    return str(folder)


@pytest.fixture(scope="module")
def trained(tagger):
    system = make("sciai", "lstm-crf", tagger=tagger)
    system.fit([AnnotatedText(*one, []) for one in (*TEXTS, ("", [], []))] * 250)
    return system


def test_a_few_sentences_are_learnt_by_heart(trained):
    found = list(trained.predict([text for text, _, _ in TEXTS]))
    assert found == [(set(short), set(long)) for _, short, long in TEXTS]


def test_empty_texts_and_unknown_words(trained):
    assert list(trained.predict(["", " "])) == [(set(), set())] * 2
    assert list(trained.predict([])) == []
    ((short, long),) = trained.predict(["zyx wvu"])
    assert all(end <= 7 for _, end in short | long)


def test_decoding_finds_the_likeliest_sequence():
    from itertools import product

    from spacy_gladis.research.tasks.bilstm import TaggedBatch, Vocabulary

    torch.manual_seed(0)
    vocabulary = Vocabulary([TaggedWords([*"abcd"], [*"xyxy"])])
    network = LSTMCRFNetwork(vocabulary, 3, 0.4).eval()
    batch = TaggedBatch(torch.tensor([[2, 3, 4]]), torch.tensor([[2, 3, 2]]), torch.tensor([3]))
    with torch.inference_mode():
        losses = {
            labels: float(network.loss(batch, torch.tensor([labels])))
            for labels in product(range(3), repeat=3)
        }
        assert tuple(network.decode(batch)[0]) == min(losses, key=losses.__getitem__)
    likelihoods = sum(torch.exp(torch.tensor(-3 * loss)) for loss in losses.values())
    assert likelihoods == pytest.approx(1, abs=1e-4)


def test_what_is_missing_is_named(tagger, tmp_path):
    with pytest.raises(InputError, match="marked texts"):
        make("sciai", "lstm-crf", tagger=tagger).fit(())
    spacy.blank("en").to_disk(tmp_path)
    with pytest.raises(InputError, match="no part-of-speech tagger"):
        make("sciai", "lstm-crf", tagger=str(tmp_path)).fit([AnnotatedText("a", [], [], [])])
    with pytest.raises(InputError, match="--tagger"):
        make("sciai", "lstm-crf")


def test_it_is_trained_and_scored_by_one_command(tagger, tmp_path):
    tokens, labels = ["warm", "bread", "WB"], ["B-long", "I-long", "B-short"]
    file, output = tmp_path / "train.json", tmp_path / "out.jsonl"
    file.write_text(json.dumps([{"id": "1", "tokens": tokens, "labels": labels}]), "utf8")
    given = ["sciai", str(file), "--system", "lstm-crf", "--train", str(file), "--tagger", tagger]
    result = CliRunner().invoke(app, [*given, "--output", str(output)])
    assert result.exit_code == 0
    assert json.loads(output.read_text())["details"]["training texts"] == 1
