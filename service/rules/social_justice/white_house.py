"""The White House: speech, vote, and a President's powers until the turn ends (SJG-78 to SJG-85)."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from events.social_justice.board import ROLES
from events.social_justice.board import RoleName as Role
from events.social_justice.operations import AREAS, Area
from events.social_justice.politics import (
    PresidencyEnded,
    PresidentElected,
    PrisonerPardoned,
    RuleDeclared,
    Setting,
    SpeechGiven,
    TroopsWithdrawn,
)
from events.social_justice.tasks import AfterVote, Ask
from service.rules import actions_politics as a
from service.rules.action_base import Action
from service.rules.bounds import Bound, OneOf
from service.rules.choice import AnyChoice, Choice
from service.rules.social_justice import jail, votes
from service.rules.social_justice.shorthand import END, SjPlay, State, number, roles_in
from service.rules.violations import Refusal

SPEECH = "speech"
"""The kind of prompt of a seat that may stand for President."""


def arrive(play: SjPlay, seat: int) -> None:
    """Offer a speech to a seat of the right role (SJG-78); to all others nothing happens."""
    if play.state.citizens[seat].role in roles_in(play.state, "white_house.roles"):
        play.push(Ask(seat=seat, kind=SPEECH))


def give_speech(play: SjPlay, seat: int, action: a.GiveSpeech) -> None:
    """Promise, and call the vote (SJG-78); the candidate's own yes is cast with the call."""
    play.answer(action.prompt)
    promises = tuple(area for area in AREAS if area in action.promises)
    play.record(SpeechGiven(seat=seat, vote=votes.next_id(play.state), promises=promises, text=action.text))
    votes.open_vote(play, "presidency", seat, then=AfterVote(kind="presidency", seat=seat))


def after_vote(play: SjPlay, task: AfterVote) -> None:
    """Make the candidate President until the turn ends, if enough affirmed (SJG-79)."""
    politics = play.state.politics
    if politics.outcome == "passed":
        play.record(PresidentElected(seat=task.seat, vote=f"v{politics.votes}"))


def leave_office(play: SjPlay) -> None:
    """End a presidency with its turn; what was promised and what was declared stays on record (SJG-80)."""
    term = play.state.politics.presidency
    if term is not None:
        play.record(PresidencyEnded(seat=term.seat, vote=term.vote, promised=term.promised, declared=term.declared))


def why_not_declare(area: Area, state: State, seat: int) -> Refusal | None:
    """Return why a power may not be used right now; None when it may."""
    term = state.politics.presidency
    if term is None or term.seat != seat:
        return Refusal("not_president", "Only the President of this turn may declare anything (SJG-80).")
    if area in term.declared:
        return Refusal("power_used", "Each area is declared at most once in a presidency (SJG-80).")
    if not number(state, f"white_house.power.{area}"):
        return Refusal("power_off", "The rules in force deny the President this area.")
    return None


def why_not_free(state: State, seat: int) -> Refusal | None:
    """Return why nobody may be freed from jail right now."""
    if not _prisoners(state):
        return Refusal("nobody_in_jail", "Nobody is in jail (SJG-84).")
    return why_not_declare("pardon", state, seat)


def why_not_troops(state: State, seat: int) -> Refusal | None:
    """Return why nobody may be taken out of harm's way right now."""
    if not in_harms_way(state):
        return Refusal("nobody_in_harms_way", "Nobody is serving in harm's way (SJG-85).")
    return why_not_declare("troops", state, seat)


def free_bounds(state: State, _seat: int) -> dict[str, Bound]:
    """Bound whom a pardon may free: who is in jail."""
    return {"free": OneOf(_prisoners(state))}


def _prisoners(state: State) -> list[int]:
    return [seat for seat in state.alive() if state.citizens[seat].jailed]


def in_harms_way(state: State) -> list[int]:
    """List who serves and may be killed."""
    return [seat for seat in state.alive() if state.citizens[seat].harms_way]


def declare_bailout(play: SjPlay, seat: int, action: a.DeclareBailout) -> None:
    """Set the landing rates of Enron and Flint, perhaps by role (SJG-81)."""
    rates = {"enron": action.enron, "flint": action.flint}
    _declare(play, seat, "bailout", [setting for utility, rate in rates.items() for setting in _landing(utility, rate)])


