"""The BiLSTM and conditional random field over an encoder's vectors and tags."""

import json
from itertools import product

import pytest
import spacy
from spacy.training import Example
from typer.testing import CliRunner

from spacy_gladis.errors import InputError
from spacy_gladis.research.cli.evaluate import app
from spacy_gladis.research.extraction.docbin import AnnotatedText
from tests.support.tasks import make

torch = pytest.importorskip("torch")
pytest.importorskip("torchcrf")

from spacy_gladis.research.tasks.bilstm import Vocabulary  # noqa: E402
from spacy_gladis.research.tasks.identification.labelling import (  # noqa: E402
    TAGS,
    TaggedWords,
    from_bioes,
    to_bioes,
)
from spacy_gladis.research.tasks.identification.systems.lstm_crf import (  # noqa: E402
    LSTMCRF,
    LSTMCRFNetwork,
)
from tests.support.training import tiny_bert  # noqa: E402

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
def base(tmp_path_factory):
    return str(tiny_bert(tmp_path_factory.mktemp("base")))


def test_bioes_tags_tell_ends_and_single_words():
    labels = ["O", "B-long", "I-long", "B-short", "B-short", "I-short", "I-short", "O"]
    tags = ["O", "B-long", "E-long", "S-short", "B-short", "I-short", "E-short", "O"]
    assert to_bioes(labels) == tags
    assert from_bioes(tags) == labels
    assert set(tags) <= set(TAGS)
    assert len(TAGS) == 9


def test_the_settings_are_the_papers():
    system = make("sciai", "lstm-crf 0.3", base="b", tagger="t")
    assert (system.batch, system.hidden, system.layers) == (50, 200, 2)
    assert (system.dropout, system.learning_rate) == (0.2, 0.3)
    lstm = LSTMCRFNetwork(Vocabulary([]), 768, system).bilstm.lstm
    assert (lstm.hidden_size, lstm.num_layers, lstm.bidirectional) == (200, 2, True)


def test_a_few_sentences_are_learnt_by_heart(tagger, base):
    system = LSTMCRF(base, tagger, epochs=12, batch=4, hidden=12, learning_rate=0.03, dropout=0.0)
    system.fit([AnnotatedText(*text, []) for text in (*TEXTS, ("", [], []))] * 4)
    result = list(system.predict([text for text, _, _ in TEXTS]))
    assert result == [(set(short), set(long)) for _, short, long in TEXTS]
    assert next(system.predict([""])) == (set(), set())
    assert list(system.predict([])) == []
    ((short, long),) = system.predict(["zyx wvu"])
    assert all(end <= 7 for _, end in short | long)


def test_decoding_finds_the_likeliest_sequence():
    torch.manual_seed(0)
    text = TaggedWords(["a", "b"], ["x", "y"])
    row = text, torch.randn(2, 4)
    settings = LSTMCRF("", "", hidden=8, layers=1)
    network = LSTMCRFNetwork(Vocabulary([text]), 4, settings).eval()
    with torch.inference_mode():
        losses = {
            tags: float(network.loss([row], [torch.tensor(tags)]))
            for tags in product(range(len(TAGS)), repeat=2)
        }
        assert tuple(network.decode([row])[0]) == min(losses, key=losses.__getitem__)
    likelihoods = sum(torch.exp(torch.tensor(-loss)) for loss in losses.values())
    assert likelihoods == pytest.approx(1, abs=1e-4)


def test_what_is_missing_is_named(tagger, base, tmp_path):
    with pytest.raises(InputError, match="needs training texts"):
        make("sciai", "lstm-crf", tagger=tagger, base=base).fit(())
    spacy.blank("en").to_disk(tmp_path)
    text = [AnnotatedText("a", [], [], [])]
    with pytest.raises(InputError, match="no part-of-speech tagger"):
        make("sciai", "lstm-crf", tagger=str(tmp_path), base=base).fit(text)
    with pytest.raises(InputError, match="contain no words"):
        make("sciai", "lstm-crf", tagger=tagger, base=base).fit([AnnotatedText("", [], [], [])])
    with pytest.raises(InputError, match="--tagger"):
        make("sciai", "lstm-crf", base=base)
    with pytest.raises(InputError, match="--base"):
        make("sciai", "lstm-crf", tagger=tagger)


def test_it_is_trained_and_scored_by_one_command(tagger, base, tmp_path):
    tokens, labels = ["warm", "bread", "WB"], ["B-long", "I-long", "B-short"]
    file, output = tmp_path / "train.json", tmp_path / "out.jsonl"
    file.write_text(json.dumps([{"id": "1", "tokens": tokens, "labels": labels}]), "utf8")
    given = ["sciai", str(file), "--system", "lstm-crf", "--train", str(file), "--tagger", tagger]
    result = CliRunner().invoke(app, [*given, "--base", base, "--output", str(output)])
    assert result.exit_code == 0
    assert json.loads(output.read_text())["details"]["training texts"] == 1
