"""Check a bundle of Rollbook, or the proof of one event, with nothing but Python's standard library.

    python verify_bundle.py [--key KEY] FILE

Written from docs/format.md and docs/proofs.md alone. The first line says what it comes to. For each check there is a
line: done, failed, open (it cannot be known yet, or here) or not done; then one for each fault. With KEY (name+id+key)
it must be signed by that key. Exit code 0: it holds; 1: it failed, or is no bundle; 2: wrong use; 3: not verified.
"""

import base64
import hashlib
import hmac
import json
import re
import sys

HEX = re.compile(r"[0-9a-f]{64}")
GAME = re.compile(r"[0-9a-z]{1,40}")
ACTOR = re.compile(r"(seat|bot):[1-8]|host|clock|operator|system")
MOST_LINE = 4 * 1024 * 1024
DISGUISES = {
    b"\xef\xbb\xbf": "a byte order mark stands before it",
    b"\x1f\x8b": "it is compressed (gzip); decompress it first",
    b"PK\x03\x04": "it is a zip archive; take the file out of it first",
}


class NoBundle(Exception):
    pass


class Malformed(ValueError):
    pass


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def need(good, why="a field is missing or of another form"):
    if not good:
        raise Malformed(why)


def is_whole(value, least=0):
    return type(value) is int and least <= value < 2**53


def number(text):
    need(re.fullmatch("-?[0-9]{1,16}", text) and abs(int(text)) < 2**53, "a number is not whole, or too large")
    return int(text)


def parse(data):  # a key twice, or JSON that is not canonical, does not come out the same
    try:
        value = json.loads(data.decode(), parse_int=number, parse_float=number, parse_constant=number)
        written = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    except RecursionError:
        raise Malformed("it is nested too deep") from None
    need(written == data, "not canonical JSON")
    return value


def decoded(text):
    need(base64.b64encode(base64.b64decode(text, validate=True)).decode() == text, "no Base64")
    return base64.b64decode(text)


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


PRIME, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, PRIME) % PRIME


def add(a, b):  # points of Ed25519 in extended coordinates, RFC 8032, section 5.1.4
    s, t = (a[1] - a[0]) * (b[1] - b[0]) % PRIME, (a[1] + a[0]) * (b[1] + b[0]) % PRIME
    u, v = 2 * a[3] * b[3] * D % PRIME, 2 * a[2] * b[2] % PRIME
    e, f, g, h = t - s, v - u, v + u, t + s
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def times(factor, point):
    found = (0, 1, 1, 0)
    while factor:
        found = add(found, point) if factor & 1 else found
        point, factor = add(point, point), factor >> 1
    return found


def point(encoded):  # section 5.1.3
    whole = int.from_bytes(encoded, "little")
    y, sign = whole & (1 << 255) - 1, whole >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    x = x if (x * x - square) % PRIME == 0 else x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    need(y < PRIME and (x * x - square) % PRIME == 0 and not (x == 0 and sign), "no point of the curve")
    x = PRIME - x if x & 1 != sign else x
    return x, y, 1, x * y % PRIME


def signed(public, text, signature):  # section 5.1.7
    scalar = int.from_bytes(signature[32:], "little")
    need(len(signature) == 64 and scalar < ORDER, "no signature of Ed25519")
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public + text).digest(), "little") % ORDER
    base = point((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))
    one, two = times(scalar, base), add(point(signature[:32]), times(challenge, point(public)))
    return all((one[i] * two[2] - two[i] * one[2]) % PRIME == 0 for i in (0, 1))


def key_of(text):  # name, id and public key of name+id+key
    name, number_, key = text.strip().split("+", 2)
    raw = decoded(key)
    need(len(raw) == 33 and raw[:1] == b"\1" and sha(name.encode(), b"\n", raw)[:4].hex() == number_, "no verifier key")
    return name, bytes.fromhex(number_), raw[1:]


