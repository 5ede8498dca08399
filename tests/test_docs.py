"""The documents: what they name is there.

Each path in backticks in the pages about the code leads to a file or folder; each link between pages leads to a page,
and to a heading in it; the lists of commands and folders are whole.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("events", "projections", "service", "workers")
ABOUT_CODE = [
    ROOT / "docs/architecture.md",
    ROOT / "docs/CONTRIBUTING.md",
    *(ROOT / room / "README.md" for room in ROOMS),
]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("**/*.md")), *ABOUT_CODE[2:]]
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]*)+|[\w-]+\.(?:py|md|toml|lua|yml|lock))`")
LINK = re.compile(r"\]\(([^)\s:]*)\)")
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", ABOUT_CODE, ids=name_of)
def test_every_path_that_a_page_names_is_there(page: Path) -> None:
    """From the project's root, or from the page's own folder."""
    paths = PATH.findall(page.read_text("utf-8"))
    assert paths
    assert [path for path in paths if not ((ROOT / path).exists() or (page.parent / path).exists())] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(FENCE.sub("", page.read_text("utf-8"))):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_each_room_and_each_page_can_be_found() -> None:
    """The architecture page leads to every room, and the README to every page of the manual."""
    architecture, readme = (path.read_text("utf-8") for path in (ABOUT_CODE[0], ROOT / "README.md"))
    assert [room for room in ROOMS if f"(../{room}/README.md)" not in architecture] == []
    assert [page.name for page in sorted((ROOT / "docs").glob("*.md")) if f"(docs/{page.name})" not in readme] == []


@pytest.mark.parametrize("room", ROOMS)
def test_the_page_of_a_room_names_everything_in_it(room: str) -> None:
    """Each module and folder right below the room is in backticks on its page."""
    named = {path.rstrip("/") for path in PATH.findall((ROOT / room / "README.md").read_text("utf-8"))}
    there = {path.name for path in (ROOT / room).iterdir() if path.suffix == ".py" or path.is_dir()}
    assert {name for name in there if not name.startswith("__")} - named == set()


def test_the_page_for_contributors_lists_every_command_and_every_folder_of_tests() -> None:
    text = (ROOT / "docs/CONTRIBUTING.md").read_text("utf-8")
    targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"^\| `make ([a-z-]+)`", text, re.MULTILINE)) == set(targets) - {"setup"}
    assert "make setup" in text
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/__init__.py")}
    assert folders - set(re.findall(r"`tests/(\w+)/`", text)) == set()


def test_paths_and_links_are_found() -> None:
    """What the patterns take for a path or a link, and what not."""
    text = "`events/base.py`, `tests/golden/`, `choices.py`, `dice_rolled`, `rollbook serve`, [a](b.md#c), [d](https://e.f)"
    assert PATH.findall(text) == ["events/base.py", "tests/golden/", "choices.py"]
    assert LINK.findall(text) == ["b.md#c"]
