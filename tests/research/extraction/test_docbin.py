"""Benchmark files as DocBins."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
import spacy
import torch
from spacy.tokens import DocBin
from typer.testing import CliRunner

from spacy_gladis.errors import InputError
from spacy_gladis.pipeline.annotations import definitions_of
from spacy_gladis.research.cli.convert import app
from spacy_gladis.research.extraction.docbin import blank, convert
from spacy_gladis.research.extraction.kept_layers import keep_lower_layers
from spacy_gladis.research.training.network import has_native_bf16

TOKENS = ["A", "neural", "network", "(", "NN", ")", "learns", "."]
LABELS = ["O", "B-long", "I-long", "O", "B-short", "O", "O", "O"]
TEXT = "Le réseau neuronal (RN) apprend."
BIOC = """<collection><document><id>1</id><passage><offset>0</offset><text>{text}</text>
<annotation id="S"><location offset="{at}" length="2"/><text>NN</text></annotation>
<annotation id="L">{places}<text>neural network</text></annotation>
<relation id="R"><node refid="S" role="ShortForm"/><node refid="L" role="LongForm"/></relation>
</passage></document></collection>"""


def write(path, items):
    path.write_text(items if isinstance(items, str) else json.dumps(items), "utf8")
    return path


def spans(doc):
    return tuple([s.text for s in doc.spans[key]] for key in ("acronyms", "long_forms"))


def sentence(labels):
    return [{"id": "7", "tokens": TOKENS, "labels": labels}]


def paragraph(short, long):
    return [{"ID": "3", "text": TEXT, "acronyms": short, "long-forms": long}]


def test_sciai_keeps_its_tokens_and_repaired_labels_are_counted(tmp_path):
    labels = [*LABELS[:1], "I-long", *LABELS[2:]]
    docs, problems = convert(write(tmp_path / "a.json", sentence(labels)), blank("en"))
    assert [token.text for token in docs[0]] == TOKENS
    assert docs[0].text == "A neural network (NN) learns."
    assert spans(docs[0]) == (["NN"], ["neural network"])
    assert problems["labels that continue nothing"] == 1


def test_sdu22_offsets_inside_a_word_take_the_whole_word_and_are_counted(tmp_path):
    path = write(tmp_path / "a.json", paragraph([[20, 22]], [[4, 18], [25, 31]]))
    docs, problems = convert(path, blank("fr"))
    assert spans(docs[0]) == (["RN"], ["réseau neuronal", "apprend"])
    assert problems["spans widened to whole tokens"] == 2
    assert problems["ends of spans inside a word"] == 2


def test_bioc_gives_definitions_and_counts_those_in_several_places(tmp_path):
    text = "A neural network (NN) learns."
    whole = '<location offset="2" length="14"/>'
    path = write(tmp_path / "a.xml", BIOC.format(text=text, at=18, places=whole))
    docs, problems = convert(path, blank("en"))
    assert spans(docs[0]) == (["NN"], ["neural network"])
    (definition,) = definitions_of(docs[0])
    assert (definition.acronym, definition.long_form) == ((18, 20), (2, 16))
    assert not any(problems.values())
    parts = '<location offset="2" length="6"/><location offset="9" length="7"/>'
    path = write(tmp_path / "b.xml", BIOC.format(text=text, at=18, places=parts))
    docs, problems = convert(path, blank("en"))
    assert spans(docs[0]) == ([], [])
    assert problems["definitions whose form is in several places"] == 1
    path = write(tmp_path / "c.xml", BIOC.format(text=text, at=3, places=whole))
    assert convert(path, blank("en"))[1]["definitions whose place has another text"] == 1


def test_unknown_names_and_files_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"a\.json: unknown JSON format"):
        convert(write(tmp_path / "a.json", [{"a": 1}]), blank("xx"))
    with pytest.raises(InputError, match="'qq'"):
        blank("qq")


def test_the_command_writes_a_docbin(tmp_path):
    path = write(tmp_path / "a.json", sentence(LABELS))
    output = tmp_path / "a.spacy"
    done = CliRunner().invoke(app, [str(path), str(output), "--lang", "en"])
    assert done.exit_code == 0 and "1 texts, 1 acronyms, 1 long forms" in done.output
    (doc,) = DocBin().from_disk(output).get_docs(spacy.blank("en").vocab)
    assert spans(doc) == (["NN"], ["neural network"])
    done = CliRunner().invoke(app, [str(path), str(tmp_path / "a.bin")])
    assert isinstance(done.exception, InputError)


@pytest.mark.parametrize(("layers", "learning"), [(2, 1), (1, 2), (0, 4)])
def test_token_vectors_and_lower_layers_stay(
    layers: int, learning: int, fp32_products: None
) -> None:
    transformer: Any = torch.nn.Module()
    transformer.device = torch.device("cpu")
    transformer.embeddings = torch.nn.Embedding(4, 2)
    transformer.encoder = torch.nn.Module()
    transformer.encoder.layer = torch.nn.ModuleList(torch.nn.Linear(2, 2) for _ in range(3))
    pipe = SimpleNamespace(model=SimpleNamespace(transformer=transformer))
    nlp: Any = SimpleNamespace(get_pipe={"transformer": pipe}.__getitem__)
    assert keep_lower_layers(layers)(nlp) is nlp
    parts = [transformer.embeddings, *transformer.encoder.layer]
    learns = [all(parameter.requires_grad for parameter in part.parameters()) for part in parts]
    assert learns == [False] * (4 - learning) + [True] * learning
    fast = torch.get_float32_matmul_precision() == "medium"
    assert fast == has_native_bf16(transformer.device)
