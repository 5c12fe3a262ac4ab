"""The service with a language model beside it: asked only where a request says so."""

import pytest

pytest.importorskip("fastapi_offline")
pytest.importorskip("spacy_llm")

from functools import partial

from fastapi.testclient import TestClient

from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.serve.app import create_app
from spacy_gladis.serve.limits import Limits
from spacy_gladis.serve.workers import Workers
from tests.support.language_model import LanguageModel, always

HERE = "http://localhost"
CONFIG = """\
[acronym_llm]
certainty = {{"new": [3.0, 0.0]}}

[acronym_llm.model]
@llm_models = "spacy-gladis.OpenAICompatible.v1"
base_url = "{url}"
name = "stub"
"""


def test_the_model_is_asked_where_a_request_says_so(tiny_weights, tiny_dictionary, tmp_path):
    load = partial(load_pipeline, str(tiny_weights), dictionary=tiny_dictionary)
    with LanguageModel(always("quarterly business review")) as model:
        path = tmp_path / "llm.cfg"
        path.write_text(CONFIG.format(url=model.url))
        with Workers(partial(load, llm=path), Limits(seconds=120)) as workers:
            client = TestClient(create_app(workers, language_model=True), HERE)
            assert client.get("/health").json()["language_model"] is True
            request = {"text": "The QBR is on Monday."}
            [plain] = client.post("/annotate", json=request).json()["acronyms"]
            assert plain["source"] == "nil" and model.prompts == []
            [mention] = client.post("/annotate", json={**request, "ask_model": True}).json()[
                "acronyms"
            ]
            assert (mention["source"], mention["long_form"]) == ("llm", "quarterly business review")
            strict = {**request, "ask_model": True, "threshold": 0.99}
            [kept] = client.post("/annotate", json=strict).json()["acronyms"]
            assert kept["source"] == "nil"


def test_a_service_without_one_says_so(client):
    assert client.get("/health").json()["language_model"] is False
    answer = client.post("/annotate", json={"text": "The QBR.", "ask_model": True})
    assert answer.status_code == 422 and "--llm" in answer.json()["detail"]
