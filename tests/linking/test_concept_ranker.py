"""Evidence for concepts, its weights, and the alignment of the encoder, on a tiny network."""

import numpy as np
import pytest

from spacy_gladis.concepts import Concept, ConceptMention, build_inventory
from spacy_gladis.dictionary import Dictionary
from spacy_gladis.errors import InputError
from spacy_gladis.linking.acrobert import AcroBERT
from spacy_gladis.linking.concepts.evidence import (
    ACRONYM,
    DENSE,
    DOCUMENT,
    EXACT,
    FEATURES,
    FREQUENCY,
    LINKED_SPARSE,
    SEEN,
    SPARSE,
    Evidence,
    EvidenceFinder,
    LinkedNames,
    NameVectors,
)
from spacy_gladis.linking.concepts.ranker import ConceptRanker, LinkerWeights
from spacy_gladis.research.training.concept_linker import fit_weights, train_concept_linker

INVENTORY = build_inventory(
    [
        Concept("A", ("adequate intake", "intake of potassium")),
        Concept("B", ("computed tomography", "scan")),
        Concept("C", ("messenger RNA", "scan")),
    ]
)
LINKED = [
    ConceptMention("daily potassium", ("A",)),
    ConceptMention("daily potassium", ("A", "GONE")),
    ConceptMention("ct scan", ("B",)),
]


@pytest.fixture(scope="module")
def model(tiny_weights):
    return AcroBERT.load(tiny_weights)


@pytest.fixture
def finder(model):
    return EvidenceFinder(LinkedNames(INVENTORY, LINKED), NameVectors(model))


def row(evidence: Evidence, id: str):
    return evidence.features[evidence.concepts.tolist().index(INVENTORY.find(id))]


def test_evidence(finder):
    exact, linked, nothing = finder.find(
        [ConceptMention(phrase) for phrase in ("Scan", "daily potassium", "zzz")]
    )
    assert set(exact.concepts.tolist()) >= {1, 2}
    for id in "BC":
        assert row(exact, id)[[EXACT, SPARSE]] == pytest.approx([1, 1])
        assert row(exact, id)[DENSE] == pytest.approx(1, abs=1e-3)
    assert row(linked, "A")[LINKED_SPARSE] == pytest.approx(1)
    assert row(linked, "A")[SEEN] == pytest.approx(2 / 2.5)
    assert row(linked, "A")[FREQUENCY] == pytest.approx(np.log(3))
    assert row(linked, "A")[EXACT] == 0
    assert len(nothing.concepts) == 0 and nothing.features.shape == (0, len(FEATURES))


def test_an_acronym_without_a_definition_is_looked_up(model):
    dictionary = Dictionary.open()
    dictionary.add("QZXW", "messenger RNA", 3)
    dictionary.add("QZXW", "daily potassium", 1)
    names = LinkedNames(INVENTORY, LINKED)
    finder = EvidenceFinder(names, NameVectors(model), dictionary=dictionary)
    text = "Quick zonal x-ray waves (QZXW)."
    alone, defined, word = finder.find(
        [
            ConceptMention("QZXW"),
            ConceptMention("QZXW", (), text, text.index("QZXW")),
            ConceptMention("Qzxw"),
        ]
    )
    assert row(alone, "C")[ACRONYM] == pytest.approx(3 / 5)
    assert row(alone, "A")[ACRONYM] == pytest.approx(1 / 5)
    assert not defined.features[:, ACRONYM].any()
    assert not word.features[:, ACRONYM].any()  # "pots" are no tachycardia


def test_a_linker_looks_at_the_document_where_that_has_a_weight(model):
    finder = EvidenceFinder(LinkedNames(INVENTORY), NameVectors(model))
    mentions = [ConceptMention(phrase, document="1") for phrase in ("messenger RNA", "scan")]
    weights = {SPARSE: 9.0, DOCUMENT: 3.0}
    ranked = {}
    for features in ({SPARSE}, {SPARSE, DOCUMENT}):
        chosen = (weights[at] if at in features else 0.0 for at in range(len(FEATURES)))
        ranked[len(features)] = ConceptRanker(finder, LinkerWeights(tuple(chosen), 0.0)).rank(
            mentions, 2
        )[1]
    assert [INVENTORY.ids[concept] for concept, _ in ranked[2]] == ["C", "B"]
    assert ranked[1][0][1] == pytest.approx(ranked[1][1][1])


def test_dense_shortlists_reach_what_shares_no_letters(model):
    finder = EvidenceFinder(LinkedNames(INVENTORY), NameVectors(model), dense=True)
    assert finder.find([ConceptMention("zzz")])[0].concepts.tolist() == [0, 1, 2]


def test_fitted_weights_find_what_tells_right_from_wrong():
    random = np.random.default_rng(0)
    evidence, gold = [], []
    for number in range(24):
        features = random.random((4, len(FEATURES))).astype(np.float32)
        right = number % 4
        features[:, SPARSE] = np.arange(4) == right
        evidence.append(Evidence(np.arange(4), features))
        gold.append({right})
    fitted = fit_weights(evidence, gold)
    assert max(fitted.weights) == fitted.weights[SPARSE] > 3
    assert min(fitted.weights) >= 0
    with pytest.raises(InputError, match="nothing can be fitted"):
        fit_weights(evidence, [set()] * 24)


def test_training_remembers_what_it_was_shown(model):
    dev = [ConceptMention("a scan of messenger rna", ("C",)), ConceptMention("intake", ("A",))]
    linker = train_concept_linker(INVENTORY, LINKED, dev, model)
    assert isinstance(linker, ConceptRanker)
    (best, probability), *_ = linker.rank([ConceptMention("daily potassium")], 2)[0]
    assert INVENTORY.ids[best] == "A" and 0 < probability <= 1
    assert linker.finder.linked_names.concepts[next(iter(linker.finder.linked_names.concepts))]
    with pytest.raises(InputError, match="No development phrase"):
        train_concept_linker(INVENTORY, LINKED, [ConceptMention("x", ("GONE",))], model)
