"""Small labelled samples, a parser that knows one rule, and trees: real code, no time."""

from pathlib import Path

import pytest
from small_samples import HEART, STAFF, sample

from spacy_gladis.corpus.sample import Sample
from spacy_gladis.dictionary import Candidate


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
def questions() -> list[Sample]:
    return [sample("the patient said HR is high ."), sample("the manager said HR is open .")]


@pytest.fixture(scope="session")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline whose parser has learnt next to nothing, as 'train parser' writes it."""
    from spacy_gladis.baselines.treebank import ParserSettings, train_parser

    folder = tmp_path_factory.mktemp("treebank")
    sentence = (
        "# text = The HR rose .\n"
        "1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n"
        "2\tHR\tHR\tPROPN\tNNP\t_\t3\tnsubj\t_\t_\n"
        "3\trose\trise\tVERB\tVBD\t_\t0\troot\t_\t_\n"
        "4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n"
    )
    for part in ("train", "dev"):
        (folder / f"tiny-{part}.conllu").write_text(sentence * 40, "utf8")
    train_parser(folder, folder / "parser", ParserSettings(steps=4, evaluate_every=4))
    return folder / "parser"
