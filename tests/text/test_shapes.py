"""Acronyms by shape."""

import pytest

from spacy_gladis.text import find_acronyms
from tests.support.growth import assert_linear


def acronyms_of(text: str) -> list[str]:
    return [text[start:end] for start, end in find_acronyms(text)]


@pytest.mark.parametrize(
    ("text", "acronyms"),
    [
        ("The mRNA of IL-6 is read.", ["mRNA", "IL-6"]),
        ("Two CNNs and one RNN's gate", ["CNNs", "RNN"]),
        ("AT&T spends on R&D and I/O", ["AT&T", "R&D", "I/O"]),
        ("an R-CNN, MU-MIMO and 5-HT", ["R-CNN", "MU-MIMO", "5-HT"]),
        ("MRI-based, non-HIV, CT/MRI", ["MRI", "HIV", "CT", "MRI"]),
        ("ReLU, IoT, MeSH, PhD, 3GPP, D2D", ["ReLU", "IoT", "MeSH", "PhD", "3GPP", "D2D"]),
        ("exposure to PM2.5 or COVID-19.", ["PM2.5", "COVID-19"]),
        ("les États de l'ONU et l'OÉA", ["ONU", "OÉA"]),
        ("a list of (NATO) [WHO] “IMF”", ["NATO", "WHO", "IMF"]),
        ("an M.D., a Ph.D. and an M.Sc.", ["M.D.", "Ph.D.", "M.Sc."]),
        ("Sales YoY, T2DM, eGFR, HbA1c", ["YoY", "T2DM", "eGFR", "HbA1c"]),
        ("send reads to the AP. ON AIR light", ["AP"]),
        ("Remember NO NUTS. EHS collects them", ["EHS"]),
        ("ALLERGIES: NKDA. LABORATORY DATA: BUN 19", ["NKDA", "BUN"]),
        ("REQUIRED EXAM: ECG, SpO2", ["ECG", "SpO2"]),
        ("WARNING SJS has occurred; DH PT IS TAKING it", ["SJS", "DH", "PT"]),
        ("patients with TB had 5 TB of images", ["TB"]),
        ("the World Health Organization (WHO) said", ["WHO"]),
        # Words in capitals for weight, requests, what is spelt like a word.
        ("send the key with POST and PATCH calls", []),
        ("GET requests, PUT /users and HTTP HEAD", ["HTTP"]),
        ("three PUTs and POSTs; HTTP POSTs", ["HTTP"]),
        ("the boards fail their POSTs at boot", ["POSTs"]),
        ("I left a TODO in the CLI", ["CLI"]),
        ("Please call IT. Do NOT contact the US.", ["IT", "US"]),
        # What stands beside a word.
        ("at 9 AM, by 10:30 PM, in 40 BC", ["AM", "PM", "BC"]),
        ("still PUing, OKed by them", ["PU", "OK"]),
        ("CFDEMcoupling and McKing", []),
        ("RRFS_v1beta but RRFS_core", ["RRFS"]),
        ("an airport (IATA: TUL); a note: TUL", ["IATA", "TUL"]),
    ],
)
def test_acronyms_of_many_shapes_are_found(text, acronyms):
    assert acronyms_of(text) == acronyms


@pytest.mark.parametrize(
    "text",
    [
        "GENERAL PROVISIONS",
        "TERMS AND CONDITIONS OF USE",
        "Chapter IV, part XII and phase IIb, World War II",
        "5 MB at 3 GHz or 10 kHz, 1.26MgC, 286KB",
        "Section 2.1A and Table S1 of 0xFF",
        "McDonald used YouTube and GitHub on an iPhone",
        "order AB1029384",
        "CCA AGC CTA",
        "MAX_VALUE at https://www.NASA.gov/ESA or bob@IBM.com",
        "I saw A and B on X-ray film",
        "He met J. Smith. Mr. Jones left.",
        "WARNING LABELS APPLY. SEE BELOW",
        "Keep it ON ICE and cool",
        "OBJECTIVES: to find it",
        "OUR STORY SO FAR",
        "see x?id=ABC or /usr/LIB/ABC.txt",
        "",
        " \n\t ",
    ],
)
def test_what_only_looks_like_an_acronym_is_left_out(text):
    assert acronyms_of(text) == []


@pytest.mark.parametrize(
    "unit",
    ["A", "a", "A-", "A.", "AA ", "THE ", "(", "AB-12", "A&", "a.@", "www.", "A2", "C2H4F2 ", "\n"],
)
def test_linear_time(unit):
    assert_linear(lambda size: find_acronyms(unit * (size // len(unit))), 50_000)


@pytest.mark.parametrize(
    ("text", "acronyms"),
    [
        ("CHF AND HTN; PE ON CT, AF", ["CHF", "HTN", "PE", "CT", "AF"]),
        ("SEEN IN ED AND ICU", ["ED"]),  # the list has no ICU
        ("THE END OF ALL AND FOR IT", []),
        ("SENT TO THE ED, HTN, IN THE CARE OF US AND AF, SEEN IN THE UNIT", ["ED", "HTN", "AF"]),
        ("FULL EXAM WITH AF.\nFROM.\nSTEMI", ["AF", "FROM", "STEMI"]),  # lines of a word
        ("ABCD EFGH IJKL MNOP", ["ABCD", "EFGH", "IJKL", "MNOP"]),  # a list
        ("OUR STORY SO FAR\n\nGET THE ED HERE", ["ED"]),
        ("STORY, OUR, SO, FAR", ["STORY", "OUR", "SO", "FAR"]),  # a list
    ],
)
def test_a_headline_keeps_what_is_listed(text: str, acronyms: list[str]) -> None:
    listed = {"PE", "CT", "AF", "ED", "FOR"}
    places = find_acronyms(text, listed.__contains__)
    assert [text[start:end] for start, end in places] == acronyms
