"""Horses, the lottery, and players who take bets (PA-20 to PA-25, PA-39, PA-54)."""

from typing import Literal

from events.base import CUSTODIAN, ESCROW, Account, seat_account
from events.public_assistance.events import BetPlaced, BetSettled, BetsOffered, BetsWithdrawn
from service.rules.actions import BetHorses, BetLottery, OfferBets, WithdrawBets
from service.rules.bounds import Bound, OneOf, Range
from service.rules.play import option_of
from service.rules.public_assistance.placing import run_out_of_money
from service.rules.public_assistance.shorthand import PaPlay, State, cash_of
from service.rules.violations import Refusal

BetKind = Literal["horses", "lottery"]


def why_not_bet(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not bet right now; None when it may."""
    player = state.players[seat]
    if player.track == "jail":
        return Refusal("no_bets_in_jail", "A player in jail may not bet (PA-20).")
    if player.track == "rut":
        return Refusal("no_bets_in_rut", "A working player may not bet (PA-39).")
    if player.bet_own == player.own:
        return Refusal("one_bet_a_turn", "There was a bet this turn already (PA-21).")
    return None


def multiplier(state: State, kind: BetKind) -> int:
    """Return how many times the stake a winner is paid (PA-23, PA-25)."""
    return option_of(state, "horse_multiplier" if kind == "horses" else "lottery_multiplier")


def takers(state: State, seat: int, kind: BetKind, stake: int = 1) -> list[int]:
    """List who takes a bet of this stake: 0 for the custodian, then seats with a covered offer (PA-54)."""
    willing = [0]
    for other in state.staying():
        player = state.players[other]
        offer = player.offer
        if other == seat or offer is None or player.track == "jail" or not state.options["player_bets"]:
            continue
        takes = offer.horses if kind == "horses" else offer.lottery
        covered = cash_of(state, other) >= multiplier(state, kind) * stake
        if takes and stake <= offer.max_stake and covered:
            willing.append(other)
    return willing


def bet_bounds(kind: BetKind, state: State, seat: int) -> dict[str, Bound]:
    """Bound the parameters of a bet: what the cash and the agreed limit allow, and who takes it."""
    most = min(option_of(state, "max_stake"), cash_of(state, seat))
    return {"stake": Range(1, most), "taker": OneOf(takers(state, seat, kind))}


def bet_on_horses(play: PaPlay, seat: int, bet: BetHorses) -> bool:
    """Bet on the sum of two dice; true when the bettor's turn ended with it."""
    placed = _place(play, seat, kind="horses", pick=bet.horse, stake=bet.stake, taker=bet.taker)
    faces = play.roll(seat, "horses", seat, play.state.players[seat].own, count=2)
    return _pay_out(play, placed, won=sum(faces) == bet.horse)


def bet_on_lottery(play: PaPlay, seat: int, bet: BetLottery) -> bool:
    """Bet on three dice; true when the bettor's turn ended with it."""
    placed = _place(play, seat, kind="lottery", pick=int(bet.number), stake=bet.stake, taker=bet.taker)
    faces = play.roll(seat, "lottery", seat, play.state.players[seat].own, count=3)
    exact = play.state.options["lottery_match"] == "exact_order"
    return _pay_out(play, placed, won=comes_up(bet.number, faces, exact=exact))


def comes_up(number: str, faces: tuple[int, ...], *, exact: bool) -> bool:
    """Return whether an announced number matches the dice, in order or in any (PA-25)."""
    announced = tuple(int(digit) for digit in number)
    return announced == faces if exact else sorted(announced) == sorted(faces)


def _place(play: PaPlay, seat: int, *, kind: BetKind, pick: int, stake: int, taker: int) -> BetPlaced:
    if taker not in takers(play.state, seat, kind, stake):
        raise play.refusal("bet_not_covered", f"Seat {taker} does not take a {kind} bet of ${stake} (PA-54).", "taker")
    house = seat_account(taker) if taker else CUSTODIAN
    placed = BetPlaced(seat=seat, game=kind, pick=pick, stake=stake, taker=house)
    play.record(placed)
    _move(play, placed, payer=seat_account(seat), payee=ESCROW, amount=stake, reason="stake")
    return placed


def _pay_out(play: PaPlay, bet: BetPlaced, *, won: bool) -> bool:
    """Pay out at once; then a bookmaker left with nothing goes, then such a bettor (PA-28)."""
    bettor = seat_account(bet.seat)
    prize = bet.stake * multiplier(play.state, bet.game) if won else 0
    play.record(
        BetSettled(seat=bet.seat, game=bet.game, pick=bet.pick, stake=bet.stake, taker=bet.taker, won=won, prize=prize)
    )
    if won and play.option("stake_returned"):
        _move(play, bet, payer=ESCROW, payee=bettor, amount=bet.stake, reason="stake_back")
    else:
        _move(play, bet, payer=ESCROW, payee=bet.taker, amount=bet.stake, reason="stake_lost")
    _move(play, bet, payer=bet.taker, payee=bettor, amount=prize, reason="bet_won")
    for seat in play.state.staying():
        if seat_account(seat) == bet.taker:
            run_out_of_money(play, seat)
    return run_out_of_money(play, bet.seat)


def _move(play: PaPlay, bet: BetPlaced, *, payer: Account, payee: Account, amount: int, reason: str) -> None:
    rule = "PA-23" if bet.game == "horses" else "PA-25"
    ref = f"bet:{bet.seat}:{play.state.players[bet.seat].own}"
    play.move_cash(payer, payee, amount, reason=reason, rule=rule, ref=ref)


def why_not_offer(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not take bets right now."""
    if not state.options["player_bets"]:
        return Refusal("option_off", "These players agreed that only the custodian takes bets (PA-54).")
    if state.players[seat].track == "jail":
        return Refusal("no_bets_in_jail", "A player in jail may not take bets (PA-20).")
    return None


def why_not_withdraw(state: State, seat: int) -> Refusal | None:
    """Return why there is nothing to withdraw."""
    if state.players[seat].offer is None:
        return Refusal("no_offer", "This seat takes no bets now.")
    return None


def offer_bets(play: PaPlay, seat: int, offer: OfferBets) -> None:
    """Post a standing offer; it replaces an earlier one."""
    if not (offer.horses or offer.lottery):
        raise play.refusal("empty_offer", "An offer takes bets on horses, on the lottery, or both.", "horses")
    play.record(BetsOffered(seat=seat, horses=offer.horses, lottery=offer.lottery, max_stake=offer.max_stake))


def withdraw_bets(play: PaPlay, seat: int, _action: WithdrawBets) -> None:
    """Take the offer back."""
    play.record(BetsWithdrawn(seat=seat))
