"""Small labelled samples, a parser that knows one rule, and trees: real code, no time."""

from pathlib import Path

import pytest
import spacy
from spacy.training import Example
from thinc.util import fix_random_seed

from spacy_gladis.dictionary import Candidate, Dictionary
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.tasks.disambiguation.data import Question, Training
from tests.support.samples import HEART, STAFF, sample

PARTS = ["det", "nsubj", "ROOT", "punct"]


@pytest.fixture(scope="session")
def table() -> dict[str, list[Candidate]]:
    return {"HR": [Candidate(name, {}, 0, -1) for name in ("home run", STAFF, HEART)]}


@pytest.fixture(scope="session")
def training() -> list[Sample]:
    """Forty samples, of which one word tells the meaning."""
    return [
        sample(f"the {cue} said HR is number {n} .", long_form)
        for n in range(10)
        for cue, long_form in (
            ("doctor", HEART),
            ("patient", HEART),
            ("manager", STAFF),
            ("office", STAFF),
        )
    ]


@pytest.fixture(scope="session")
def parts(training: list[Sample], table: dict[str, list[Candidate]]) -> Training:
    """Eight samples for development, the others for training."""
    texts = [sample.text for sample in training[8:]]
    return Training(training[8:], training[:8], table, Dictionary.open(), texts)


@pytest.fixture(scope="session")
def questions(table: dict[str, list[Candidate]]) -> list[Question]:
    queries = (sample("the patient said HR is high ."), sample("the manager said HR is open ."))
    return [Question(question, table["HR"]) for question in queries]


@pytest.fixture(scope="session")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline whose parser has learnt next to nothing, as `spacy train` writes it."""
    fix_random_seed(0)
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    nlp.add_pipe("parser")
    tree = {"tags": ["DT", "NNP", "VBD", "."], "heads": [1, 2, 2, 2], "deps": PARTS}
    examples = [Example.from_dict(nlp.make_doc("The HR rose."), tree)] * 40
    nlp.initialize(lambda: examples)
    for _ in range(4):
        nlp.update(examples)
    folder = tmp_path_factory.mktemp("treebank") / "parser"
    nlp.to_disk(folder)
    return folder
