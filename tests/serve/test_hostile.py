"""What the service does with what nobody should send."""

import asyncio
import os
import socket
import threading
import time
from functools import partial
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi.testclient import TestClient
from spacy.language import Language

from spacy_gladis.errors import GladisError
from spacy_gladis.serve.app import create_app
from spacy_gladis.serve.limits import Guard, Limits
from spacy_gladis.serve.messages import AnnotateRequest
from spacy_gladis.serve.workers import Workers
from tests.serve.conftest import running

JSON = {"content-type": "application/json"}


def no_inside(answer):
    """Whether an answer says nothing of paths, code or tracebacks."""
    return not any(
        word in answer.text for word in ("Traceback", ".py", "/tmp", "/work", "Error(", "site-pac")
    )


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"text": null}',
        b'{"text": "an AI", "threshold": NaN}',
        b'{"text": "an AI", "top_k": 1e99}',
        b'{"text": "an AI", "dictionary": {"add": [{"acronym": " ", "long_form": " "}]}}',
        b'{"text": "an AI", "dictionary": {"add": [{"acronym": "A", "long_form": "\\ud800"}]}}',
        b'{"text": "an AI", "dictionary": {"add": {"__proto__": 1}}}',
        b'{"text": "\xff\xfe"}',
        b'{"text": ' + b"[" * 100_000,
        b"9" * 10_000,
    ],
)
def test_what_is_no_request(client, body):
    answer = client.post("/annotate", content=body, headers=JSON)
    assert answer.status_code in (400, 422)
    assert set(answer.json()) == {"detail"} and no_inside(answer)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x00\x01 AI",
        "\ud800 AI \udfff",
        "\u202eAI",
        "<script>alert(1)</script> AI",
        "(" * 9_000,
        "A" * 9_000,
        "A(" * 4_500,
        "." * 9_999,
        "AI " * 200,
    ],
)
def test_any_text_is_answered(client, text):
    content = '{"text": "' + "".join(f"\\u{ord(letter):04x}" for letter in text) + '"}'
    answer = client.post("/annotate", content=content, headers=JSON)
    assert answer.status_code == 200, answer.text
    for mention in answer.json()["acronyms"]:
        assert 0 <= mention["start"] < mention["end"] <= len(text)


def test_a_script_is_given_back_as_it_is_and_as_json(client):
    entries = {
        "add": [{"acronym": "AI", "long_form": "<img src=x onerror=alert(1)>", "count": 99999}]
    }
    answer = client.post("/annotate", json={"text": "the AI", "dictionary": entries, "top_k": 9})
    assert "<img src=x onerror=alert(1)>" in answer.text
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("query", "status"),
    [
        *((query, 422) for query in ("", "acronym=", "acronym=" + "A" * 101, "acronym=A&limit=0")),
        *((f"acronym={query}", 200) for query in ("%00", "%F0%9F%98%80", "%27%3B--", "%ED%A0%80")),
    ],
)
def test_strange_lookups(client, query, status):
    answer = client.get(f"/lookup?{query}")
    assert answer.status_code == status and no_inside(answer)
    assert status == 422 or answer.json()["candidates"] == []


ENTRY = {"acronym": "A", "long_form": "b"}


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("", {"text": "A" * 10_001}, 413, "10,000 characters"),
        ("", {"text": "AI " * 301}, 413, "300 acronyms"),
        ("/batch", {"texts": ["A" * 5_001] * 2}, 413, "10,000 characters"),
        ("/batch", {"texts": ["AI " * 151] * 2}, 413, "300 acronyms"),
        ("/batch", {"texts": [""] * 1001}, 422, "1000"),
        ("", {"text": "A", "dictionary": {"add": [ENTRY] * 1001}}, 422, "1000"),
    ],
)
def test_too_much(client, path, body, status, words):
    answer = client.post(f"/annotate{path}", json=body)
    assert answer.status_code == status and words in answer.text


def test_too_many_bytes(client):
    parts = (b" " * 100_000 for _ in range(1000))  # no Content-Length
    answer = client.post("/annotate", content=parts, headers=JSON)
    assert answer.status_code == 413 and "bytes" in answer.text


@pytest.mark.parametrize(
    ("names", "host", "there"),
    [
        ("localhost", "127.0.0.1.evil.example", False),
        ("localhost", "", False),
        ("*.example.org", "A.b.Example.org:8000", True),
        ("*.example.org", "example.org", False),
        ("*.example.org", "a.example.org.evil.example", False),
        ("*", "anything.example", True),
    ],
)
def test_other_names_of_the_service_are_refused(workers, names, host, there):
    with TestClient(create_app(workers, hosts=[names])) as client:
        code = client.get("/health", headers={"host": host}).status_code
    assert code == (200 if there else 400)


