"""The service over the tiny weights and dictionary."""

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient

from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.serve.app import create_app
from spacy_gladis.serve.limits import Limits

HERE = "http://localhost"
LIMITS = Limits(characters=10_000, mentions=300, a_minute=0, seconds=120)


@pytest.fixture(scope="session")
def nlp(tiny_weights, tiny_dictionary):
    """A pipeline that answers whatever the probability."""
    return load_pipeline(str(tiny_weights), dictionary=tiny_dictionary, threshold=0.0)


@pytest.fixture
def client(nlp):
    """A client of the service; what fails inside is answered, as it is in use."""
    app = create_app(nlp, LIMITS)
    with TestClient(app, HERE, raise_server_exceptions=False) as client:
        yield client
