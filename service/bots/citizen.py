"""A bot that plays The Social Justice Game as a careful person would who looks after themselves.

It buys and builds with what it does not need, goes to college or enlists where that pays, borrows rather than sells
under a debt, lends a little at interest, votes for what serves it, and proposes now and then what may find a majority.
"""

import random
from collections.abc import Callable, Mapping

from events.social_justice.board import Square
from service.bots import bargains, figures, interest, power, proposals
from service.bots.base import Json, prompt_of
from service.bots.situation import Situation

PROPOSES = 1 / 8
"""How often a turn is given up for a proposal, if there is one that may pass."""

GENEROUS = 1 / 20
"""How often a rich player donates a house."""

DANGER = 0.1
"""Chance not to come back from a tour of duty, about; what one owns is lost then."""

LEVEL = {"landing": 40, "payday": 60}
"""What a holder charges: more than at the start, and little enough that the others can go on paying."""


IGNORED = frozenset(
    [
        "bid_for_title",
        "cancel_agreement",
        "counter_agreement",
        "counter_sale",
        "pay",
        "propose_agreement",
        "repay_loan",
        "sell_to_bank",
        "withdraw_offer",
    ]
)
"""Every action that it never chooses."""


class SensibleCitizen:
    """Plays The Social Justice Game with sense.

    Args:
        seed: Of its own chance. A question at the same point of the game has the same chance whatever came before, so
            that two games that differ in one rule do not differ in the bots' whims.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._asked: set[str] = set()
        self._waited: set[int] = set()

    def choose(self, actions: list[Json], state: Json) -> Json | None:
        """Choose by the habit for what is asked, else what happens by default; see `Bot`."""
        prompt = prompt_of(actions, state)
        situation = Situation(state, prompt, actions)
        if self._waits(situation):
            return None
        habit = self._habits().get(prompt["kind"])
        return (habit(situation) if habit else None) or situation.default()

    def answer(self, actions: list[Json], state: Json) -> Json | None:
        """Answer the oldest offer; see `Bot`."""
        return bargains.answer(actions, state, self._chance)

    def _waits(self, situation: Situation) -> bool:
        """Wait once for the answer to each of one's own offers."""
        offers = situation.state["deals"]["offers"].values()
        mine = {offer["offer"] for offer in offers if offer["by"] == situation.seat} - self._waited
        # The number of an offer is given once in a game.
        self._waited |= mine
        return bool(mine)

    def _chance(self, *about: object) -> float:
        """Return the chance of a question: from 0 to 1, the same for the same question."""
        return random.Random("/".join(map(str, (self._seed, *about)))).random()

    def _whim(self, situation: Situation, what: str) -> float:
        return self._chance(what, situation.seat, situation.citizen["own"])

    def _habits(self) -> Mapping[str, Callable[[Situation], Json | None]]:
        """List habits by kind of prompt; None for what happens by default."""
        return {
            "choose_role": _choose_role,
            "turn_start": self._begin,
            "stop": _stop,
            "buy": _buy,
            "rent": self._pay_rent,
            "aid": lambda situation: situation.do("apply_for_aid"),
            "tuition": _study,
            "enlist": lambda situation: situation.do("enlist") if serves(situation) else None,
            "bail": lambda situation: situation.do("pay_bail") if situation.spare > 0 else None,
            "speech": lambda situation: situation.do("give_speech", promises=["care", "pardon", "troops"]),
            "ballot": _vote,
            "turn_end": _finish,
            "raise_funds": self._raise,
        }

    def _begin(self, situation: Situation) -> Json | None:
        if "propose" not in situation.menu or self._whim(situation, "propose") >= PROPOSES:
            return None
        operations = proposals.best(situation.state, situation.seat)
        return situation.do("propose", operations=operations) if operations else None

    def _pay_rent(self, situation: Situation) -> Json | None:
        """Take over an unimproved title when there is money to spare; donate a house now and then."""
        if (gentrify := situation.menu.get("gentrify")) and situation.spare > 2 * situation.square.price:
            return situation.do("gentrify", houses=gentrify["body"]["houses"])
        cost = situation.square.house_cost
        if "donate" in situation.menu and situation.spare > 4 * cost and self._whim(situation, "donate") < GENEROUS:
            return situation.do("donate", square=situation.square.i)
        return None

    def _raise(self, situation: Situation) -> Json | None:
        """Borrow before anything is sold at half its price; ask each way once for a debt."""
        debt = situation.state["agenda"][-1]
        missing = debt["amount"] - situation.cash
        for name, terms in bargains.ways_to_raise(situation, missing):
            key = f"{situation.prompt}/{name}/{terms.get('lender')}"
            if key not in self._asked:
                self._asked.add(key)
                return situation.do(name, **terms)
        return None


