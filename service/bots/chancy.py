"""A bot that plays any legal action, with parameters by chance: for tests, and as the easiest of opponents.

Its chance is its own, from a seed, and has nothing to do with the game's.
"""

import random

from service.bots.base import Json
from service.bots.offers import answers_of
from service.bots.proposals import any_proposal


class RandomBot:
    """Plays by chance; the same seed and the same games give the same choices.

    Args:
        seed: Of its own chance.
    """

    ignored: frozenset[str] = frozenset()

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, actions: list[Json], state: Json) -> Json:
        """Choose any of the actions and any of its parameters; see `Bot`."""
        usual = [action for action in actions if action["default"]]
        many = state["rulebook"] == "social_justice" and bool(usual)  # half the time, so that a turn comes to its end
        return self._any(usual if many and self._random.random() < 1 / 2 else actions, state)

    def answer(self, actions: list[Json], state: Json) -> Json | None:
        """Answer an offer in any way, or not at all; see `Bot`."""
        answers = answers_of(actions)
        return self._any(answers, state) if answers and self._random.random() < 1 / 2 else None

    def _any(self, actions: list[Json], state: Json) -> Json:
        action = self._random.choice(actions)
        properties: dict[str, Json] = action["schema"]["properties"]
        body = {name: sample(self._random, shape, action["body"][name]) for name, shape in properties.items()}
        if action["name"] == "propose":
            body["operations"] = any_proposal(self._random, state)
        return _agreeing(body, action["body"])


def sample(chance: random.Random, shape: Json, example: object) -> object:
    """Choose a value that a property's schema allows; of a shape that is not known, the one that is sure to be."""
    if "const" in shape:
        return shape["const"]
    if "enum" in shape:
        return chance.choice(shape["enum"])
    if shape.get("type") == "boolean":
        return chance.random() < 1 / 2
    if shape.get("type") == "integer":
        step = shape.get("multipleOf", 1)
        low, high = -(-shape["minimum"] // step), shape["maximum"] // step
        return step * _towards_low(chance, low, high)
    if shape.get("pattern") == "^[1-6]{3}$":
        return "".join(chance.choice("123456") for _ in range(3))
    return example


def _towards_low(chance: random.Random, low: int, high: int) -> int:
    """Choose from a range: every order of magnitude as likely as the next, so that a million is rare."""
    most = min(high, low + 10 ** chance.randint(0, len(str(high - low))))
    return chance.randint(low, most)


def _agreeing(body: Json, example: Json) -> Json:
    """Return a body in which parameters agree that no schema of single ones binds, as in the example.

    A seat takes a bet only as far as its cash covers the prize: the stake of the example always is. An offer takes
    bets on something. Who has many agreements can make no other.
    """
    if body["action"] == "propose_agreement":
        body["party"] = example["party"]
    if body.get("taker"):
        body["stake"] = example["stake"]
    if body.get("horses") is False and body.get("lottery") is False:
        body["horses"] = example["horses"]
    return body
