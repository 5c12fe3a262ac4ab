"""Language models that speak the OpenAI interface: hosted ones, and servers of one's own such as
vLLM, llama.cpp, Ollama and LM Studio."""

import os
import time
from collections.abc import Mapping
from typing import Any, Iterable  # noqa: UP035  # spacy-llm knows typing's own alone
from urllib.parse import urlsplit

from ..errors import InputError, require

REFUSED = (400, 401, 403, 404)
"""Statuses that no second try changes, and that concern every request."""

TRIED_AGAIN = (408, 409, 429, 500, 502, 503, 504)


class OpenAICompatible:
    """A model for spacy-llm, registered as `spacy-gladis.OpenAICompatible.v1`.

    Nothing is sent before it is called.
    """

    def __init__(
        self,
        base_url: str,
        name: str,
        key_variable: str = "OPENAI_API_KEY",
        timeout: float = 60,
        tries: int = 5,
        interval: float = 1,
        calls_per_minute: float | None = None,
        context_length: int | None = None,
        config: Mapping[str, Any] = {},
    ) -> None:
        """base_url: such as `http://localhost:8080/v1`. name: the model's.

        key_variable: the environment variable that holds a key, if the server wants one. timeout:
        seconds that an answer may take. tries: of a request that fails or is told to wait;
        interval: seconds before the second try, doubled before each further one, unless the server
        says how long to wait. config: more for each request, such as `{"max_tokens": 500}`.
        Raises InputError for what is no address, and MissingExtraError.
        """
        if urlsplit(base_url).scheme not in ("http", "https"):
            raise InputError(
                f"base_url is '{base_url}'. Expected an address with its scheme and, for most "
                "servers, /v1 at its end, such as http://localhost:8080/v1."
            )
        self.name, self.context_length = name, context_length
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._key_variable, self._timeout = key_variable, timeout
        self._pause = 60 / calls_per_minute if calls_per_minute else 0.0
        self._free_at = 0.0
        self._request = {"model": name, "temperature": 0, **config}
        requests = require("requests", "llm")
        again = require("urllib3", "llm").Retry(
            total=tries - 1,
            backoff_factor=interval,
            status_forcelist=TRIED_AGAIN,
            allowed_methods=None,
            raise_on_status=False,
        )
        self._session = requests.Session()
        self._session.mount(base_url, requests.adapters.HTTPAdapter(max_retries=again))

    def __call__(self, prompts: Iterable[Iterable[Any]]) -> Iterable[Iterable[Any]]:
        """The replies to each document's prompts.

        Raises InputError where the server refuses all that is sent, and an error of `requests`
        where there is no answer after all tries.
        """
        for of_document in prompts:
            yield [self._reply(str(prompt)) for prompt in of_document]

    def _reply(self, prompt: str) -> str:
        time.sleep(max(0.0, self._free_at - time.monotonic()))
        self._free_at = time.monotonic() + self._pause
        key = os.environ.get(self._key_variable)
        response = self._session.post(
            self._url,
            json={**self._request, "messages": [{"role": "user", "content": prompt}]},
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=self._timeout,
        )
        if response.status_code in REFUSED:
            raise InputError(
                f"{self._url} refuses the model '{self.name}' ({response.status_code}): "
                f"{response.text[:200]!r}. Look at base_url, name and config, and at the key in "
                f"the environment variable {self._key_variable}."
            )
        response.raise_for_status()
        try:
            return str(response.json()["choices"][0]["message"]["content"] or "")
        except (ValueError, LookupError, TypeError):
            raise ConnectionError(f"{self._url} gave no chat completion") from None
