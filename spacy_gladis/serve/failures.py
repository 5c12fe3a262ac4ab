"""Answers for what fails: a sentence that says what the client can do, nothing of the inside."""

import logging
from collections.abc import Sequence

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from ..errors import InputError
from .annotator import TooLongError
from .limits import refuse
from .workers import BusyError

logger = logging.getLogger("spacy_gladis")

_MOST_PROBLEMS = 10


def answer_failures(app: FastAPI) -> None:
    """Give the application its handlers of exceptions."""

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        # Each problem also holds the input, which nobody needs back.
        problems = [
            _sentence(one["type"], one["loc"], one["msg"])
            for one in error.errors()[:_MOST_PROBLEMS]
        ]
        return refuse(422, " ".join(problems))

    @app.exception_handler(HTTPException)
    async def not_offered(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404:
            return refuse(404, "There is nothing at this address: /docs says what there is.")
        if error.status_code == 405:
            allowed = (error.headers or {}).get("Allow", "another method")
            return refuse(405, f"This address takes {allowed}, not {request.method}.")
        return refuse(error.status_code, "The request cannot be read: /docs says what is expected.")

    @app.exception_handler(InputError)
    async def unusable(request: Request, error: InputError) -> Response:
        return refuse(422, str(error))

    @app.exception_handler(TooLongError)
    async def too_long(request: Request, error: TooLongError) -> Response:
        return refuse(413, str(error))

    @app.exception_handler(BusyError)
    async def busy(request: Request, error: BusyError) -> Response:
        return refuse(503, "The service is busy: try again in a moment.", 1)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        logger.error("A request to %s failed: %s", request.url.path, type(error).__name__)
        return refuse(500, "Something went wrong here; it is not your fault.")


def _sentence(problem: str, place: Sequence[str | int], message: str) -> str:
    """What is wrong where, such as "The body has no 'text'; /docs says what is expected."."""
    kind, *names = place
    name = ".".join(map(str, names))
    if problem == "json_invalid":
        return "The body is not JSON."
    if not names:
        return (
            "The body is not what is expected: send a JSON object with the header "
            "Content-Type: application/json; /docs shows one."
        )
    if problem == "missing":
        return f"The {kind} has no '{name}'; /docs says what is expected."
    if problem == "extra_forbidden":
        return f"The {kind} has a '{name}', which is not known; /docs says what is."
    return f"In the {kind}, {name}: {message}."
