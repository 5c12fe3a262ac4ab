import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.rules.bracket_candidates import bracket_sites
from spacy_gladis.rules.pairing import pair


def sites(text: str) -> list[tuple[str, str]]:
    return [(text[slice(*site.acronym)], site.pattern) for site in bracket_sites(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("heat shock (HSF)", [("HSF", "long (short)")]),
        ("heat shock [HSF]", [("HSF", "long [short]")]),
        ("heat shock (hereafter referred to as “HSF”)", [("HSF", "long (short)")]),
        ("heat shock (HSF, n = 3)", [("HSF", "long (short)")]),
        ("heat shock (HSF for short)", [("HSF", "long (short)")]),
        ("heat shock (FEV(1))", [("FEV(1)", "long (short)")]),
        ("calcium ([Ca(2+)]i) up", [("[Ca(2+)]i", "long (short)")]),
        ("estradiol (1,25-(OH)2D3)", [("1,25-(OH)2D3", "long (short)")]),
        ("the HSF (heat shock factor)", [("HSF", "short (long)")]),
        ("x (HSF: heat shock factor)", [("HSF", "long (short)"), ("HSF", "(short, long)")]),
        ("x (high heat shock factor; HSF)", [("HSF", "long (short)"), ("HSF", "(long, short)")]),
        ("heat shock (HSF or HSF-1)", [("HSF", "long (short)"), ("HSF-1", "long (short)")]),
        ("heat shock (known or unknown)", []),
        ("the field H(eff) grew", []),
        ("it (was set at three) f(x) (see Fig. 2)", []),
    ],
)
def test_sites(text: str, expected: list[tuple[str, str]]) -> None:
    assert list(dict.fromkeys(sites(text))) == expected


@pytest.mark.parametrize(
    ("text", "long_form"),
    [
        ("the 1,25-dihydroxyvitamin (DHV)", "1,25-dihydroxyvitamin"),
        ("the N-methyl-aspartate (MA)", "N-methyl-aspartate"),
        ("anti-human immunity virus (HIV)", "human immunity virus"),
        ("d'Organisation mondiale (OM)", "Organisation mondiale"),
        ("the “heat shock” (HS)", "heat shock"),
        ("the IC (integrated circuit, of silicon)", "integrated circuit"),
        ("the Acme Business Machines, Inc. (ABM)", "Acme Business Machines, Inc."),
        ("ABM (Acme Business Machines Corp.)", "Acme Business Machines Corp."),
        ("which ends; (EN)", None),
        ("there an inch. (AI)", None),
    ],
)
def test_the_long_form_is_trimmed(text: str, long_form: str | None) -> None:
    found = [pair(text, site) for site in bracket_sites(text)]
    texts = [text[slice(*one[0].place)] for one in found if one]
    assert (long_form in texts) if long_form else not texts


@given(st.text(alphabet="abAB1 ()[],;:-'\"\n", max_size=60))
def test_a_site_lies_in_the_text(text: str) -> None:
    for site in bracket_sites(text):
        assert 0 <= site.acronym[0] < site.acronym[1] <= len(text)
        assert 0 <= site.begin <= site.end <= len(text)
        pair(text, site)


def test_a_letter_may_be_missing_beside_a_plural() -> None:
    text = "The alpha beta gamma delta (ABGXDs) was"
    (found,) = [found for site in bracket_sites(text) if (found := pair(text, site))]
    assert text[slice(*found[0].place)] == "alpha beta gamma delta"


@pytest.mark.parametrize("acronym", ["XBGD", "AXGXD"])
def test_neither_the_first_letter_nor_two_may_be_missing(acronym: str) -> None:
    text = f"The alpha beta gamma delta ({acronym}) was"
    assert not any(pair(text, site) for site in bracket_sites(text))
