"""Every pattern of a definition that users ask for, each beside a near miss that is none."""

import pytest

from spacy_gladis.text import find_definitions


def pairs(text: str) -> set[tuple[str, str]]:
    return {
        (text[slice(*definition.acronym)], definition.words(text))
        for definition in find_definitions(text)
    }


# What a text defines, and a text like it that does not.
PATTERNS = {
    "square brackets": (
        "We counted red blood cells [RBC] twice.",
        {("RBC", "red blood cells")},
        "We counted red blood cells [12] twice.",
    ),
    "acronym before its long form": (
        "Some had CPR (cardiopulmonary resuscitation) at once.",
        {("CPR", "cardiopulmonary resuscitation")},
        "Some had CPR (given by nurses at once) there.",
    ),
    "or between commas": (
        "The World Harvest Organization, or WHO, said so.",
        {("WHO", "World Harvest Organization")},
        "The World Harvest Committee, or WHO, said so.",
    ),
    "equals sign": (
        "AIDS = acquired immune deficiency syndrome",
        {("AIDS", "acquired immune deficiency syndrome")},
        "AIDS = 14 patients of the second ward",
    ),
    "dash": (
        "GPS - Garden Planning Society",
        {("GPS", "Garden Planning Society")},
        "GPS - Gardens of the old town",
    ),
    "colon": (
        "ABC: alpha beta cell.",
        {("ABC", "alpha beta cell")},
        "ABC: a method of counting.",
    ),
    "over a line's end": (
        "They showed the alpha\nbeta cell (ABC) there.",
        {("ABC", "alpha\nbeta cell")},
        "They showed the alpha\n\nbeta cell (ABC) there.",
    ),
    "repeated letters": (
        "We call it mindful memoization (MM) here.",
        {("MM", "mindful memoization")},
        "We call it kind notation (MM) here.",
    ),
    "within a sentence": (
        "He saw alpha beta cells (ABC) grow.",
        {("ABC", "alpha beta cells")},
        "He saw alpha. Beta cells (ABC) grow.",
    ),
    "two side by side": (
        "The Open Network Computing Remote Procedure Call (ONC RPC) came.",
        {("ONC", "Open Network Computing"), ("RPC", "Remote Procedure Call")},
        "The Open Network of Remote Calls (ONC RPC) came.",
    ),
    "two in a bracket": (
        "We gave tumor necrosis factor (TNF or TNF-a) daily.",
        {("TNF", "tumor necrosis factor"), ("TNF-a", "tumor necrosis factor")},
        "We gave a daily injection (GHB or GHB-a) twice.",
    ),
    "two with a slash": (
        "They lack the estrogen/progesterone receptor (ER/PR) here.",
        {("ER/PR", "estrogen/progesterone receptor")},
        "They lack the usual binding site (ER/PR) here.",
    ),
    "coordinated": (
        "Cells with estrogen (ER) and progesterone receptors (PR) grow.",
        {("ER", "estrogen receptors"), ("PR", "progesterone receptors")},
        "Cells with salt (ER) and sugar measures (PR) grow.",
    ),
    "Greek letters spelled out": (
        "We gave interferon gamma (IFN-γ) daily.",
        {("IFN-γ", "interferon gamma")},
        "We gave a little salt (IFN-γ) daily.",
    ),
    "digits": (
        "The 5-hydroxytryptamine (5-HT) level fell.",
        {("5-HT", "5-hydroxytryptamine")},
        "The blood level (5-HT) fell.",
    ),
    "digits spelled out": (
        "A three-dimensional (3D) model.",
        {("3D", "three-dimensional")},
        "A two-dimensional (3D) model.",
    ),
    "small words inside": (
        "Six activities of daily living (ADL) were named.",
        {("ADL", "activities of daily living")},
        "Six of the activities (ADL) were named.",
    ),
    "plural": (
        "Their activities of daily living (ADLs) were named.",
        {("ADLs", "activities of daily living")},
        "Their six habits (ADLs) were named.",
    ),
    "chemical names": (
        "Receptors of N-methyl-D-aspartate (NMDA) open.",
        {("NMDA", "N-methyl-D-aspartate")},
        "Receptors of methionine (NMDA) open.",
    ),
    "gene names": (
        "The heat shock protein 70 (HSP70) was found.",
        {("HSP70", "heat shock protein 70")},
        "The protein 70 (HSP70) was found.",
    ),
    "full stops": (
        "In the United States (U.S.) it rains.",
        {("U.S.", "United States")},
        "In the old country (U.S.) it rains.",
    ),
    "a word kept": (
        "The United Nations Office for the Rights and Health of Gardeners (UN-Gardeners) met.",
        {("UN-Gardeners", "United Nations Office for the Rights and Health of Gardeners")},
        "The Unions. Office for the Rights and Health of Gardeners (UN-Gardeners) met.",
    ),
    "the number of a note": (
        "We give the Mean Average Precision 6 (MAP) of each.",
        {("MAP", "Mean Average Precision")},
        "We give the Marked Average 6 (MAP) of each.",
    ),
    "legend without blanks": (
        "FP=Filled Pause, RM=Reparandum, V=Verb",
        {("FP", "Filled Pause"), ("RM", "Reparandum"), ("V", "Verb")},
        "FP=First, RM=12, so that V=Verbs",
    ),
    "a single letter in a legend": (
        "S=Subject; V=Verb; see below.",
        {("S", "Subject"), ("V", "Verb")},
        "We set S=Subject there.",
    ),
    "compounds": (
        "Det nye satellitnavigationssystem (SNS) virker.",
        {("SNS", "satellitnavigationssystem")},
        "Det nye satellit (SNS) virker.",
    ),
    "no equation": (
        "We report precision and recall (PR) only.",
        {("PR", "precision and recall")},
        "We report it (PR = (P + R) / 2) only.",
    ),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_found(name: str) -> None:
    text, defined, _ = PATTERNS[name]
    assert pairs(text) == defined


@pytest.mark.parametrize(
    ("text", "long_form"),
    [
        (
            "The Foundation for Rights in Inland Transit (FRIT)",
            "Foundation for Rights in Inland Transit",
        ),
        ("The Fund for Peace (FP)", "Fund for Peace"),
        ("The Institute in Innsbruck (II)", "Institute in Innsbruck"),
        ("A Tribute to Theology (TT)", "Tribute to Theology"),
        ("The Bureau by the Bay (BB)", "Bureau by the Bay"),
        ("The Widows with Children Fund (WCF)", "Widows with Children Fund"),
        ("The Organisation on Ocean Oil (OOO)", "Organisation on Ocean Oil"),
        ("They pay for free internet (FI)", "free internet"),
        ("Read it for your information (FYI)", "for your information"),
        ("The time to intubation (TTI)", "time to intubation"),
        ("Their quality of life (QOL)", "quality of life"),
    ],
)
def test_a_long_form_begins_with_a_noun_where_one_has_the_letter(text, long_form):
    assert [pair for _, pair in pairs(text)] == [long_form]


HRF = {("HRF", "Housing Repair Fund")}


@pytest.mark.parametrize(
    "text",
    [
        '"HRF" shall mean the Housing Repair Fund.',
        '"HRF" means: the Housing Repair Fund.',
        "HRF, which stands for Housing Repair Fund, pays.",
        "HRF is an acronym for Housing Repair Fund.",
        "HRF, short for Housing Repair Fund, pays.",
        "HRF, an abbreviation of Housing Repair Fund, pays.",
        "HRF (which stands for Housing Repair Fund) pays.",
        "HRF, that is, the Housing Repair Fund, pays.",
        "HRF is defined as the Housing Repair Fund.",
        'The Housing Repair Fund, hereinafter "HRF", pays.',
        "The Housing Repair Fund, commonly known as the HRF, pays.",
        "The Housing Repair Fund, abbreviated to HRF, pays.",
        "- HRF -- Housing Repair Fund",
        "- **HRF** -- Housing Repair Fund",
        "- HRF Housing Repair Fund",
        "1. HRF, Housing Repair Fund.",
        "* HRF → Housing Repair Fund",
        "HRF ..... Housing Repair Fund",
        "HRF | Housing Repair Fund",
        "- Housing Repair Fund -- HRF",
        "Housing Repair Fund: HRF",
    ],
)
def test_phrases_and_lists_define(text):
    assert pairs(text) == HRF


@pytest.mark.parametrize(
    "text",
    [
        '"HRF" shall mean any fund of the act.',
        "HRF, which pays the Housing Repair Fee, is old.",
        "HRF is an acronym for the fund of housing.",
        "He pays HRF Housing Repair Fund",
        "- HRF Housing Repair Fund pays",
        "See the Housing Repair Fund: HRF",
    ],
)
def test_other_phrases_and_lists_do_not(text):
    assert pairs(text) == set()


@pytest.mark.parametrize("name", PATTERNS)
def test_a_near_miss_is_not(name: str) -> None:
    assert pairs(PATTERNS[name][2]) == set()
