"""`spacy-gladis learn`: the definitions of documents as entries to review."""

from functools import partial

import typer

from . import documents
from .options import (
    Encoding,
    Inputs,
    Language,
    Output,
    Overlay,
    Overwrite,
    Quiet,
    refuse_to_replace,
)
from .progress import with_progress

app = typer.Typer()


@app.command(epilog=documents.EXIT_CODES)
def learn(
    inputs: Inputs = None,
    output: Output = None,
    overwrite: Overwrite = False,
    overlay: Overlay = None,
    language: Language = "en",
    encoding: Encoding = None,
    quiet: Quiet = False,
) -> None:
    """Gather what documents define: acronym, long form, in how many documents, what is amiss.

    The table is one of your own entries, to look through and then to give to annotate's
    --overlay. Rules alone read the documents, and what their formats mark.

    spacy-gladis learn docs/ -o house.tsv
    """
    from ..dictionary.tables import check_name
    from ..documents.sources import count_sources, read_sources
    from ..output.review import to_table
    from ..pipeline.learn import learn_definitions
    from ..pipeline.load import load_detector

    if output is not None:
        refuse_to_replace(output, overwrite)
        check_name(output)
    documents.refuse_word(inputs)
    problems = documents.new_problems()
    nlp = load_detector(language, overlay or ())
    given = documents.given(inputs)
    read = documents.counted(read_sources(given, problems, encoding), problems)
    watched = with_progress(read, partial(count_sources, given), quiet=quiet)
    learnt = learn_definitions(nlp, watched)
    table = to_table(learnt, output) if output else to_table(learnt)
    with documents.destination(output, problems) as stream:
        documents.harmless(stream).write(table.encode("utf-8", "replace"))
    documents.finish(problems)
