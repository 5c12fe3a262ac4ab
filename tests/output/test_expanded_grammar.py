"""Long forms in sentences: number, article, redundant nouns, prefixes, and markup's arguments."""

import pytest

from spacy_gladis.documents.formats import read_text
from spacy_gladis.output.expansion import Expand, expand, expand_source

MEANINGS = {
    "ATM": "automated teller machine",
    "BMC": "baseboard management controllers",
    "CV": "curriculum vitae",
    "DHD": "Department of Human Duties",
    "FAQ": "frequently asked questions",
    "HIV": "human immunodeficiency virus",
    "LCD": "liquid crystal display",
    "NLP": "natural language processing",
    "NN": "neural network",
    "OCT": "optical coherence tomography",
    "POS": "point of sale",
    "QZT": "8-bit quantized tensor",
    "RFP": "request for proposals",
    "TOR": "the onion router",
    "UPS": "uninterruptible power supply",
    "MGB": "MRI-guided biopsy",
}

SENTENCES = [
    # number
    ("We use NNs here.", "We use neural networks here."),
    ("Two CVs came.", "Two curricula vitae came."),
    ("Their POSs differ.", "Their points of sale differ."),
    ("Old UPSs fail.", "Old uninterruptible power supplies fail."),
    ("Some FAQs help.", "Some frequently asked questions help."),
    ("A BMC resets.", "A baseboard management controller resets."),
    ("Each BMC resets.", "Each baseboard management controller resets."),
    ("Write a FAQ.", "Write a frequently asked question."),
    ("Send an RFP.", "Send a request for proposals."),
    # articles
    ("An NN learns.", "A neural network learns."),
    ("He used an ATM.", "He used an automated teller machine."),
    ("He used a OCT.", "He used an optical coherence tomography."),
    ("It is an LCD.", "It is a liquid crystal display."),
    ("It needs a UPS.", "It needs an uninterruptible power supply."),
    ("It is a QZT.", "It is an 8-bit quantized tensor."),
    ("It is a MGB.", "It is an MRI-guided biopsy."),
    ("He has an HIV test.", "He has a human immunodeficiency virus test."),
    ("Use the TOR now.", "Use the onion router now."),
    ("Use a TOR now.", "Use an onion router now."),
    # nouns said again
    ("The ATM machine broke.", "The automated teller machine broke."),
    ("The LCD displays shine.", "The liquid crystal displays shine."),
    ("The ATM machinery broke.", "The automated teller machine machinery broke."),
    ("The ATM. Machine parts.", "The automated teller machine. Machine parts."),
    # prefixes
    ("A non-HIV patient.", "A non-HIV patient."),
    ("The NN-based model.", "The neural network-based model."),
    ("An NN-based model.", "A neural network-based model."),
    # proper names and what has no plural
    ("The DHD met.", "The Department of Human Duties met."),
    ("An NLP tool.", "A natural language processing tool."),
]


@pytest.mark.parametrize("format", ["text", "markdown", "restructuredtext", "latex", "html"])
@pytest.mark.parametrize(("text", "wanted"), SENTENCES)
def test_a_sentence_reads_well(resolve, format, text, wanted):
    pytest.importorskip("pylatexenc")
    source = read_text(f"<p>{text}</p>" if format == "html" else text, format)
    expanded = expand_source(source, resolve(source.text, **MEANINGS), Expand.all)
    assert expanded == (f"<p>{wanted}</p>" if format == "html" else wanted)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("An ATM machine.", "An automated teller machine (ATM)."),
        ("A non-HIV case. HIV.", "A non-HIV case. Human immunodeficiency virus (HIV)."),
        ("Big Master Clocks (BMCs). The BMC.", "Big Master Clocks (BMCs). The Big Master Clock."),
        ("Big Master\nClocks (BMCs). BMC.", "Big Master\nClocks (BMCs). Big Master Clock."),
    ],
)
def test_what_precedes_or_follows_the_first_mention(resolve, text, wanted):
    which = Expand.all if "Clocks" in text else Expand.first
    source = read_text(text, "text")
    assert expand_source(source, resolve(text, **MEANINGS), which) == wanted


@pytest.mark.parametrize(
    ("format", "argument"),
    [
        ("latex", r"\ac{NN}"),
        ("latex", r"\gls{NN}"),
        ("latex", r"\Gls[x]{NN}"),
        ("html", "<abbr>NN</abbr>"),
        ("markdown", "<abbr>NN</abbr>"),
        ("markdown", "{abbr}`NN`"),
        ("markdown", "[NN]"),
        ("restructuredtext", ":abbr:`NN`"),
        ("restructuredtext", "|NN|"),
    ],
)
@pytest.mark.parametrize("which", [Expand.first, Expand.all])
def test_what_markup_looks_up_stays(resolve, format, argument, which):
    pytest.importorskip("pylatexenc")
    source = read_text(f"We train {argument} and then an NN.", format)
    doc = resolve(source.text, **MEANINGS)
    name = "neural network (NN)" if which is Expand.first else "neural network"
    assert expand_source(source, doc, which) == f"We train {argument} and then a {name}."


