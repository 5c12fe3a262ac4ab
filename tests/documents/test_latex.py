"""LaTeX: accents, what defines acronyms, and what stands for them."""

import pytest

from spacy_gladis.documents.formats import read_text

pytest.importorskip("pylatexenc")


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"Universit\"at zu L\"{u}beck", "Universität zu Lübeck"),
        (r"\'Ecole Normale Sup\'erieure", "École Normale Supérieure"),
        (r"{\O}resund, {\o} and \o{} or \aa rhus", "Øresund, ø and ø or århus"),
        (r"Stra{\ss}e, na\"\i ve and \^{\i}le", "Straße, naïve and île"),
        (r"Fran\c{c}ais, Ko\v sice, Erd\H os, \r{A}ngstr\"om", "Français, Košice, Erdős, Ångström"),
        (r"\L\'od\'z, \k{a}, \.z and \~n", "Łódź, ą, ż and ñ"),
        (r"\newcommand{\o}{x}The \o is", "The  is"),
    ],
)
def test_accents_are_letters(latex, text):
    source = read_text(f"The {latex} (QABC) met.", "latex")
    assert " ".join(source.text.split()) == " ".join(f"The {text} (QABC) met.".split())
    start = source.text.index("QABC")
    assert source.original_span(start, start + 4) == (len(latex) + 6, len(latex) + 10)


@pytest.mark.parametrize(
    "definition",
    [
        r"\DeclareAcronym{q}{short=QSB, long={{Quarry} Safety Board}}",
        r"\DeclareAcronym{q}{short=QSB, long={\textbf{Q}uarry Safety Board}, extra={old, large}}",
        "\\DeclareAcronym{q}{\n  short = QSB , % short\n  long  = Quarry Safety Board,\n}",
        r"\newglossaryentry{q}{name={\textsc{QSB}}, description={Quarry {Safety} Board}}",
        r"\newglossaryentry{q}{description=Quarry Safety Board,name=QSB,sort={x}}",
        r"\longnewglossaryentry{q}{name=QSB}{Quarry Safety Board}",
        r"\newacronym[shortplural=QSBs]{q}{QSB}{\underline{Q}uarry Safety\footnote{Old.} Board}",
        r"\newabbreviation{q}{QSB}{Quarry Safety Board}",
        r"\acrodef{q}[QSB]{Quarry~Safety Board}",
    ],
)
def test_definitions_with_markup_and_keys(definition):
    text = definition + "\n\\begin{document}The \\ac{q} met.\\end{document}"
    source = read_text(text, "latex")
    (entry,) = source.definitions
    assert entry[:2] == ("QSB", "Quarry Safety Board") and entry.glossary
    assert text[entry.offset :].startswith("QSB")
    assert source.text == "The QSB met."


def test_an_accent_in_a_definition_is_a_letter():
    source = read_text(r"\newacronym{u}{UzL}{Universit\"at zu L\"ubeck} \gls{u}", "latex")
    assert source.definitions[0][:2] == ("UzL", "Universität zu Lübeck")


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\nomenclature{HRF}{Housing Repair Fund}", ("HRF", "Housing Repair Fund")),
        (
            r"\nomenclature[A]{\textbf{HRF}}{Housing Repair Fund, old}",
            ("HRF", "Housing Repair Fund"),
        ),
        (
            r"\nomenclature{HRF}{The Housing Repair Fund\nomunit{m}\footnote{Old}\acroextra{, x}}",
            ("HRF", "Housing Repair Fund"),
        ),
        (r"\newacroplural{HRF}[HRFs]{Housing Repair Funds}", ("HRFs", "Housing Repair Funds")),
        (r"\acrodefplural{HRF}{Housing Repair Funds}", ("HRFs", "Housing Repair Funds")),
        (r"\acro{HRF}{Housing Repair Fund}\acroplural{HRF}{Funds}", ("HRF", "Housing Repair Fund")),
    ],
)
def test_other_entries(latex, expected):
    assert [definition[:2] for definition in read_text(latex, "latex").definitions] == [expected]


def test_a_symbol_of_a_nomenclature_is_no_acronym():
    assert not read_text(r"\nomenclature{$c$}{Speed of light}", "latex").definitions


SHOWN = (
    "ac Ac acs acl acf acfi aca acsu acp Acp acfp iac acrshort acrlong acrfull Acrfull ACRshort "
    "acrlongpl gls Gls GLS glspl glsxtrshort glsxtrlong glsxtrfull Glsxtrlong glsxtrshortpl "
    "glstext glsfirst Glsfirst glsname glsplural glsfirstplural glsentryshort glsentrylong "
    "glsentryfull glsentrytext glsentryname glsfmtshort glsfmtfull cgls dGls mglspl PGLS glspt"
)


@pytest.mark.parametrize("macro", SHOWN.split())
def test_every_macro_that_shows_an_acronym_is_a_mention(macro):
    definition = "\\newacronym{qkb}{QRB}{Quarry Review Bench}"
    text = f"{definition}\\begin{{document}}A \\{macro}*[x]{{qkb}} met.\\end{{document}}"
    source = read_text(text, "latex")
    plural = macro.endswith(("pl", "plural")) or (
        macro.lower().startswith("ac") and macro[-1] == "p"
    )
    assert source.text == f"A QRB{'s' * plural} met."
    place = source.original_span(2, 5 + plural)
    assert place is not None
    start, end = place
    assert text[start:end] == "qkb"


def test_other_uses():
    head = "\\newacronym{q}{QRB}{Quarry Review Bench}\\newacroplural{q}[QRBx]{Benches}"
    body = "\\gls{q}['s] (\\gls{q} [now]), \\acp{q}, \\glslink{q}{the bench}\\glsadd{q}\\acused{q}."
    source = read_text(f"{head}\\begin{{document}}{body}\\end{{document}}", "latex")
    assert source.text == "QRB's (QRB [now]), QRBx, the bench."


@pytest.mark.parametrize(
    "begins",
    [
        "acronym}[QBX]",
        "minipage}[t]{QX}",
        "wrapfigure}{r}{QX}",
        "multicols}{2}",
        "tabulary}{1}{lX}",
    ],
)
def test_arguments_of_environments_are_no_text(begins):
    name = begins.partition("}")[0]
    written = f"\\begin{{{begins}\nThe QABC met.\n\\end{{{name}}}"
    assert read_text(written, "latex").text.strip() == "The QABC met."


def test_words_behind_a_term_are_in_a_line_of_their_own():
    written = "\\begin{description}\\item[HRF] Housing Fund\\item[QRB] Bench\\end{description}"
    assert read_text(written, "latex").text == "HRF\n Housing Fund\n\nQRB\n Bench"
