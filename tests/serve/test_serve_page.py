"""What the service's page does, in a real browser."""

from typing import Any

import pytest

from spacy_gladis.dictionary.user_entries import read_user_entries
from spacy_gladis.settings import FIELDS

api = pytest.importorskip("playwright.sync_api")

PATIENCE = 60_000  # milliseconds, for a busy machine
pytestmark = pytest.mark.slow  # the browser starts
TEXT = "\U0001f600 Convolutional neural networks (CNNs) learn. The AI for potassium, says XYZ."
SCRIPT = "<img src=x onerror=alert(1)> the AI <script>alert(2)</script>"


def find(page, text):
    page.fill("#input", text)
    page.click("#find")
    page.wait_for_selector("#output .mention")


def shown_text(page):
    """The text on the page without the long forms beside."""
    return page.evaluate(
        """() => [...document.getElementById("output").childNodes].map((one) =>
            (one.querySelector?.(".word") ?? one).textContent).join("")"""
    )


def glosses(page):
    return page.locator(".mention .gloss").all_inner_texts()


def says(page, words):
    api.expect(page.locator("#status")).to_contain_text(words, timeout=PATIENCE)


def test_long_forms_stand_beside_their_acronyms_and_candidates_are_a_click_away(page):
    find(page, TEXT)
    assert shown_text(page) == TEXT
    assert page.locator(".mention .word").all_inner_texts() == ["CNNs", "AI", "XYZ"]
    assert [element.get_attribute("class") for element in page.locator(".mention").all()] == [
        "mention definition",
        "mention dictionary",
        "mention nil",
    ]
    chosen, unknown = glosses(page)  # the text has the words of CNNs
    assert unknown == "unknown" and chosen
    page.click(".mention >> nth=0")
    assert page.locator(".why li").all_inner_texts() == ["the document defines it"]
    page.click(".mention >> nth=1")
    page.wait_for_selector(".ranked li >> nth=2")
    assert page.inner_text(".quote b") == "AI"
    api.expect(page.locator(".ranked")).to_contain_text("seen 120×", timeout=PATIENCE)


def test_a_meaning_is_told_once_and_leaves_no_gap(page):
    find(page, "the AI, XYZ, the AI and XYZ.")
    assert len(glosses(page)) == 2
    gaps = page.evaluate(
        """() => [...document.querySelectorAll(".mention")].map((one) => {
            const behind = document.createRange();
            behind.setStart(one.nextSibling, 0);
            behind.setEnd(one.nextSibling, 1);
            const last = (one.lastElementChild ?? one).getBoundingClientRect();
            return behind.getBoundingClientRect().left - last.right;
        })"""
    )
    assert len(gaps) == 4 and all(0 <= gap < 10 for gap in gaps)


@pytest.mark.parametrize("way", ["chosen", "dropped"])
def test_a_file_is_opened(page, way):
    name, content = "notes.html", "<p>the <b>AI</b> &amp; <code>XYZ</code></p>"
    if way == "chosen":
        file: Any = {"name": name, "mimeType": "text/html", "buffer": content.encode()}
        page.set_input_files("#file", file)
    else:
        page.evaluate(
            """([name, content]) => {
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File([content], name));
                const how = { dataTransfer, bubbles: true, cancelable: true };
                const event = new DragEvent("drop", how);
                document.getElementById("input").dispatchEvent(event);
            }""",
            [name, content],
        )
    page.wait_for_selector("#output .mention")
    assert shown_text(page).strip() == "the AI &" and "XYZ" not in page.input_value("#input")
    with page.expect_download() as download:
        page.click("#save")
    assert download.value.suggested_filename == "notes expanded.txt"


def test_a_file_that_cannot_be_read_says_so(visit):
    page = visit(expected=("422",))
    for name, words in (
        ("a.exe", "'.exe' is not supported"),
        ("a.pdf", "a.pdf: not a readable PDF file"),
    ):
        page.set_input_files("#file", {"name": name, "mimeType": "", "buffer": b"MZ"})
        says(page, words)
    page.set_input_files("#file", {"name": "a.txt", "mimeType": "", "buffer": b"x" * 1_200_000})
    says(page, "a.txt is too large")
    assert page.is_visible("#input") and page.input_value("#input") == ""


def test_the_expanded_text_is_copied_and_saved(page, tmp_path):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    find(page, "the AI of a XYZ")
    (meaning, _) = glosses(page)
    expanded = f"the {meaning} (AI) of a XYZ"
    page.click("#copy")
    says(page, "Copied")
    assert page.evaluate("navigator.clipboard.readText()") == expanded
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.click("#copy")  # as on a page that comes without TLS
    says(page, "Copied")
    with page.expect_download() as download:
        page.click("#save")
    assert download.value.suggested_filename == "text expanded.txt"
    download.value.save_as(tmp_path / "text")
    assert (tmp_path / "text").read_text() == expanded


def test_the_example_is_a_click_away_and_the_field_is_sent_along(page):
    requests = []
    page.on(
        "request",
        lambda request: requests.append(request.post_data_json) if request.post_data else None,
    )
    page.click("#example")
    page.wait_for_selector("#output .mention")
    assert shown_text(page).startswith("A 58-year-old")
    with page.expect_response("**/annotate"):
        page.select_option("#field", "clinical")
    assert [request["field"] for request in requests] == [None, "clinical"]
    options = page.locator("#field option").all_inner_texts()
    assert options == ["from the text", *FIELDS]


