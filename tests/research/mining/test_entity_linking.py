import json

import pytest

from spacy_gladis.concepts import Concept, ConceptMention
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.problem import ProblemLog
from spacy_gladis.research.datasets.entity_types import CLASS, EntityTypes
from spacy_gladis.research.datasets.linked_phrases import find_acronym, to_sample
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.mining.evaluation_set import (
    complete,
    read_medmentions,
    set_statistics,
    source_samples,
)
from tests.support.corpora import write_lines

NAMES = ("European Space Agency", "esa", "E. S. A. (space)", "ESA")
ESA = Concept("Q42262", NAMES, domain="Organization")


def linked(left, mention, right, concept="C1"):
    text = f"{left}{mention}{right}"
    return ConceptMention(mention, (concept,), text, len(left), "d:1")


@pytest.mark.parametrize(
    ("left", "mention", "right"),
    [
        ("The ", "ESA", " launched it."),
        ("The ", "agency", " launched it."),
        ("The ", "new European Space Agency", " launched it."),
        ("The European Space Agency, yes, the ", "European Space Agency", " launched it."),
    ],
)
def test_mentions_that_make_no_sample(left, mention, right):
    assert to_sample(linked(left, mention, right), ESA, "Web") is None


def test_the_acronym_is_verified_by_the_rules():
    concept = Concept("C1", ("NMR", "MRI", "Magnetic Resonance", "XYZ"))
    assert find_acronym("magnetic resonance imaging", concept) == "MRI"
    assert find_acronym("nuclear magnetic resonance", concept) == "NMR"
    assert find_acronym("computed tomography", concept) is None


WIKILINKS = [
    {
        "left_context": ["Engineers", "of", "the"],
        "mention_as_list": ["European", "Space", "Agency"],
        "right_context": ["met", "in", "Paris", "."],
        "y_title": "European_Space_Agency",
    },
    {
        "left_context": [],
        "mention_as_list": ["European", "Central", "Bank"],
        "right_context": ["raised", "rates", "."],
        "y_title": "European Central Bank",
    },
    {"left_context": ["no", "title"], "mention_as_list": ["x"], "right_context": []},
]


TITLE = "Imaging of the heart"
ABSTRACT = (
    "We saw forty patients, approx. half of them women. All had magnetic resonance imaging "
    "of the heart (3 T). The result was good! No harm was seen."
)


def pubtator():
    text = f"{TITLE}\n{ABSTRACT}"

    def line(mention, concept):
        start = text.index(mention)
        return f"77\t{start}\t{start + len(mention)}\t{mention}\tT060\tUMLS:{concept}"

    return [
        f"77|t|{TITLE}",
        f"77|a|{ABSTRACT}",
        line("magnetic resonance imaging", "C0024485"),
        line("heart", "C0018787"),
        "77\t1\t5\twrong\tT060\tUMLS:C1",
        "77\tno annotation",
        "",
        "78|t|Second",
        "78|a|",
        "78\t0\t6\tSecond\tT079\tC0205436",
    ]


def test_medmentions(tmp_path):
    problems = ProblemLog()
    path = write_lines(tmp_path / "corpus.txt", [line.encode() for line in pubtator()])
    first, second, third = read_medmentions(path, problems)
    assert first.text == "All had magnetic resonance imaging of the heart (3 T)."
    assert first.text[first.start :].startswith(first.phrase) and first.start == 8
    assert first.phrase == "magnetic resonance imaging"
    assert (first.concepts, first.document) == (("C0024485",), "77")
    assert first.kind == "Biomedical Concept"
    assert second.text == TITLE
    assert (third.text, third.concepts) == ("Second", ("C0205436",))
    assert problems.counts == {"wrong offsets": 1, "no annotation": 1}


def test_sciad(tmp_path):
    path = tmp_path / "train.json"
    record = {"id": "TR-0", "tokens": ["The", "SVM", "won", "."], "acronym": 1}
    path.write_text(json.dumps([{**record, "expansion": "a machine"}]), encoding="utf-8")
    [sample] = source_samples("sciad", [path])
    assert sample.text[sample.start : sample.end] == sample.acronym == "SVM"
    assert (sample.long_form, sample.domain, sample.document) == ("a machine", "SciAD", "TR-0")
    path.write_text(json.dumps([record]), encoding="utf-8")  # as the shared task's test file
    with pytest.raises(FormatError, match="row 1 is not a sample"):
        list(source_samples("sciad", [path]))