def test_other_sites_pages_get_no_answer(client):
    plain = {"content-type": "text/plain"}  # what a form of another site can send
    answer = client.post("/annotate", content=b'{"text": "AI"}', headers=plain)
    assert answer.status_code == 422


def test_a_body_that_does_not_come_is_given_up():
    sent = []

    async def receive():
        await asyncio.sleep(60)

    async def send(message):
        sent.append(message)

    async def app(scope, receive, send):
        raise AssertionError("the page is never asked")

    guard = Guard(app, most_bytes=10, seconds=0.05)
    asyncio.run(guard({"type": "http", "path": "/", "headers": []}, receive, send))
    assert sent[0]["status"] == 408


@pytest.fixture
def many_files():
    """Connections of both ends are files of this process."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2_000 if before[1] == resource.RLIM_INFINITY else min(2_000, before[1])
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(wanted, before[0]), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_connections_that_say_nothing_leave_room(workers, many_files):
    with running(workers, seconds=1) as address:
        place = urlsplit(address)
        idle = [socket.create_connection((place.hostname, place.port)) for _ in range(600)]
        for connection in idle[::2]:
            connection.send(b"GET /health HTTP/1.1\r\nHost: local")
        assert httpx.get(f"{address}health").status_code == 200
        for connection in idle:
            connection.settimeout(30)
            assert connection.recv(1) == b""  # closed by the service
            connection.close()


@pytest.mark.slow
def test_a_connection_closes_where_the_next_request_does_not_begin(workers):
    with running(workers, seconds=2) as address:
        place = urlsplit(address)
        head = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with socket.create_connection((place.hostname, place.port)) as connection:
            connection.settimeout(30)
            for _ in range(3):  # each answer gives the next request its own time
                connection.send(head)
                answer = b""
                while not answer.endswith(b"}"):
                    part = connection.recv(1 << 16)
                    assert part, answer
                    answer += part
                assert answer.startswith(b"HTTP/1.1 200")
                time.sleep(1)
            connection.send(head[:20])
            assert connection.recv(1) == b""


@Language.component("tests_stuck")
def stuck(doc):
    """Takes for ever, or ends its process, where a text says so."""
    while "stuck" in doc.text:
        pass
    if "die" in doc.text:
        os._exit(1)
    if "fail" in doc.text:
        raise ZeroDivisionError("secretword")
    return doc


def load_stuck(load):
    nlp = load()
    nlp.add_pipe("tests_stuck", first=True)
    return nlp


@pytest.mark.slow
def test_a_request_that_does_not_end_is_ended_and_the_next_one_answered(load):
    """`/health` answers meanwhile."""
    with Workers(partial(load_stuck, load), Limits(seconds=3)) as workers:
        app = create_app(workers)
        with TestClient(app, "http://localhost", raise_server_exceptions=False) as client:
            codes = []
            ask = partial(client.post, "/annotate", json={"text": "stuck"})
            threads = [
                threading.Thread(target=lambda: codes.append(ask().status_code)) for _ in range(3)
            ]
            for thread in threads:
                thread.start()
            for _ in range(10):
                began = time.perf_counter()
                assert client.get("/health").status_code == 200
                assert time.perf_counter() - began < 1
            for thread in threads:
                thread.join()
            assert codes == [503] * 3
            for text, expected in (("die", 500), ("fail", 500), ("the AI", 200)):
                answer = client.post("/annotate", json={"text": text})
                while answer.status_code == 503:  # another process begins
                    answer = client.post("/annotate", json={"text": text})
                assert answer.status_code == expected
                assert no_inside(answer) and "secretword" not in answer.text


@pytest.mark.slow
def test_a_service_that_is_stopped_waits_for_nobody(load):
    """Neither for the request that does not end nor for the one behind it."""
    workers = Workers(partial(load_stuck, load), Limits(seconds=3600))

    def ask():
        with pytest.raises(GladisError):
            asyncio.run(workers.ask("annotate", AnnotateRequest(text="stuck")))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    while workers.waiting < 2:
        time.sleep(0.01)
    workers.close()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def test_more_than_may_wait_are_told_to_come_again(load):
    with Workers(load, Limits(waiting=0)) as workers, TestClient(create_app(workers)) as client:
        answer = client.post("/annotate", json={"text": "AI"}, headers={"host": "localhost"})
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"
