"""Check a bundle of Rollbook with nothing but Python's standard library; written from docs/format.md alone.

python verify_bundle.py BUNDLE        prints one line for each fault, and both hashes; exit code 1 if there is any
"""

import base64
import hashlib
import hmac
import json
import sys


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def whole(_text):
    raise ValueError("a number is not whole")


def parse(data):  # a key twice, or JSON that is not canonical, does not come out the same
    value = json.loads(data, parse_float=whole, parse_constant=whole)
    if json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() != data:
        raise ValueError("not canonical JSON")
    return value


def numbers(secret, game, inputs, coordinate, count, below):
    key, found, block, limit = bytes.fromhex(secret), [], 0, 256 - 256 % below
    while len(found) < count:
        text = "\n".join(["rollbook/chance/v1", game, ",".join(inputs), coordinate, str(block)])
        found += [byte % below for byte in hmac.digest(key, text.encode(), "sha256") if byte < limit]
        block += 1
    return found[:count]


def tree(leaves):
    if len(leaves) < 2:
        return leaves[0] if leaves else sha()
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return sha(b"\1", tree(leaves[:half]), tree(leaves[half:]))


def split(lines):  # the first line, data files, texts, events as (bytes, link), the last line
    header, data, texts, events, last = {}, [], {}, [], {}
    for line in (line[:-1] for line in lines):
        if line.startswith(b'{"event":'):
            events.append((line[9:-75], line[-66:-2].decode()))
            continue
        value = parse(line)
        if "bytes" in value:
            events.append((base64.b64decode(value["bytes"]), value["link"]))
        elif "data" in value:
            data.append((value["data"], value["version"], value["sha256"], value["content"].encode()))
        elif "text" in value:  # a digest that comes twice has no text
            texts[value["text"]] = b"" if value["text"] in texts else base64.b64decode(value["record"])
        header, last = value if "bundle" in value else header, value if "end" in value else last
    return header, data, texts, events, last


class Game:  # what a check must know about the events before
    def __init__(self, header, data, texts, secret):
        self.game, self.data, self.texts, self.secret = header["game"], data, texts, secret
        self.inputs, self.seats, self.decks, self.cash, self.used = [], {}, {}, {}, set()
        self.ready, self.copies, self.chance = False, 0, ""  # of a fork: copied events, and whose secret it has

    def chosen(self, event, count, below):
        return numbers(self.secret, self.chance or self.game, self.inputs, event["coordinate"], count, below)

    def wrong(self, version, event):  # pairs of a word for a check, and whether it holds
        kind, known = event["type"], self.ready and version > self.copies
        yield "fork", kind == "game_forked" or version == 1 or version != self.copies + 1
        if kind == "game_created":
            self.copies = int(event.get("parent", "").partition("@")[2] or 0)
            pins = [(pin["name"], pin["version"], pin["sha256"], pin["sha256"]) for pin in event["pins"]]
            yield "data", [(*told, sha(content).hex()) for *told, content in self.data] == pins
            for name, *_, content in self.data:
                deck, cards = name.removeprefix(event["rulebook"] + "_"), json.loads(content).get("cards", [])
                self.decks[deck] = {card["id"]: card["count"] for card in cards}
            committed = sha(b"rollbook/commit/v1\0", self.game.encode(), b"\0", bytes.fromhex(self.secret)).hex()
            self.ready = bool(self.secret) and committed == event["commitment"]
            yield "commitment", self.ready or not self.secret
        elif kind == "seat_taken":
            self.seats[event["seat"]] = event["nonce_commitment"]
        elif kind == "nonce_opened" and event["input"] in self.texts:
            yield "nonce", sha(self.texts[event["input"]]).hex() == self.seats[event["seat"]]
        elif kind == "game_started":
            self.inputs = event["inputs"]
        elif kind == "game_forked":
            yield "fork", event["chance"] in ("", self.chance or event["parent"])
            self.chance = event["chance"]
        elif kind == "dice_rolled" and known:
            yield "chance", [n + 1 for n in self.chosen(event, len(event["faces"]), event["sides"])] == event["faces"]
        elif kind == "card_drawn" and event["coordinate"]:
            unseen = self.decks[event["deck"]]
            copies = [card for card in sorted(unseen) for _ in range(unseen[card])]
            yield "chance", not known or copies[self.chosen(event, 1, len(copies))[0]] == event["card"]
            unseen[event["card"]] -= 1
        elif kind == "money_moved":
            for account, sign in ((event["payer"], -1), (event["payee"], 1)):
                self.cash[account] = self.cash.get(account, 0) + sign * event["amount"]
            yield "books", all(held >= 0 or name in ("custodian", "bank") for name, held in self.cash.items())
        if event.get("coordinate"):
            yield "coordinate", event["coordinate"] not in self.used
            self.used.add(event["coordinate"])

    def texts_wrong(self, value):  # each stored text has the digest that names it
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
            yield from self.texts_wrong(one)
        if isinstance(value, str) and value in self.texts:
            nonces = [sha(f"rollbook/nonce/v1\0{n}\0".encode(), self.texts[value]).hex() for n in range(1, 9)]
            yield "text", value in (sha(self.texts[value]).hex(), *nonces)


def check(lines):
    """Return the faults as (version, word), the last link and the root."""
    header, data, texts, events, last = split(lines)
    found, leaves, link = [], [], sha(b"rollbook/chain/v1\0", header["game"].encode())
    try:
        secret = parse(events[-1][0])["data"].get("secret", "")
    except (ValueError, LookupError, TypeError):
        secret = ""
    game = Game(header, data, texts, secret)
    for version, (stored, told) in enumerate(events, 1):
        leaves.append(sha(b"\0", stored))
        found += [] if sha(b"\2", link, leaves[-1]).hex() == told else [(version, "chain")]
        link = bytes.fromhex(told)
        try:
            entry = parse(stored)
            words = [("gapless", entry["version"] == version), *game.wrong(version, entry["data"])]
            words += game.texts_wrong(entry["data"])
            found += [(version, word) for word, good in words if not good]
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            found.append((version, f"readable: {type(error).__name__}"))
    count, root = len(events), tree(leaves)
    found += [(count, "fork")] if game.copies >= count else []
    told = (header["bundle"], header["version"], header["head"], header["sealed"])
    good = told == ("rollbook-bundle/1", count, link.hex(), bool(secret))
    found += [] if good else [(count, "head")]
    found += [] if (last.get("end"), last.get("tree")) == (count, root.hex()) else [(count, "tree")]
    told = [f"rollbook/{header['game']}", str(count), base64.b64encode(root).decode(), f"head {link.hex()}"]
    found += [] if last.get("checkpoint", "").split("\n")[:4] in ([""], told) else [(count, "checkpoint")]
    return found, link.hex(), root.hex()


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        wrong, *hashes = check(file)
    print(*(f"event {version}: {word}" for version, word in wrong), *hashes, sep="\n")
    sys.exit(bool(wrong))
