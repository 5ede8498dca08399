"""Every action of Public Assistance: under which prompts it is open, when not, within what bounds, and what it does."""

from collections.abc import Mapping
from functools import partial

from service.rules import actions as a
from service.rules.bounds import Bound, OneOf
from service.rules.choice import Choice
from service.rules.public_assistance import bets, custodian, loans, turn
from service.rules.public_assistance.table import PaPlay, State
from service.rules.violations import Refusal


def _why_not_roll(state: State, seat: int) -> Refusal | None:
    if state.players[seat].cheat:
        return Refusal("must_name_block", "CHEAT: this turn a block is named instead of rolling (PA-26).")
    return None


def _why_not_cheat(state: State, seat: int) -> Refusal | None:
    if not state.players[seat].cheat:
        return Refusal("no_cheat", "Only after landing on CHEAT may a block be named (PA-26).")
    return None


def _cheat_bounds(state: State, seat: int) -> dict[str, Bound]:
    own = state.players[seat].block
    return {"block": OneOf(tuple(block for block in range(52) if block != own))}


START = frozenset({"turn_start"})
WAIVER = frozenset({"waiver"})
PARTNER = frozenset({"partner_roll"})
RESULT = frozenset({"attest"})
ANY_TIME: frozenset[str] = frozenset()

CHOICES: Mapping[type[a.Action], Choice[State, PaPlay]] = {
    choice.record: choice
    for choice in (
        Choice(a.Roll, START, turn.roll, why_not=_why_not_roll),
        Choice(a.CheatMove, START, turn.cheat_move, why_not=_why_not_cheat, bounds=_cheat_bounds),
        Choice(
            a.BetHorses, START, turn.bet_horses, why_not=bets.why_not_bet, bounds=partial(bets.bet_bounds, "horses")
        ),
        Choice(
            a.BetLottery, START, turn.bet_lottery, why_not=bets.why_not_bet, bounds=partial(bets.bet_bounds, "lottery")
        ),
        Choice(a.Borrow, START, turn.borrow, why_not=loans.why_not_borrow, bounds=loans.borrow_bounds),
        Choice(a.Repay, START, turn.repay, why_not=loans.why_not_repay, bounds=loans.repay_bounds),
        Choice(a.UseWaiver, WAIVER, turn.use_waiver),
        Choice(a.TakeJob, WAIVER, turn.take_job),
        Choice(a.RollPartner, PARTNER, turn.roll_partner),
        Choice(a.DeclinePartner, PARTNER, turn.decline_partner),
        Choice(a.OfferBets, ANY_TIME, bets.offer_bets, why_not=bets.why_not_offer),
        Choice(a.WithdrawBets, ANY_TIME, bets.withdraw_bets, why_not=bets.why_not_withdraw),
        Choice(a.AttestBooks, ANY_TIME, custodian.attest_books, why_not=custodian.why_not_attest),
        Choice(a.AttestResult, RESULT, custodian.attest_result),
        Choice(a.DeclineResult, RESULT, custodian.decline_result),
    )
}
"""Every action by its record."""


def default_start(state: State, prompt: str) -> a.PlayAction:
    """Roll; with CHEAT pending, move to the 1st of the Month (PA-26, PA-57)."""
    seat = state.prompts[prompt].seat
    return a.CheatMove(prompt=prompt, block=0) if state.players[seat].cheat else a.Roll(prompt=prompt)


def default_waiver(_state: State, prompt: str) -> a.PlayAction:
    """Use the waiver (PA-30)."""
    return a.UseWaiver(prompt=prompt)


def default_partner(_state: State, prompt: str) -> a.PlayAction:
    """Do not roll (PA-46)."""
    return a.DeclinePartner(prompt=prompt)


def default_result(_state: State, prompt: str) -> a.PlayAction:
    """Do not attest: nobody's word is given for him (PA-10)."""
    return a.DeclineResult(prompt=prompt)


DEFAULTS = {
    "turn_start": default_start,
    "waiver": default_waiver,
    "partner_roll": default_partner,
    "attest": default_result,
}
"""What happens for an absent player, for every kind of prompt."""
