"""Changes to the events of a whole game; the chain, the tree and the first line are then made again to fit."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from service.games.chance import SecretDice, commitment
from tests.support.forged import Json

OfEvents = Callable[[list[Json]], object]
SECRET = "ab" * 32


def one(entries: list[Json], kind: str, nth: int = 0, **wanted: object) -> int:
    """The index of an event of a kind, with certain values, or of the last one of it.

    Raises:
        IndexError: There is none.
    """
    found = (n for n, e in enumerate(entries) if e["data"]["type"] == kind and wanted.items() <= e["data"].items())
    there = list(found)
    return there[min(nth, len(there) - 1)]


def put(kind: str, /, *, nth: int = 0, **values: object) -> OfEvents:
    """Set values of an event's data."""
    return lambda entries: entries[one(entries, kind, nth)]["data"].update(values)


def made(kind: str, change: Callable[[Json], object], nth: int = 0) -> OfEvents:
    """Change an event's data."""
    return lambda entries: change(entries[one(entries, kind, nth)]["data"])


def envelope(kind: str, /, *, nth: int = 0, **values: object) -> OfEvents:
    """Set values of an event's envelope."""
    return lambda entries: entries[one(entries, kind, nth)].update(values)


def renumbered(change: OfEvents) -> OfEvents:
    """Change the list, and number the events by their places."""

    def changed(entries: list[Json]) -> None:
        change(entries)
        for version, entry in enumerate(entries, start=1):
            entry["version"] = version

    return changed


def dropped(kind: str, nth: int = 0) -> OfEvents:
    return renumbered(lambda entries: entries.pop(one(entries, kind, nth)))


def doubled(kind: str, nth: int = 0) -> OfEvents:
    return renumbered(
        lambda entries: entries.insert(one(entries, kind, nth), deepcopy(entries[one(entries, kind, nth)]))
    )


def swapped(kind: str, nth: int = 0) -> OfEvents:
    def change(entries: list[Json]) -> None:
        at = one(entries, kind, nth)
        entries[at], entries[at + 1] = entries[at + 1], entries[at]

    return renumbered(change)


def whole_action(entries: list[Json]) -> None:
    """Leave out the last action but one with all that came of it."""
    actions = list(dict.fromkeys(entry["action"] for entry in entries))
    entries[:] = [entry for entry in entries if entry["action"] != actions[-2]]


def back(entries: list[Json]) -> None:
    """Set the times of an action back."""
    at = one(entries, "action_taken", 12)
    for entry in entries:
        if entry["action"] == entries[at]["action"]:
            entry["at"] -= 10_000_000


def later(entries: list[Json]) -> None:
    """Set everything from an action on to a later time."""
    for entry in entries[one(entries, "action_taken", 12) :]:
        entry["at"] += 5
        if entry["data"]["type"] == "action_taken":
            entry["data"]["received"] += 5


def every_die(entries: list[Json]) -> None:
    """Turn every die to six, in a game whose end, and so whose secret, is cut off."""
    for entry in entries:
        if entry["data"]["type"] == "dice_rolled":
            entry["data"]["faces"] = [6 for _ in entry["data"]["faces"]]
    del entries[one(entries, "dice_rolled", 6) + 1 :]


def added_payment(entries: list[Json]) -> None:
    """Add a payment that no rule knows to an action."""
    at = one(entries, "money_moved")
    extra = deepcopy(entries[at])
    extra["data"].update(payer="bank" if "bank" in str(entries) else "custodian", payee="seat:1", amount=50)
    entries.insert(at + 1, extra)


def ground(entries: list[Json]) -> None:
    """Throw at a coordinate of one's choice; the faces are those of the secret."""
    data = entries[one(entries, "dice_rolled")]["data"]
    data["coordinate"] = f"{data['coordinate'].rpartition('/')[0]}/9999"
    started, created = entries[one(entries, "game_started")]["data"], entries[0]["data"]
    dice = SecretDice(bytes.fromhex(entries[-1]["data"]["secret"]), created["game"], started["inputs"])
    data["faces"] = list(dice.roll(data["coordinate"], count=len(data["faces"]), sides=data["sides"]))


def used_twice(entries: list[Json]) -> None:
    entries[one(entries, "dice_rolled", 3)]["data"].update(entries[one(entries, "dice_rolled", 2)]["data"])