def objection_to_bailout(_state: State, _seat: int, action: a.DeclareBailout) -> Refusal | None:
    """Return why a bailout would set nothing."""
    if action.enron is None and action.flint is None:
        return Refusal("empty_declaration", "A bailout sets the rate of Enron, of Flint, or of both.", "enron")
    return None


def _landing(utility: str, rate: int | Mapping[Role, int] | None) -> list[Setting]:
    """Set a landing rate; one by role is the highest of them, with a cap for each role named."""
    name = f"utility.{utility}.landing_rate"
    if rate is None:
        return []
    if isinstance(rate, int):
        return [Setting(param=name, value=rate)]
    caps = [Setting(param=f"utility.{utility}.landing_cap.{role}", value=rate[role]) for role in ROLES if role in rate]
    return [Setting(param=name, value=max(rate.values())), *caps]


def declare_care(play: SjPlay, seat: int, action: a.DeclareCare) -> None:
    """Set the hospital's fees, for all or by role (SJG-82)."""
    fee = action.fee
    fees = dict.fromkeys(ROLES, fee) if isinstance(fee, int) else fee
    settings = [Setting(param=f"hospital.fee.{role}", value=fees[role]) for role in ROLES if role in fees]
    _declare(play, seat, "care", settings)


def declare_net(play: SjPlay, seat: int, action: a.DeclareNet) -> None:
    """Set Froogle's landing rate (SJG-83)."""
    _declare(play, seat, "net", _landing("froogle", action.froogle))


def declare_sentence(play: SjPlay, seat: int, action: a.DeclareSentence) -> None:
    """Set how many turns a prisoner misses, for later sentences (SJG-84)."""
    _declare(play, seat, "pardon", [Setting(param="jail.fixed_turns", value=action.fixed_turns)])


def free_prisoner(play: SjPlay, seat: int, action: a.FreePrisoner) -> None:
    """Free one prisoner at once (SJG-84): to Payday, without its pay (SJG-62); what that sets off comes at once too."""
    play.answer(action.prompt)
    play.push(Ask(seat=seat, kind="turn_end"))
    play.record(PrisonerPardoned(seat=seat, freed=action.free))
    jail.release(play, action.free, how="pardoned")


def withdraw_troops(play: SjPlay, seat: int, action: a.WithdrawTroops) -> None:
    """Take serving seats out of harm's way until their tours end (SJG-85)."""
    play.record(TroopsWithdrawn(seat=seat, seats=tuple(sorted(set(action.players)))))


def objection_to_troops(state: State, _seat: int, action: a.WithdrawTroops) -> Refusal | None:
    """Return who cannot be withdrawn."""
    safe = sorted(set(action.players) - set(in_harms_way(state)))
    if safe:
        return Refusal("not_in_harms_way", f"Seat {safe[0]} is not in harm's way.", "players")
    return None


def _declare(play: SjPlay, seat: int, area: Area, settings: list[Setting]) -> None:
    politics = play.state.politics
    assert politics.presidency is not None, "checked by the choice"
    play.record(
        RuleDeclared(
            rule=f"r{politics.rules + 1}",
            vote=politics.presidency.vote,
            seat=seat,
            area=area,
            settings=tuple(settings),
        )
    )


def _promise_nothing(_state: State, _seat: int) -> dict[str, Any]:
    return {"text": "", "promises": []}


def _declaration(_state: State, _seat: int) -> dict[str, Any]:
    return {"enron": 25, "flint": 25, "fee": 100, "froogle": 25, "fixed_turns": 1}


def _troops(state: State, _seat: int) -> dict[str, Any]:
    return {"players": in_harms_way(state)}


def _declaring(area: Area, record: type[Action], act: Callable[[SjPlay, int, Any], None], **more: Any) -> AnyChoice:
    return Choice(record, END, act, partial(why_not_declare, area), example=_declaration, **more)


CHOICES: tuple[AnyChoice, ...] = (
    Choice(a.GiveSpeech, frozenset({SPEECH}), give_speech, example=_promise_nothing),
    _declaring("bailout", a.DeclareBailout, declare_bailout, objection=objection_to_bailout),
    _declaring("care", a.DeclareCare, declare_care),
    _declaring("net", a.DeclareNet, declare_net),
    _declaring("pardon", a.DeclareSentence, declare_sentence),
    Choice(a.FreePrisoner, END, free_prisoner, why_not_free, free_bounds),
    Choice(a.WithdrawTroops, END, withdraw_troops, why_not_troops, objection=objection_to_troops, example=_troops),
)
"""In the order of a turn."""
