"""English plurals and articles."""

import pytest

from spacy_gladis.output.inflection import indefinite_article, plural, singular


@pytest.mark.parametrize(
    ("single", "many"),
    [
        ("support vector machine", "support vector machines"),
        ("case study", "case studies"),
        ("public key", "public keys"),
        ("body mass index", "body mass indexes"),
        ("meta-analysis", "meta-analyses"),
        ("convolutional neural networks", "convolutional neural networks"),
        ("virus", "viruses"),
        ("quantitative trait locus", "quantitative trait loci"),
        ("confusion matrix", "confusion matrices"),
        ("request for comments", "requests for comments"),
        ("memorandum of understanding", "memoranda of understanding"),
        ("attorney general", "attorneys general"),
        ("secretary-general", "secretaries-general"),
        ("mother-in-law", "mothers-in-law"),
        ("general election", "general elections"),
        ("chairman", "chairmen"),
        ("German", "Germans"),
        ("specimen", "specimens"),
        ("cost formula", "cost formulas"),
        ("", "s"),
    ],
)
def test_plural(single, many):
    assert plural(single) == many


@pytest.mark.parametrize(
    ("many", "single"),
    [
        ("Requests for Comments", "Request for Comments"),
        ("quantitative trait loci", "quantitative trait locus"),
        ("brain metastases", "brain metastasis"),
        ("support vector machine", "support vector machine"),
        ("key performance indices", "key performance index"),
        ("chemical analysis", "chemical analysis"),
        ("Memoranda of Understanding", "Memorandum of Understanding"),
        ("Attorneys General", "Attorney General"),
        ("notaries public", "notary public"),
        ("spokeswomen", "spokeswoman"),
        ("women", "woman"),
        ("specimen", "specimen"),
        ("cost formulae", "cost formula"),
        ("storage media", "storage medium"),
    ],
)
def test_singular(many, single):
    assert singular(many) == single


@pytest.mark.parametrize(
    "phrase",
    [
        "an electrocardiogram",
        "a magnetic field",
        "a European",
        "an hour",
        "a heart",
        "a unit",
        "an unidentified object",
        "a user",
        "an ultrasound",
        "a one-time password",
        "an Adequate Intake",
        "a ",
    ],
)
def test_indefinite_article(phrase):
    article, _, word = phrase.partition(" ")
    assert indefinite_article(word) == article
