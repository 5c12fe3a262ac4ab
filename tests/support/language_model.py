"""A server of the OpenAI interface that replays what a test tells it to say."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Say = Callable[[list[dict[str, Any]]], object]
"""From the questions of a prompt, as the model sees them, to its reply; a number is a status, and
bytes are all that the server sends."""


class LanguageModel:
    """A context manager: while it lasts, `url` answers chat completions."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.prompts: list[str] = []
        self.keys: list[str | None] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # the name that http.server looks for
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                prompt = body["messages"][0]["content"]
                model.prompts.append(prompt)
                model.keys.append(self.headers["Authorization"])
                said = model.say(questions_in(prompt))
                status = said if isinstance(said, int) else 200
                content = said if isinstance(said, str) else json.dumps(said, default=str)
                answer = {"choices": [{"message": {"content": content}}]}
                sent = said if isinstance(said, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.end_headers()
                self.wfile.write(sent)

            def log_message(self, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self) -> "LanguageModel":
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def config(self, **settings: object) -> dict[str, object]:
        """What a component's setting `model` takes."""
        model = "spacy-gladis.OpenAICompatible.v1"
        return {
            "@llm_models": model,
            "base_url": self.url,
            "name": "stub",
            "interval": 0.01,
            **settings,
        }


def questions_in(prompt: str) -> list[dict[str, Any]]:
    """The lines of a prompt that ask something: those after its example."""
    lines = prompt.rpartition("The lines:\n")[2]
    return [json.loads(line) for line in lines.splitlines()]


def always(long_form: str) -> Say:
    """Says the same of every acronym."""
    return lambda questions: {question["line"]: long_form for question in questions}
