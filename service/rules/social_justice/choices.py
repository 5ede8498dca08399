"""Every action of The Social Justice Game: when it is open, within what bounds, and what it does.

An action of politics or deals is put together in the module of its rules.
"""

from collections.abc import Callable, Mapping

from service.rules import actions as a
from service.rules import actions_social_justice as s
from service.rules.choice import AnyChoice, Choice
from service.rules.social_justice import (
    agreements,
    banking,
    cards,
    college,
    gifts,
    jail,
    military,
    movement,
    offer_actions,
    offer_answers,
    proposals,
    raising,
    rates,
    start,
    titles,
    turn,
    votes,
    white_house,
)
from service.rules.social_justice.shorthand import END, OWN_TURN, RAISING, START, SjPlay, State
from service.rules.violations import Refusal

RENT = frozenset({"rent"})
DECLINED = frozenset({"buy", "rent", "aid", "tuition", "enlist", "jail_pass", "bail", "stop", "speech"})
"""Kinds of prompts that may be answered by declining what is offered."""


def answer(play: SjPlay, _seat: int, action: a.Prompted) -> None:
    """Answer and do nothing else: what waits on the agenda goes on."""
    play.answer(action.prompt)


CORE: tuple[AnyChoice, ...] = (
    Choice(s.ChooseRole, frozenset({"choose_role"}), start.choose_role, bounds=start.role_bounds),
    Choice(s.DrawRole, frozenset({"choose_role"}), answer),
    Choice(a.Roll, START, turn.roll),
    Choice(s.EndTurn, END, answer),
    Choice(s.Stop, frozenset({"stop"}), movement.stop),
    Choice(s.Decline, DECLINED, answer, why_not=titles.why_not_pass_rent),
    Choice(s.Buy, frozenset({"buy"}), titles.buy, why_not=titles.why_not_buy),
    Choice(s.PayRent, RENT, titles.pay_rent, why_not=titles.why_not_pay_rent),
    Choice(s.Gentrify, RENT, titles.gentrify, titles.why_not_gentrify, titles.gentrify_bounds),
    Choice(s.Donate, RENT | END, titles.donate, titles.why_not_donate, titles.donate_bounds),
    Choice(s.Build, END, titles.build, titles.why_not_build, titles.build_bounds),
    Choice(s.SetRate, OWN_TURN, rates.set_rate, rates.why_not_set, rates.rate_bounds, objection=rates.objection),
    Choice(s.ApplyForAid, frozenset({"aid"}), college.apply_for_aid),
    Choice(s.PayTuition, frozenset({"tuition"}), college.pay_tuition, college.why_not_tuition),
    Choice(s.Enlist, frozenset({"enlist"}), military.enlist),
    Choice(s.UsePass, frozenset({"jail_pass"}), jail.use_pass),
    Choice(s.PayBail, frozenset({"bail"}), jail.pay_bail, jail.why_not_bail),
    Choice(s.PayFine, frozenset({"pay_or_jail"}), cards.pay_fine, cards.why_not_pay_fine),
    Choice(s.GoToJail, frozenset({"pay_or_jail"}), cards.go_to_jail),
    Choice(s.TakeHouse, frozenset({"free_house"}), cards.take_house, bounds=cards.house_bounds),
    Choice(s.RaiseFunds, RAISING, raising.raise_funds, raising.why_not_raise),
    Choice(s.DeclareBankruptcy, RAISING, raising.declare_bankruptcy, raising.why_not_bankrupt),
)

POLITICS: tuple[AnyChoice, ...] = (proposals.PROPOSE, votes.CAST_BALLOT, *white_house.CHOICES)

DEALS: tuple[AnyChoice, ...] = (
    offer_actions.SELL_TITLE,
    offer_actions.BID_FOR_TITLE,
    banking.SELL_TO_BANK,
    offer_actions.REQUEST_LOAN,
    banking.BORROW_FROM_BANK,
    banking.REPAY_LOAN,
    offer_actions.PROPOSE_AGREEMENT,
    offer_answers.ACCEPT,
    offer_answers.DECLINE,
    offer_answers.WITHDRAW,
    offer_answers.COUNTER_SALE,
    offer_answers.COUNTER_LOAN,
    offer_answers.COUNTER_AGREEMENT,
    agreements.CANCEL_AGREEMENT,
    gifts.PAY,
)
"""None of them opens a prompt: what nobody answers lapses with its turn or window (SJG-86)."""

CHOICES: Mapping[type[a.Action], AnyChoice] = {choice.record: choice for choice in (*CORE, *POLITICS, *DEALS)}
"""Every action by its record, in the order in which a menu lists them."""


def why_not_at_all(state: State, seat: int, choice: AnyChoice) -> Refusal | None:
    """Return why a seat may do nothing of a kind: it is out, or a vote is open and only ballots count (SJG-33)."""
    if state.citizens[seat].out:
        return Refusal("seat_out", "This seat is out of the game.")
    if votes.BALLOT not in choice.prompts and any(prompt.kind == votes.BALLOT for prompt in state.prompts.values()):
        return Refusal("vote_open", "A vote is open: only ballots are taken until it is decided (SJG-33).")
    return None


def _decline(_state: State, prompt: str) -> a.PlayAction:
    return s.Decline(prompt=prompt)


def _rent(state: State, prompt: str) -> a.PlayAction:
    """Pay the rent, unless there is none to pay."""
    exempt = titles.why_not_pay_rent(state, state.prompts[prompt].seat)
    return s.Decline(prompt=prompt) if exempt else s.PayRent(prompt=prompt)


def _fine(state: State, prompt: str) -> a.PlayAction:
    """Pay if cash suffices, else go to jail."""
    short = cards.why_not_pay_fine(state, state.prompts[prompt].seat)
    return s.GoToJail(prompt=prompt) if short else s.PayFine(prompt=prompt)


DEFAULTS: Mapping[str, Callable[[State, str], a.PlayAction]] = {
    "choose_role": lambda _state, prompt: s.DrawRole(prompt=prompt),
    "turn_start": lambda _state, prompt: a.Roll(prompt=prompt),
    "turn_end": lambda _state, prompt: s.EndTurn(prompt=prompt),
    "stop": _decline,
    "buy": _decline,
    "rent": _rent,
    "aid": _decline,
    "tuition": _decline,
    "enlist": _decline,
    "jail_pass": lambda _state, prompt: s.UsePass(prompt=prompt),
    "bail": _decline,
    "pay_or_jail": _fine,
    "free_house": lambda state, prompt: s.TakeHouse(
        prompt=prompt, square=cards.roomy(state, state.prompts[prompt].seat)[0]
    ),
    "raise_funds": raising.default,
    votes.BALLOT: votes.default_ballot,
    white_house.SPEECH: _decline,
}
"""What happens for an absent player, for every kind of prompt (SJG-86)."""
