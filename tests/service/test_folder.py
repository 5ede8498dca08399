"""What lies in a data folder, without any server."""

import os
from pathlib import Path

from service.hosting.valkey import DataFolder


def test_an_address_is_known_while_its_server_lives(tmp_path: Path) -> None:
    server = DataFolder(tmp_path)
    server.note_url("http://127.0.0.1:1")
    assert DataFolder(tmp_path).url() == "http://127.0.0.1:1"
    server.note_url(None)
    assert DataFolder(tmp_path).url() == ""


def test_the_address_of_a_killed_server_is_not_told(tmp_path: Path) -> None:
    pid = os.fork()
    if not pid:
        DataFolder(tmp_path).note_url("http://127.0.0.1:1")
        os._exit(0)  # as if killed: nothing is put in order
    os.waitpid(pid, 0)
    assert (tmp_path / "serve.url").exists()
    assert DataFolder(tmp_path).url() == ""