def wikidata(tmp_path):
    def entity(number, label, alias, page, kind, claim="P31"):
        claims = {claim: [{"mainsnak": {"datavalue": {"value": {"id": kind}}}}]}
        return {
            "id": f"Q{number}",
            "labels": {"en": {"value": label}},
            "aliases": {"en": [{"value": alias}]},
            "sitelinks": {"enwiki": {"title": page}},
            "claims": claims,
        }

    entities = [
        entity(1, "European Space Agency", "ESA", "European Space Agency", "Q79913"),
        entity(2, "European Central Bank", "ECB", "European Central Bank", "Q4"),
        entity(3, "Ecological Society of America", "ESA", "Nobody asks for this", "Q48204"),
        entity(79913, "space agency", "", "", "Q327333", "P279"),
        entity(4, "monetary authority", "", "", "Q4", "P279"),
    ]
    return write_lines(tmp_path / "dump.json.gz", entities)


def test_linked_mentions_meet_their_reference(tmp_path):
    path = write_lines(tmp_path / "dev.json", [*WIKILINKS, b"broken"])
    problems = ProblemLog()
    dump = wikidata(tmp_path)
    first, second = source_samples("wikilinks", [path], dump, problems)
    assert (first.acronym, first.kind, first.document) == ("ESA", "Organization", "dev:1")
    assert (first.text, first.start) == ("Engineers of the ESA met in Paris .", 17)
    assert (second.acronym, second.kind) == ("ECB", "Thing")
    assert second.text == "ECB raised rates ."
    assert problems.counts == {"no linked mention": 2}


def test_types_are_the_nearest_top_level_classes():
    types = EntityTypes()
    for id, parents in {"Q1": ("Q2", "Q3"), "Q2": ("Q1", "Q16521"), "Q3": ("Q5",)}.items():
        types.add(Concept(id, ("class",), domain=CLASS, parents=parents))
    types.add(Concept("Q9", ("no class",), parents=("Q5",)))
    assert types.find(["Q1"]) == "Taxon"  # both are two steps away: the first named
    assert types.find(["Q1", "Q3"]) == "Person"
    assert types.find(["Q43229"]) == "Organization"
    assert types.find(["Q9"]) == types.find([]) == "Thing"


def test_sources_that_cannot_be_read(tmp_path):
    path = write_lines(tmp_path / "dev.json", WIKILINKS)
    with pytest.raises(InputError, match="Unknown source 'x'"):
        source_samples("x", [path])
    with pytest.raises(InputError, match="needs a --reference"):
        source_samples("wikilinks", [path])
    with pytest.raises(InputError, match="does not exist"):
        source_samples("wikilinks", [path], tmp_path / "nowhere.json")


def sample(acronym, long_form, text="A text with {} in it."):
    text = text.format(acronym)
    start = text.index(acronym)
    return Sample(acronym, long_form, text, start, start + len(acronym), "Web", "type", "d")


KNOWN = {"ESA": ["Ecological Society of America", "European Space Agency"]}


def test_a_set_is_completed_by_its_dictionary():
    samples = [
        sample("ESA", "european space agencies"),
        sample("ESA", "European Space Agency"),
        sample("ESA", "European Space Agency", "Another {} text."),
        sample("ECB", "European Central Bank"),
        sample("ECB", "european central banks", "Once more the {} was here."),
    ]
    completed, missing = complete(samples, lambda acronym: KNOWN.get(acronym, []))
    assert [sample.long_form for sample in completed] == ["European Space Agency"] * 2 + [
        "European Central Bank"
    ] * 2
    assert missing == [("ECB", "European Central Bank")]
    long_forms = {**KNOWN, "ECB": ["European Central Bank"]}
    figures = set_statistics(completed, lambda acronym: long_forms[acronym])
    assert figures == {
        "samples": 4,
        "unique_short_forms": 2,
        "candidates_per_short_form": 1.5,
        "overshadowed_ratio": 0.5,
        "types": {"type": 4},
    }
