"""Which rules a game is played by: one record for each rulebook, found by the kind of its state."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from events.base import OptionValue, Rulebook
from events.lobby import DataPin
from events.public_assistance.board import public_assistance_pins
from events.social_justice.board import social_justice_pins
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
from service.rules.social_justice.shorthand import SjPlay
from service.rules.violations import Refusal


def _nothing_is_asked(play: Play[Any], _seat: int) -> None:
    raise play.refusal("game_over", "The game is over.")


@dataclass(frozen=True)
class Rules:
    """One rulebook, as everything outside its own modules sees it.

    Attributes:
        rulebook: Its name on the wire.
        title: Its name for people.
        places: Most seats.
        options: What the seats may agree on.
        settle_options: Returns options, with what was left to the number of seats.
        pins: Returns the newest boards and decks.
        play: Makes the private copy on which an action is decided.
        choices: Every action of a seat.
        defaults: What is done for an absent player, by kind of prompt.
        custodian: Returns which seat answers for the purse from the start; 0 for none.
        begin: Begins, after the start.
        leave: Takes a seat out during play.
        finish: Ends the game for a reason, with a result.
        leave_result: Takes a seat out that is asked something after the result.
        conclude: Does what is left to do after every action; None where an action does everything at once.
        why_not: Returns why a seat may do nothing of a kind right now, whatever is asked; None where it always may.
    """

    rulebook: Rulebook
    title: str
    places: int
    options: agreed.OptionSet
    settle_options: Callable[[Mapping[str, OptionValue], int], dict[str, OptionValue]]
    pins: Callable[[], tuple[DataPin, ...]]
    play: Callable[..., Play[Any]]
    choices: Mapping[type[a.Action], AnyChoice]
    defaults: Mapping[str, Callable[[Any, str], a.PlayAction]]
    custodian: Callable[[Any], int]
    begin: Callable[[Any], None]
    leave: Callable[[Any, int], None]
    finish: Callable[[Any, Literal["completed", "abandoned"]], None]
    leave_result: Callable[[Any, int], None] = _nothing_is_asked
    conclude: Callable[[Any], None] | None = None
    why_not: Callable[[Any, int, AnyChoice], Refusal | None] | None = None


PUBLIC_ASSISTANCE = Rules(
    rulebook="public_assistance",
    title="Public Assistance",
    places=4,
    options=agreed.OF_PUBLIC_ASSISTANCE,
    settle_options=agreed.settle_months,
    pins=public_assistance_pins,
    play=Play,
    choices=pa_choices.CHOICES,
    defaults=pa_choices.DEFAULTS,
    custodian=pa_custodian.name_first,
    begin=pa_turn.begin,
    leave=pa_leaving.leave,
    finish=pa_ending.finish,
    # The custodian may be asked to attest the result.
    leave_result=pa_custodian.leave_result,
)

SOCIAL_JUSTICE = Rules(
    rulebook="social_justice",
    title="The Social Justice Game",
    places=8,
    options=agreed.OF_SOCIAL_JUSTICE,
    settle_options=agreed.settle_rate_limit,
    pins=social_justice_pins,
    play=SjPlay,
    choices=sjg_choices.CHOICES,
    defaults=sjg_choices.DEFAULTS,
    custodian=banker.name_first,
    begin=sjg_start.begin,
    leave=sjg_leaving.leave,
    finish=sjg_ending.finish,
    # What an action sets off waits on an agenda, since a debt or a question may come in between.
    conclude=agenda.conclude,
    # A seat may be out, or a vote may be open in which only ballots count.
    why_not=sjg_choices.why_not_at_all,
)

RULES: Mapping[str, Rules] = {rules.rulebook: rules for rules in (PUBLIC_ASSISTANCE, SOCIAL_JUSTICE)}
"""By name on the wire."""

ACTIONS: Mapping[str, type[a.Action]] = {a.name_of(kind): kind for rules in RULES.values() for kind in rules.choices}
"""Every action of a seat by name, in the order of the catalogues."""

RULES_OF: Mapping[type[GameState], Rules] = {
    PublicAssistanceState: PUBLIC_ASSISTANCE,
    SocialJusticeState: SOCIAL_JUSTICE,
}
"""The rules that a game is played by, by the type of its state."""
