"""Files of the editable formats made at random: acronyms and slips beside every kind of markup."""

import random
from typing import Any

MEANINGS = {"NN": "neural network", "CHF": "congestive heart failure", "KPI": "key indicator"}
FILLER = "the old mill stands by river and many boats pass it every day while people wait"
SLIPS = (
    "It is a HTML page.",
    "Type the PIN number now.",
    "A virtual machine (VM) starts.",
    "Each virtual machine has a disk.",
    "This virtual machine (VM) stops.",
)
"""Sentences that the linter changes, some only behind another one."""

INLINE = {
    "text": ["{}", '"{}"', "{}/day", "{}'s"],
    "markdown": [
        *("{}", "*{}*", "**{}**", "`{}`", "[{}](http://x.org/NN)", "[{}][ref]", "![{}](NN.png)"),
        *("$x_{{{}}}$", "<kbd>{}</kbd>", "<!-- {} -->", "<http://x.org/{}>", "~~{}~~", "\\*{}\\*"),
        *("{}[^n]", "&amp; {} &copy;", "H~2~O {}", "***{}***", '<span class="NN">{}</span>'),
    ],
    "restructuredtext": [
        *("{}", "*{}*", "**{}**", "``{}``", "`{} <http://x.org/NN>`_", "|NN|", "`see {}`_", "ref_"),
        *(":math:`x_{{{}}}`", ":emphasis:`{}`", "{} [#n]_", "\\*{}\\*", "{}\\s", "http://x.org/{}"),
        ":abbreviation:`{}`",
    ],
    "latex": [
        *("{}", "\\emph{{{}}}", "\\textbf{{{}}}", "$x_{{{}}}$", "\\verb|{}|", "\\label{{{}}}"),
        *("\\footnote{{A {} note.}}", "% {}\n", "{{\\em {}}}", "\\gls{{nn}}", "5\\% of {}", "{}~x"),
        *("``{}''", "\\cite{{NN}}", "Universit\\\"at {}", "\\texttt{{{}}}", "\\(x_{{{}}}\\)"),
    ],
    "asciidoc": [
        *("{}", "*{}*", "_{}_", "`{}`", "+{}+", "link:NN.html[{}]", "http://x.org/NN[{}]"),
        *("<<ref>>", "<<ref,{}>>", "#{}#", "stem:[x_{{{}}}]", "kbd:[{}]", "image:NN.png[{}]"),
        *("{}footnote:[A note.]", "&amp; {} (C)", "{{nn}}", "[.x]#{}#", "**{}**", "{}^2^"),
    ],
    "html": [
        *("{}", "<b>{}</b>", "<code>{}</code>", '<a href="NN.html">{}</a>', '<img alt="{}">'),
        *("<!-- {} -->", "&amp; {} &lt;", "<abbr title='x'>{}</abbr>", "<sup>{}</sup>", "{}<br>"),
        *("<script>var x = '{}';</script>", "<kbd>{}</kbd>", "{}<sup>1</sup>", "&ldquo;{}&rdquo;"),
    ],
}  # fmt: skip
BLOCKS = {
    "text": ["{}", "{}\n====", "- {}\n- {}", "    {}", "1. {}"],
    "markdown": [
        *("{}", "# {}", "{}\n---", "- {}\n- {}\n\n  {}", "1. {}\n2. {}", "> {}\n>\n> {}"),
        *("```\n{}\n```", "    {}", "| {} | x |\n|---|--:|\n| {} | {} |", "<div>\n{}\n</div>"),
        *("$$\nx_{{NN}}\n$$", "* * *", "[NN]: http://x.org/NN", "[^m]: {}"),
    ],
    "restructuredtext": [
        *("{}", "* {}\n* {}\n\n  {}", "1. {}\n2. {}", "::\n\n   {}", ".. note:: {}", "| {}\n| {}"),
        *("term {}\n   {}", ":Field: {}", ".. {}", ".. code::\n\n   {}", ">>> {}\n{}"),
        *("{}\n\n   {}", ".. csv-table::\n\n   x, NN\n   CHF, y", ".. image:: NN.png\n   :alt: {}"),
        ".. list-table::\n\n   * - {}\n     - {}\n   * - {}\n     - x",
    ],
    "latex": [
        *("{}", "\\section{{{}}}", "\\begin{{itemize}}\n\\item {}\n\\item {}\n\\end{{itemize}}"),
        *("\\begin{{verbatim}}\n{}\n\\end{{verbatim}}", "\\[ x_{{NN}} \\]", "\\subsection*{{{}}}"),
        "\\begin{{tabular}}{{ll}}\n{} & x \\\\\n{} & {} \\\\\n\\end{{tabular}}",
        "\\begin{{quote}}\n{}\n\\end{{quote}}",
        "\\begin{{description}}\n\\item[NN] {}\n\\item[x] {}\n\\end{{description}}",
    ],
    "asciidoc": [
        *("{}", "== {}", ".{}\n* {}", "* {}\n* {}\n+\n{}", ". {}\n. {}", "{}::\n{}"),
        *("----\n{}\n----", "....\n{}\n....", "|===\n|{} |x\n|{} |{}\n|===", "NOTE: {}"),
        *("// {}", "[quote]\n____\n{}\n____", " {}", "image::NN.png[{}]", "|===\n|{}\n\n|{}\n|==="),
        *("====\n{}\n====", "[stem]\n++++\nx_{{NN}}\n++++", "[[NN]]\n{}"),
    ],
    "html": [
        *("<p>{}</p>", "<h2>{}</h2>", "<ul><li>{}<li>{}</ul>", "<pre>{}</pre>", "<p id='NN'>{}"),
        *("<table><tr><th>{}<td>{}<tr><td>x<td>{}</table>", "<dl><dt>{}<dd>{}</dl>"),
        *("<blockquote>{}</blockquote>", "<style>.NN {{ }}</style>", "<textarea>{}</textarea>"),
    ],
}  # fmt: skip
WHOLE = {
    "text": "{}\n",
    "markdown": "---\ntitle: NN\n---\n\n{}\n\n[ref]: http://x.org/NN\n[^n]: An NN.\n",
    "restructuredtext": ("{}\n\n.. |NN| replace:: NN\n.. [#n] An NN.\n.. _ref: http://x.org/NN\n"),
    "latex": (
        "\\documentclass{{article}}\n\\newcommand{{\\gls}}[1]{{#1}}\n"
        "\\begin{{document}}\n{}\n\\end{{document}}\n"
    ),
    "asciidoc": "= An NN\n:nn: an NN\n\n[[ref]]\n{}\n",
    "html": "<!DOCTYPE html><html><head><title>NN</title></head><body>\n{}\n</body></html>\n",
}


