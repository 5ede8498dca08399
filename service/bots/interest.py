"""What the rules in force bring each seat, and whom a proposal serves: how a sensible bot votes.

Everything is in dollars a round and rough: each square is landed on once in forty turns, and Payday passed as often as
the mean roll leads there.
"""

from collections.abc import Iterator, Sequence

from events.social_justice.board import LAP, UTILITIES
from service.bots import figures
from service.bots.base import Json
from service.rules.social_justice.catalogue import fill_in

NOTICEABLE = 1.0
"""Dollars a round below which a bot does not care."""

POOR = 400
"""With less cash a dollar counts twice: it may keep one in the game."""

RARE = 0.03
"""How often in a round something happens that nobody can plan, such as a degree."""


def score(state: Json, seat: int, operations: Sequence[Json]) -> float:
    """Return what a proposal is worth to a seat against what it brings all others: the end ranks by net worth."""
    return scores(state, operations)[seat]


def scores(state: Json, operations: Sequence[Json]) -> dict[int, float]:
    """Return what a proposal is worth to each seat."""
    before, after = incomes(state), incomes(changed(state, operations))
    seats = figures.alive(state)
    gains = {seat: after[seat] - before[seat] for seat in seats}
    mean = sum(gains.values()) / len(seats)
    need = {seat: float(figures.cash_of(state, seat) < POOR) for seat in seats}
    return {seat: gains[seat] * (1 + need[seat]) - mean for seat in seats}


def changed(state: Json, operations: Sequence[Json]) -> Json:
    """Return the state with a proposal in force; only politics are another."""
    politics = state["politics"]
    gone = {operation["rule_id"] for operation in operations if operation["op"] == "repeal"}
    stack = [rule for rule in politics["stack"] if rule["rule"] not in gone]
    new = {
        "rule": "proposed",
        "settings": [setting for operation in operations for setting in _settings(operation)],
        "transfers": [operation for operation in operations if operation["op"] == "add_transfer"],
    }
    stack.append(new)
    values = {setting["param"]: setting["value"] for rule in stack for setting in rule["settings"]}
    return {**state, "politics": {**politics, "stack": stack, "values": values}}


def _settings(operation: Json) -> Iterator[Json]:
    if operation["op"] in ("enable", "disable"):
        yield {"param": operation["rule"], "value": operation["op"] == "enable"}
    if operation["op"] == "set":
        places = operation.get("for", {})
        for u in places.get("u") or [""]:
            for r in places.get("r") or [""]:
                yield {"param": fill_in(operation["param"], {"u": u, "r": r}), "value": operation["value"]}


def incomes(state: Json) -> dict[int, float]:
    """Return what each seat may expect to gain in a round, in dollars."""
    flows: dict[int, float] = dict.fromkeys([0, *figures.alive(state)], 0.0)
    for payer, payee, amount in _flows(state):
        flows[payer] -= amount
        flows[payee] += amount
    return flows


Flow = tuple[int, int, float]
"""Payer, payee (0 for the bank), dollars a round."""


def _flows(state: Json) -> Iterator[Flow]:
    for seat in figures.alive(state):
        yield from _of_the_bank(state, seat)
        yield from _utilities(state, seat)
    for square in figures.board_of(state).kind("property"):
        holder = state["titles"][str(square.i)]["holder"]
        if holder:
            yield from ((seat, holder, rent / LAP) for seat, rent in figures.rents(state, square))
    for rule in state["politics"]["stack"]:
        for transfer in rule["transfers"]:
            yield from _transfer(state, transfer)


def _laps(state: Json, seat: int) -> float:
    return figures.mean_roll(state, figures.citizen_of(state, seat)["role"]) / LAP


def _of_the_bank(state: Json, seat: int) -> Iterator[Flow]:
    citizen = figures.citizen_of(state, seat)
    role = citizen["role"]
    salary = figures.value_of(state, f"payday.salary.{role}")
    if figures.value_of(state, "payday.enabled"):
        yield 0, seat, salary * _laps(state, seat)
        yield seat, 0, salary * figures.value_of(state, f"backtax.pct.{role}") / 100 / LAP
    if figures.value_of(state, "hospital.payer") == "player":
        fee = figures.value_of(state, f"hospital.fee.{role}")
        yield seat, 0, (min(fee, figures.value_of(state, "hospital.va_fee")) if citizen["veteran"] else fee) / LAP
    if role in ("unemployed", "employee") and figures.value_of(state, "college.enabled"):
        yield seat, 0, figures.value_of(state, f"college.tuition.{role}") / LAP * RARE


