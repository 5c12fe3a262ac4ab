"""What the service does with what nobody should send."""

import asyncio
import time

import pytest
from fastapi.testclient import TestClient

from spacy_gladis.serve.app import create_app
from spacy_gladis.serve.limits import BURST, BusyError, Gate, Limits, Rate, Worker, client_of

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
        b"null",
        b"[]",
        b'"text"',
        b'{"text": 3}',
        b'{"text": null}',
        b'{"txet": "an AI"}',
        b'{"text": "an AI", "threshold": 2}',
        b'{"text": "an AI", "threshold": NaN}',
        b'{"text": "an AI", "top_k": 0}',
        b'{"text": "an AI", "top_k": 1e99}',
        b'{"text": "an AI", "dictionary": {"add": [{"acronym": "", "long_form": "x"}]}}',
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
    content = '{"text": "' + "".join(f"\\u{ord(one):04x}" for one in text) + '"}'
    answer = client.post("/annotate", content=content, headers=JSON)
    assert answer.status_code == 200, answer.text
    for one in answer.json()["acronyms"]:
        assert 0 <= one["start"] < one["end"] <= len(text)


def test_a_script_is_given_back_as_it_is_and_as_json(client):
    own = {"add": [{"acronym": "AI", "long_form": "<img src=x onerror=alert(1)>", "count": 99999}]}
    answer = client.post("/annotate", json={"text": "the AI", "dictionary": own, "top_k": 9})
    assert "<img src=x onerror=alert(1)>" in answer.text
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "query", ["", "?acronym=", "?acronym=" + "A" * 101, "?acronym=A&limit=0", "?acronym=A&limit=x"]
)
def test_lookups_that_are_none(client, query):
    answer = client.get("/lookup" + query)
    assert answer.status_code == 422 and no_inside(answer)


@pytest.mark.parametrize(
    "acronym", ["%00", "%F0%9F%98%80", "..%2F..%2Fetc", "%27%3B--", "%ED%A0%80"]
)
def test_strange_lookups(client, acronym):
    answer = client.get(f"/lookup?acronym={acronym}")
    assert answer.status_code == 200 and answer.json()["candidates"] == []


def test_too_many_characters_and_too_many_bytes(client):
    answer = client.post("/annotate", json={"text": "A" * 10_001})
    assert answer.status_code == 413 and "10,000 characters" in answer.text
    parts = (b" " * 100_000 for _ in range(1000))  # no Content-Length
    answer = client.post("/annotate", content=parts, headers=JSON)
    assert answer.status_code == 413 and "bytes" in answer.text


def test_too_many_acronyms(client):
    answer = client.post("/annotate", json={"text": "AI " * 301})
    assert answer.status_code == 413 and "300 acronyms" in answer.text


def test_many_texts_have_the_limits_of_one(client):
    answer = client.post("/annotate/batch", json={"texts": ["A" * 5_001] * 2})
    assert answer.status_code == 413 and "10,000 characters" in answer.text
    answer = client.post("/annotate/batch", json={"texts": ["AI " * 151] * 2})
    assert answer.status_code == 413 and "300 acronyms" in answer.text
    assert client.post("/annotate/batch", json={"texts": [""] * 1001}).status_code == 422


def test_too_many_own_entries(client):
    entries = [{"acronym": "A", "long_form": "b"}] * 1001
    answer = client.post("/annotate", json={"text": "A", "dictionary": {"add": entries}})
    assert answer.status_code == 422


def test_what_fails_inside_stays_inside(client, monkeypatch):
    monkeypatch.setattr("spacy_gladis.serve.annotator.to_record", lambda *_: 1 / 0)
    answer = client.post("/annotate", json={"text": "an AI"})
    assert answer.status_code == 500 and no_inside(answer) and "Zero" not in answer.text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", ""])
def test_other_names_of_the_service_are_refused(client, host):
    assert client.get("/health", headers={"host": host}).status_code == 400


@pytest.mark.parametrize(
    ("known", "host", "there"),
    [
        ("*.example.org", "a.example.org", True),
        ("*.example.org", "A.b.Example.org:8000", True),
        ("*.example.org", "example.org", False),
        ("*.example.org", "evilexample.org", False),
        ("*.example.org", "a.example.org.evil.example", False),
        ("*", "anything.example", True),
    ],
)
def test_names_below_one(nlp, known, host, there):
    with TestClient(create_app(nlp, Limits(a_minute=0, hosts=[known]))) as client:
        code = client.get("/health", headers={"host": host}).status_code
    assert code == (200 if there else 400)


def test_other_sites_pages_get_no_answer(client):
    answer = client.post(
        "/annotate", json={"text": "AI"}, headers={"origin": "https://evil.example"}
    )
    assert "access-control-allow-origin" not in answer.headers
    plain = {"content-type": "text/plain"}  # what a form of another site can send
    answer = client.post("/annotate", content=b'{"text": "AI"}', headers=plain)
    assert answer.status_code == 422


def test_a_client_that_asks_too_often_waits(nlp):
    app = create_app(nlp, Limits(a_minute=60))
    with TestClient(app, "http://localhost") as client:
        codes = [client.get("/lookup?acronym=AI").status_code for _ in range(BURST + 3)]
        refused = client.get("/lookup?acronym=AI")
        assert codes[:BURST] == [200] * BURST and refused.status_code == 429
        assert 1 <= int(refused.headers["retry-after"]) <= 2
        assert client.get("/health").status_code == 200


def test_tokens_come_back():
    now = [0.0]
    rate = Rate(60, clock=lambda: now[0])
    assert all(rate.wait("a") == 0 for _ in range(BURST))
    assert rate.wait("a") == pytest.approx(1) and rate.wait("b") == 0
    now[0] += 1
    assert rate.wait("a") == 0 and rate.wait("a") > 0


def test_the_clients_of_one_network_are_one():
    of = [client_of({"client": (f"2001:db8:1:2::{n}", 1)}) for n in range(3)]
    assert len(set(of)) == 1
    assert client_of({"client": ("10.0.0.1", 1)}) != client_of({"client": ("10.0.0.2", 1)})
    assert client_of({"client": None}) == ""


def test_a_body_that_does_not_come_is_given_up():
    sent = []

    async def receive():
        await asyncio.sleep(60)

    async def send(message):
        sent.append(message)

    async def app(scope, receive, send):
        raise AssertionError("the page is never asked")

    gate = Gate(app, hosts=["*"], rate=None, most_bytes=10, timeout=0.05)
    asyncio.run(gate({"type": "http", "path": "/", "headers": []}, receive, send))
    assert sent[0]["status"] == 408


def test_calls_that_wait_too_long_are_given_up_and_never_run():
    async def scenario():
        worker = Worker(timeout=0.1, most_waiting=2)
        ran: list[int] = []
        slow = asyncio.create_task(worker.run(time.sleep, 0.5))
        await asyncio.sleep(0)
        late = asyncio.create_task(worker.run(ran.append, 1))
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await worker.run(ran.append, 2)  # two are there already
        for task in (slow, late):
            with pytest.raises(BusyError):
                await task
        await asyncio.sleep(0.6)
        assert worker.waiting == 0
        await worker.run(ran.append, 3)
        worker.close()
        return ran

    assert asyncio.run(scenario()) == [3]
