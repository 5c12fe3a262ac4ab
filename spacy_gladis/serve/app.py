"""The service as an ASGI application."""

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
from .annotator import TooLongError
from .limits import Guard, refuse
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
_OVERHEAD = 1 << 20  # bytes for an own dictionary and JSON's own signs
_WORST = 12  # bytes of JSON for one character: two escaped surrogates
_FAILURES: dict[int | str, dict[str, Any]] = {
    408: {"model": Failure, "description": "The request came too slowly"},
    413: {"model": Failure, "description": "Too long"},
    422: {"model": Failure, "description": "Not what was expected"},
    503: {"model": Failure, "description": "Too busy, or it took too long"},
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
"""Names of a service that listens on this machine alone."""


def create_app(
    workers: Workers,
    hosts: Sequence[str] = LOCAL,
    origins: Sequence[str] = (),
    *,
    language_model: bool = False,
) -> FastAPI:
    """The service around processes that answer.

    hosts: names under which the service is asked for, in small letters; `*.example.org` stands for
        all names below one, `*` for any; anything else is refused, so that no web page reaches a
        loopback service under a name of its own.
    origins: of other web pages that may ask, such as `https://example.org`, `*` for any.
    language_model: whether the workers' pipelines have an `acronym_llm`, which the page offers.
    """
    limits = workers.limits
    app = FastAPIOffline(
        title="spacy_gladis",
        version=__version__,
        description="Finds acronyms in text and tells what each one means there.",
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
    most_bytes = _WORST * limits.characters + _OVERHEAD
    app.add_middleware(Guard, most_bytes=most_bytes, seconds=limits.seconds)
    answer_failures(app)

    @app.post("/annotate", responses=_FAILURES)
    async def annotate(request: AnnotateRequest) -> Annotation:
        """Find the acronyms of a text and tell what each one means there."""
        answer: Annotation = await workers.ask("annotate", request)
        return answer

    @app.post("/annotate/batch", responses=_FAILURES)
    async def annotate_batch(request: BatchRequest) -> BatchAnswer:
        """Annotate many texts, each a document of its own.

        Together they have the limits of a single text.
        """
        answer: BatchAnswer = await workers.ask("annotate_batch", request)
        return answer

    @app.post("/read", responses=_FAILURES)
    async def read(
        name: Annotated[str, Query(max_length=_LONGEST_NAME, examples=["report.docx"])],
        content: Annotated[bytes, Body(media_type="application/octet-stream")],
    ) -> FileText:
        """Give the plain text of a file; the ending of its name tells the format."""
        answer: FileText = await workers.ask("read", name, content)
        return answer

    @app.get("/lookup", responses=_FAILURES)
    async def lookup(
        acronym: Annotated[str, Query(min_length=1, max_length=LONGEST_ACRONYM)],
        limit: Annotated[int, Query(ge=1, le=MOST_CANDIDATES)] = 20,
    ) -> LookupAnswer:
        """Show the long forms of an acronym, the most frequent first."""
        answer: LookupAnswer = await workers.ask("lookup", acronym, limit)
        return answer

    @app.get("/health")
    async def health() -> Health:
        """Tell whether the service works, what it takes, and how busy it is."""
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
    async def give() -> Response:
        return Response(content, media_type=f"{kind}; charset=utf-8")

    return give


logger = logging.getLogger("spacy_gladis")

_MOST_PROBLEMS = 10


def answer_failures(app: FastAPI) -> None:
    """Answer what fails with a sentence that says what the client can do, nothing of the inside."""

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