def opened(note, key):  # the text of a signed note, and whether the key, if there is one, signed it
    text, gap, lines = note.rpartition("\n\n")
    found = [re.fullmatch(r"— ([^\s+]+) ([0-9A-Za-z+/]+={0,2})", line) for line in lines.removesuffix("\n").split("\n")]
    need(gap and all(found), "no signatures below an empty line")
    signatures = [(line[1], decoded(line[2])[:4], decoded(line[2])[4:]) for line in found]
    need(len(found) == len({one[:2] for one in signatures}), "two signatures of one key")
    mine = [signature for *of, signature in signatures if key and tuple(of) == key[:2]]
    need(all(signed(key[2], (text + "\n").encode(), signature) for signature in mine), "a signature does not fit")
    return text + "\n", bool(mine)


class Report:
    def __init__(self):
        self.faults, self.done, self.open, self.missing, self.title, self.head, self.root = [], [], [], [], "", "", ""
        self.best = "holds; actions not executed"

    def add(self, version, word):
        if (version, word) not in self.faults:
            self.faults.append((version, word))

    @property
    def verdict(self):
        return "failed" if self.faults else "not verified" if self.missing else self.best

    def lines(self):
        bad = {word for _, word in self.faults}
        yield f"{self.verdict}: {self.title}"
        for words, sentence in self.done:
            yield f"{'failed' if bad & set(words.split()) else 'done'}: {sentence}"
        yield from (f"open: {sentence}" for sentence in self.open)
        yield from (f"not done: {sentence}" for sentence in self.missing)
        yield "not done: actions were not executed again, for that takes the rules (`rollbook verify` does it)"
        yield from (f"event {version}: {word}" for version, word in self.faults)
        yield from (f"head {self.head}", f"root {self.root}")


FIELDS = {
    "bundle": {"bundle", "game", "head", "sealed", "version"},
    "data": {"content", "data", "sha256", "version"},
    "record": {"record", "text"},
    "bytes": {"bytes", "link"},
    "end": {"checkpoint", "end", "tree"},
}


class Lines:  # first line, data files, texts, events as (bytes, link), last line; faults of form go to the report
    def __init__(self, file, report):
        whole = file.read()
        self.header = header(whole)
        *lines, rest = whole.split(b"\n")
        self.data, self.texts, self.events, self.last, self.report = [], {}, [], {}, report
        self.waiting, self.named = [], set()
        for line in lines[1:]:
            try:
                need(not self.last and len(line) < MOST_LINE, "after the last line, or too long")
                self.take(line)
            except (ValueError, TypeError, LookupError):
                self.wrong()
        if rest or self.waiting or not self.last:
            self.wrong()

    def wrong(self):
        self.report.add(len(self.events) + 1, "bundle")

    def take(self, line):
        if line.startswith(b'{"event":'):
            link = line[-66:-2].decode()
            need(line[-75:-66] == b',"link":"' and line[-2:] == b'"}' and HEX.fullmatch(link))
            return self.event(line[9:-75], link)
        value = parse(line)
        kind = next((kind for kind in FIELDS if kind in value), "")
        need(kind in FIELDS and kind != "bundle" and set(value) == FIELDS[kind])
        if kind == "bytes":
            data = decoded(value["bytes"])
            need(HEX.fullmatch(value["link"]))
            self.event(data, value["link"])
            self.wrong()  # an event that cannot be read, or one that can and stands there as bytes
        elif kind == "data":
            need(not self.events and not self.texts and HEX.fullmatch(value["sha256"]) and is_whole(value["version"]))
            content = value["content"].encode()
            need(sha(content).hex() == value["sha256"])
            self.data.append((value["data"], value["version"], value["sha256"], content))
        elif kind == "record":
            need(HEX.fullmatch(value["text"]) and value["text"] not in self.texts)
            self.texts[value["text"]] = decoded(value["record"])
            self.waiting.append(value["text"])
        else:
            need(isinstance(value["checkpoint"], str) and is_whole(value["end"]) and HEX.fullmatch(value["tree"]))
            self.last = value
        return None

    def event(self, data, link):
        names = set(re.findall(rb'"([0-9a-f]{64})"', data))
        if not {text.encode() for text in self.waiting} <= names - self.named:
            self.wrong()
        self.waiting, self.named = [], self.named | names
        self.events.append((data, link))


