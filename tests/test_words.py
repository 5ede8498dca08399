"""Words as a test: how a docstring begins, and phrases that have a plainer word.

Both lists are here and nowhere else. A phrase is forbidden where its words stand in this order, in any case and over
the end of a line; each word alone is free: "behind a proxy" is right.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_tidy import ROOMS, ROOT, Rule, comments, files, findings, python

BETTER_BEGINNING = {
    **dict.fromkeys(("Give", "Gives"), "Return"),
    **dict.fromkeys(("Tell", "Tells", "Say", "Says"), "Return, or Return whether"),
    **dict.fromkeys(("Let", "Lets"), "the verb of what happens"),
    "See": "Check",
    "Name": "Return the name of",
}
"""First word of a docstring -> better."""

BETTER_PHRASE = {
    **dict.fromkeys(("whoever", "somebody"), "anyone, someone, the one who"),
    "anew": "again, or new",
    **dict.fromkeys(
        ("is told", "are told", "was told", "be told", "being told"), "is reported, is shown, is documented"
    ),
    "who asks": "the caller",
    "nobody's": "of no one",
    **dict.fromkeys(
        ("behind it", "behind its", "behind them", "behind the event", "behind a version", "behind the version"),
        "after",
    ),
    **dict.fromkeys(("behind the result", "behind the start", "behind the end", "behind this turn"), "after"),
    **dict.fromkeys(("behind the first", "behind the pause", "behind so many", "come behind"), "after"),
    **dict.fromkeys(
        ("tell if", "tell whether", "tells whether", "say whether", "says whether", "give whether", "gives whether"),
        "return whether, show whether",
    ),
}
"""Phrase -> better."""

PHRASE = re.compile(
    r"\b(?:" + "|".join(BETTER_PHRASE).replace(" ", r"\s+").replace("'", "['’]") + r")\b", re.IGNORECASE
)
HINT = re.compile("|".join(sorted({max(phrase.split(), key=len) for phrase in BETTER_PHRASE})), re.IGNORECASE)
"""One word of each phrase: a file without them need not be read more closely."""
PROSE = {".md", ".html", ".js", ".css", ".lua", ".yml", ".toml", ""}
"""Endings of files that are text as a whole; data of boards and recorded games are quoted from elsewhere."""

MARK = re.compile(r"^[ \t]*(?:#+|//|--)", re.MULTILINE)
"""Begins a comment; a phrase may go on in the next line of one."""


def beginnings(source: str) -> Iterator[str]:
    """Docstrings of a Python file that begin with a word that is not one of the field."""
    if not re.search(rf"[\"']\s*(?:{'|'.join(BETTER_BEGINNING)})\b", source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = re.match(r"\w*", ast.get_docstring(node) or "")
            if first and first[0] in BETTER_BEGINNING:
                yield f"line {node.body[0].lineno}: {first[0]}; better: {BETTER_BEGINNING[first[0]]}"


def phrases(text: str, first: int = 1) -> Iterator[str]:
    """Forbidden phrases in a text whose first line has this number."""
    for found in PHRASE.finditer(MARK.sub("", text)):
        phrase = " ".join(found[0].lower().replace("’", "'").split())
        line = first + MARK.sub("", text).count("\n", 0, found.start())
        yield f"line {line}: {phrase}; better: {BETTER_PHRASE[phrase]}"


def phrases_in_python(source: str) -> Iterator[str]:
    """The same in the docstrings, comments and strings of a Python file; names are free."""
    if not HINT.search(source.replace("’", "'")):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from phrases(node.value, node.lineno)
    yield from phrases(lines_of_comments(source))


def lines_of_comments(source: str) -> str:
    """A Python file without all but its comments, on their lines."""
    found = dict(comments(source))
    return "\n".join(found.get(number, "") for number in range(1, max(found, default=0) + 1))


def prose() -> list[Path]:
    """Every file that is text as a whole."""
    return [path for path in files() if path.suffix in PROSE and path.name not in {"LICENSE", ".gitattributes"}]


def test_docstrings_begin_as_the_field_writes_them() -> None:
    assert findings(python(*ROOMS, "tests"), beginnings) == []


def test_code_uses_plain_words() -> None:
    """Docstrings, comments and messages; this file alone has to quote the phrases."""
    paths = [path for path in python(*ROOMS, "tests", "docs") if path != Path(__file__).resolve()]
    assert findings(paths, phrases_in_python) == []


def test_documents_use_plain_words() -> None:
    """README, change log, docs, templates, pages, scripts of the store, and what builds and starts us."""
    paths = prose()
    assert {path.name for path in paths} >= {"README.md", "CHANGELOG.md", "rules.md", "Makefile", "Dockerfile"}
    assert {path.relative_to(ROOT).parts[0] for path in paths} >= {"docs", "events", "service", ".ci"}
    assert findings(paths, phrases) == []


@pytest.mark.parametrize("word", BETTER_BEGINNING)
def test_each_beginning_is_found(word: str) -> None:
    """In front of a module, a class and a function; the same letters within a longer word are none."""
    text = f'"""{word} it."""\nclass A:\n    """{word} it."""\n    async def f(self):\n        """{word} it."""'
    assert len(list(beginnings(text))) == 3
    assert not list(beginnings(text.replace(f'"{word}', f'"{word}x')))


@pytest.mark.parametrize("phrase", BETTER_PHRASE)
@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (phrases, "Here {}."),
        (phrases_in_python, '"""Here {}."""'),
        (phrases_in_python, "x = f'here {}, {x}'"),
        (phrases_in_python, "x = 1  # here {}"),
    ],
)
def test_each_phrase_is_found(rule: Rule, text: str, phrase: str) -> None:
    """In a document, a docstring, a message and a comment, in any case and over the end of a line."""
    quoted = phrase.replace("'", "’")  # else it would end the string that it is planted in
    assert len(list(rule(text.replace("{}", quoted.upper())))) == 1
    assert not list(rule(text.replace("{}", f"x{quoted}x")))
    broken = "\n".join(quoted.split())
    assert len(list(phrases(f"Here {broken}."))) == len(list(phrases("# " + broken.replace("\n", "\n  # ")))) == 1


def test_a_word_of_a_phrase_is_free_alone() -> None:
    """Names of things, and words that only resemble a phrase."""
    text = "def tell_whether(whoever_x): return 'behind a proxy, told, is retold; whether'  # asks who"
    assert not list(phrases_in_python(text))
