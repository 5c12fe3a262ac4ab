"""Labels of texts and of tokens: data sets, scores, and systems on what is easy to learn."""

from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.research.leakage.readers import Item
from spacy_gladis.research.tasks.memorization.data import (
    MemorizationSets,
    Training,
    fold,
    label_tokens,
)
from spacy_gladis.research.tasks.memorization.task import measure
from tests.support.tasks import make, run, values

ITEMS = [Item(f"text {n}", document=f"d{n // 4}", label=str(n // 4 % 2)) for n in range(160)]


def test_random_folds_share_documents_and_unique_ones_do_not():
    documents = [item.document for item in ITEMS]
    for unique in (False, True):
        parts = [fold(ITEMS, number, unique=unique) for number in range(10)]
        assert sorted(np.concatenate([test for _, test in parts])) == list(range(160))
        for train, test in parts:
            assert sorted([*train, *test]) == list(range(160))
            shared = {documents[row] for row in train} & {documents[row] for row in test}
            assert bool(shared) != unique
            assert np.mean([ITEMS[row].label == "1" for row in test]) == 0.5


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    """Sentences whose label one word tells."""
    folder = tmp_path / "sentences"
    folder.mkdir()
    for part, count in (("train", 40), ("test", 8)):
        rows = (f"this film is {('dull', 'fine')[n % 2]} {n}\t{n % 2}\n" for n in range(count))
        (folder / f"{part}.tsv").write_text("".join(rows))
    return folder


@pytest.fixture
def genes(tmp_path: Path) -> Path:
    """Sentences with a gene each; the test part has one that training lacks."""
    folder = tmp_path / "genes"
    folder.mkdir()
    names = ["BRCA alpha", "kinase beta", "BRCA alpha", "myosin gamma"]
    for part, count in (("train", 30), ("test", 4)):
        lines = []
        for n in range(count):
            first, second = names[n % (4 if part == "test" else 3)].split()
            lines.append(f"the\tO\n{first}\tB-GENE\n{second}\tI-GENE\nrose\tO\n\n")
        (folder / f"{part}.tsv").write_text("".join(lines))
    return folder


@pytest.mark.parametrize("name", ["bilstm", "convres", "bert"])
def test_the_networks_learn_labels_of_texts_and_of_tokens(name, sentences, genes, tiny_weights):
    rate = {"learning_rate": 0.01, "epochs": 30}
    settings = rate | ({"base": str(tiny_weights)} if name == "bert" else {})
    result = run("memorization", [sentences, genes], [name], settings, by_similarity=True)
    texts, tokens = result[f"sentences: {name}"], result[f"genes: {name}"]
    assert values(texts)["accuracy"] >= (0.9 if name != "bert" else 0.5)
    assert values(tokens)["recall"] >= 0.5
    assert texts.groups["similarity of unigrams"]["[.75, 1]"].rows
    assert sum(group.rows for group in tokens.groups["similarity of annotations"].values()) == 4


def test_recall_by_the_similarity_of_annotations(genes):
    (data,) = MemorizationSets().read([genes])
    assert isinstance(data.training, Training) and data.training.by_token
    answers = [list(labels) for labels in data.gold.labels]
    answers[3] = ["O", "O", "B-GENE", "O"]
    measured = measure(data, answers)
    assert (
        measured.statistic(np.arange(4))["recall"] == measured.statistic(np.arange(4))["f1"] == 0.75
    )
    groups = measured.groups["similarity of annotations"]
    assert (groups["[0, .25)"].rows, groups["[0, .25)"].metrics["recall"]) == (1, 0.0)
    assert (groups["[.75, 1]"].rows, groups["[.75, 1]"].metrics["recall"]) == (3, 1.0)


@pytest.fixture
def chemicals(tmp_path: Path) -> Path:
    """Texts in the BRAT format, with a chemical each, as in ChEMU."""
    folder = tmp_path / "chemicals"
    for part, count in (("train", 30), ("test", 4)):
        (folder / part).mkdir(parents=True)
        for n in range(count):
            path, name = folder / part / f"{n}.txt", ("butyl amine", "propyl ether")[n % 2]
            path.write_text(f"The\n{name} was added.\n")
            path.with_suffix(".ann").write_text(f"T1\tREAGENT 4 {4 + len(name)}\t{name}\n")
    return folder


def test_texts_in_the_brat_format_have_labelled_tokens(chemicals):
    result = run("memorization", [chemicals], ["convres"], {"learning_rate": 0.01, "epochs": 30})
    assert values(result["chemicals: convres"])["f1"] == 1
    (data,) = MemorizationSets().read([chemicals])
    assert data.questions[0] == ["The", "butyl", "amine", "was", "added", "."]
    assert data.gold.labels[0] == ["O", "B-REAGENT", "I-REAGENT", "O", "O", "O"]
    assert set(data.gold.annotations) == {"butyl amine", "propyl ether"}
    for path in (chemicals / "test").glob("*.ann"):
        path.unlink()
    with pytest.raises(InputError, match="test part have no labels"):
        list(MemorizationSets().read([chemicals]))


def test_spans_that_share_a_token():
    spans = [(4, 9, "A"), (0, 4, "B"), (0, 9, "C"), (10, 13, "D"), (13, 14, "E")]
    assert label_tokens("2,4-dione in", spans).labels == ["B-C", *["I-C"] * 4, "B-D"]


def test_bc3_act_as_folders_and_as_files(tmp_path):
    for folder in (tmp_path / "folders", tmp_path / "files"):
        for number, part in enumerate(("train", "test")):
            inside = folder / part if folder.name == "folders" else folder
            inside.mkdir(parents=True, exist_ok=True)
            rows = [f"{id}\tJ\tJ1\t2009\tTitle\tAbstract {id}.\n" for id in (number, number + 5)]
            (inside / f"act_all_records_{part}.tsv").write_text("".join(rows))
            (inside / f"act_gold_standard_{part}.tsv").write_text(f"{number}\t0\n{number + 5}\t1\n")
        (data,) = MemorizationSets().read([folder])
        assert [row.labels for row in data.training.rows] == [["0"], ["1"]]
        assert [row.tokens[1] for row in data.training.rows] == ["0", "5"]
        assert list(data.gold.labels) == [["0"], ["1"]]


def test_what_a_folder_must_hold(tmp_path, sentences):
    with pytest.raises(InputError, match="no train part"):
        list(MemorizationSets().read([tmp_path / "sentences" / "none"]))
    (sentences / "test.tsv").unlink()
    (sentences / "test.txt").write_text("no label here\n")
    with pytest.raises(InputError, match="neither its texts nor its tokens have labels"):
        list(MemorizationSets().read([sentences]))
    with pytest.raises(InputError, match="Unknown folds 'even'"):
        list(MemorizationSets(("even",)).read([sentences]))


def test_text_past_the_longest_input_is_outside(tiny_weights, genes):
    (data,) = MemorizationSets().read([genes])
    system = make("memorization", "bert", base=str(tiny_weights), epochs=1)
    system.fit(data.training)
    (labels,) = system.predict([["gene"] * 300])
    assert len(labels) == 300 and set(labels[260:]) == {"O"}
