"""The page of annotated texts."""

import re
from html.parser import HTMLParser
from importlib import resources

import pytest

from spacy_gladis.output.page import to_html
from spacy_gladis.output.templates import SOURCES

EVIL = "<script>alert('x')</script> & \"AI\" \x1b[31m\x00 \u202e"
VOID = {"meta", "wbr", "br", "link"}
UNCLOSED = {"th", "td"}  # HTML closes these by itself


class Reader(HTMLParser):
    """Collects what a page holds, and checks that tags close in order."""

    def __init__(self, page: str):
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name == "href"]
        if tag not in VOID | UNCLOSED:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def page_of(*documents):
    return "".join(to_html([(f"{n}.txt", doc) for n, doc in enumerate(documents)]))


def test_a_mention_shows_long_form_probability_and_runners_up(resolve):
    page = page_of(resolve("the AI", AI="adequate intake"))
    text = " ".join(" ".join(Reader(page).text).split())
    assert "AI adequate intake dictionary, 0.75 x'y\"<i> 0.25" in text


def test_the_sources_are_told_apart(resolve):
    page = page_of(resolve("World Health Organization (WHO), an AI, an API", AI="adequate intake"))
    for source in ("definition", "dictionary", "nil"):
        assert len(re.findall(rf'class="mention {source}( first)?"', page)) == 1


def test_both_senses_of_an_acronym_that_a_document_defines_twice_are_shown(resolve):
    text = "artificial intelligence (AI) and an AI; adequate intake (AI) and an AI"
    doc = resolve(text)
    senses = ["artificial intelligence"] * 2 + ["adequate intake"] * 2
    assert [span._.long_form for span in doc.spans["acronyms"]] == senses
    words = " ".join(" ".join(Reader(page_of(doc)).text).split())
    for sense in dict.fromkeys(senses):  # at two mentions, and in the page's glossary
        assert words.count(f"AI {sense} in the text, 0.99") == 2
        assert words.count(f"{sense} in the text 0.99 2") == 1
    assert "2 meanings" in words


def test_on_paper_the_first_mention_of_a_meaning_that_the_text_does_not_define_has_it_behind(
    resolve,
):
    text = "an AI, AIs, the CNN; World Health Organization (WHO), the WHO; the API"
    page = page_of(resolve(text, AI="adequate intake", CNN="neural network"))
    assert re.findall(r'first" id="m\d+" href="#g-[\w-]+">(\w+)<', page) == ["AI", "CNN"]
    assert ".mention.first .card" in page.partition("@media print")[2]


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_has_its_look_and_its_words(source):
    files = resources.files("spacy_gladis")
    style = files.joinpath("output/templates/style.css").read_text()
    assert re.search(rf"^(\.\w+, )*\.{source}[ ,]", style, re.MULTILINE)
    assert re.search(rf"\b{source}: \"", files.joinpath("serve/page/panel.js").read_text())


def test_mentions_and_glossary_link_to_each_other(resolve):
    meanings = {"AI": "adequate intake", "CNN": "convolutional neural network"}
    reader = Reader(page_of(resolve("an AI, CNNs, a CNN", **meanings), resolve("AI", **meanings)))
    assert len(reader.ids) == len(set(reader.ids))
    assert {link.removeprefix("#") for link in reader.links} <= set(reader.ids)
    assert sum(link.startswith("#g-") for link in reader.links) == 4
    assert sum(id.startswith("g-") for id in reader.ids) == 2


def test_all_that_comes_from_outside_is_escaped(resolve):
    doc = resolve(EVIL + " the AI", AI="artificial <b>intelligence</b>")
    page = "".join(to_html([(EVIL, doc)]))
    reader = Reader(page)
    assert "script" not in reader.tags and "i" not in reader.tags
    assert "\x1b" not in page and "\x00" not in page
    assert "artificial <b>intelligence</b>" in "".join(reader.text)
    assert "alert('x')" in "".join(reader.text)


def test_the_page_needs_nothing_but_itself(resolve):
    page = page_of(resolve("the AI", AI="adequate intake"))
    assert "default-src 'none'" in page
    for loaded in ("src=", "@import", "url(", "http:", "https:"):
        assert loaded not in page


def test_it_is_written_as_documents_come(resolve):
    seen = []

    def documents():
        for number in range(2):
            seen.append(number)
            yield f"{number}.txt", resolve("the AI", AI="adequate intake")

    parts = to_html(documents())
    while "0.txt" not in next(parts):
        pass
    assert seen == [0]


@pytest.mark.parametrize("text", ["", "no acronym here"])
def test_a_page_of_nothing(resolve, text):
    assert "No acronyms" in page_of(resolve(text))
    assert page_of().endswith("</html>") or page_of().endswith("</html>\n")
