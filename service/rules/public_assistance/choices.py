"""Every action of Public Assistance: under which prompts it is open, when not, within what bounds, and what it does."""

from collections.abc import Callable, Mapping
from functools import partial

from service.rules import actions as a
from service.rules.bounds import Bound, OneOf
from service.rules.choice import Choice
from service.rules.public_assistance import bets, custodian, job, loans, turn
from service.rules.public_assistance.shorthand import PaPlay, State
from service.rules.violations import Refusal


def _why_not_cheat(state: State, seat: int) -> Refusal | None:
    if not state.players[seat].cheat:
        return Refusal("no_cheat", "Only after landing on CHEAT may a block be named (PA-26).")
    return None


def _cheat_bounds(state: State, seat: int) -> dict[str, Bound]:
    own = state.players[seat].block
    return {"block": OneOf(tuple(block for block in range(52) if block != own))}


def _no_waiver_asked(state: State, seat: int) -> Refusal:
    if not job.waivers(state, seat):
        return Refusal("no_waiver", "No waiver is kept that could cancel a job (PA-30).")
    return Refusal("no_job", "A waiver is asked for on Get a Job blocks and at work release alone (PA-30).")


def _no_partner_asked(state: State, seat: int) -> Refusal:
    if state.players[seat].partner < 0:
        return Refusal("partner_away", "The partner is not on the Cake Walk; a Gov't Job leads there (PA-45).")
    return Refusal("roll_not_earned", "The partner's roll is asked for after doubles, or at another Gov't Job (PA-46).")


def _no_result_asked(_state: State, _seat: int) -> Refusal:
    return Refusal("no_result", "There is no result yet to be attested (PA-10).")


START = frozenset({"turn_start"})
WAIVER = frozenset({"waiver"})
PARTNER = frozenset({"partner_roll"})
RESULT = frozenset({"attest"})
ANY_TIME: frozenset[str] = frozenset()

CHOICES: Mapping[type[a.Action], Choice[State, PaPlay]] = {
    choice.record: choice
    for choice in (
        Choice(a.Roll, START, turn.roll, why_not=turn.why_not_roll),
        Choice(a.CheatMove, START, turn.cheat_move, why_not=_why_not_cheat, bounds=_cheat_bounds),
        Choice(
            a.BetHorses, START, turn.bet_horses, why_not=bets.why_not_bet, bounds=partial(bets.bet_bounds, "horses")
        ),
        Choice(
            a.BetLottery, START, turn.bet_lottery, why_not=bets.why_not_bet, bounds=partial(bets.bet_bounds, "lottery")
        ),
        Choice(a.Borrow, START, loans.borrow, why_not=loans.why_not_borrow, bounds=loans.borrow_bounds),
        Choice(a.Repay, START, loans.repay, why_not=loans.why_not_repay, bounds=loans.repay_bounds),
        Choice(a.UseWaiver, WAIVER, turn.use_waiver, why_not_asked=_no_waiver_asked),
        Choice(a.TakeJob, WAIVER, turn.take_job, why_not_asked=_no_waiver_asked),
        Choice(a.RollPartner, PARTNER, turn.answer_partner, why_not_asked=_no_partner_asked),
        Choice(a.DeclinePartner, PARTNER, turn.answer_partner, why_not_asked=_no_partner_asked),
        Choice(a.OfferBets, ANY_TIME, bets.offer_bets, why_not=bets.why_not_offer),
        Choice(a.WithdrawBets, ANY_TIME, bets.withdraw_bets, why_not=bets.why_not_withdraw),
        Choice(a.AttestBooks, ANY_TIME, custodian.attest_books, why_not=custodian.why_not_attest),
        Choice(a.AttestResult, RESULT, custodian.attest_result, why_not_asked=_no_result_asked),
        Choice(a.DeclineResult, RESULT, custodian.decline_result, why_not_asked=_no_result_asked),
    )
}
"""Every action by its record."""


def default_start(state: State, prompt: str) -> a.PlayAction:
    """Roll; with CHEAT pending, move to the 1st of the Month (PA-26, PA-57)."""
    seat = state.prompts[prompt].seat
    return a.CheatMove(prompt=prompt, block=0) if state.players[seat].cheat else a.Roll(prompt=prompt)


DEFAULTS: Mapping[str, Callable[[State, str], a.PlayAction]] = {
    "turn_start": default_start,
    "waiver": lambda _state, prompt: a.UseWaiver(prompt=prompt),
    "partner_roll": lambda _state, prompt: a.DeclinePartner(prompt=prompt),
    # The rules never speak for the custodian.
    "attest": lambda _state, prompt: a.DeclineResult(prompt=prompt),
}
"""What happens for an absent player, for every kind of prompt (PA-10, PA-30, PA-46)."""
