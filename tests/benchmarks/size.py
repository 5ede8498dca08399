"""`python -m tests.benchmarks.size`: lines of Python in the four rooms, without blanks, comments and docstrings."""

import ast
import io
import tokenize
from pathlib import Path

import click

ROOMS = ("events", "projections", "service", "workers")
EMPTY = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def code_lines(source: str) -> int:
    """Count the lines of a module on which something other than a comment or a docstring stands."""
    strings = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = {n for token in tokens if token.type not in EMPTY for n in range(token.start[0], token.end[0] + 1)}
    return len(lines - strings)


@click.command()
def main() -> None:
    """Print the lines of each room, and of all."""
    counts = {room: sum(code_lines(path.read_text("utf-8")) for path in Path(room).rglob("*.py")) for room in ROOMS}
    for room, count in counts.items():
        click.echo(f"{room:12} {count:7,}")
    click.echo(f"{'all':12} {sum(counts.values()):7,}")


if __name__ == "__main__":
    main()
