"""The rules and the feature-based systems that SciAI's paper compares with."""

from itertools import product

import pytest
import spacy

from spacy_gladis.errors import InputError
from spacy_gladis.research.extraction.docbin import AnnotatedText
from tests.research.tasks.identification.test_identification import strings
from tests.support.tasks import make

torch = pytest.importorskip("torch")
pytest.importorskip("torchcrf")

from spacy_gladis.research.tasks.identification.systems.bioadi import (  # noqa: E402
    pairs_of,
    words_of,
)
from spacy_gladis.research.tasks.identification.systems.lncrf import (  # noqa: E402
    LatentCRF,
    word_features,
)


@pytest.mark.parametrize(
    ("name", "text", "short", "long"),
    [
        ("noa", "the slow river boats (SRB) and WB", ["SRB"], ["slow river boats"]),
        ("noa", "the boats of old rivers (BOR)", [], []),
        ("noa", "slow river, boats (SRB)", ["SRB"], ["slow river, boats"]),
        ("ade", "the boats of old rivers (BOR) and WB2", ["BOR", "WB2"], ["boats of old rivers"]),
        # Section 5.3: it misses letters of the middle of words, and forms that are far away.
        ("ade", "complete polar evaluation (CARE)", ["CARE"], []),
        ("ade", "where warm breads rise, known as WB", ["WB"], []),
        ("ade", "boats of rivers: (BR)", ["BR"], []),
        ("uad", "a local rewriting pattern (LORP) of BiLSTMs", ["BiLSTMs", "LORP"], None),
        ("uad", "fast and factual sailing (FA2E) I am", ["FA2E"], []),
    ],
)
def test_rules(name, text, short, long):
    result = make("sciai", name).answer(text)
    assert strings(text, result.short) == short
    expected = ["local rewriting pattern"] if long is None else long
    assert strings(text, result.long) == expected


def marked(text, short, long):
    def spans(forms):
        return [(text.index(form), text.index(form) + len(form)) for form in forms]

    return AnnotatedText(text, spans(short), spans(long), [])


TRAINING = [
    marked("we sail slow river boats (SRB) here", ["SRB"], ["slow river boats"]),
    marked("they bake warm bread (WB) there", ["WB"], ["warm bread"]),
    marked("an old rope (OR) of Ann and OR", ["OR"], ["old rope"]),
    marked("see the text (TODO) of Bob", [], []),
] * 10


@pytest.mark.parametrize(("name", "settings"), [("bioadi", {}), ("lncrf", {"epochs": 40})])
def test_features_are_learnt_from(name, settings):
    system = make("sciai", name, **settings)
    with pytest.raises(InputError, match="needs training texts"):
        system.fit(())
    system.fit(TRAINING)
    text = "you make blue paper (BP) as Ann does"
    (result, nothing) = system.predict([text, ""])
    assert (strings(text, result.short), strings(text, result.long)) == (["BP"], ["blue paper"])
    assert nothing == (set(), set())


def test_nothing_is_marked_where_training_shows_nothing():
    system = make("sciai", "bioadi")
    system.fit([AnnotatedText("no form (ABC) here", [], [], [])])
    assert system.answer("slow boats (SB)") == (set(), set())


def test_pairs_and_words_to_choose_from():
    text = "an old slow boat (SB), 25 m (x"
    assert [text[slice(*pair.long)] for pair in pairs_of(text)] == [
        "an old slow boat",
        "old slow boat",
        "slow boat",
        "boat",
    ]
    assert pairs_of_features(text)["initials are the short form"] == [0, 0, 1, 0]
    assert [text[slice(*span)] for span, _ in words_of(text)] == ["SB"]


def pairs_of_features(text):
    rows = [pair.features for pair in pairs_of(text)]
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_words_have_the_features_of_their_neighbours():
    features = word_features(spacy.blank("en")("slow boats (SB)"))
    assert {"0:first, near before", "1:last, near before", "0:shape=xxxx"} <= set(features[0])
    assert {"0:candidate", "0:has near before", "-1:("} <= set(features[3])


def test_labels_sum_over_their_states():
    """The likelihoods of all sequences of labels sum to 1, in the middle of a batch, too."""
    torch.manual_seed(0)
    network = LatentCRF(4, 3, 2).eval()
    short = [torch.tensor([0, 1]), torch.tensor([], dtype=torch.long)]
    longer = [*short, torch.tensor([3])]
    with torch.inference_mode():
        losses = [
            float(network.loss([short], [torch.tensor(labels)]))
            for labels in product(range(9), repeat=2)
        ]
        gold = [torch.tensor([0, 1]), torch.tensor([0, 1, 2])]
        together = network.loss([short, longer], gold)
        alone = [
            network.loss([row], [tags]) for row, tags in zip([short, longer], gold, strict=True)
        ]
        assert all(tag < 9 for tag in network.decode([longer])[0])
    assert sum(torch.exp(-torch.tensor(losses))) == pytest.approx(1, abs=1e-4)
    torch.testing.assert_close(together, sum(alone) / 2)