def secret_and_commitment(entries: list[Json]) -> None:
    entries[-1]["data"]["secret"] = SECRET
    created = entries[0]["data"]
    created["commitment"] = commitment(created["game"], bytes.fromhex(SECRET), known=True)


def other_pin(field: str, value: object) -> OfEvents:
    return made("game_created", lambda data: data["pins"][0].update({field: value}))


def turned(data: Json) -> None:
    data["payer"], data["payee"] = data["payee"], data["payer"]


def standing(field: str) -> OfEvents:
    return made("game_finished", lambda data: data["standings"][0].update({field: data["standings"][0][field] + 1}))


def added_at_end(entries: list[Json]) -> None:
    entries.append(deepcopy(entries[-2]))


def again_created(entries: list[Json]) -> None:
    entries.insert(40, deepcopy(entries[0]))


def _face(data: Json) -> None:
    data["faces"][0] = data["faces"][0] % data["sides"] + 1


def _unknown(entries: list[Json]) -> None:
    entries[one(entries, "money_moved")]["data"] = {"type": "tea_served", "schema": 1}


def _more(field: str, by: int) -> Callable[[Json], None]:
    return lambda data: data.update({field: data[field] + by})


def _other_seat(data: Json) -> None:
    data["seat"] = data["seat"] % 3 + 1


def _foreign(entries: list[Json]) -> None:
    """A payment by another rule, under rules that this release does not hold."""
    entries[0]["data"]["rules"] = 99
    entries[one(entries, "money_moved", -1)]["data"]["rule"] = "PA-999"


def _other_code(entries: list[Json]) -> None:
    """A payment by another rule in a game that other code opened."""
    entries[0]["data"]["code"] = "cd" * 32
    entries[one(entries, "money_moved", -1)]["data"]["rule"] = "PA-999"


def _other_rulebook(data: Json) -> None:
    (data["rulebook"],) = {"public_assistance", "social_justice"} - {data["rulebook"]}


def _other_card(data: Json) -> None:
    data["card"] = data["card"][:-1] + ("1" if data["card"][-1] != "1" else "2")


def _other_reason(data: Json) -> None:
    data["reason"] = "motion" if data["reason"] != "motion" else "completed"