def test_no_abbreviation_within_an_abbreviation(resolve):
    written = '<p><abbr title="x">NN</abbr></p>'
    source = read_text(written, "html")
    assert expand_source(source, resolve(source.text, **MEANINGS), Expand.tooltip) == written


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "Requests for Comments (RFCs) help. Each RFC and two RFCs.",
            "Requests for Comments (RFCs) help. Each Request for Comments and two Requests for "
            "Comments.",
        ),
        (
            "Quantitative trait loci (QTLs) map. One QTL, two QTLs.",
            "Quantitative trait loci (QTLs) map. One quantitative trait locus, two quantitative "
            "trait loci.",
        ),
        (
            "Quality of service (QoS) matters. Poor QoS hurts. QoS too.",
            "Quality of service (QoS) matters. Poor quality of service hurts. Quality of service "
            "too.",
        ),
        (
            "Quality of Service (QoS) matters. Poor QoS hurts.",
            "Quality of Service (QoS) matters. Poor Quality of Service hurts.",
        ),
        (
            "Hodgkin lymphoma (HL) is rare. Some HL grows.",
            "Hodgkin lymphoma (HL) is rare. Some Hodgkin lymphoma grows.",
        ),
        (
            "1) Rate of decay (RoD) is low. (RoD fell.) A RoD of 3.",
            "1) Rate of decay (RoD) is low. (Rate of decay fell.) A rate of decay of 3.",
        ),
        (
            "Seen:\n- Rate of decay (RoD) is low.\n- RoD fell.\n(ii) RoD rose. A RoD.",
            "Seen:\n- Rate of decay (RoD) is low.\n- Rate of decay fell.\n(ii) Rate of decay rose. "
            "A rate of decay.",
        ),
        (
            "Memoranda of Understanding (MoUs) lapse. One MoU.",
            "Memoranda of Understanding (MoUs) lapse. One Memorandum of Understanding.",
        ),
        (
            "Surgeons General (SGs) met. The SG left.",
            "Surgeons General (SGs) met. The Surgeon General left.",
        ),
    ],
)
def test_the_text_s_own_words_fit_their_new_place(resolve, text, wanted):
    assert expand_source(read_text(text, "text"), resolve(text), Expand.all) == wanted


SHORT = {
    "w/": "with",
    "wk": "weeks",
    "BID": "bis in die",
    "HTN": "hypertension",
    "MB": "megabytes",
    "I/O": "input/output",
    "I/O.": "input/output",
    "U.S.": "United States",
    "CO2": "carbon dioxide",
    "H2O": "water",
    "CO": "carbon monoxide",
    "P2P": "peer-to-peer",
    "H1N1": "swine influenza",
}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Seen w/ HTN.", "Seen w/ hypertension (HTN)."),
        ("Take 40 mg BID for 4 wks.", "Take 40 mg BID for 4 wks."),
        ("Check the I/O. Then go.", "Check the input/output (I/O). Then go."),
        ("He is in the U.S. The end.", "He is in the United States (U.S.). The end."),
        ("It is the U.S. Army.", "It is the United States (U.S.) Army."),
        ("He left the U.S.", "He left the United States (U.S.)."),
        ("CO2 of 22 in H2O.", "CO2 of 22 in H2O."),
        ("See CO.", "See carbon monoxide (CO)."),
        ("A P2P net.", "A peer-to-peer (P2P) net."),
        ("See H1N1.", "See swine influenza (H1N1)."),
    ],
)
def test_shorthand_and_the_full_stop_of_a_sentence_stay(resolve, text, wanted):
    assert expand(resolve(text, **SHORT), Expand.first) == wanted


def test_shorthand_is_expanded_where_it_is_asked_for(resolve):
    doc = resolve("Take 40 mg BID w/ food.", **SHORT)
    assert expand(doc, Expand.all, shorthand=True) == "Take 40 mg bis in die with food."


def test_a_tooltip_is_at_the_first_mention_and_in_no_heading(resolve):
    source = read_text("# The NN\n\nAn NN and an NN.\n", "markdown")
    shown = expand_source(source, resolve(source.text, **MEANINGS), Expand.tooltip)
    tooltip = '<abbr title="neural network">NN</abbr>'
    assert shown == f"# The NN\n\nAn {tooltip} and an NN.\n"
