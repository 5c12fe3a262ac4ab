"""Texts in other languages: told by their function words, answered by what they define alone."""

import warnings
from importlib import import_module

import pytest
import spacy

from spacy_gladis.errors import InputError
from spacy_gladis.pipeline.languages import NAMES, _all_stop_words, detect_language
from spacy_gladis.pipeline.load import load_pipeline

FOREIGN = {
    "es": (
        "El hospital no tiene camas libres, y los enfermos con CT esperan en el pasillo.",
        "La empresa paga la AI de sus empleados desde hace dos años, pero no la de los demás.",
        "Se revisaron las historias de todos los pacientes que fueron operados por el mismo grupo.",
    ),
    "de": (
        "Die Stadt hat den Vertrag mit der AI verlängert, weil es keine andere gab.",
        "Nach der Operation wurde ein CT gemacht, das aber nichts zeigte.",
        "Wir haben die Werte nicht mehr gefunden und sie deshalb noch einmal gemessen.",
    ),
    "fr": (
        "Le maire a signé un accord avec la AI pour les écoles de la ville.",
        "Nous avons mesuré les valeurs dans une salle qui est fermée depuis deux ans.",
        "Les malades ont eu un CT, mais ce dernier ne montrait rien.",
    ),
    "it": (
        "Il sindaco ha firmato un accordo con la AI per le scuole della città.",
        "Dopo la visita non è stato fatto nessun CT, perché i medici erano tutti fuori.",
        "Questi sono gli esami che abbiamo chiesto alla clinica, e non sono ancora arrivati.",
    ),
}
ENGLISH = (
    "",
    "CT",
    "Pt c/o CP, SOB x 2 d. Hx of DM, HTN. No N/V.",
    "Fin del informe.",  # too short
    "ALTA CON LA DIETA PARA EL PACIENTE",  # capitals may be acronyms
    "el AI = 3; de AI = 4; la = 5",
    "Members: J. van der Berg, A. de la Cruz, M. von der Heide, L. dos Santos, S. El Amrani.",
    "He said that the sign 'el mundo es de los que no tienen nada' hung in the hall, and that "
    "nobody who worked there knew what it was about or who had written it.",
    "In vitro and de novo assays, per os or per rectum, were run ad hoc by the AI.",
    "Rue de la Paix 12, Bar-le-Duc; Via dei Fori 4, Roma; Calle de las Flores 9, Lugo.",
)


@pytest.mark.parametrize("code", FOREIGN)
def test_sentences_of_other_languages_are_told(code):
    assert [detect_language(text) for text in FOREIGN[code]] == [code] * 3
    assert detect_language("\n".join(FOREIGN[code]) * 2000) == code  # pieces of it are read


@pytest.mark.parametrize("text", ENGLISH)
def test_english_mixed_and_short_texts_are_english(text):
    assert detect_language(text) == "en"


def test_a_text_of_two_languages_is_english():
    english = (
        "The board met on Monday and it was said that there is no room for more than ten of us. "
        "What we have is what they gave to us, and that is all there will be for now. "
    )
    for texts in FOREIGN.values():
        assert detect_language(english + texts[0]) == detect_language(texts[0] + english) == "en"


@pytest.mark.slow
def test_the_stop_words_are_spacys():
    for code, words in _all_stop_words().items():
        theirs = import_module(f"spacy.lang.{code}.stop_words").STOP_WORDS
        assert words == {word for word in theirs if len(word) > 1 and word.isalpha()}
    assert set(_all_stop_words()) == set(NAMES)


def answers(nlp, text):
    return {acronym.text: acronym._.resolution for acronym in nlp(text)._.acronyms}


def pipeline(settings, language="en", **more):
    nlp = spacy.blank(language)
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker", config={**settings, **more})
    return nlp


@pytest.fixture
def english(settings):
    """Settings of a linker whose dictionary says that it is English."""
    settings.pop("dictionary")
    return settings