def document(format: str, random: random.Random) -> str:
    """A file's text in one of the formats that can be changed, with `MEANINGS` and `SLIPS`."""
    blocks = [_block(format, random) for _ in range(random.randint(3, 9))]
    return WHOLE[format].format("\n\n".join(blocks))


def sentence(random: random.Random, inline: list[str]) -> str:
    """A sentence with acronyms beside inline markup, or one of `SLIPS`."""
    if random.random() < 0.3:
        return random.choice(SLIPS)
    words = random.choices(FILLER.split(), k=random.randint(2, 6))
    for place in range(1, len(words)):
        if random.random() < 0.4:
            acronym = random.choice([*MEANINGS, "NNs", "a CHF", "an NN", "the KPI", "mill"])
            words[place] = random.choice(inline).format(acronym)
    return f"{words[0].capitalize()} {' '.join(words[1:])}."


def _block(format: str, random: random.Random) -> str:
    if format == "restructuredtext" and random.random() < 0.4:
        return _drawn(random)
    block = random.choice(BLOCKS[format])
    holes = block.count("{}")
    sentences = [sentence(random, INLINE[format]) for _ in range(holes)]
    if format == "restructuredtext" or block.startswith(("|", "#")) or "\n---" in block:
        sentences = [" ".join(sentence.split()) for sentence in sentences]
    if format == "latex" and block != "{}":  # a comment or code in an argument ends it
        sentences = [sentence(random, [INLINE[format][0]]) for _ in range(holes)]
    return block.format(*sentences)


def _drawn(random: random.Random) -> str:
    """A title or a table of reStructuredText."""
    cells = [random.choice([*MEANINGS, "an NN", "x", "the old mill"]) for _ in range(4)]
    wide, last = (max(map(len, column)) for column in (cells[::2], cells[1::2]))
    rows = [
        [cells[0].ljust(wide), cells[1].ljust(last)],
        [cells[2].ljust(wide), cells[3].ljust(last)],
    ]
    kind = random.randrange(3)
    if kind == 0:
        title = f"{random.choice(list(MEANINGS))} of the {random.choice(FILLER.split())}"
        return f"{title}\n{'=' * len(title)}"
    if kind == 1:
        border = f"{'=' * wide}  {'=' * last}"
        return "\n".join([border, "  ".join(rows[0]), border, "  ".join(rows[1]), border])
    border = f"+{'-' * (wide + 2)}+{'-' * (last + 2)}+"
    return "\n".join(
        [border, *(line for row in rows for line in (f"| {row[0]} | {row[1]} |", border))]
    )


def docx_document(random: random.Random) -> Any:
    """A DOCX of python-docx with the same sentences in paragraphs, tables, headings and margins."""
    from docx import Document

    made = Document()
    styles = ["Normal", "List Bullet", "Heading 1", "Quote", "Title"]
    for _ in range(random.randint(3, 9)):
        paragraph = made.add_paragraph(style=random.choice(styles))
        text = sentence(random, INLINE["text"])
        while text:  # runs end anywhere, as Word writes them
            length = random.randint(1, 20)
            paragraph.add_run(text[:length]).bold = random.choice([True, None])
            text = text[length:]
    for cell in made.add_table(2, 2)._cells:
        cell.text = sentence(random, INLINE["text"])
    made.sections[0].header.paragraphs[0].text = "NN"
    return made
