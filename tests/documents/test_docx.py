"""DOCX: words wherever Word keeps them, each once, and how they are replaced there."""

import re

import pytest

from spacy_gladis.documents.formats import read_file
from spacy_gladis.output.docx import EditableDocx
from spacy_gladis.output.markup import Edit
from spacy_gladis.problem import ProblemLog

docx = pytest.importorskip("docx")

NAMES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "v": "urn:schemas-microsoft-com:vml",
}
SPACES = " ".join(f'xmlns:{prefix}="{name}"' for prefix, name in NAMES.items())
BY = 'w:id="1" w:author="x"'
NAME = "Harbour Dredging Authority (HDA)"


def run(text):
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*parts):
    return f"<w:p>{''.join(parts)}</w:p>"


def written(path, body, footnotes="", endnotes="", header=""):
    """A DOCX file with this XML in its parts."""
    document = docx.Document()
    for element in docx.oxml.parse_xml(f"<w:x {SPACES}>{body}</w:x>"):
        document.element.body.insert(len(document.element.body) - 1, element)
    for kind, notes in (("footnotes", footnotes), ("endnotes", endnotes)):
        if notes:
            name = docx.opc.packuri.PackURI(f"/word/{kind}.xml")
            content = f"application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}+xml"
            blob = f"<w:{kind} {SPACES}>{notes}</w:{kind}>".encode()
            part = docx.opc.part.Part(name, content, blob, document.part.package)
            relation = f"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}"
            document.part.relate_to(part, relation)
    if header:
        document.sections[0].header.paragraphs[0].text = header
    document.save(str(path))
    return path


def read(path):
    (source,) = read_file(path, ProblemLog())
    return source


def wrapped(tag, attributes="", text=NAME):
    return paragraph(run("The "), f"<w:{tag} {attributes}>{run(text)}</w:{tag}>", run(" met."))