def test_the_packaged_dictionary_answers_english_texts_alone(english):
    nlp = pipeline(english)
    assert answers(nlp, "The CT of the chest was clear.")["CT"].source == "dictionary"
    with pytest.warns(UserWarning, match="a text looks") as warnings:
        for texts in FOREIGN.values():
            for text in texts:
                for answer in answers(nlp, text).values():
                    assert (answer.source, answer.probability) == ("nil", 0.0)
                    assert "but the dictionary is not" in answer.why[0]
    messages = [str(warning.message) for warning in warnings]
    assert len(messages) == len(FOREIGN)  # one for each language
    assert all(
        any(
            f"a text looks {language}, but the dictionary is English" in message
            for message in messages
        )
        for language in ("Spanish", "German", "French", "Italian")
    )
    assert answers(nlp, "The CT of the chest was clear.")["CT"].source == "dictionary"


@pytest.mark.filterwarnings("ignore:.*a text looks")
def test_what_a_text_defines_and_own_entries_hold_in_every_language(english):
    nlp = pipeline(english, top_k=500)
    nlp.get_pipe("acrobert_linker").dictionary.add("CT", "Comisión de Trabajo")
    text = (
        "El Instituto de Aguas (IDA) no tiene sede propia, pero la CT del IDA se reunió con los "
        "vecinos de la AI en el ayuntamiento."
    )
    result = answers(nlp, text)
    assert result["IDA"].long_form == "Instituto de Aguas" and result["IDA"].source == "definition"
    assert result["CT"].long_form == "Comisión de Trabajo" and len(result["CT"].candidates) == 1
    assert result["AI"].source == "nil" and not result["AI"].candidates
    both = answers(nlp, "The CT of the chest was clear.")["CT"].candidates
    assert {"Comisión de Trabajo", "computed tomography"} <= {name for name, _ in both}


@pytest.mark.filterwarnings("ignore:.*a text looks")
def test_one_document_of_a_batch_does_not_change_the_others(english):
    nlp = pipeline(english)
    text = "The AI, the CT of the chest and the MRI were seen."
    alone = answers(nlp, text)
    foreign, whole = list(nlp.pipe([FOREIGN["de"][0], text]))
    assert {
        acronym.text: acronym._.resolution for acronym in whole._.acronyms
    }.keys() == alone.keys()
    for acronym in whole._.acronyms:
        assert acronym._.long_form == alone[acronym.text].long_form
        assert acronym._.resolution.probability == pytest.approx(
            alone[acronym.text].probability, abs=1e-3
        )
    assert [acronym._.resolution.source for acronym in foreign._.acronyms] == ["nil"]


def test_a_dictionary_of_ones_own_and_the_setting_answer_every_language(settings, english):
    text = FOREIGN["de"][1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for languages in (["xx"], ["en", "de"]):
            nlp = pipeline(english, languages=languages)
            assert answers(nlp, text)["CT"].source == "dictionary"
        assert answers(load_pipeline(any_language=True), text)["CT"].candidates
    nlp = pipeline(english, languages=["de"])
    with pytest.warns(UserWarning, match="a text looks English, but the dictionary is German"):
        assert answers(nlp, "The CT of the chest was not what he had.")["CT"].source == "nil"


def test_the_warning_names_the_document(english):
    nlp = pipeline(english)
    doc = nlp.make_doc(FOREIGN["de"][1])
    doc.user_data["document"] = "notes/befund.txt"
    with pytest.warns(UserWarning, match=r"notes/befund\.txt looks German"):
        nlp(doc)


def test_a_saved_pipeline_keeps_the_languages(english, tmp_path):
    for languages, source in ((None, "nil"), (["en", "de"], "dictionary")):
        pipeline(english, languages=languages).to_disk(tmp_path / "saved")
        again = spacy.load(tmp_path / "saved")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert answers(again, FOREIGN["de"][1])["CT"].source == source
        again = load_pipeline(tmp_path / "saved", any_language=True)
        assert answers(again, FOREIGN["de"][1])["CT"].candidates


@pytest.mark.parametrize("wrong", ["de", ["German"], [1]])
def test_languages_are_codes(settings, wrong):
    linker = pipeline(settings).get_pipe("acrobert_linker")
    with pytest.raises(InputError, match=r"languages must be a list of codes"):
        linker.configure(languages=wrong)


@pytest.mark.filterwarnings("ignore:.*a text looks")
def test_small_words_of_other_languages_are_no_acronyms():
    nlp = load_pipeline()
    texts = (
        "Se pide un CT, y los otros no se piden porque el enfermo no los necesita.",
        "De arts heeft het CT gemaakt en de anderen waren er niet bij.",
    )
    for text in texts:
        assert [acronym.text for acronym in nlp(text)._.acronyms] == ["CT"]