def _utilities(state: Json, seat: int) -> Iterator[Flow]:
    role = figures.citizen_of(state, seat)["role"]
    for utility in UTILITIES:
        holder = state["titles"][str(figures.board_of(state).utility(utility).i)]["holder"]
        if holder in (0, seat):
            continue
        payee = 0 if figures.value_of(state, f"utility.{utility}.public") else holder
        for when, often in (("payday", _laps(state, seat)), ("landing", 1 / LAP)):
            rate = figures.value_of(state, f"utility.{utility}.{when}_rate")
            cap = figures.value_of(state, f"utility.{utility}.{when}_cap.{role}")
            yield seat, payee, often * (rate if cap is None else min(rate, cap))


def _transfer(state: Json, transfer: Json) -> Iterator[Flow]:
    trigger = transfer["trigger"]
    actors = [0] if trigger == "round_end" else figures.alive(state)
    for actor in actors:
        if actor and not _holds(state, transfer.get("where"), actor):
            continue
        often = _how_often(state, trigger, actor)
        payers, payees = (_party(state, transfer[side], actor) for side in ("from", "to"))
        for payer in payers:
            paid = [payee for payee in payees if payee != payer]
            parts = len(paid) if transfer.get("split") == "share" else 1
            for payee in paid:
                yield payer, payee, often * _amount(state, transfer["amount"], payer or payee) / parts


def _how_often(state: Json, trigger: str, actor: int) -> float:
    if trigger in ("round_end", "turn_start"):
        return 1.0
    if trigger == "each_payday":
        return _laps(state, actor)
    kind = trigger.removeprefix("land:")
    squares = [square for square in figures.board_of(state).squares if kind in (square.type, square.key)]
    return len(squares) / LAP if squares else RARE


def _holds(state: Json, where: Json | None, actor: int) -> bool:
    if where is None:
        return True
    citizen, cash = figures.citizen_of(state, actor), figures.cash_of(state, actor)
    houses = sum(state["titles"][str(square.i)]["houses"] for square in figures.titles_of(state, actor))
    return (
        (where.get("role") is None or citizen["role"] in where["role"])
        and cash >= (where.get("cash_at_least") or 0)
        and (where.get("cash_at_most") is None or cash <= where["cash_at_most"])
        and where.get("serving") in (None, citizen["serving"])
        and houses >= (where.get("houses_at_least") or 0)
    )


def _party(state: Json, word: str, actor: int) -> list[int]:
    """List the seats of a party; 0 for the bank."""
    seats = figures.alive(state)
    kind, _, words = word.partition(":")
    if kind == "role":
        return [seat for seat in seats if figures.citizen_of(state, seat)["role"] in words.split(",")]
    if kind == "holder":
        holder = state["titles"][str(figures.board_of(state).utility(words).i)]["holder"]
        return [holder] if holder else []
    parties = {"bank": [0], "actor": [actor], "others": [seat for seat in seats if seat != actor]}
    return parties.get(kind, seats)


def _amount(state: Json, amount: Json, seat: int) -> float:
    """Work out an amount for the seat whose figure counts."""
    found = amount.get("fixed")
    if found is None:
        found = _figure(state, str(amount["of"]), seat) * amount["pct"] / 100
    most = amount.get("max")
    found = max(found, amount.get("min") or 0)
    return float(found if most is None else min(found, most))


def _figure(state: Json, of: str, seat: int) -> float:
    if of == "salary":
        return float(figures.value_of(state, f"payday.salary.{figures.citizen_of(state, seat)['role']}"))
    if of == "cash":
        return float(figures.cash_of(state, seat))
    if of == "last_payment":
        return _mean_rent(state)
    utility, _, when = of.removeprefix("rate:").partition(".")
    return float(figures.value_of(state, f"utility.{utility}.{when}_rate"))


def _mean_rent(state: Json) -> float:
    held = [s for s in figures.board_of(state).kind("property") if state["titles"][str(s.i)]["holder"]]
    dues = [due for square in held for _, due in figures.rents(state, square)]
    return sum(dues) / len(dues) if dues else 0.0