def _choose_role(situation: Situation) -> Json | None:
    """Take the role that is paid best."""
    action = situation.menu.get("choose_role")
    if action is None:
        return None
    roles = action["schema"]["properties"]["role"]["enum"]
    return situation.do("choose_role", role=max(roles, key=bargains.ORDER.index))


def _stop(situation: Situation) -> Json | None:
    """Stop where one would study or enlist: the rest of the roll is lost."""
    at = situation.why
    worth_it = studies(situation) if at == "college" else serves(situation)
    return situation.do("stop") if worth_it else None


def studies(situation: Situation) -> bool:
    """Return whether a degree can be paid, with what a bank lends, and pays until the end."""
    charge = situation.tuition()
    if charge is None:
        return False
    fund = situation.spare + bargains.bank_credit(situation)
    gain = figures.raise_by(situation.state, situation.role, bargains.next_role(situation.role))
    return fund >= charge and gain > charge


def _study(situation: Situation) -> Json | None:
    """Pay the tuition; borrow what is missing first."""
    if not studies(situation):
        return None
    if paid := situation.do("pay_tuition"):
        return paid
    charge = situation.tuition()
    assert charge is not None, "who studies pays"
    return situation.do("borrow_from_bank", principal=max(1, charge - situation.cash))


def serves(situation: Situation) -> bool:
    """Return whether enlisting pays: the raise against what one may lose."""
    if not figures.value_of(situation.state, "military.promotes"):
        return False
    gain = figures.raise_by(situation.state, situation.role, bargains.next_role(situation.role))
    dies = DANGER * figures.value_of(situation.state, "military.combat_enabled")
    return bool(gain * (1 - dies) > dies * max(0, figures.net_worth(situation.state, situation.seat)))


def _buy(situation: Situation) -> Json | None:
    price = figures.title_worth(situation.state, situation.square)
    return situation.do("buy") if situation.spare >= price else None


def _vote(situation: Situation) -> Json | None:
    """Vote for what serves oneself, against what does not, and not at all on what makes no difference."""
    politics = situation.state["politics"]
    if politics["vote"]["kind"] == "presidency":
        return situation.do("cast_ballot", ballot=power.ballot_on(situation))
    worth = interest.score(situation.state, situation.seat, politics["proposed"])
    if abs(worth) <= interest.NOTICEABLE:
        return situation.do("cast_ballot", ballot="abstain")
    return situation.do("cast_ballot", ballot="yes" if worth > 0 else "no")


def _finish(situation: Situation) -> Json | None:
    """Govern, set rates, build; then end the turn."""
    return power.declare(situation) or _set_rates(situation) or _build(situation)


def _set_rates(situation: Situation) -> Json | None:
    action = situation.menu.get("set_rate")
    if action is None:
        return None
    properties = action["schema"]["properties"]
    for name in properties["name"]["enum"]:
        rate = min(LEVEL[name.partition(".")[2]], properties["rate"]["maximum"])
        if figures.value_of(situation.state, f"utility.{name}_rate") < rate:
            return situation.do("set_rate", name=name, rate=rate)
    return None


def _build(situation: Situation) -> Json | None:
    """Build where a house adds most rent for its cost, while there is money to spare."""
    action = situation.menu.get("build")
    if action is None:
        return None
    board, titles = figures.board_of(situation.state), situation.state["titles"]
    squares = [board.squares[i] for i in action["schema"]["properties"]["square"]["enum"]]
    fitting = [square for square in squares if square.house_cost <= situation.spare]
    if not fitting:
        return None

    def gain(square: Square) -> tuple[float, int]:
        houses = titles[str(square.i)]["houses"]
        return (square.rent[houses + 1] - square.rent[houses]) / square.house_cost, -square.i

    return situation.do("build", square=max(fitting, key=gain).i)
