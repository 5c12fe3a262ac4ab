"""The REST service as an ASGI application, with its web page."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from importlib.resources import files
from typing import Annotated, Any

from fastapi import Body, FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from .. import __version__
from ..dictionary.candidate import LONGEST_ACRONYM
from ..errors import InputError
from .limits import Guard, TooLongError, refuse
from .messages import (
    MOST_CANDIDATES,
    AnnotateRequest,
    Annotation,
    BatchAnswer,
    BatchRequest,
    Failure,
    FileText,
    Health,
    LookupAnswer,
)
from .workers import BusyError, Workers

_LONGEST_NAME = 255
_OVERHEAD_BYTES = 1 << 20  # for dictionary changes and the syntax of JSON
_BYTES_PER_CHARACTER = 12  # maximum, for two escaped surrogates in JSON
_FAILURES: dict[int | str, dict[str, Any]] = {
    408: {"model": Failure, "description": "Request not received in time"},
    413: {"model": Failure, "description": "Request too long"},
    422: {"model": Failure, "description": "Invalid request"},
    503: {"model": Failure, "description": "Service busy or request timed out"},
}
_PAGE = {
    "/": ("serve", "page/index.html", "text/html"),
    "/page.css": ("serve", "page/page.css", "text/css"),
    "/style.css": ("output", "templates/style.css", "text/css"),
    "/page.js": ("serve", "page/page.js", "text/javascript"),
    "/panel.js": ("serve", "page/panel.js", "text/javascript"),
    "/own.js": ("serve", "page/own.js", "text/javascript"),
    "/files.js": ("serve", "page/files.js", "text/javascript"),
    "/service.js": ("serve", "page/service.js", "text/javascript"),
    "/example.txt": ("serve", "page/example.txt", "text/plain"),
}


LOCAL = ("localhost", "127.0.0.1", "::1")
"""Host names that a service accepts if only programs on the same machine can reach it."""


def create_app(
    workers: Workers,
    hosts: Sequence[str] = LOCAL,
    origins: Sequence[str] = (),
    *,
    language_model: bool = False,
) -> FastAPI:
    """Create the ASGI application of the REST service.

    Use it to run the service on your own ASGI server. The command ``spacy-gladis serve`` calls it
    as well.

    Args:
        workers: Pool of processes that answer the requests.
        hosts: Host names in lower case that requests may use. ``*.example.org`` stands for all
            subdomains and ``*`` for any name. Requests for other hosts are rejected, which protects
            a local service from DNS rebinding.
        origins: Origins of other web pages that may use the service, such as
            ``https://example.org``, or ``*`` for any. By default, no other web page may use it.
        language_model: Whether the pipelines of `workers` have an `acronym_llm`. If True, the web
            page offers to ask the language model.

    Returns:
        The application, which an ASGI server such as uvicorn can run.
    """
    limits = workers.limits
    app = FastAPIOffline(
        title="spacy_gladis",
        version=__version__,
        description="Finds acronyms in texts and resolves them to their long forms.",
        redoc_url=None,
    )
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Content-Type"],
            expose_headers=["Retry-After"],
        )
    most_bytes = _BYTES_PER_CHARACTER * limits.characters + _OVERHEAD_BYTES
    app.add_middleware(Guard, most_bytes=most_bytes, seconds=limits.seconds)
    add_error_handlers(app)

    @app.post("/annotate", responses=_FAILURES)
    async def annotate(request: AnnotateRequest) -> Annotation:
        """Find the acronyms of a text and resolve them to their long forms."""
        answer: Annotation = await workers.ask("annotate", request)
        return answer

    @app.post("/annotate/batch", responses=_FAILURES)
    async def annotate_batch(request: BatchRequest) -> BatchAnswer:
        """Find the acronyms of several texts and resolve them to their long forms.

        Each text is a separate document. The limits on the number of characters and acronyms apply
        to all texts together.
        """
        answer: BatchAnswer = await workers.ask("annotate_batch", request)
        return answer

    @app.post("/read", responses=_FAILURES)
    async def read(
        name: Annotated[str, Query(max_length=_LONGEST_NAME, examples=["report.docx"])],
        content: Annotated[bytes, Body(media_type="application/octet-stream")],
    ) -> FileText:
        """Extract the plain text of a file. The extension of its name determines the format."""
        answer: FileText = await workers.ask("read", name, content)
        return answer

    @app.get("/lookup", responses=_FAILURES)
    async def lookup(
        acronym: Annotated[str, Query(min_length=1, max_length=LONGEST_ACRONYM)],
        limit: Annotated[int, Query(ge=1, le=MOST_CANDIDATES)] = 20,
    ) -> LookupAnswer:
        """Look up the long forms of an acronym in the dictionary, most frequent first."""
        answer: LookupAnswer = await workers.ask("lookup", acronym, limit)
        return answer

    @app.get("/health")
    async def health() -> Health:
        """Return the state and the limits of the service, for example to monitor it."""
        return Health(
            version=__version__,
            acronyms=workers.acronyms,
            characters=limits.characters,
            bytes=most_bytes,
            waiting=workers.waiting,
            language_model=language_model,
        )

    for path, (subpackage, name, kind) in _PAGE.items():
        content = files(f"spacy_gladis.{subpackage}").joinpath(name).read_bytes()
        app.get(path, include_in_schema=False)(_static(content, kind))
    return app


def _static(content: bytes, kind: str) -> Callable[[], Awaitable[Response]]:
    async def get_content() -> Response:
        return Response(content, media_type=f"{kind}; charset=utf-8")

    return get_content


logger = logging.getLogger("spacy_gladis")

_MOST_PROBLEMS = 10


def add_error_handlers(app: FastAPI) -> None:
    """Add handlers that answer failed requests with a message for the client.

    The messages say what is wrong with the request. They don't reveal the internals of the service.

    Args:
        app: Application to add the handlers to.
    """

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        # Pydantic's errors also contain the input, which must not be sent back.
        problems = [
            _explain(problem["type"], problem["loc"], problem["msg"])
            for problem in error.errors()[:_MOST_PROBLEMS]
        ]
        return refuse(422, " ".join(problems))

    @app.exception_handler(HTTPException)
    async def not_available(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404:
            return refuse(
                404, "This address does not exist. See /docs for the available addresses."
            )
        if error.status_code == 405:
            allowed = (error.headers or {}).get("Allow", "another method")
            return refuse(405, f"This address accepts {allowed}, not {request.method}.")
        return refuse(
            error.status_code, "The request is malformed. See /docs for the expected format."
        )

    @app.exception_handler(InputError)
    async def invalid_input(request: Request, error: InputError) -> Response:
        return refuse(422, str(error))

    @app.exception_handler(TooLongError)
    async def too_long(request: Request, error: TooLongError) -> Response:
        return refuse(413, str(error))

    @app.exception_handler(BusyError)
    async def busy(request: Request, error: BusyError) -> Response:
        return refuse(503, "The service is busy. Try again in a moment.", 1)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        logger.error("A request to %s failed: %s", request.url.path, type(error).__name__)
        return refuse(500, "An internal error occurred. The log of the service names its type.")


def _explain(problem: str, location: Sequence[str | int], message: str) -> str:
    """Describe a validation error, such as "The body lacks the field 'text'. See /docs ..."."""
    part, *names = location
    name = ".".join(map(str, names))
    if problem == "json_invalid":
        return "The body is not valid JSON. See /docs for an example."
    if not names:
        return (
            "The body must be a JSON object, sent with the header Content-Type: application/json. "
            "See /docs for an example."
        )
    if problem == "missing":
        return f"The {part} lacks the field '{name}'. See /docs for the expected format."
    if problem == "extra_forbidden":
        return f"The {part} has an unknown field '{name}'. See /docs for the expected format."
    return f"Invalid value in the {part}: {name}: {message}."
