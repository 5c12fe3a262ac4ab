"""What the service takes and gives, as OpenAPI shows it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..dictionary.candidate import LONGEST_ACRONYM, LONGEST_LONG_FORM, MAX_COUNT
from ..settings import FIELDS

MOST_ENTRIES = 1000
"""Entries of an own dictionary in one request, of each kind."""

MOST_CANDIDATES = 50
"""Candidates in one answer."""

MOST_TEXTS = 1000
"""Texts in one request; together they have the limits of a single one."""

Acronym = Annotated[str, Field(min_length=1, max_length=LONGEST_ACRONYM)]
LongForm = Annotated[str, Field(min_length=1, max_length=LONGEST_LONG_FORM)]
Share = Annotated[float, Field(ge=0, le=1)]


class Message(BaseModel):
    """A field misspelt is an error, not ignored."""

    model_config = ConfigDict(extra="forbid")


class Added(Message):
    """An entry that the dictionary has not, or not often enough."""

    acronym: Acronym
    long_form: LongForm
    count: int | None = Field(
        default=None,
        ge=1,
        le=MAX_COUNT,
        description="How often it is seen; default: as often as the acronym's most frequent.",
    )


class Removed(Message):
    """An entry to hide; without a long form all of the acronym's."""

    acronym: Acronym
    long_form: LongForm | None = None


class OwnDictionary(Message):
    """Changes to the dictionary for one request: removals first, then additions, then what is no
    acronym."""

    add: list[Added] = Field(default=[], max_length=MOST_ENTRIES)
    remove: list[Removed] = Field(default=[], max_length=MOST_ENTRIES)
    ignore: list[Acronym] = Field(
        default=[], max_length=MOST_ENTRIES, description="Words that are not acronyms."
    )


class Manner(Message):
    """How to annotate."""

    format: Literal["text", "markdown", "restructuredtext", "html", "latex", "asciidoc"] = Field(
        default="text", description="Of a text; markup, code and formulas are left out."
    )
    threshold: Share | None = Field(
        default=None, description="Leave an acronym open below this probability."
    )
    top_k: int | None = Field(
        default=None, ge=1, le=MOST_CANDIDATES, description="Candidates of each acronym."
    )
    field: str | None = Field(
        default=None,
        description="What the texts are of; default: as they tell.",
        json_schema_extra={"enum": [*FIELDS, None]},
    )
    expand: Literal["first", "all"] | None = Field(
        default=None, description="Also give the text with long forms in the place of acronyms."
    )
    dictionary: OwnDictionary = OwnDictionary()
    ask_model: bool = Field(
        default=False,
        description="Ask the language model that the service was started with what is not sure.",
    )


class AnnotateRequest(Manner):
    """A text, and how to annotate it."""

    text: str = Field(examples=["The AI for potassium is 4.7 grams a day."])


class BatchRequest(Manner):
    """Texts, and how to annotate them all."""

    texts: list[str] = Field(
        max_length=MOST_TEXTS,
        examples=[["The AI for potassium is 4.7 grams a day.", "The QBR is on Monday."]],
    )


class Candidate(BaseModel):
    """A long form and the probability that it is meant."""

    long_form: str
    probability: Share


class Mention(BaseModel):
    """An acronym at `text[start:end]`, in Unicode code points, and what it means there."""

    start: int
    end: int
    acronym: str
    long_form: str | None
    probability: Share
    source: Literal["definition", "document", "folder", "dictionary", "llm", "nil"]
    candidates: list[Candidate]
    why: list[str] = Field(default=[], description="What speaks for the answer.")
    gloss: str = Field(default="", description="What the answer is, in a few words.")
    defined_in: str = Field(default="", description="The document that defines a folder's answer.")


class Definition(BaseModel):
    """A definition that the text itself gives; offsets are pairs of start and end."""

    acronym: str
    long_form: str
    acronym_offsets: tuple[int, int]
    long_form_offsets: tuple[int, int]


class Annotation(BaseModel):
    """What was found in a text."""

    acronyms: list[Mention]
    definitions: list[Definition]
    expanded: str | None = Field(default=None, description="The text that `expand` asks for.")


class BatchAnswer(BaseModel):
    """What was found in each text, in their order."""

    documents: list[Annotation]


class FileText(BaseModel):
    """The plain text of a file."""

    text: str


class Known(BaseModel):
    """A long form in the dictionary, and how often each source gives it."""

    long_form: str
    total: int
    counts: dict[str, int]


class LookupAnswer(BaseModel):
    """What the dictionary has of an acronym; suggestions where it has nothing."""

    acronym: str
    candidates: list[Known]
    suggestions: list[str]


class Health(BaseModel):
    """That the service works, and how busy it is."""

    status: Literal["ok"] = "ok"
    version: str
    acronyms: int = Field(description="In the dictionary.")
    characters: int = Field(description="That a request's texts may have.")
    bytes: int = Field(description="That a request may have.")
    waiting: int = Field(description="Requests that wait for the model.")
    language_model: bool = Field(description="Whether a request may set `ask_model`.")


class Failure(BaseModel):
    """Why a request was not answered."""

    detail: str
