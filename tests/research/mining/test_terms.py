"""Terms that texts write out, and their initials."""

from spacy_gladis.documents.document import Document
from spacy_gladis.research.mining.phrases import phrase_samples
from spacy_gladis.research.mining.terms import find_terms
from tests.support.growth import assert_linear


def documents(*texts: str) -> list[Document]:
    return [Document(str(number), text, "Notes") for number, text in enumerate(texts)]


def test_terms_stand_between_function_words_and_punctuation():
    text = "The deep neural network, of a heart failure clinic; it was acute (renal failure)."
    assert find_terms(documents(text), 1) == {
        "deep neural network": "DNN",
        "heart failure clinic": "HFC",
        "renal failure": "RF",
    }


def test_a_document_counts_once():
    given = documents("Heart failure, heart failure.", "By renal failure.", "A renal failure.")
    assert find_terms(given, 2) == {"renal failure": "RF"}


def test_parts_of_words_and_long_runs_are_no_terms():
    text = (
        "A severe heart failure-like state3 model; red green blue white black; we've seen patients "
        "with T-cell lymphoma and pre_war heart."
    )
    assert find_terms(documents(text), 1) == {}


def test_lines_join_words_and_paragraphs_part_them():
    text = "The deep\nnetwork\n\nHeart failure in a \ufb01nite element"
    assert set(find_terms(documents(text), 1)) == {
        "deep network",
        "heart failure",
        "finite element",
    }


def test_the_rarest_half_is_forgotten_where_many_are_held():
    given = documents(*["Heart failure."] * 3, "Rare words.", "Renal stones.", "Rare words.")
    assert find_terms(given, 2) == {"heart failure": "HF", "rare words": "RW"}
    assert find_terms(given, 2, held=2) == {"heart failure": "HF"}
    later = [*given, *documents(*["Deep network."] * 3)]
    assert find_terms(later, 2, held=2) == {"deep network": "DN", "heart failure": "HF"}


def test_the_acronym_stands_wherever_the_passage_writes_the_term():
    text = "Heart failure is common; heart\nfailure (HF), heart-failure and heart failures."
    (sample,) = phrase_samples(documents(text), {"heart failure": "HF"})
    assert sample.text == "HF is common; HF, HF and heart failures."
    assert (sample.start, sample.end) == (0, 2)
    (sample,) = phrase_samples(documents(text), {"heart failure": r"H\F"})
    assert sample.text == r"H\F is common; H\F (HF), H\F and heart failures."


def test_the_time_is_linear():
    text = "A deep neural network of the heart failure clinic (and words). "
    assert_linear(lambda size: find_terms(documents(text * size), 1), 300)
    assert_linear(lambda size: find_terms(documents("ACGT" * size), 1), 20_000)
