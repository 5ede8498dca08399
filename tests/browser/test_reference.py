"""The reference page in a browser: links open what they lead to, and the search leaves what fits."""

from pathlib import Path

import pytest

from tests.api.conftest import application
from tests.support.chromium import CHROMIUM, opened

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


def test_links_open_their_sections_and_the_search_hides_the_rest(tmp_path: Path) -> None:
    answer = application().client.get("/docs")
    policy = answer.headers["Content-Security-Policy"].replace("; frame-ancestors 'none'", "")
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    (tmp_path / "docs.html").write_text(answer.text.replace("<head>", f"<head>{meta}", 1), "utf-8")
    with opened(tmp_path / "docs.html", tmp_path / "profile") as (page, told):
        assert not page.run("document.getElementById('schema-Game').open")
        page.run("document.querySelector('a[href=\"#schema-Game\"]').click()")
        page.run("new Promise((done) => setTimeout(done, 50))")
        assert page.run("document.getElementById('schema-Game').open")
        page.run("""
            const box = document.getElementById('search');
            box.value = 'dry_run'; box.dispatchEvent(new Event('input'));
        """)
        left = page.run("[...document.querySelectorAll('section details:not([hidden])')].map((part) => part.id)")
        assert "act" in left
        assert "get_game" not in left
    assert not [event for event in told if event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")]
