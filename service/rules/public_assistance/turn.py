"""The order of a turn, from the first roll to the next seat.

Skip → start prompt → movement with crossings, end test and bump → landing → out of money → partner roll → next seat.
"""

from events.play import OrderDecided, TurnEnded, TurnStarted
from events.public_assistance.events import CheatEnded, TurnSkipped
from service.rules.actions import BetHorses, BetLottery, CheatMove, DeclinePartner, Prompted, RollPartner
from service.rules.public_assistance import bets, ending, jail, job, landing, movement, partner
from service.rules.public_assistance.money import collect
from service.rules.public_assistance.placing import run_out_of_money
from service.rules.public_assistance.shorthand import PaPlay, State, block_under, stopped
from service.rules.violations import Refusal


def begin(play: PaPlay) -> None:
    """Pay the first allowance, roll for the first turn and start it (PA-6 to PA-9)."""
    seats = play.state.staying()
    for seat in seats:
        collect(play, seat, play.option("start_cash"), reason="first_allowance", rule="PA-7", ref="promenade:0")
    first = highest_roller(play, seats)
    order = [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]
    play.record(OrderDecided(order=tuple(order)))
    start_turn(play, first)


def highest_roller(play: PaPlay, seats: list[int]) -> int:
    """Roll until one seat is highest; only the tied ones roll again (PA-9)."""
    turn = 0
    while len(seats) > 1:
        turn += 1
        sums = {seat: sum(play.roll(seat, "first_roll", seat, turn, count=play.option("dice"))) for seat in seats}
        seats = [seat for seat in seats if sums[seat] == max(sums.values())]
    return seats[0]


def start_turn(play: PaPlay, seat: int) -> None:
    """Start a seat's turn; a pending skip is used up instead and the turn passes on (PA-57)."""
    while True:
        own = play.state.players[seat].own + 1
        play.record(TurnStarted(seat=seat, turn=play.state.turn + 1, own=own))
        skips = play.state.players[seat].skips
        if not skips:
            play.open_prompt(seat, "turn_start")
            return
        play.record(TurnSkipped(seat=seat, skips=skips - 1))
        play.record(TurnEnded(seat=seat))
        seat = next_seat(play, seat)


def next_seat(play: PaPlay, seat: int) -> int:
    """Return the seat whose turn comes after this one's; seats that left are passed over."""
    order, seats = play.state.order, play.state.seats
    at = order.index(seat)
    for other in order[at + 1 :] + order[: at + 1]:
        if not seats[other].left:
            return other
    raise AssertionError("one seat at least plays on")


def end_turn(play: PaPlay, seat: int) -> None:
    """End the turn; an end that was reached in it takes effect now (`finish_turn`), else the next seat is active."""
    play.record(TurnEnded(seat=seat))
    if play.state.end_reached:
        ending.finish(play, "completed")
    else:
        start_turn(play, next_seat(play, seat))


def why_not_roll(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not roll: it has landed on CHEAT."""
    if state.players[seat].cheat:
        return Refusal("must_name_block", "CHEAT: this turn a block is named instead of rolling (PA-26).")
    return None


def roll(play: PaPlay, seat: int, action: Prompted) -> None:
    """Throw the dice and move (PA-8, PA-32), or one die in jail (PA-18)."""
    play.answer(action.prompt)
    player = play.state.players[seat]
    if player.track == "jail":
        jail.jail_turn(play, seat)
    else:
        faces = play.roll(seat, "movement", seat, player.own, count=play.option("dice"))
        rule = "PA-8" if player.track == "promenade" else "PA-32"
        movement.travel(play, seat, sum(faces), how="roll", rule=rule)
        landing.land(play, seat)
    after_landing(play, seat)


def cheat_move(play: PaPlay, seat: int, action: CheatMove) -> None:
    """Move to the block named, forward, with everything that it passes (PA-26, PA-27)."""
    play.answer(action.prompt)
    play.record(CheatEnded(seat=seat, how="used"))
    movement.travel(play, seat, movement.steps_to(play, seat, action.block), how="cheat", rule="PA-26")
    landing.land(play, seat)
    after_landing(play, seat)


def after_landing(play: PaPlay, seat: int) -> None:
    """Go on after the landing: out of money, then the roll that doubles earned, then the next seat."""
    if stopped(play):
        return
    if run_out_of_money(play, seat):
        end_turn(play, seat)
    elif doubles_earn_roll(play.state, seat):
        play.open_prompt(seat, "partner_roll", why="doubles")
    else:
        end_turn(play, seat)


def doubles_earn_roll(state: State, seat: int) -> bool:
    """Return whether this turn's movement roll lets the partner roll after the landing (PA-46 a)."""
    player = state.players[seat]
    if player.partner < 0 or player.partner_own == player.own or player.track == "jail":
        return False
    return len(set(state.faces)) < len(state.faces)


def use_waiver(play: PaPlay, seat: int, action: Prompted) -> None:
    """Use the waiver: the job is cancelled (PA-30)."""
    play.answer(action.prompt)
    job.use_waiver(play, seat)
    after_landing(play, seat)


def take_job(play: PaPlay, seat: int, action: Prompted) -> None:
    """Take the job although a waiver is held (PA-30)."""
    play.answer(action.prompt)
    job.take_job(play, seat, enters=block_under(play, seat).enters)
    after_landing(play, seat)


def answer_partner(play: PaPlay, seat: int, action: RollPartner | DeclinePartner) -> None:
    """Roll for the partner, or leave it where it is (PA-46)."""
    why = play.state.prompts[action.prompt].why
    play.answer(action.prompt)
    if isinstance(action, RollPartner):
        partner.roll(play, seat, why=why)
    if why == "govt_job":
        after_landing(play, seat)
    else:
        run_out_of_money(play, seat)
        end_turn(play, seat)


def bet_horses(play: PaPlay, seat: int, action: BetHorses) -> None:
    """Bet on a horse; a bettor left with nothing loses the turn at once (PA-28)."""
    if bets.bet_on_horses(play, seat, action):
        _forfeit(play, seat, action)


def bet_lottery(play: PaPlay, seat: int, action: BetLottery) -> None:
    """Bet on the lottery; a bettor left with nothing loses the turn at once (PA-28)."""
    if bets.bet_on_lottery(play, seat, action):
        _forfeit(play, seat, action)


def _forfeit(play: PaPlay, seat: int, action: Prompted) -> None:
    play.close_prompt(play.state.prompts[action.prompt], "void")
    end_turn(play, seat)
