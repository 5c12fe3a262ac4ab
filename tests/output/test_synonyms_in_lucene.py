"""Synonym rules in Lucene, whose filter and parser Solr, Elasticsearch and OpenSearch use.

The jars are those of Debian's package liblucene8-java, or in the folder that GLADIS_LUCENE names.
"""

import json
import os
from pathlib import Path

import pytest

from spacy_gladis.output.synonym_formats import WRITERS, Direction, format_rule
from spacy_gladis.output.synonyms import Rule, Synonyms

jpype = pytest.importorskip("jpype", reason="needs JPype1, of the extra 'test'")

JARS = Path(os.environ.get("GLADIS_LUCENE", "/usr/share/java"))
TOKENIZER = "org.apache.lucene.analysis.standard.StandardTokenizerFactory"
SETTINGS = ["synonyms", "synonyms.txt", "ignoreCase", "true", "tokenizerFactory", TOKENIZER]
RULES = (
    Rule(("CT", "CTs"), "computed tomography", 3, 0.9, True),
    Rule(("R,D",), "research => development", 1, 0.9, True),
    Rule(("#TW",), r"trigger\warning", 1, 0.9, True),
)
TEXTS = (
    "a CT of the head",
    "computed tomography of the head",
    "the tomography department",
    "our R,D budget",
    "research => development is costly",
    "a #TW is given",
    r"the trigger\warning comes first",
)


@pytest.fixture(scope="module")
def lucene():
    """Classes of Lucene by name."""
    jars = [next(iter(JARS.glob(f"lucene-{name}-*.jar")), None) for name in
            ("core", "analyzers-common", "queryparser", "queries", "sandbox")]  # fmt: skip
    if None in jars:
        pytest.skip(f"no Lucene in {JARS}: install Debian's liblucene8-java")
    if not jpype.isJVMStarted():
        quick_start = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        jpype.startJVM(*quick_start, classpath=list(map(str, jars)), convertStrings=True)
    return lambda name: jpype.JClass(f"org.apache.lucene.{name}")


@pytest.fixture
def search(lucene, tmp_path):
    """Index TEXTS, and return the numbers of the texts that a query finds with some rules."""
    plain = lucene("analysis.standard.StandardAnalyzer")()
    store = lucene("store.ByteBuffersDirectory")()
    writer = lucene("index.IndexWriter")(store, lucene("index.IndexWriterConfig")(plain))
    for number, text in enumerate(TEXTS):
        document, stored = lucene("document.Document")(), lucene("document.Field$Store")
        document.add(lucene("document.TextField")("text", text, stored.NO))
        document.add(lucene("document.StoredField")("number", str(number)))
        writer.addDocument(document)
    writer.close()
    searcher = lucene("search.IndexSearcher")(lucene("index.DirectoryReader").open(store))

    def run(query, rules):
        (tmp_path / "synonyms.txt").write_text(rules, "utf8")
        folder = jpype.JClass("java.nio.file.Paths").get(str(tmp_path), [])
        analyzer = (
            lucene("analysis.custom.CustomAnalyzer")
            .builder(folder)
            .withTokenizer("standard", [])
            .addTokenFilter("lowercase", [])
            .addTokenFilter("synonymGraph", SETTINGS)
            .build()
        )
        parser = lucene("queryparser.classic.QueryParser")("text", analyzer)
        parser.setDefaultOperator(lucene("queryparser.classic.QueryParser$Operator").AND)
        escaped = lucene("queryparser.classic.QueryParser").escape(query)
        hits = searcher.search(parser.parse(escaped), 10).scoreDocs
        return {int(searcher.doc(hit.doc).get("number")) for hit in hits}

    return run


def solr(direction):
    return WRITERS["solr"](Synonyms(RULES), direction)[""]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "direction", "hits"),
    [
        ("ct", Direction.short_to_long, {0, 1}),
        ("CTs", Direction.short_to_long, {0, 1}),
        ("computed tomography", Direction.short_to_long, {1}),
        ("ct", Direction.long_to_short, {0}),
        ("computed tomography", Direction.long_to_short, {0, 1}),
        ("computed tomography head", Direction.both, {0, 1}),
        ("head CT", Direction.both, {0, 1}),
        ("R,D", Direction.short_to_long, {3, 4}),
        ("research development", Direction.both, {3, 4}),
        ("#TW", Direction.both, {5, 6}),
    ],
)
def test_a_query_finds_both_spellings(search, query, direction, hits):
    assert search(query, solr(direction)) == hits


@pytest.mark.slow
def test_the_settings_for_opensearch_are_rules_of_lucene(search):
    settings = json.loads(WRITERS["opensearch"](Synonyms(RULES), Direction.both)[""])
    listed = settings["settings"]["analysis"]["filter"]["acronyms"]["synonyms"]
    assert search("CT", "\n".join(listed)) == {0, 1}
    assert search("CT", "# no rules\n") == {0}


@pytest.mark.slow
def test_an_unescaped_rule_would_not_be_read(search):
    rule = RULES[1]
    unescaped = f"{rule.short[0]}, {rule.long_form}, x => y"
    with pytest.raises(Exception, match="Error parsing synonyms file"):
        search("CT", unescaped)
    assert search("R,D", format_rule(rule, Direction.both)) == {3, 4}
