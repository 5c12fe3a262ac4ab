"""What benchmarks/held_out.py keeps out, and where its questions stand."""

from pathlib import Path

import numpy as np
import pytest
import torch
from frozen_rows import Row, _place, knows_more, read_rows
from kept_out import definitions_of, forget, write_without

from spacy_gladis.dictionary import Dictionary, write_store
from spacy_gladis.documents.document import Document
from spacy_gladis.modeling import AcroBERT, Settings
from spacy_gladis.modeling.coded_vectors import sense_key
from spacy_gladis.modeling.network import AcroNetwork
from spacy_gladis.research.datasets.sample import Sample, write_samples
from spacy_gladis.research.training.centroids import likely_centroids, read_contexts
from spacy_gladis.research.training.likelihood import SenseContexts, axes_of
from tests.support.modeling import CONFIG, make_pieces

TEXT = "They trained a support vector machine (SVM) on it.\n\nThe SVM was then used by others."


@pytest.fixture
def document() -> Document:
    return Document("shard:1", TEXT, "web")


@pytest.fixture
def dictionary(tmp_path: Path) -> Dictionary:
    path = tmp_path / "small.gladis"
    entries = [
        ("PH", [("public health", {"web": 1})]),
        (
            "SVM",
            [
                ("support vector machines", {"web": 2, "list": 5}),
                ("state-variable model", {"web": 3}),
            ],
        ),
    ]
    write_store(entries, path, {})
    return Dictionary.open(path)


def test_a_dictionary_loses_what_documents_gave_it(
    document: Document, dictionary: Dictionary, tmp_path: Path
) -> None:
    public = Document("shard:2", "In public health (PH) it is known.", "web")
    defined = definitions_of([document, public])
    assert write_without(dictionary, defined, tmp_path / "less.gladis") == {
        "entries_lowered": 2,
        "entries_gone": 1,
    }
    less = Dictionary.open(tmp_path / "less.gladis")
    assert less.candidates("SVM")[0].counts == {"web": 1, "list": 5}
    assert less.candidates("SVM")[1].counts == {"web": 3}
    assert list(less) == ["SVM"]


def test_a_centroid_is_made_of_other_documents(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = AcroBERT(AcroNetwork(CONFIG, 1), make_pieces(), Settings(domains=("",)))

    def sample(long_form: str, text: str, document: str) -> Sample:
        return Sample("HT", long_form, text, 0, 2, document=document)

    own, other = sample("hypertension", "HT of his heart", "a"), sample("hypertension", "HT", "b")
    only, untouched = sample("hyper text", "HT pages", "a"), sample("high tide", "HT at sea", "a")
    read = read_contexts(model, iter([own, other, only, untouched]))
    seen = SenseContexts.of(read.keys, read.documents, read.vectors)
    model.centroids = likely_centroids(seen, axes_of(seen))
    before = model.centroids.vectors(model.centroids.rows(["high tide"]))
    write_samples(tmp_path / "samples.jsonl", [own, other, only, untouched])
    senses = {sense_key("hypertension"), sense_key("hyper text")}
    made, counted = forget(model, [tmp_path / "samples.jsonl"], {"a"}, senses)
    assert counted == {"centroids_anew": 1, "centroids_gone": 1}
    rows = made.centroids.rows(["hypertension", "hyper text", "high tide"])
    assert rows[1] == -1 and made.centroids.seen[rows[0]] == 1
    assert np.array_equal(made.centroids.vectors(rows[2:]), before)
    # Coded by the codes that were there: of these the nearest to the other document's context.
    likelihood, all_rows = model.centroids.likelihood, np.arange(len(model.centroids))
    assert likelihood is not None
    context = model.encode_contexts([other.mention]).vectors
    wanted = likelihood.expected(context, np.ones(1, np.float32))[0]
    distances = np.square(model.centroids.rotated_vectors(all_rows) - wanted).sum(1)
    found = made.centroids.rotated_vectors(rows[:1])[0]
    assert np.square(found - wanted).sum() <= distances.min() + 1e-5


def test_a_question_is_read_where_its_sample_was_cut(document: Document) -> None:
    text = "They trained a SVM on it."
    sample = Sample("SVM", "support vector machine", text, 15, 18, "web", document="shard:1")
    row = _place("held-out", sample, document)
    assert row is not None
    question = row.question(document, 7)
    assert question.mention == (text, 15, 18, 7)
    assert question.long_form == "support vector machine"


def test_a_question_without_another_source_is_not_asked(dictionary: Dictionary) -> None:
    alone = Sample("PH", "public health", "PH", 0, 2, "web")
    assert not knows_more(dictionary, alone)
    assert knows_more(dictionary, alone._replace(long_form="partial hash"))


def test_frozen_rows_stand_where_their_file_says() -> None:
    rows = read_rows()
    assert {row.part for row in rows} == {
        "mentions",
        "mentions-choice",
        "held-out",
        "held-out-choice",
    }
    assert all(row.low <= row.start < row.end <= row.high for row in rows)
    documents = [
        {row.document for row in rows if row.part == part}
        for part in ("mentions", "mentions-choice")
    ]
    assert not documents[0] & documents[1]
    assert {Row(*row) for row in rows} >= set(read_rows("held-out"))