_GAME: Any = "game_created"
ORDER: dict[str, OfEvents] = {
    **{f"{kind} left out, numbered again": dropped(kind, nth)
       for kind, nth in {"action_taken": 20, "money_moved": 3, "dice_rolled": 3, "card_drawn": 0, "prompt_opened": 4,
                         "prompt_closed": 4, "turn_started": 2, "seat_ready": 0, "nonce_opened": 0,
                         "game_started": 0, "seat_taken": 1, "game_finished": 0}.items()},
    **{f"{kind} twice, numbered again": doubled(kind, nth)
       for kind, nth in {"action_taken": 20, "money_moved": 3, "dice_rolled": 3, "card_drawn": 0, "prompt_opened": 4,
                         "turn_started": 2, "seat_taken": 1, "secret_revealed": 0}.items()},
    **{f"{kind} and the event after it in another order": swapped(kind, nth)
       for kind, nth in {"action_taken": 20, "money_moved": 3, "dice_rolled": 3, "prompt_opened": 4}.items()},
    "an event left out, not numbered again": lambda e: e.pop(40),
    "the versions begin at 2": lambda e: [entry.update(version=entry["version"] + 1) for entry in e],
    "an action left out, numbered again": renumbered(whole_action),
    "a payment added that no rule knows": renumbered(added_payment),
    "an event after the revealed secret": renumbered(added_at_end),
    "a second game_created": renumbered(again_created),
    "the revealed secret left out": lambda e: e.pop(),
    "the last ten events left out": lambda e: e.__delitem__(slice(-10, None)),
    "an event of a type that nobody knows": _unknown,
    "an event of a later schema": put("money_moved", schema=2),
    "a field that its type does not have": put("money_moved", tea=1),
    "a field is missing": made("money_moved", lambda data: data.pop("payee")),
}  # fmt: skip
ENVELOPES: dict[str, OfEvents] = {
    "the actor of an action": envelope("action_taken", nth=12, actor="clock"),
    "the actor of an event within an action": envelope("money_moved", nth=3, actor="host"),
    "an actor that nobody is": envelope("action_taken", nth=12, actor="eve"),
    "the actor of the revealed secret": envelope("secret_revealed", actor="host"),
    "the id of the action of one event": envelope("money_moved", nth=3, action="ab" * 32),
    "an id of an action that is no digest": envelope("game_created", action="a1"),
    "the time of one event": lambda e: e[one(e, "money_moved", 3)].update(at=e[one(e, "money_moved", 3)]["at"] + 1),
    "times that go back": back,
    "everything from an action on 5 ms later": later,
    "the turn of one event": lambda e: e[one(e, "money_moved", 3)].update(turn=77),
    "a time that is no number": envelope("money_moved", nth=3, at="now"),
    "a field that no envelope has": envelope("money_moved", nth=3, tea=1),
    "an envelope without a turn": lambda e: e[one(e, "money_moved", 3)].pop("turn"),
}  # fmt: skip
FIRST: dict[str, OfEvents] = {
    "another game in the first event": put(_GAME, game="tea"),
    "another rulebook": made(_GAME, _other_rulebook),
    "rules 99": put(_GAME, rules=99),
    "rules 0": put(_GAME, rules=0),
    "rules 99, and another payment": _foreign,
    "other code": put(_GAME, code="ab" * 32),
    "other code, and another payment": _other_code,
    "code that is no digest": put(_GAME, code="tea"),
    "9 places": put(_GAME, places=9),
    "no places": put(_GAME, places=0),
    "fewer places than seats": put(_GAME, places=2),
    "one place fewer": made(_GAME, _more("places", -1)),
    "private, or not": made(_GAME, lambda data: data.update(private=not data["private"])),
    "a known secret, or not": made(_GAME, lambda data: data.update(known_secret=not data["known_secret"])),
    "a parent that is no game": put(_GAME, parent="Tea!"),
    "another game as the one before": put(_GAME, parent="abcdef"),
    "a fork of another game, without game_forked": put(_GAME, parent="abcdef@20"),
    "another commitment": put(_GAME, commitment="ab" * 32),
    "a commitment that is no digest": put(_GAME, commitment="tea"),
    "another option": made(_GAME, lambda data: data["options"].update(attest=not data["options"].get("attest"))),
    "an option that nobody knows": made(_GAME, lambda data: data["options"].update(tea=1)),
    "the digest of a board": other_pin("sha256", "ab" * 32),
    "the version of a board": other_pin("version", 7),
    "the name of a board": other_pin("name", "tea"),
    "boards in another order": made(_GAME, lambda data: data["pins"].reverse()),
    "the actor of the first event": envelope(_GAME, actor="clock"),
    "a turn in the first event": envelope(_GAME, turn=1),
}  # fmt: skip
CHANCE: dict[str, OfEvents] = {
    "a die": made("dice_rolled", _face, 3),
    "a die of the first roll": made("dice_rolled", _face),
    "a die of more than its sides": made("dice_rolled", lambda d: d["faces"].__setitem__(0, 9999), 3),
    "a die of 0": made("dice_rolled", lambda d: d["faces"].__setitem__(0, 0), 3),
    "a die more": made("dice_rolled", lambda d: d["faces"].append(1), 3),
    "no dice": put("dice_rolled", nth=3, faces=[]),
    "one side": put("dice_rolled", nth=3, sides=1, faces=[1]),
    "no sides": put("dice_rolled", nth=3, sides=0),
    "another number of sides": made("dice_rolled", _more("sides", 1), 3),
    "another purpose of a throw": put("dice_rolled", nth=3, purpose="tea"),
    "the seat of a throw": made("dice_rolled", _other_seat, 3),
    "a throw without a coordinate": put("dice_rolled", nth=3, coordinate=""),
    "a coordinate that is used twice": used_twice,
    "a coordinate of one's choice": ground,
    "every die six in a game that goes on": every_die,
    "another card": made("card_drawn", _other_card),
    "a card that the deck does not have": put("card_drawn", card="tea"),
    "a card of another deck": put("card_drawn", deck="tea"),
    "the text of a card": put("card_drawn", text="Take all."),
    "a card without a coordinate": put("card_drawn", coordinate=""),
    "the number of a draw": made("card_drawn", _more("draw", 1)),
    "another secret": lambda e: e[-1]["data"].update(secret=SECRET),
    "a secret that is none": lambda e: e[-1]["data"].update(secret="tea"),
    "another secret and its commitment": secret_and_commitment,
    "another share in chance": made("game_started", lambda d: d["inputs"].__setitem__(0, "ab" * 32)),
    "no shares in chance": put("game_started", inputs=[]),
    "the commitment of a nonce": put("seat_taken", nonce_commitment="ab" * 32),
    "the commitment of a seat without a nonce": put("seat_taken", nth=1, nonce_commitment="ab" * 32),
    "an opened nonce": put("nonce_opened", input="ab" * 32),
    "the seat of an opened nonce": put("nonce_opened", seat=2),
}  # fmt: skip
MONEY: dict[str, OfEvents] = {
    "an amount, 50 more": made("money_moved", _more("amount", 50), 3),
    "the amount of the last payment": made("money_moved", _more("amount", 1), -1),
    "an amount of 0": put("money_moved", nth=3, amount=0),
    "an amount below 0": put("money_moved", nth=3, amount=-50),
    "an amount that is true": put("money_moved", nth=3, amount=True),
    "an amount as text": put("money_moved", nth=3, amount="50"),
    "an amount of 2^53": put("money_moved", nth=3, amount=2**53),
    "an amount of 2^53 - 1": put("money_moved", nth=3, amount=2**53 - 1),
    "payer and payee the other way round": made("money_moved", turned, 3),
    "a payment to oneself": made("money_moved", lambda d: d.update(payee=d["payer"]), 3),
    "a payee that is no account": put("money_moved", nth=3, payee="eve"),
    "the reason of a payment": put("money_moved", nth=3, reason="tea"),
    "the rule of a payment": put("money_moved", nth=3, rule="PA-999"),
    "the rank of a seat": standing("rank"),
    "the score of a seat": standing("score"),
    "the total of a seat": standing("total"),
    "the tax of a seat": standing("tax"),
    "the track or role of a seat": made("game_finished", lambda d: d["standings"][0].update(track="tea")),
    "another winner": put("game_finished", winners=[2, 3]),
    "a seat without a line in the result": made("game_finished", lambda d: d["standings"].pop()),
    "why the game ended": made("game_finished", _other_reason),
}  # fmt: skip
PLAY: dict[str, OfEvents] = {
    "an action of another name": put("action_taken", nth=20, name="tea"),
    "an action for another seat": made("action_taken", _other_seat, 20),
    "an action for nobody": put("action_taken", nth=20, seat=0),
    "an action that answers another prompt": put("action_taken", nth=20, prompt="p1"),
    "an action with another parameter": made("action_taken", lambda d: d["params"].update(tea=1), 20),
    "a receipt after it was recorded": made("action_taken", _more("received", 10_000_000), 20),
    "a receipt a day before": made("action_taken", _more("received", -86_400_000), 20),
    "the number of a prompt": put("prompt_opened", nth=4, prompt="p1"),
    "the seat of a prompt": made("prompt_opened", _other_seat, 4),
    "the kind of a prompt": put("prompt_opened", nth=4, kind="tea"),
    "the deadline of a prompt": put("prompt_opened", nth=4, deadline=1),
    "how a prompt was closed": put("prompt_closed", nth=4, how="void"),
    "the seat of a turn": made("turn_started", _other_seat, 2),
    "the number of a turn": made("turn_started", _more("turn", 1), 2),
    "the order of turns": made("order_decided", lambda d: d["order"].reverse()),
    "a seat taken twice": put("seat_taken", nth=1, seat=1),
    "a seat beyond the table": put("seat_taken", nth=1, seat=9),
    "a bot for a person": put("seat_taken", nth=1, kind="bot", level="sense"),
    "the host at another seat": put("seat_taken", nth=1, host=True),
    "the digest of a name": put("seat_taken", nth=1, name="ab" * 32),
    "agreed to other options": put("seat_ready", number=7),
    "options changed without a word": made("game_started", lambda d: d["options"].update(tea=1)),
    "a seat less at the start": made("game_started", lambda d: (d["seats"].pop(), d["inputs"].pop())),
}  # fmt: skip
EVENTS: dict[str, dict[str, OfEvents]] = {
    "Order": ORDER,
    "Envelopes": ENVELOPES,
    "The first event": FIRST,
    "Chance": CHANCE,
    "Money and result": MONEY,
    "Play": PLAY,
}
