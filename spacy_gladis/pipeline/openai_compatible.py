"""Client for language models that have an OpenAI-compatible interface.

The models can be hosted, or run on local servers such as vLLM, llama.cpp, Ollama and LM Studio.
"""

import os
import time
from collections.abc import Mapping
from typing import Any, Iterable  # noqa: UP035  # spacy-llm supports only typing's
from urllib.parse import urlsplit

from ..errors import InputError, require

REFUSED = (400, 401, 403, 404)
"""HTTP statuses with which a server refuses a request that it would always refuse, so that retrying
is useless."""

RETRIED = (408, 409, 429, 500, 502, 503, 504)
"""HTTP statuses after which a request is sent again."""


class OpenAICompatible:
    """A client for a language model, registered as `spacy-gladis.OpenAICompatible.v1`.

    It is a model for spacy-llm and works with any server that has an OpenAI-compatible interface.
    Nothing is sent to the server before the first call.

    Attributes:
        name: Name of the model on the server.
        context_length: Context length of the model in tokens, or None if it is unknown.
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
        """Create a client for a model on a server, without contacting the server.

        Args:
            base_url: Address of the server's interface, such as `http://localhost:8080/v1`.
            name: Name of the model on the server, such as `qwen2.5`.
            key_variable: Name of the environment variable that contains the API key. If the
                variable isn't set, no key is sent.
            timeout: Maximum number of seconds to wait for an answer.
            tries: Maximum number of times that a failing request is sent.
            interval: Number of seconds before the second try. It doubles before each further try,
                unless the server says how long to wait.
            calls_per_minute: Maximum number of requests in a minute. None sets no limit.
            context_length: Context length of the model in tokens, which spacy-llm reads. None if it
                is unknown.
            config: Additional fields of each request, such as `{"max_tokens": 500}`.

        Raises:
            InputError: If `base_url` isn't an HTTP address.
            MissingExtraError: If the package requests isn't installed.
        """
        if urlsplit(base_url).scheme not in ("http", "https"):
            raise InputError(
                f"base_url is '{base_url}', which is not an HTTP address. Give an address such as "
                "http://localhost:8080/v1. For most servers, it ends in /v1."
            )
        self.name, self.context_length = name, context_length
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._key_variable, self._timeout = key_variable, timeout
        self._pause = 60 / calls_per_minute if calls_per_minute else 0.0
        self._free_at = 0.0
        self._request = {"model": name, "temperature": 0, **config}
        requests = require("requests", "llm")
        retries = require("urllib3", "llm").Retry(
            total=tries - 1,
            backoff_factor=interval,
            status_forcelist=RETRIED,
            allowed_methods=None,
            raise_on_status=False,
        )
        self._session = requests.Session()
        self._session.mount(base_url, requests.adapters.HTTPAdapter(max_retries=retries))

    def __call__(self, prompts: Iterable[Iterable[Any]]) -> Iterable[Iterable[Any]]:
        """Send the prompts of documents to the model and yield the replies.

        Args:
            prompts: For each document, an iterable of its prompts.

        Yields:
            For each document, a list of the replies to its prompts, in the order of the prompts.

        Raises:
            InputError: If the server refuses all requests, for example because of a wrong key.
            requests.RequestException: If there is no answer after all tries.
            ConnectionError: If the answer is not a chat completion.
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
                f"{response.text[:200]!r}. Check base_url, name and config, and the key in the "
                f"environment variable {self._key_variable}."
            )
        response.raise_for_status()
        try:
            return str(response.json()["choices"][0]["message"]["content"] or "")
        except (ValueError, LookupError, TypeError):
            raise ConnectionError(
                f"{self._url} did not return a chat completion. Check base_url."
            ) from None
