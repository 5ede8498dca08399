"""Which rules a game is played by: one record for each rulebook, found by the kind of its state."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from events.base import OptionValue, Rulebook
from events.lobby import DataPin
from events.public_assistance.board import public_assistance_pins
from events.social_justice.board import social_justice_pins
from projections.evolve import AnyState
from projections.state.base import GameState
from projections.state.public_assistance import PublicAssistanceState
from projections.state.social_justice import SocialJusticeState
from service.rules import actions as a
from service.rules import options as agreed
from service.rules.choice import AnyChoice
from service.rules.play import Play
from service.rules.public_assistance import choices as pa_choices
from service.rules.public_assistance import custodian as pa_custodian
from service.rules.public_assistance import ending as pa_ending
from service.rules.public_assistance import leaving as pa_leaving
from service.rules.public_assistance import turn as pa_turn
from service.rules.social_justice import agenda, banker
from service.rules.social_justice import choices as sjg_choices
from service.rules.social_justice import ending as sjg_ending
from service.rules.social_justice import leaving as sjg_leaving
from service.rules.social_justice import start as sjg_start
from service.rules.social_justice.table import SjPlay
from service.rules.violations import Refusal


def _nothing_to_conclude(_play: Play[Any]) -> None:
    """Public Assistance does everything at once: nothing is left behind an action."""


def _possible(_state: AnyState, _seat: int, _choice: AnyChoice) -> Refusal | None:
    return None


def _nothing_is_asked(play: Play[Any], _seat: int) -> None:
    """Behind the result of The Social Justice Game nobody is asked anything, so nobody can leave it."""
    raise play.refusal("game_over", "The game is over.")


@dataclass(frozen=True)
class Rules:
    """One rulebook, as everything outside its own modules sees it.

    Attributes:
        rulebook: Its name on the wire.
        title: Its name for people.
        places: Most seats.
        options: What the seats may agree on.
        pins: Gives the newest boards and decks.
        choices: Every action of a seat.
        defaults: What is done for an absent player, by kind of prompt.
        play: Makes the private copy on which an action is decided.
        settle: Gives options that were left to the number of seats their value.
        custodian: Names who answers for the purse from the start; 0 for nobody.
        begin: Begins, behind the start.
        finish: Ends the game for a reason, with a result.
        leave: Lets a seat leave during play.
        leave_result: Lets a seat go that is asked something behind the result.
        conclude: Does what is left behind every action.
        why_not: Says why a seat may do nothing of a kind right now, whatever is asked.
    """

    rulebook: Rulebook
    title: str
    places: int
    options: agreed.OptionSet
    pins: Callable[[], tuple[DataPin, ...]]
    choices: Mapping[type[a.Action], AnyChoice]
    defaults: Mapping[str, Callable[[Any, str], a.PlayAction]]
    play: Callable[..., Play[Any]]
    settle: Callable[[Mapping[str, OptionValue], int], dict[str, OptionValue]]
    custodian: Callable[[Any], int]
    begin: Callable[[Any], None]
    finish: Callable[[Any, Literal["completed", "abandoned"]], None]
    leave: Callable[[Any, int], None]
    leave_result: Callable[[Any, int], None] = _nothing_is_asked
    conclude: Callable[[Any], None] = _nothing_to_conclude
    why_not: Callable[[Any, int, AnyChoice], Refusal | None] = _possible


PUBLIC_ASSISTANCE = Rules(
    rulebook="public_assistance",
    title="Public Assistance",
    places=4,
    options=agreed.OF_PUBLIC_ASSISTANCE,
    pins=public_assistance_pins,
    choices=pa_choices.CHOICES,
    defaults=pa_choices.DEFAULTS,
    play=Play,
    settle=agreed.settle,
    custodian=pa_custodian.name_first,
    begin=pa_turn.begin,
    finish=pa_ending.finish,
    leave=pa_leaving.leave,
    leave_result=pa_custodian.leave_result,
)

SOCIAL_JUSTICE = Rules(
    rulebook="social_justice",
    title="The Social Justice Game",
    places=8,
    options=agreed.OF_SOCIAL_JUSTICE,
    pins=social_justice_pins,
    choices=sjg_choices.CHOICES,
    defaults=sjg_choices.DEFAULTS,
    play=SjPlay,
    settle=agreed.settle_social_justice,
    custodian=banker.name_first,
    begin=sjg_start.begin,
    finish=sjg_ending.finish,
    leave=sjg_leaving.leave,
    conclude=agenda.conclude,
    why_not=sjg_choices.why_not_at_all,
)

RULES: Mapping[str, Rules] = {rules.rulebook: rules for rules in (PUBLIC_ASSISTANCE, SOCIAL_JUSTICE)}
"""By name on the wire."""

ACTIONS: Mapping[str, type[a.Action]] = {a.name_of(kind): kind for rules in RULES.values() for kind in rules.choices}
"""Every action of a seat by name, in the order of the catalogues."""

_BY_STATE: Mapping[type[GameState], Rules] = {
    PublicAssistanceState: PUBLIC_ASSISTANCE,
    SocialJusticeState: SOCIAL_JUSTICE,
}


def rules_of(state: AnyState) -> Rules:
    """Give the rules that a game is played by."""
    return _BY_STATE[type(state)]