def header(whole):
    line = whole.partition(b"\n")[0]
    why = "" if whole else "it is empty"
    why = "its lines end with a carriage return too (CRLF)" if line.endswith(b"\r") else why
    why = next((why for begin, why in DISGUISES.items() if whole.startswith(begin)), why)
    try:
        value = parse(line)
        need(set(value) == FIELDS["bundle"] and GAME.fullmatch(value["game"]) and HEX.fullmatch(value["head"]))
        need(type(value["sealed"]) is bool and is_whole(value["version"]))
        need(value["bundle"] == "rollbook-bundle/1", "its format is another")
    except (ValueError, TypeError) as error:
        why = why or (str(error) if isinstance(error, Malformed) else "it is no JSON")
        raise NoBundle(f"its first line is not the first of a bundle ({why})") from None
    return value


class Game:  # what a check must know about the events before
    def __init__(self, lines, secret):
        self.game, self.data, self.texts, self.secret = lines.header["game"], lines.data, lines.texts, secret
        self.inputs, self.seats, self.decks, self.cash, self.used = [], {}, {}, {}, set()
        self.ready = self.unsaid = False
        self.copies, self.chance = 0, ""  # of a fork: copied events, and whose secret it has
        self.at, self.action, self.actor, self.over, self.known = 0, "", "", False, False
        self.drawn = self.unseen = self.nonces = self.gone = self.moved = 0

    def envelope(self, version, entry):  # pairs of a word for a check, and whether it holds
        event, at, action, actor = entry["data"], entry["at"], entry["action"], entry["actor"]
        need(set(entry) == {"action", "actor", "at", "data", "turn", "version"} and isinstance(event, dict))
        need(is_whole(at) and is_whole(entry["turn"]) and is_whole(entry["version"], 1))
        need(HEX.fullmatch(action) and ACTOR.fullmatch(actor))
        kind, begins = event["type"], action != self.action
        yield "time", at >= self.at and (begins or at == self.at)
        yield "action", begins == (kind in ("action_taken", "game_created", "game_forked"))
        yield "action", begins or kind == "secret_revealed" or actor == self.actor
        yield "end", not self.over and (kind != "secret_revealed" or actor == "system")
        yield "creation", (version == 1) == (kind == "game_created")
        self.at, self.action, self.over = max(at, self.at), action, kind == "secret_revealed"
        self.actor = actor if begins else self.actor

    def chosen(self, event, count, below):
        return numbers(self.secret, self.chance or self.game, self.inputs, event["coordinate"], count, below)

    def wrong(self, version, event):
        kind, self.known = event["type"], self.ready and version > self.copies
        yield "fork", version == 1 or (kind == "game_forked" if version == self.copies + 1 else True)
        check = getattr(self, kind, None) if kind in CHECKED else None
        yield from check(event, version) if check else ()
        if event.get("coordinate"):
            yield "coordinate", event["coordinate"] not in self.used
            self.used.add(event["coordinate"])

    def game_created(self, event, version):
        parent = re.fullmatch(r"([0-9a-z]{1,40})(?:@([1-9][0-9]{0,15}))?", event["parent"] or "0")
        need(parent and version == 1, "another form of parent")
        self.copies = int(parent[2] or 0)
        pins = [(pin["name"], pin["version"], pin["sha256"]) for pin in event["pins"]]
        yield "data", [tuple(told) for *told, _ in self.data] == pins
        for name, *_, content in self.data:
            deck, cards = name.removeprefix(event["rulebook"] + "_"), json.loads(content).get("cards", [])
            self.decks[deck] = {card["id"]: card["count"] for card in cards}
        yield "creation", event["game"] == self.game and self.actor == "host" and 1 <= event["places"] <= 8
        need(HEX.fullmatch(event["commitment"]))
        origin = {True: b"\0known\0", False: b"\0drawn\0"}[event["known_secret"]]
        committed = sha(b"rollbook/commit/v2\0", self.game.encode(), origin, bytes.fromhex(self.secret)).hex()
        earlier = sha(b"rollbook/commit/v1\0", self.game.encode(), b"\0", bytes.fromhex(self.secret)).hex()
        self.unsaid = bool(self.secret) and earlier == event["commitment"]
        self.ready = self.unsaid or (bool(self.secret) and committed == event["commitment"])
        yield "commitment", self.ready or not self.secret

    def seat_taken(self, event, _version):
        need(is_whole(event["seat"], 1) and event["seat"] <= 8)
        need(event["nonce_commitment"] == "" or HEX.fullmatch(event["nonce_commitment"]))
        self.seats[event["seat"]] = [event["nonce_commitment"], ""]
        return ()

    def seat_left(self, event, _version):
        if not event["playing"]:
            del self.seats[event["seat"]]
        return ()

    def nonce_opened(self, event, _version):
        need(HEX.fullmatch(event["input"]))
        self.seats[event["seat"]][1] = event["input"]
        nonce, seat = self.texts.get(event["input"]), str(event["seat"]).encode()
        if nonce is not None:
            self.nonces += 1
            yield "nonce", sha(nonce).hex() == self.seats[event["seat"]][0]
            yield "nonce", sha(b"rollbook/nonce/v1\0", seat, b"\0", nonce).hex() == event["input"]
        else:
            self.gone += 1

    def game_started(self, event, _version):
        self.inputs = event["inputs"]
        yield "nonce", event["seats"] == sorted(self.seats)
        yield "nonce", self.inputs == [opened or told for _, (told, opened) in sorted(self.seats.items())]

    def game_forked(self, event, version):
        yield "fork", version == self.copies + 1 or self.copies >= version
        yield "fork", event["chance"] in ("", self.chance or event["parent"])
        self.chance = event["chance"]

    def dice_rolled(self, event, _version):
        need(isinstance(event["coordinate"], str) and is_whole(event["sides"]))
        yield "coordinate", event["coordinate"] != ""
        faces, sides = event["faces"], event["sides"]
        need((1 if event["purpose"] == "role" else 2) <= sides <= 256 and faces)
        need(all(is_whole(face, 1) and face <= sides for face in faces))
        self.drawn, self.unseen = self.drawn + self.known, self.unseen + (not self.known)
        yield "chance", not self.known or [n + 1 for n in self.chosen(event, len(faces), sides)] == faces

    def card_drawn(self, event, _version):
        unseen = self.decks[event["deck"]]
        copies = [card for card in sorted(unseen) for _ in range(unseen[card])]
        yield "coordinate", bool(event["coordinate"]) == bool(copies)
        if event["coordinate"] and copies:
            self.drawn, self.unseen = self.drawn + self.known, self.unseen + (not self.known)
            yield "chance", unseen.get(event["card"], 0) > 0
            yield "chance", not self.known or copies[self.chosen(event, 1, len(copies))[0]] == event["card"]
            unseen[event["card"]] -= 1

    def money_moved(self, event, _version):
        yield "books", is_whole(event["amount"], 1) and event["payer"] != event["payee"]
        for account, sign in ((event["payer"], -1), (event["payee"], 1)):
            self.cash[account] = self.cash.get(account, 0) + sign * event["amount"]
        self.moved += 1
        yield "books", all(held >= 0 or name in ("custodian", "bank") for name, held in self.cash.items())

    def texts_wrong(self, value):  # each stored text has the digest that names it
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
            yield from self.texts_wrong(one)
        if isinstance(value, str) and value in self.texts:
            nonces = [sha(f"rollbook/nonce/v1\0{n}\0".encode(), self.texts[value]).hex() for n in range(1, 9)]
            yield "text", value in (sha(self.texts[value]).hex(), *nonces)


