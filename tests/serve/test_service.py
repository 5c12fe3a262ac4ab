"""What the service answers."""

import logging
import re
import threading

import pytest
from fastapi.testclient import TestClient

from spacy_gladis.serve.app import create_app

TEXT = "\U0001f600 Convolutional neural networks (CNNs) learn. The AI for potassium."


def long_forms(answer):
    return {mention["acronym"]: mention["long_form"] for mention in answer.json()["acronyms"]}


def test_annotate(client):
    answer = client.post("/annotate", json={"text": TEXT})
    assert answer.status_code == 200
    mentions = answer.json()["acronyms"]
    assert [TEXT[mention["start"] : mention["end"]] for mention in mentions] == ["CNNs", "AI"]
    assert [mention["source"] for mention in mentions] == ["definition", "dictionary"]
    assert len(mentions[1]["candidates"]) == 3
    assert answer.json()["definitions"][0]["long_form"] == "Convolutional neural networks"


def test_threshold_and_number_of_candidates(client):
    answer = client.post("/annotate", json={"text": "the AI", "threshold": 1, "top_k": 2})
    (mention,) = answer.json()["acronyms"]
    assert (mention["long_form"], mention["source"]) == (None, "nil")
    assert len(mention["candidates"]) == 2
    assert long_forms(client.post("/annotate", json={"text": "the AI"}))["AI"]


def test_an_own_dictionary_counts_for_its_request_alone(client):
    entries = {
        "remove": [{"acronym": "AI"}],
        "add": [
            {"acronym": "AI", "long_form": "angry iguana"},
            {"acronym": "XQ", "long_form": "x"},
        ],
    }
    changed = client.post("/annotate", json={"text": "the AI of XQ", "dictionary": entries})
    assert long_forms(changed) == {"AI": "angry iguana", "XQ": "x"}
    after = client.post("/annotate", json={"text": "the AI of XQ"})
    assert "angry iguana" not in after.text and long_forms(after)["XQ"] is None
    assert "angry iguana" not in client.get("/lookup?acronym=AI").text


def test_a_word_can_be_ignored_and_a_meaning_hidden(client):
    hidden = {"acronym": "AI", "long_form": "Artificial Intelligence"}
    entries = {"ignore": ["XQ"], "remove": [hidden]}
    answer = client.post("/annotate", json={"text": "the AIs of XQ", "dictionary": entries})
    (mention,) = answer.json()["acronyms"]
    names = [candidate["long_form"] for candidate in mention["candidates"]]
    assert sorted(names) == ["adequate intake", "aromatase inhibitor"]


def test_many_texts_are_answered_as_each_alone(client):
    texts = [TEXT, "", "the AI", "`AI` of the **AI**"]
    entries = {"add": [{"acronym": "XQ", "long_form": "x"}]}
    for manner in ({}, {"format": "markdown", "top_k": 1, "dictionary": entries}):
        answer = client.post("/annotate/batch", json={"texts": texts, **manner})
        assert answer.status_code == 200
        alone = [client.post("/annotate", json={"text": text, **manner}).json() for text in texts]
        assert answer.json() == {"documents": alone}
    assert client.post("/annotate/batch", json={"texts": []}).json() == {"documents": []}


def test_failures_are_sentences(client):
    def detail(method, path, **given):
        return client.request(method, path, **given).json()["detail"]

    assert detail("GET", "/annotate") == "This address accepts POST, not GET."
    assert detail("POST", "/annotate", content=b"{", headers={"content-type": "application/json"})
    assert detail("POST", "/annotate", json=[]).startswith("The body must be a JSON object")
    absent = detail("POST", "/annotate", json={})
    assert absent == "The body lacks the field 'text'. See /docs for the expected format."
    misspelt = detail("POST", "/annotate", json={"text": "", "treshold": 0.5})
    assert (
        misspelt == "The body has an unknown field 'treshold'. See /docs for the expected format."
    )
    assert "top_k: Input should be" in detail("POST", "/annotate", json={"text": "", "top_k": 0})
    assert detail("GET", "/lookup").startswith("The query lacks the field 'acronym'")


def test_only_pages_of_the_origins_given_may_ask(workers):
    app = create_app(workers, origins=["https://example.org"])
    headers = {
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
    }
    with TestClient(app, "http://localhost") as client:
        ours = {"origin": "https://example.org"}
        preflight = client.options("/annotate", headers=ours | headers)
        assert preflight.status_code == 200
        for answer in (
            preflight,
            client.post("/annotate", json={"text": "AI"}, headers=ours),
            client.post("/annotate", json={}, headers=ours),
        ):
            assert answer.headers["access-control-allow-origin"] == "https://example.org"
        other = {"origin": "https://evil.example"}
        assert client.options("/annotate", headers=other | headers).status_code == 400
        answer = client.post("/annotate", json={"text": "AI"}, headers=other)
        assert "access-control-allow-origin" not in answer.headers


def test_lookup_and_health(client):
    answer = client.get("/lookup", params={"acronym": "A.I.", "limit": 2}).json()
    assert [candidate["total"] for candidate in answer["candidates"]] == [120, 30]
    assert client.get("/lookup?acronym=NASE").json()["suggestions"] == ["NASA"]
    answer = client.get("/health").json()
    assert answer["status"] == "ok" and answer["acronyms"] == 4 and answer["waiting"] == 0
    assert answer["characters"] == 10_000
    paths = client.get("/openapi.json").json()["paths"]
    assert set(paths) == {"/annotate", "/annotate/batch", "/lookup", "/health", "/read"}
    assert {"413", "422", "503"} <= set(paths["/annotate"]["post"]["responses"])


