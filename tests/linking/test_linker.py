import json
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate, Dictionary
from spacy_gladis.linking import AcroBERT, Linker
from spacy_gladis.linking.features import CONTEXTS, COSINE
from spacy_gladis.linking.ranking import group_meanings
from spacy_gladis.text import Mention

ENTRIES = {
    "AI": [["artificial intelligence", 120], ["adequate intake", 30], ["aromatase inhibitor", 12]],
    "BC": [["breast cancer", 7]],
}
TEXT = "the AI of potassium in the diet"


@pytest.fixture
def dictionary(tmp_path: Path) -> Dictionary:
    path = tmp_path / "entries.json"
    path.write_text(json.dumps(ENTRIES))
    return Dictionary.open(path)


def mention(text: str = TEXT, acronym: str = "AI", document: int = 0) -> Mention:
    start = text.index(acronym)
    return Mention(text, start, start + len(acronym), document)


def test_popularity_follows_the_counts(model: AcroBERT, dictionary: Dictionary) -> None:
    (answer,) = Linker(model, dictionary, ranking="popularity").rank([mention()])
    assert [candidate.total for candidate, _ in answer] == [120, 30, 12]
    shares = [share for _, share in answer]
    assert shares == pytest.approx([121 / 166, 31 / 166, 13 / 166])


def test_mentions_of_a_document_vote(model: AcroBERT, dictionary: Dictionary) -> None:
    pair = [mention(TEXT), mention("the AI model learns from data")]
    apart = [pair[0], pair[1]._replace(document=1)]

    def shares(mentions: list[Mention]) -> np.ndarray:
        answers = Linker(model, dictionary).rank(mentions)
        return np.array([[{c.long_form: s for c, s in a}[name] for name in names] for a in answers])

    names = [str(name) for name, _ in ENTRIES["AI"]]
    between = np.abs(np.diff(shares(pair), axis=0))
    assert (between < np.abs(np.diff(shares(apart), axis=0))).all()


@pytest.mark.parametrize("other", ["AIs", "A.I.", "ai"])
def test_spellings_of_a_document_vote_together(
    model: AcroBERT, dictionary: Dictionary, other: str
) -> None:
    first, two = mention(TEXT), mention(f"the {other} learn from data", other)
    apart = Linker(model, dictionary).rank([first, two._replace(document=1)])
    together = Linker(model, dictionary).rank([first, two])
    for alone, voted in zip(apart, together, strict=True):
        assert {c.long_form: p for c, p in alone} != {c.long_form: p for c, p in voted}


def test_each_spelling_keeps_its_own_candidates(model: AcroBERT, tmp_path: Path) -> None:
    path = tmp_path / "entries.json"
    path.write_text(json.dumps({"PT": [["physical therapy", 9]], "pt": [["patient", 9]]}))
    linker = Linker(model, Dictionary.open(path))
    answers = linker.rank([mention("the pt walks", "pt"), mention("the PT walks", "PT")])
    assert [answer[0][0].long_form for answer in answers] == ["patient", "physical therapy"]


def test_mentions_beyond_those_that_are_read_share_an_answer(
    model: AcroBERT, dictionary: Dictionary
) -> None:
    texts = [TEXT, "the AI model learns from data", "an AI of potassium", "the state AI", "an AI"]
    answers = Linker(model, dictionary).rank([mention(text) for text in texts])
    assert answers[CONTEXTS] == answers[CONTEXTS + 1]
    assert answers[0] != answers[1]


def test_five_thousand_candidates(model: AcroBERT, dictionary: Dictionary) -> None:
    for number in range(5000):
        dictionary.add("AI", blake2b(str(number).encode(), digest_size=6).hexdigest(), 1)
    (answer,) = Linker(model, dictionary).rank([mention()])
    assert len(answer) == 5003
    assert sum(share for _, share in answer) <= 1 + 1e-6


def test_only_the_likeliest_long_forms_are_encoded(model: AcroBERT, dictionary: Dictionary) -> None:
    words = ("artificial", "adequate", "aromatase"), ("intelligence", "intake", "inhibitor")
    likely = [Candidate(f"{word} {other}", {}, 0, -1) for word in words[0] for other in words[1]]
    others = [Candidate(f"other {i}", {}, 0, -1) for i in range(50)]
    calibration = replace(model.settings.calibration, initials=5.0)
    model.settings = replace(model.settings, calibration=calibration)
    (features,), _ = Linker(model, dictionary).compute_features(
        [Mention("the AI", 4, 6)], [[*others, *likely]]
    )
    assert features[0, COSINE] == features[:, COSINE].min()
    assert len(set(features[:50, COSINE].tolist())) == 1
    assert len(set(features[50:, COSINE].tolist())) == len(likely)


def candidates(*names: tuple[str, int]) -> list[Candidate]:
    return [Candidate(name, {"d": total}, total, row) for row, (name, total) in enumerate(names)]


def test_spellings_are_one_meaning_and_the_most_frequent_stands_for_it() -> None:
    options = candidates(
        ("computed tomographic", 2),
        ("Connecticut", 9),
        ("computed tomography", 50),
        ("computed tomography scan", 7),
        ("clinical trial", 20),
    )
    assert group_meanings(options) == [2, 1, 2, 2, 4]


@pytest.mark.parametrize(
    ("text", "is_symbol"),
    [("the CA 10.4 mg", True), ("the CA: 10", True), ("the CA of the state", False)],
)
def test_capitals_before_a_number_may_be_a_symbol(
    model: AcroBERT, tmp_path: Path, text: str, is_symbol: bool
) -> None:
    path = tmp_path / "entries.json"
    path.write_text(json.dumps({"CA": [["cancer", 9]], "Ca": [["calcium", 9]]}))
    groups = Linker(model, Dictionary.open(path)).questions([mention(text, "CA")])
    names = {candidate.long_form for candidate in groups[0].candidates}
    assert names == ({"cancer", "calcium"} if is_symbol else {"cancer"})