CHECKED = {name for name in vars(Game) if name not in ("envelope", "chosen", "wrong", "texts_wrong")}


def check(file, key=None):
    """Return the report of a bundle; with a key it must be signed by it."""
    report = Report()
    lines = Lines(file, report)
    secret = revealed(lines)
    game, leaves, link, shift = Game(lines, secret), [], sha(b"rollbook/chain/v1\0", lines.header["game"].encode()), 0
    for version, (stored, told) in enumerate(lines.events, 1):
        leaves.append(sha(b"\0", stored))
        if sha(b"\2", link, leaves[-1]).hex() != told:
            report.add(version, "chain")
        link = bytes.fromhex(told)
        try:
            entry = parse(stored)
            if entry["version"] != version + shift:
                report.add(version, "gapless")
                shift = entry["version"] - version  # so that one lost event is one fault
            words = [*game.envelope(version, entry), *game.wrong(version, entry["data"])]
            words += game.texts_wrong(entry["data"])
            for word, good in words:
                if not good:
                    report.add(version, word)
        except (ValueError, LookupError, TypeError, AttributeError):
            report.add(version, "readable")
    report.head, report.root = link.hex(), tree(leaves).hex()
    ends(report, lines, game, key)
    tell(report, lines, game)
    return report


def revealed(lines):
    try:
        secret = parse(lines.events[-1][0])["data"].get("secret", "")
        return secret if HEX.fullmatch(secret) else ""
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""


