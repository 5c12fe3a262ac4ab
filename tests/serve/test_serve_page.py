"""The service's page in a real browser, where there is one."""

import shutil
import threading
import time

import pytest

api = pytest.importorskip("playwright.sync_api")
uvicorn = pytest.importorskip("uvicorn")

from spacy_gladis.serve.app import create_app  # noqa: E402
from spacy_gladis.serve.limits import Limits  # noqa: E402

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
PATIENCE = 60_000  # milliseconds, for a busy machine
pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason="needs Chromium"),
    pytest.mark.slow,  # the browser starts
]

TEXT = "\U0001f600 Convolutional neural networks (CNNs) learn. The AI for potassium, says XYZ."
SCRIPT = "<img src=x onerror=alert(1)> the AI <script>alert(2)</script>"


@pytest.fixture(scope="module")
def address(nlp):
    """The address of a running service."""
    app = create_app(nlp, Limits(a_minute=0, seconds=60))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def browser():
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser, address):
    """The page; what it asks of other servers, and what goes wrong in it, fails the test."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    wrong: list[str] = []

    def refuse(dialog):
        wrong.append("a script ran")
        dialog.dismiss()

    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    page.on("dialog", refuse)
    page.on("request", lambda one: None if one.url.startswith(address) else wrong.append(one.url))
    page.goto(address)
    yield page
    page.close()
    assert [one for one in wrong if not one.startswith("data:")] == []


def find(page, text):
    page.fill("#input", text)
    page.click("#find")
    page.wait_for_selector("#output .mention")


def test_a_text_lights_up_and_shows_candidates(page):
    find(page, TEXT)
    assert page.inner_text("#output") == TEXT
    assert page.locator(".mention").all_inner_texts() == ["CNNs", "AI", "XYZ"]
    assert [one.get_attribute("class") for one in page.locator(".mention").all()] == [
        "mention definition",
        "mention dictionary",
        "mention nil",
    ]
    page.click(".mention >> nth=1")
    page.wait_for_selector(".ranked li >> nth=2")
    assert page.inner_text(".quote b") == "AI"
    api.expect(page.locator(".ranked")).to_contain_text("seen 120×", timeout=PATIENCE)


def test_an_own_dictionary_is_sent_along_until_it_is_taken_back(page):
    find(page, TEXT)
    page.fill("#acronym", "XYZ")
    page.fill("#long-form", "example <b>meaning</b>")
    page.click("#add button")
    page.wait_for_selector(".mention.dictionary >> nth=1")
    page.click(".mention >> nth=2")
    assert page.inner_text(".answer") == "example <b>meaning</b>"
    page.click("#own button")
    page.wait_for_selector(".mention.nil")
    assert page.locator("#own li").count() == 0


def test_one_meaning_chosen_is_the_only_one(page):
    find(page, "the AI")
    page.click(".mention")
    page.click("text=Only this >> nth=2")
    page.wait_for_selector("#own li >> nth=1")
    api.expect(page.locator(".ranked li")).to_have_count(1, timeout=PATIENCE)


def test_scripts_in_a_text_do_nothing(page):
    find(page, SCRIPT)
    assert page.inner_text("#output") == SCRIPT
    page.click(".mention")
    page.wait_for_selector(".quote")
    assert page.locator("#output img, #output script, .quote img").count() == 0


def test_nothing_outlasts_the_visit(page):
    find(page, "the AI")
    page.click(".mention")
    page.click("text=Not this >> nth=0")
    page.wait_for_selector("#own li")
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    page.reload()
    assert page.locator("#own li").count() == 0 and page.input_value("#input") == ""


def test_all_of_it_works_by_keyboard(page):
    page.keyboard.type("the AI")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".mention")
    page.focus(".mention")
    page.keyboard.press("Enter")
    page.wait_for_selector(".answer")
