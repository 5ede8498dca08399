"""Who plays the golden games."""

import random
from collections.abc import Callable
from typing import Any

from projections.evolve import AnyState
from projections.state.social_justice import SocialJusticeState
from service.bots import SensibleBot, menu_of, view_of
from service.bots.offers import waiting_seats
from service.rules.legal import LegalAction, legal_actions
from tests.golden.scripts import Script
from tests.properties.citizens import Anybody
from tests.properties.players import legal
from tests.support.kinds import sjg

Wish = tuple[int, dict[str, Any]]
Wishes = Callable[[AnyState], Wish | None]
"""Who acts next and what it sends; None where the one that was picked can do nothing."""


EAGERNESS = 0.7
"""How often a seat does what the script is for; never always, so that what can be done again comes to an end."""

PROPOSES = 1 / 4
"""How often a turn is given up for the script's next proposal."""


def players_of(script: Script, chance: random.Random) -> Wishes:
    """Seat the players of a script."""
    if script.calm:
        return _calm
    if script.rulebook == "social_justice":
        return Citizens(script, chance).wish
    return lambda state: legal(state, chance)


def _calm(state: AnyState) -> Wish:
    seat = next(iter(state.prompts.values())).seat
    return seat, next(action.body for action in legal_actions(state, seat).open if action.default)


class Citizens:
    """Players of The Social Justice Game: with sense, and now and then anything at all.

    Args:
        script: Tells how many they are, and how wild.
        chance: Of what they do without sense.
    """

    def __init__(self, script: Script, chance: random.Random) -> None:
        self._wild = script.wild
        self._eager = script.eager
        self._proposals = list(script.proposals)
        self._chance = chance
        self._anybody = Anybody(chance)
        self._bots = {seat: SensibleBot(script.seed + seat) for seat in range(1, script.seats + 1)}

    def wish(self, state: AnyState) -> Wish | None:
        """Answer an offer, or the first prompt; or let anybody do anything."""
        if self._chance.random() < self._wild:
            return self._anybody.wish(sjg(state))
        return self._answer(sjg(state)) or self._hurry(sjg(state)) or self._choose(sjg(state))

    def _answer(self, state: SocialJusticeState) -> Wish | None:
        for seat in waiting_seats(state):
            body = self._bots[seat].answer(menu_of(state, seat), view_of(state))
            if body is not None:
                return seat, body
        return None

    def _hurry(self, state: SocialJusticeState) -> Wish | None:
        """Do what the script is for, if it can be done: as it is offered, or with other parameters."""
        if self._chance.random() >= EAGERNESS:
            return None
        seat = next(iter(state.prompts.values())).seat
        menu = legal_actions(state, seat).open
        found = [action for action in menu if action.name in self._eager]
        found += [action for action in menu if action.name == "propose" and self._proposes()]
        return (seat, self._body(state, seat, self._chance.choice(found))) if found else None

    def _proposes(self) -> bool:
        return bool(self._proposals) and self._chance.random() < PROPOSES

    def _body(self, state: SocialJusticeState, seat: int, action: LegalAction) -> dict[str, Any]:
        if action.name == "cast_ballot":
            return {**action.body, "ballot": "yes"}
        if action.name == "propose":
            return {**action.body, "operations": self._proposals.pop(0)}
        return self._anybody.body(state, seat, action)

    def _choose(self, state: SocialJusticeState) -> Wish | None:
        seat = next(iter(state.prompts.values())).seat
        body = self._bots[seat].choose(menu_of(state, seat), view_of(state))
        return None if body is None else (seat, body)