def ends(report, lines, game, key):  # first and last line, and the text of the signed note
    count, head, last = len(lines.events), lines.header, lines.last
    if game.copies >= count > 0:
        report.add(count, "fork")
    if (head["version"], head["head"], head["sealed"]) != (count, report.head, bool(game.secret)):
        report.add(count, "head")
    if (last.get("end"), last.get("tree")) != (count, report.root):
        report.add(count, "tree")
    root, note = base64.b64encode(bytes.fromhex(report.root)).decode(), last.get("checkpoint", "")
    told = f"rollbook/{game.game}\n{count}\n{root}\nhead {report.head}\n"
    try:
        text, mine = opened(note, key) if note else (told, False)
        need(text == told)
    except ValueError:
        report.add(count, "checkpoint")
    else:
        tell_signed(report, key, mine, "no key was given (--key)" if note else "nobody signed it")


def tell_signed(report, key, mine, why):
    if mine:
        report.done.append(("checkpoint", f"checkpoint: the key {key[0]}+{key[1].hex()} signed it"))
    elif key:
        report.missing.append("checkpoint: the key that was given did not sign it")
    else:
        report.open.append(f"checkpoint: no signature was checked, since {why}; a history made again is not noticed")


PROOF = {"game", "version", "event", "leaf", "size", "root", "proof", "checkpoint", "key"}


def included(leaf, index, size, path):  # the root that the hashes of an inclusion proof lead to
    if size == 1:
        return leaf
    half, other = 1 << (size - 1).bit_length() - 1, path.pop()
    if index < half:
        return sha(b"\1", included(leaf, index, half, path), other)
    return sha(b"\1", other, included(leaf, index - half, size - half, path))