def test_the_page_loads_nothing_from_elsewhere(client):
    page = client.get("/")
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    scripts = (f"{name}.js" for name in ("page", "own", "files", "panel", "service"))
    for name in (*scripts, "page.css", "style.css"):
        content = client.get(f"/{name}")
        assert content.status_code == 200
        assert "innerHTML" not in content.text and "http" not in content.text
    assert "http" not in page.text
    assert "COPD" in client.get("/example.txt").text


def test_the_documentation_needs_no_other_server(client):
    page = client.get("/docs")
    assert page.status_code == 200 and "https://" not in page.text
    assert "'unsafe-inline'" in page.headers["content-security-policy"]
    scripts = re.findall(r'(?:src|href)="(/[^"]+)"', page.text)
    assert len(scripts) > 1
    assert all(client.get(script).status_code == 200 for script in scripts)


def test_nothing_that_is_sent_is_logged(client, caplog):
    with caplog.at_level(logging.DEBUG):
        client.post("/annotate", json={"text": "the secretword AI"})
        client.post("/annotate", json={"text": {"secretword": 1}})
    ours = [
        record for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))
    ]
    assert not any("secretword" in record.getMessage() for record in ours)


def test_requests_at_once_each_get_their_own(workers):
    answers = {}
    app = create_app(workers)
    with TestClient(app, "http://localhost") as client:

        def ask(number):
            entries = {"add": [{"acronym": f"X{number}Q", "long_form": f"meaning {number}"}]}
            body = {"text": f"the X{number}Q is here", "dictionary": entries}
            answers[number] = long_forms(client.post("/annotate", json=body))

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == {n: {f"X{n}Q": f"meaning {n}"} for n in range(5)}


@pytest.mark.parametrize("path", ["/redoc", "/../etc/passwd", "/page/index.html", "/x"])
def test_there_is_nothing_else(client, path):
    answer = client.get(path)
    assert answer.status_code == 404 and "/docs" in answer.json()["detail"]


def test_a_text_in_a_format(client):
    text = "`AI` of the **AI**"
    answer = client.post("/annotate", json={"text": text, "format": "markdown"}).json()
    assert [text[mention["start"] : mention["end"]] for mention in answer["acronyms"]] == ["AI"]
    assert answer["acronyms"][0]["start"] == 14
    assert client.post("/annotate", json={"text": text, "format": "pdf"}).status_code == 422


def test_a_text_is_expanded(client):
    body = {"text": "# The AI\n\n`AI` of a XQ", "format": "markdown", "expand": "first"}
    entries = {"add": [{"acronym": "XQ", "long_form": "angry iguana"}]}
    answer = client.post("/annotate", json={**body, "dictionary": entries}).json()
    meaning = answer["acronyms"][0]["long_form"]
    assert answer["expanded"] == f"# The {meaning} (AI)\n\n`AI` of an angry iguana (XQ)"
    assert client.post("/annotate", json={"text": "the AI"}).json()["expanded"] is None
    assert client.post("/annotate", json={"text": "", "expand": "tooltip"}).status_code == 422


def test_a_field_is_one_of_those_that_there_are(client):
    answer = client.post("/annotate", json={"text": "the AI", "field": "Life"})
    assert long_forms(answer)["AI"]
    answer = client.post("/annotate", json={"text": "", "field": "lif"})
    assert answer.status_code == 422 and "Did you mean 'life'?" in answer.json()["detail"]


def read(client, name, content):
    return client.post(
        "/read",
        params={"name": name},
        content=content,
        headers={"content-type": "application/octet-stream"},
    )


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("a.txt", "The AI é.".encode(), "The AI é."),
        ("A.MD", b"The **AI** learns.", "The AI learns."),
        ("a.html", b"<p>The <b>AI</b></p><script>x</script>", "The AI"),
        ("a.eml", b"Subject: AI\n\nThe AI.\n", "AI\n\nThe AI."),
    ],
)
def test_a_file_is_read_as_plain_text(client, name, content, text):
    answer = read(client, name, content)
    assert answer.status_code == 200 and answer.json()["text"].strip() == text


@pytest.mark.parametrize(
    ("name", "content", "status", "words"),
    [
        ("a.exe", b"MZ", 422, "'.exe' is not supported. Supported endings: .txt"),
        ("a.csv", b"text\nThe AI", 422, "'.csv' is not supported"),
        ("a.txt", b"\xff\xfe\xff", 422, "a.txt"),
        ("a.txt", b"caf\xe9", 422, "a.txt is not valid utf-8. Save it as UTF-8."),
        ("a.txt", b"%PDF-1.7", 422, "a.txt: This is a PDF file"),
        ("a.docx", b"PK\3\4", 422, "a.docx: not a readable DOCX file"),
        ("a.txt", b"A" * 10_001, 413, "10,000 characters"),
        ("a.txt", b"A" * 1_200_000, 413, "bytes"),
        ("a" * 256, b"A", 422, "name"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(client, name, content, status, words):
    answer = read(client, name, content)
    assert answer.status_code == status and words in answer.json()["detail"]
