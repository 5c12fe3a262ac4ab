"""The service over the tiny weights and dictionary, and a browser that visits it."""

import shutil
import threading
import time
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

pytest.importorskip("fastapi_offline")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient

from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.serve.app import create_app
from spacy_gladis.serve.connections import SECONDS, Connections
from spacy_gladis.serve.limits import Limits
from spacy_gladis.serve.workers import Workers

HERE = "http://localhost"
LIMITS = Limits(characters=10_000, mentions=300, seconds=120)
PATIENCE = 60_000  # milliseconds, for a busy machine


@pytest.fixture(scope="session")
def load(tiny_weights, tiny_dictionary):
    """Makes a pipeline that answers whatever the probability."""
    return partial(load_pipeline, str(tiny_weights), dictionary=tiny_dictionary, threshold=0.0)


@pytest.fixture(scope="package")
def workers(load):
    """A process that answers."""
    with Workers(load, LIMITS) as workers:
        yield workers


@pytest.fixture
def client(workers):
    """A client of the service; what fails inside is answered, as it is in use."""
    with TestClient(create_app(workers), HERE, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="package")
def address(workers):
    """The address of a running service."""
    with running(workers) as address:
        yield address


@contextmanager
def running(workers, seconds=SECONDS):
    """A service, in which a request has to begin within these seconds; its address."""
    uvicorn = pytest.importorskip("uvicorn")
    config = Connections(seconds).configure(
        create_app(workers), port=0, log_level="error", timeout_keep_alive=60
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="package")
def browser():
    """Chromium, where there is one."""
    api = pytest.importorskip("playwright.sync_api")
    names = ("chromium", "chromium-browser", "chrome")
    browser_path = next(filter(None, map(shutil.which, names)), None)
    if browser_path is None:
        pytest.skip("no Chromium is installed: the page is not tested")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(browser, address):
    """Opens the page in a window of the given kind; what goes wrong in it fails the test.

    So does what it asks of other servers. Failures of the service that a test brings about are
    to be named: `visit(expected=("413",))`.
    """
    opened: list[Any] = []
    wrong: list[str] = []
    excused = ["data:"]

    def refuse(dialog):
        wrong.append("a script ran")
        dialog.dismiss()

    def open_page(path="", expected=(), **window):
        context = browser.new_context(**window)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console",
            lambda message: wrong.append(message.text) if message.type == "error" else None,
        )
        page.on("dialog", refuse)
        page.on(
            "request",
            lambda request: wrong.append(request.url) if _foreign(request, address) else None,
        )
        page.goto(address + path)
        opened.append(context)
        excused.extend(expected)
        return page

    yield open_page
    for context in opened:
        context.close()
    assert [problem for problem in wrong if not any(words in problem for words in excused)] == []


def _foreign(request, address):
    return not request.url.startswith((address, f"blob:{address}"))


@pytest.fixture
def page(visit):
    """The page in a desktop's window."""
    return visit()
