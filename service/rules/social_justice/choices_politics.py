"""Every action of politics: under which prompts it is open, when not, within what bounds, and what it does."""

from collections.abc import Callable
from functools import partial
from typing import Any

from events.social_justice.operations import Area
from service.rules import actions as a
from service.rules import actions_politics as p
from service.rules.actions_social_justice import Decline
from service.rules.choice import Choice
from service.rules.social_justice import proposals, votes, white_house
from service.rules.social_justice.table import END, START, SjPlay, State
from service.rules.violations import Refusal

BALLOT = frozenset({votes.BALLOT})
SPEECH = frozenset({white_house.SPEECH})


def _proposal(_state: State, _seat: int) -> dict[str, Any]:
    return {"operations": [{"op": "set", "param": "property.rent_pct", "value": 90}]}


def _ballot(_state: State, _seat: int) -> dict[str, Any]:
    return {"ballot": "yes"}


def _speech(_state: State, _seat: int) -> dict[str, Any]:
    return {"text": "", "promises": []}


def _declaration(_state: State, _seat: int) -> dict[str, Any]:
    return {"enron": 25, "flint": 25, "fee": 100, "froogle": 25, "fixed_turns": 1}


def _troops(state: State, _seat: int) -> dict[str, Any]:
    return {"players": white_house.in_harms_way(state)}


def _declared(area: Area) -> Callable[[State, int], Refusal | None]:
    return partial(white_house.why_not_declare, area)


CHOICES: tuple[Choice[State, SjPlay], ...] = (
    Choice(
        p.Propose, START, proposals.propose, why_not=proposals.why_not_propose,
        example=_proposal, objection=proposals.objection,
    ),
    Choice(p.CastBallot, BALLOT, votes.cast, example=_ballot),
    Choice(p.GiveSpeech, SPEECH, white_house.give_speech, example=_speech),
    Choice(
        p.DeclareBailout, END, white_house.declare_bailout, why_not=_declared("bailout"),
        example=_declaration, objection=white_house.objection_to_bailout,
    ),
    Choice(p.DeclareCare, END, white_house.declare_care, why_not=_declared("care"), example=_declaration),
    Choice(p.DeclareNet, END, white_house.declare_net, why_not=_declared("net"), example=_declaration),
    Choice(p.DeclareSentence, END, white_house.declare_sentence, why_not=_declared("pardon"), example=_declaration),
    Choice(
        p.FreePrisoner, END, white_house.free_prisoner, why_not=white_house.why_not_free, bounds=white_house.free_bounds
    ),
    Choice(
        p.WithdrawTroops, END, white_house.withdraw_troops, why_not=white_house.why_not_troops,
        example=_troops, objection=white_house.objection_to_troops,
    ),
)  # fmt: skip
"""In the order of a turn."""


def default_ballot(_state: State, prompt: str) -> a.PlayAction:
    """Do not affirm (SJG-33)."""
    return p.CastBallot(prompt=prompt, ballot="abstain")


def default_speech(_state: State, prompt: str) -> a.PlayAction:
    """Decline (SJG-86)."""
    return Decline(prompt=prompt)


DEFAULTS = {votes.BALLOT: default_ballot, white_house.SPEECH: default_speech}
"""What happens for an absent player."""