def test_own_entries_are_sent_along_until_they_are_taken_back(page):
    find(page, TEXT)
    page.fill("#acronym", "XYZ")
    page.fill("#long-form", "example <b>meaning</b>")
    page.click("#add button")
    page.wait_for_selector(".mention.dictionary >> nth=1")
    page.click(".mention >> nth=2")
    assert page.inner_text("#answer .long") == "example <b>meaning</b>"
    page.click("#own button")
    page.wait_for_selector(".mention.nil")
    assert page.locator("#own li").count() == 0


def test_an_answer_is_corrected_and_the_correction_taken_back(page):
    find(page, "the AI")
    before = glosses(page)
    page.click(".mention")
    other = page.locator(".ranked li", has_text="Use this").first
    meaning = other.locator(".line span").first.inner_text()
    other.locator("button").click()
    api.expect(page.locator(".mention .gloss")).to_have_text(meaning, timeout=PATIENCE)
    assert page.inner_text("#own li span") == f"AI {meaning}" and before != [meaning]
    api.expect(page.locator("#details > .ranked")).to_contain_text("your entry", timeout=PATIENCE)
    others = page.locator("details .ranked li")  # the dictionary's are a click away
    api.expect(others).to_have_count(2, timeout=PATIENCE)
    page.click("#own button")
    api.expect(page.locator(".mention .gloss")).to_have_text(before[0], timeout=PATIENCE)


def test_own_entries_are_saved_as_an_overlay(page, tmp_path):
    find(page, "the AI of XYZ and CNN")
    page.click(".mention >> nth=1")
    page.fill(".other input", " example\tmeaning ")
    page.click(".other button")
    page.wait_for_selector("#own li")
    page.click(".mention >> nth=0")
    page.click("text=No acronym")
    api.expect(page.locator("#own li >> nth=1")).to_contain_text("AI no acronym", timeout=PATIENCE)
    api.expect(page.locator(".mention")).to_have_count(2, timeout=PATIENCE)
    with page.expect_download() as download:
        page.click("#download")
    assert download.value.suggested_filename == "acronyms.tsv"
    path = tmp_path / "acronyms.tsv"
    download.value.save_as(path)
    assert path.read_text() == "acronym\tlong_form\nXYZ\texample meaning\nAI\t\n"
    rows = [(row.acronym, row.long_form) for row in read_user_entries([path])]
    assert rows == [("XYZ", "example meaning"), ("AI", "")]


def test_an_accepted_answer_stays_in_the_browser_and_texts_do_not(page):
    find(page, "the secretword AI")
    (meaning,) = glosses(page)
    page.click(".mention")
    page.click("text=Accept")
    page.wait_for_selector("#own li")
    assert page.inner_text("#own li span") == f"AI {meaning}" and glosses(page) == [meaning]
    page.reload()
    page.wait_for_selector("#own li")
    assert page.input_value("#input") == ""
    kept = page.evaluate("JSON.stringify([localStorage, sessionStorage])")
    assert "AI" in kept and "secretword" not in kept
    page.click("#clear")
    assert page.locator("#own li").count() == 0
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0


def test_scripts_in_a_text_and_a_broken_store_do_nothing(page):
    page.evaluate("localStorage.setItem('spacy-gladis.own', '{\"AI\": 3')")
    page.reload()
    find(page, SCRIPT)
    assert shown_text(page) == SCRIPT
    page.click(".mention")
    page.wait_for_selector(".quote")
    assert page.locator("#output img, #output script, .quote img").count() == 0


@pytest.mark.parametrize(
    ("text", "words", "sent"),
    [
        ("  \n ", "There is no text yet", False),
        ("nothing to see", "0 acronyms", True),
        ("A" * 10_001, "10,001 characters, and the service takes 10,000", False),
        ("AI " * 301, "more than 300 acronyms", True),
    ],
)
def test_a_text_without_an_answer_is_told(visit, text, words, sent):
    page = visit(expected=("413",))
    urls = []
    page.on("request", lambda request: urls.append(request.url))
    page.fill("#input", text)
    page.click("#find")
    says(page, words)
    assert bool(urls) == sent and (sent or page.is_visible("#input"))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"status": 429, "json": {"detail": "Wait a little."}}, "Wait a little."),
        ({"status": 502, "body": "<h1>Bad gateway</h1>"}, "The service failed (502)"),
        (None, "The service does not answer"),
    ],
)
def test_a_request_that_fails_says_so(visit, answer, words):
    page = visit(expected=("Failed to load resource",))
    page.route("**/annotate", lambda route: route.fulfill(**answer) if answer else route.abort())
    page.fill("#input", "the AI")
    page.click("#find")
    says(page, words)
    assert "failed" in page.get_attribute("#status", "class") and page.is_enabled("#find")
    page.unroute("**/annotate")
    find(page, "the AI")


def test_the_model_is_asked_by_a_button_that_is_there_where_there_is_one(page):
    find(page, TEXT)
    assert page.locator("#ask").is_hidden()  # this service has none

    def with_model(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "language_model": True})

    def by_model(route):
        content: dict[str, list[object]] = {"acronyms": [], "definitions": []}
        if route.request.post_data_json["ask_model"]:
            meant = {"long_form": "extra yearly zone", "probability": 0.9}
            mention = {"start": 4, "end": 7, "acronym": "XYZ", "source": "llm", **meant}
            content["acronyms"] = [{**mention, "candidates": [meant], "why": []}]
        route.fulfill(json=content)

    page.route("**/health", with_model)
    page.route("**/annotate", by_model)
    with page.expect_response("**/health"):
        page.reload()
    page.fill("#input", "The XYZ.")
    page.click("#find")
    says(page, "0 acronyms")
    page.click("#ask")
    says(page, "1 acronym")
    assert page.get_attribute(".mention", "class") == "mention llm"
    page.click(".mention")
    assert "from a language model" in page.inner_text("#answer")