BOX = f"<w:txbxContent>{paragraph(run(f'The {NAME} met.'))}</w:txbxContent>"
OLD_BOX = f"<w:pict><v:shape><v:textbox>{BOX}</v:textbox></v:shape></w:pict>"
NEW_BOX = (
    f"<w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp><wps:txbx>{BOX}</wps:txbx></wps:wsp>"
    "</a:graphicData></a:graphic></wp:inline></w:drawing>"
)
FIELD = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF Bad (HDA)</w:instrText>'
    f'</w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>{run(NAME)}'
    '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
)
CONTROL = "<w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>"
CELL = f"<w:tc>{wrapped('ins', BY)}</w:tc>"
PLACES = {
    "an insertion": wrapped("ins", BY),
    "moved words": paragraph(
        f"<w:moveFrom {BY}>{run(NAME)}</w:moveFrom>",
        run("The "),
        f"<w:moveTo {BY}>{run(NAME)}</w:moveTo>",
        run(" met."),
    ),
    "beside a deletion": paragraph(
        run("The Harbour "),
        f"<w:del {BY}><w:r><w:delText>Deep </w:delText></w:r></w:del>",
        run("Dredging Authority (HDA) met."),
    ),
    "a smart tag": wrapped("smartTag", 'w:element="place"'),
    "custom XML": wrapped("customXml", 'w:element="place"'),
    "a simple field": wrapped("fldSimple", 'w:instr="TITLE"'),
    "a field": paragraph(run("The "), FIELD, run(" met.")),
    "an insertion in a link": paragraph(
        run("The "),
        f'<w:hyperlink w:anchor="x"><w:ins {BY}>{run(NAME)}</w:ins></w:hyperlink>',
        run(" met."),
    ),
    "a control": paragraph(run("The "), CONTROL.format(run(NAME)), run(" met.")),
    "a control of a paragraph": CONTROL.format(paragraph(run(f"The {NAME} met."))),
    "a control of a cell": f"<w:tbl><w:tr>{CONTROL.format(CELL)}</w:tr></w:tbl>",
    "a control of a row": f"<w:tbl>{CONTROL.format(f'<w:tr>{CELL}</w:tr>')}</w:tbl>",
    "a text box": paragraph(f"<w:r>{OLD_BOX}</w:r>"),
    "a text box that stands twice": paragraph(
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps">{NEW_BOX}</mc:Choice>'
        f"<mc:Fallback>{OLD_BOX}</mc:Fallback></mc:AlternateContent></w:r>"
    ),
    "words with a gloss": paragraph(
        f"<w:r><w:ruby><w:rt>{run('x')}</w:rt><w:rubyBase>{run(f'The {NAME}')}</w:rubyBase>",
        f"</w:ruby></w:r>{run(' met.')}",
    ),
    "hidden words": paragraph(
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>QABC </w:t></w:r>",
        '<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t xml:space="preserve">The </w:t></w:r>',
        run(f"{NAME} met."),
    ),
    "a soft hyphen": paragraph(
        "<w:r><w:t>The Harbour Dredg</w:t><w:softHyphen/><w:t>ing Authority (HDA) met.</w:t></w:r>"
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_words_are_read_wherever_they_stand(tmp_path, place):
    path = written(tmp_path / "x.docx", paragraph(run("Before.")) + PLACES[place])
    source = read(path)
    assert " ".join(source.text.split()) == f"Before. The {NAME} met."
    start, end = source.original_span(source.text.index("HDA"), source.text.index("HDA") + 3)
    opened = EditableDocx(path, source.source)
    assert opened.can_replace(start, end)
    (tmp_path / "y.docx").write_bytes(opened.replaced([Edit(start, end, "QABC")]))
    assert read(tmp_path / "y.docx").text == source.text.replace("HDA", "QABC")


def test_deleted_rows_are_not_read(tmp_path):
    row = f"<w:tr><w:trPr><w:del {BY}/></w:trPr><w:tc>{paragraph(run('QABC'))}</w:tc></w:tr>"
    kept = f"<w:tr><w:tc>{paragraph(run('QDEF'))}</w:tc></w:tr>"
    assert read(written(tmp_path / "x.docx", f"<w:tbl>{row}{kept}</w:tbl>")).text.split() == [
        "QDEF"
    ]


def reference(kind="footnote", number=2):
    return f'<w:r><w:{kind}Reference w:id="{number}"/></w:r>'


def note(text, kind="footnote", number=2):
    content = paragraph(f"<w:r><w:{kind}Ref/></w:r>", run(text))
    return f'<w:{kind} w:id="{number}">{content}</w:{kind}>'


def test_notes_follow_their_block_and_change_with_it(tmp_path):
    table = f"<w:tbl><w:tr><w:tc>{paragraph(run('One'), reference())}</w:tc>"
    table += f"<w:tc>{paragraph(run('two'), reference('endnote'))}</w:tc></w:tr></w:tbl>"
    path = written(
        tmp_path / "x.docx",
        table + paragraph(run("Last.")),
        note("unused", number=-1) + note("The QABC."),
        note("The QDEF.", "endnote"),
        header="QTOP",
    )
    source = read(path)
    assert source.text.split() == ["QTOP", "One", "two", "The", "QABC.", "The", "QDEF.", "Last."]
    kinds = {
        source.text[region.start : region.end].split()[0]: region.kind for region in source.regions
    }
    assert kinds == {"QTOP": "title", "One": "table"}
    opened = EditableDocx(path, source.source)
    at = {name: source.source.index(name) for name in ("QTOP", "QABC", "QDEF")}
    assert [opened.can_replace(offset, offset + 4) for offset in at.values()] == [False, True, True]
    edits = [Edit(at[name], at[name] + 4, "new") for name in ("QABC", "QDEF")]
    (tmp_path / "y.docx").write_bytes(opened.replaced(edits))
    assert read(tmp_path / "y.docx").text == re.sub("QABC|QDEF", "new", source.text)


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
@pytest.mark.parametrize("text", ["HRF: Housing Repair Fund.", " Housing Repair Fund, a fund."])
def test_a_note_may_define(tmp_path, kind, text):
    body = paragraph(run("The HRF"), reference(kind), run(" pays."))
    path = written(tmp_path / "x.docx", body, **{f"{kind}s": note(text, kind)})
    source = read(path)
    (definition,) = source.definitions
    assert definition[:2] == ("HRF", "Housing Repair Fund")
    assert source.source[definition.offset :].startswith("HRF")
