import pytest

from spacy_gladis.text import find_definitions
from tests.support.growth import assert_linear


def pairs(text: str) -> list[tuple[str, str]]:
    return [(text[slice(*d.acronym)], text[slice(*d.long_form)]) for d in find_definitions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('the World Health Organization ("WHO") said', [("WHO", "World Health Organization")]),
        ("an electroencephalogram (EEG) was taken", [("EEG", "electroencephalogram")]),
        ("forced expiratory volume (FEV(1)) fell", [("FEV(1)", "forced expiratory volume")]),
        ("små store virksomheder (SSV'er) har", [("SSV", "små store virksomheder")]),
        ("Đại học Quốc gia (ĐHQG) mới", [("ĐHQG", "Đại học Quốc gia")]),
        ("the intracellular pH (pHi) fell", [("pHi", "intracellular pH")]),
        ("the aspect-aware topic model (ATM) is", [("ATM", "aspect-aware topic model")]),
        (
            "Non - negative matrix deconvolution ( NMD )",
            [("NMD", "Non - negative matrix deconvolution")],
        ),
        ("a spatial light modulator, SLM, was used", [("SLM", "spatial light modulator")]),
        ("where FPS stands for frames per second.", [("FPS", "frames per second")]),
        (
            "Abbreviations: AUC, area under the curve; CI, confidence interval; "
            "BP = blood pressure.",
            [
                ("AUC", "area under the curve"),
                ("CI", "confidence interval"),
                ("BP", "blood pressure"),
            ],
        ),
        ("in her blood (blood pressure, BP) and", [("BP", "blood pressure")]),
        ("tests (BP: blood pressure) and", [("BP", "blood pressure")]),
        ("BP(blood pressure) rose", [("BP", "blood pressure")]),  # at the text's very start
        ("The Office of Harbour Boats (OHB) is open", [("OHB", "Office of Harbour Boats")]),
        ("the Board of Open Harbours (OOH) is open", [("OOH", "of Open Harbours")]),
        ("tagged NUM (numerals) or", [("NUM", "numerals")]),
        ("tagged NUM (nuMerals) or", []),
        ("the odd integers divided (i.e., by two) and even embeddings (e.g. ours)", []),
        ("an internal edema (i.e., swelling) or an electric guitar (e.g., one)", []),
        ("it is idem est (i.e.) here", [("i.e.", "idem est")]),
        ("as was shown before (Smith, 2003) and (see Fig. 2)", []),
        ("the sum of them (a + b) is (n = 20) small (p < 0.05)", []),
        ("", []),
        # Several acronyms in one bracket.
        ("superoxide dismutase (EC 1.15.1.1; SOD) fell", [("SOD", "superoxide dismutase")]),
        # Signs, Greek letters, digits, subscripts, brackets in brackets.
        ("the CrB positive [CrB(+)] cells", [("CrB(+)", "CrB positive")]),
        ("oestradiol levels, that is oestradiol (E2), rose", [("E2", "oestradiol")]),
        ("the 36-item short form (SF-36) was", [("SF-36", "36-item short form")]),
        # The number of a note that is a link of Markdown.
        ("It ended here ([12](http://a.bc)) then", []),
        # An equals sign.
        (
            "RL = relevant links; CJ = conjunct; x = y",
            [
                ("RL", "relevant links"),
                ("CJ", "conjunct"),
            ],
        ),
        # A hyphen joins words.
        ("a graph of disk arrays-DB here", []),
        ("a mindful man (MXM) there", []),
        ("the CrB positive (+) cells", []),
        ("at 36 sites of the short form (n = 36) was", []),
        ("if AB = 12 and CJ = x + y", []),
        ("it is GPS-MU, garden planning society", []),
        # A verb between the two, whose words name nothing.
        ("where BN denotes the normalization.", []),
        # The same word, and a bracket in the middle of one.
        ("the protein, syn (SYN), was", []),
        ("the [Leu5]enkephalin (LE) was", [("LE", "[Leu5]enkephalin")]),
    ],
)
def test_definitions(text: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(text) == expected


@pytest.mark.parametrize(
    ("text", "acronym", "long_form"),
    [
        # What a bracket says beside the acronym, and brackets in it.
        ("heat shock factor (hereafter referred to as “HSF”)", "HSF", "heat shock factor"),
        ("a heat shock factor (HSF, n = 3) here", "HSF", "heat shock factor"),
        ("a heat shock factor (HSF for short)", "HSF", "heat shock factor"),
        ("intracellular calcium ([Ca(2+)]i) up", "[Ca(2+)]i", "intracellular calcium"),
        ("x (high heat shock factor; HSF)", "HSF", "heat shock factor"),
        ("the IC (integrated circuit, of silicon, and so on)", "IC", "integrated circuit"),
        # Where the first word begins: prefixes, quotes and articles stay outside.
        ("the N-methyl-aspartate (MA)", "MA", "N-methyl-aspartate"),
        ("anti-human immunity virus (HIV)", "HIV", "human immunity virus"),
        ("multiple sclerosis patients' club (MSPC)", "MSPC", "multiple sclerosis patients' club"),
        ("d'Organisation mondiale (OM)", "OM", "Organisation mondiale"),
        ("the “heat shock” (HS)", "HS", "heat shock"),
        # Where a clause begins; brackets inside it are passed over, an initial's stop ends none.
        ("It ended. The heat shock (HS) rose", "HS", "heat shock"),
        ("one thing; the other thing (OT) here", "OT", "other thing"),
        ("a title\n\nthe text body (TB) is", "TB", "text body"),
        ("in the 1990s) the red maple (RM) here", "RM", "red maple"),
        ("seen (the red maple (RM)) here", "RM", "red maple"),
        ("the NH(2)-terminal kinase (NTK) is", "NTK", "NH(2)-terminal kinase"),
        ("a serine kinase (of 1990) pathway (SKP)", "SKP", "serine kinase (of 1990) pathway"),
        ("the field H(eff) of the red maple (RM) is", "RM", "red maple"),
        ("international " * 40 + "heatshock (HTS)", "HTS", "heatshock"),
        ("a test of vitamin 12b2 (VB)", "VB", "vitamin 12b2"),
        ("the strain T. vivax grows (STVG) well", "STVG", "strain T. vivax grows"),
        # Acronyms of several words, small letters, letters with signs.
        ("the staph aureus (S. aureus) grew", "S. aureus", "staph aureus"),
        ("gamma interferon (gamma IFN) is", "gamma IFN", "gamma interferon"),
        ("polymerase II (Pol II) is", "Pol II", "polymerase II"),
        ("ubiquitin (Ub) is", "Ub", "ubiquitin"),
        ("blood pressure (bp) is", "bp", "blood pressure"),
        ("Épargne pour l'Université (ÉPU) est", "ÉPU", "Épargne pour l'Université"),
        # Numbers and Greek letters that the words spell out, or do not.
        ("human interleukin 6 (IL6) is", "IL6", "interleukin 6"),
        ("the photosystem II (PSII) is", "PSII", "photosystem II"),
        ("a six repetition maximum (RM6) is", "RM6", "six repetition maximum"),
        ("GABA receptor two (GABAR2) is", "GABAR2", "GABA receptor two"),
        ("the delta gain (ΔG) is", "ΔG", "delta gain"),
        ("63 multiple myelomas (MM) were", "MM", "multiple myelomas"),
        # One letter may be missing inside.
        ("The alpha beta gamma delta (ABGXDs) was", "ABGXDs", "alpha beta gamma delta"),
    ],
)
def test_the_acronym_and_the_words_have_their_borders(
    text: str, acronym: str, long_form: str
) -> None:
    assert pairs(text) == [(acronym, long_form)]


@pytest.mark.parametrize(
    "text",
    [
        "which ends; (EN)",
        "there an inch. (AI)",
        "1,25-dihydroxyvitamin D3 (1,25-(OH)2D3) up",
        "the field H(eff) grew",
        "it (was set at three) f(x) (see Fig. 2)",
        "as said (Smith and Jones) here",
        "on the left (left) side",
        "she lives there (Switzerland) now",
        # Neither the first letter nor two may be missing.
        "The alpha beta gamma delta (XBGD) was",
        "The alpha beta gamma delta (AXGXD) was",
    ],
)
def test_what_stands_in_brackets_may_be_no_acronym(text: str) -> None:
    assert pairs(text) == []


@pytest.mark.parametrize(
    "unit", ["(", "(A ", "A (A b ", "(A b c ", ")", "a(b(c d e f", "[A ", ", or A", "A: ", "A = "]
)
def test_linear_time(unit: str) -> None:
    assert_linear(lambda size: find_definitions(unit * (size // len(unit))), 50_000)


@pytest.mark.parametrize("unit", ["ab (AB), ", "ab (AB) and ", "AB\n", "AB = a" + " " * 500])
def test_linear_time_of_lists(unit: str) -> None:
    assert_linear(lambda size: find_definitions(unit * (size // len(unit))), 5_000)


def test_a_long_form_does_not_hold_its_acronym() -> None:
    text = "The internet protocol, IP (IP protocol), and IPs (Internet Protocols) are it."
    result = [
        (text[slice(*definition.acronym)], definition.words(text))
        for definition in find_definitions(text)
    ]
    assert result == [("IPs", "Internet Protocols")]
    text = "SPARQL (SPARQL Protocol and RDF Query Language) is one."
    assert [definition.words(text) for definition in find_definitions(text)] == [text[8:46]]
