"""Changes to the lines of a bundle that nobody signed, by what was done."""

import gzip
import json
from base64 import b64decode, b64encode
from collections.abc import Callable

from events.data_files import bytes_of

Lines = list[bytes]
OfLines = Callable[[Lines], object]


def _place(lines: Lines, begins: bytes, nth: int = 0) -> int:
    return [n for n, line in enumerate(lines) if line.startswith(begins)][nth]


def _event(lines: Lines, nth: int = 30) -> int:
    return _place(lines, b'{"event":', nth)


def _text(lines: Lines) -> int:
    return _place(lines, b'{"record":')


def _written(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _all(change: Callable[[bytes], bytes]) -> OfLines:
    """Change the file as a whole."""
    return lambda lines: lines.__setitem__(slice(None), change(b"".join(lines)).splitlines(keepends=True))


def _with(place: Callable[[Lines], int], change: Callable[[bytes], bytes]) -> OfLines:
    """Change one line."""

    def changed(lines: Lines) -> None:
        at = place(lines)
        lines[at] = change(lines[at])

    return changed


def _fields(place: Callable[[Lines], int], **values: object) -> OfLines:
    """Change or add fields of a line, which is still written as it should be."""
    return _with(place, lambda line: _written({**json.loads(line), **values}))


def _put(place: Callable[[Lines], int], line: bytes) -> OfLines:
    return lambda lines: lines.insert(place(lines), line)


def _move(place: Callable[[Lines], int], to: Callable[[Lines], int]) -> OfLines:
    def moved(lines: Lines) -> None:
        line = lines.pop(place(lines))
        lines.insert(to(lines), line)

    return moved


def _other_record(lines: Lines) -> None:
    at = _text(lines)
    lines[at] = _written({**json.loads(lines[at]), "record": b64encode(bytes(16) + b"Eve").decode()})


def _nonce(lines: Lines) -> None:
    """Change the text that is an opened nonce."""
    at = next(n for n, line in enumerate(lines) if line.startswith(b'{"record":') and _record(line) == b"my nonce")
    lines[at] = _written({**json.loads(lines[at]), "record": b64encode(b"your nonce").decode()})


def _record(line: bytes) -> bytes:
    return b64decode(json.loads(line)["record"])


def _as_bytes(lines: Lines) -> None:
    at = _event(lines)
    data, link = lines[at][9:-76], lines[at][-67:-3]
    lines[at] = _written({"bytes": b64encode(data).decode(), "link": link.decode()})


def _other_file(lines: Lines) -> None:
    """A data file of other content under a digest that fits it."""
    from hashlib import sha256  # noqa: PLC0415 -- here alone

    data = json.loads(lines[1])
    content = data["content"] + " "
    lines[1] = _written({**data, "content": content, "sha256": sha256(content.encode()).hexdigest()})


def _more_data(lines: Lines) -> None:
    from hashlib import sha256  # noqa: PLC0415 -- here alone

    name = "public_assistance_board" if b"social" in lines[1] else "social_justice_board"
    content = bytes_of(name, 1)
    fields = {"content": content.decode(), "data": name, "sha256": sha256(content).hexdigest(), "version": 1}
    lines.insert(1, _written(fields))


def _checkpoint(change: Callable[[list[str]], object]) -> OfLines:
    """Add a note in the form of a checkpoint, which is of no key."""

    def noted(lines: Lines) -> None:
        head, last = json.loads(lines[0]), json.loads(lines[-1])
        root = b64encode(bytes.fromhex(last["tree"])).decode()
        text = [f"rollbook/{head['game']}", str(head["version"]), root, f"head {head['head']}"]
        change(text)
        note = "\n".join([*text, "", f"— rollbook {b64encode(bytes(68)).decode()}", ""])
        lines[-1] = _written({**last, "checkpoint": note})

    return noted


def _other_root(text: list[str]) -> None:
    text[2] = b64encode(bytes(32)).decode()


def first(_lines: Lines) -> int:
    return 0


def last(lines: Lines) -> int:
    return len(lines) - 1


def end(lines: Lines) -> int:
    return len(lines)


LINES: dict[str, OfLines] = {
    "the last line is gone": lambda s: s.pop(),
    "cut between two lines": lambda s: s.__delitem__(slice(60, None)),
    "cut within a line": lambda s: s.__setitem__(slice(60, None), [s[60][:40]]),
    "the last line feed is gone": _with(last, lambda line: line[:-1]),
    "something after the last line": _put(end, b"more\n"),
    "an event after the last line": lambda s: s.append(s[_event(s)]),
    "the last line twice": lambda s: s.append(s[-1]),
    "the first line twice": lambda s: s.insert(1, s[0]),
    "the first line is gone": lambda s: s.pop(0),
    "a data file is gone": lambda s: s.pop(1),
    "a data file of other content": _other_file,
    "a data file of another digest": _fields(lambda _: 1, sha256="0" * 64),
    "a data file of another version": _fields(lambda _: 1, version=7),
    "a data file of another name": _fields(lambda _: 1, data="tea"),
    "a data file twice": lambda s: s.insert(1, s[1]),
    "a data file that no event pins": _more_data,
    "data files after the events": _move(lambda _: 1, last),
    "a text of another digest": _other_record,
    "a text twice": lambda s: s.insert(_text(s), s[_text(s)]),
    "a text that no event names": _put(_event, _written({"record": "AAAA", "text": "ab" * 32})),
    "a text too early": _move(_text, lambda s: _event(s, 0)),
    "a text too late": _move(_text, lambda s: _event(s, 60)),
    "a text at the end": _move(_text, last),
    "a text is gone, as if erased": lambda s: s.pop(_text(s)),
    "another nonce": _nonce,
    "a line that is no JSON": _put(_event, b"{what\n"),
    "a line that is deep": _put(_event, b"[" * 100_000 + b"\n"),
    "a line that is not UTF-8": _put(_event, b"\xff\xfe\n"),
    "an empty line": _put(_event, b"\n"),
    "a line of another kind": _put(_event, b'{"tea":1}\n'),
    "a line longer than 4 MiB": _put(_event, b'{"tea":"' + b"x" * 4_200_000 + b'"}\n'),
    "a field too many in the first line": _fields(first, eel=1),
    "a field too many in the last line": _fields(last, eel=1),
    "a field too many in a text": _fields(_text, eel=1),
    "a field too many in a data file": _fields(lambda _: 1, eel=1),
    "a key twice in the last line": _with(last, lambda line: line.replace(b'"end"', b'"end":1,"end"')),
    "white space in the first line": _with(first, lambda line: line.replace(b":", b": ", 1)),
    "keys in another order": _with(_text, lambda s: json.dumps(dict(reversed(json.loads(s).items()))).encode() + b"\n"),
    "an escape that is not needed": _with(_text, lambda line: line.replace(b'"text"', b'"te\\u0078t"')),
    "a fraction in the last line": _with(last, lambda line: line.replace(b',"tree"', b'.0,"tree"')),
    "Base64 without padding": _with(_text, lambda line: line.replace(b"=", b"")),
    "a link in capitals": _with(_event, lambda line: line[:-70] + line[-70:].upper()),
    "a link that is cut": _with(_event, lambda line: line[:-10] + line[-3:]),
    '"lnik" for "link"': _with(_event, lambda line: line.replace(b',"link":"', b',"lnik":"')),
    "a field after the link": _with(_event, lambda line: line[:-2] + b',"tea":1}\n'),
    "a sound event as bytes": _as_bytes,
    "another game in the first line": _fields(first, game="tea"),
    "another version in the first line": _with(first, lambda line: line.replace(b'"version":', b'"version":1')),
    "another head in the first line": _fields(first, head="0" * 64),
    "a game that is over, and not sealed": _fields(first, sealed=False),
    "another format": _fields(first, bundle="rollbook-bundle/2"),
    "another root": _fields(last, tree="0" * 64),
    "another count in the last line": _with(last, lambda line: line.replace(b'"end":', b'"end":1')),
    "a checkpoint that is no note": _fields(last, checkpoint="tea"),
    "a checkpoint with a line more": _checkpoint(lambda text: text.append("more")),
    "a checkpoint of another game": _checkpoint(lambda text: text.__setitem__(0, "rollbook/tea")),
    "a checkpoint of another size": _checkpoint(lambda text: text.__setitem__(1, "7")),
    "a checkpoint of another root": _checkpoint(_other_root),
    "a checkpoint without the head": _checkpoint(lambda text: text.pop()),
    "an event twice": lambda s: s.insert(_event(s), s[_event(s)]),
    "an event is gone": lambda s: s.pop(_event(s)),
    "two events in another order": _move(_event, lambda s: _event(s, 30) + 1),
    "the link of another event": lambda s: s.__setitem__(_event(s), s[_event(s)][:-67] + s[_event(s) + 1][-67:]),
    "a byte of an event": _with(_event, lambda line: line.replace(b'"turn":', b'"turn":1', 1)),
    "line ends of Windows": _all(lambda data: data.replace(b"\n", b"\r\n")),
    "a byte order mark": _all(lambda data: b"\xef\xbb\xbf" + data),
    "compressed": _all(gzip.compress),
    "empty": _all(lambda _: b""),
}  # fmt: skip