def check_proof(whole, key=None):
    """Return the report of a file that proves one event; without a key it is held against the key in the file."""
    report = Report()
    try:
        proof = json.loads(whole)
        need(set(proof) == PROOF and all(isinstance(proof[name], str) for name in PROOF - {"version", "size", "proof"}))
        need(is_whole(proof["version"], 1) and proof["version"] <= proof["size"] and is_whole(proof["size"]))
        path, own = [bytes.fromhex(one) for one in proof["proof"]], key_of(proof["key"])
    except (ValueError, TypeError, RecursionError):
        raise NoBundle("it is no proof of an event") from None
    version, size, stored = proof["version"], proof["size"], proof["event"].encode()
    report.best, report.title = "verified", f"event {version} of game {proof['game']}"
    report.root = proof["root"]
    try:
        entry = parse(stored)
        report.add(version, "gapless") if entry["version"] != version else None
        report.done.append(("readable gapless leaf", f"event: {stored.decode()}"))
        report.add(version, "leaf") if sha(b"\0", stored).hex() != proof["leaf"] else None
        right = included(sha(b"\0", stored), version - 1, size, path).hex() == proof["root"] and not path
        report.add(version, "inclusion") if not right else None
    except (ValueError, LookupError, TypeError):
        report.add(version, "readable")
    report.done.append(("inclusion", f"inclusion: the hashes lead from the event to the root at size {size}"))
    try:
        text, mine = opened(proof["checkpoint"], key or own)
        told = f"rollbook/{proof['game']}\n{size}\n{base64.b64encode(bytes.fromhex(proof['root'])).decode()}\nhead "
        need(text.startswith(told) and re.fullmatch("[0-9a-f]{64}\n", text[len(told) :]))
        report.head = text[-65:-1]
        tell_signed(report, key or own, mine, "")
    except ValueError:
        report.add(size, "checkpoint")
    if not key:
        report.open.append("key: whether the key in the file is of the service was not checked; compare it (--key)")
    return report


def tell(report, lines, game):  # a sentence for each check
    count, texts = len(lines.events), len(lines.texts)
    report.title = f"game {game.game}, {count} events"
    report.done += [
        ("bundle", f"lines: {count} events, {len(lines.data)} data files and {texts} texts, each in its place"),
        ("gapless readable time action end creation fork", "events: canonical, without gaps, in order, in actions"),
        ("chain head", "chain: every link, and the head in the first line"),
        ("tree checkpoint", "tree: the root in the last line, and in the text of the checkpoint if there is one"),
        ("data", "data: boards and decks are those that the first event pins"),
        ("text", f"texts: {texts} have the digests in the events; one that is not here was erased, or left out"),
        ("nonce", f"nonces: {game.nonces} opened ones, and the shares of the seats in chance, are those committed to"),
        ("coordinate", "coordinates: each outcome has one, and none is used twice"),
        ("books", f"books: {game.moved} payments, and no account but custodian and bank below zero"),
    ]
    if game.ready:
        sentence = f"chance: {game.drawn} dice and cards follow from the secret that was committed to"
        report.done.append(("chance commitment", sentence))
    if game.unsaid:
        report.missing.append("commitment: of an earlier form, which does not bind whether the secret was known")
    if game.gone:
        report.open.append(f"nonces: {game.gone} opened ones are not here, and were not compared")
    if game.unseen and game.ready:
        report.open.append(f"chance: {game.unseen} outcomes were copied from another game, and are checked there")
    elif game.unseen:
        why = "does not fit the commitment" if game.secret else "is not revealed yet"
        sentence = f"chance: {game.unseen} dice and cards were not checked, and may be anything: the secret {why}"
        report.open.append(sentence)
    if game.copies:
        report.open.append(f"fork: that events 2 to {game.copies} are those of the game that it names was not checked")


def main(arguments):
    key, *names = arguments[1:] if arguments[:1] == ["--key"] and len(arguments) > 1 else ["", *arguments]
    if len(names) != 1 or names[0].startswith("-"):
        print(__doc__.strip())
        return 0 if names in (["-h"], ["--help"]) else 2
    try:
        known = key_of(key) if key else None
    except ValueError:
        print("--key: this is no verifier key of Ed25519 (name+id+key)", file=sys.stderr)
        return 2
    try:
        with open(names[0], "rb") as file:
            begin = file.read(1 << 20)
            file.seek(0)
            single = b'"proof":' in begin and not begin.startswith(b'{"bundle":')
            report = check_proof(file.read(), known) if single else check(file, known)
    except NoBundle as error:
        why = f"this is no bundle of a game: {error}"
    except OSError as error:
        why = f"it cannot be read ({error.strerror})"
    else:
        print(*report.lines(), sep="\n")
        return {"failed": 1, "not verified": 3}.get(report.verdict, 0)
    print(f"{names[0]}: {why}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
