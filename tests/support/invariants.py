"""What holds of every game after every event, and what holds between two actions."""

from collections import Counter
from collections.abc import Iterator

from events.base import CUSTODIAN, ESCROW, Envelope, Event
from events.play import CardDrawn
from events.public_assistance.board import public_assistance_deck
from projections.evolve import AnyState
from projections.state.public_assistance import PublicAssistanceState
from projections.state.social_justice import SocialJusticeState
from tests.support import invariants_social_justice

State = PublicAssistanceState
LENGTH = {"promenade": 52, "rut": 52, "jail": 11}


def after_any_event(state: AnyState, last: Event) -> list[str]:
    """Find what is wrong in the middle of an action; `last` is the event folded in last."""
    if isinstance(state, SocialJusticeState):
        return invariants_social_justice.after_any_event(state, last)
    return [*_cash(state), *_decks(state, last), *_pieces(state)]


def between_actions(state: AnyState) -> list[str]:
    """Find what is wrong when nobody is acting: something waits in escrow, or nobody can go on."""
    if isinstance(state, SocialJusticeState):
        return invariants_social_justice.between_actions(state)
    return [*_rest(state), *_prompts(state)]


def repeated_coordinates(envelopes: list[Envelope[Event]]) -> list[str]:
    """Find coordinates of chance that a game used twice."""
    used = Counter(str(getattr(e.data, "coordinate", "")) for e in envelopes)
    return [f"{where} was used {times} times" for where, times in used.items() if where and times > 1]


def _cash(state: State) -> Iterator[str]:
    if sum(state.cash.values()):
        yield f"cash sums to {sum(state.cash.values())}"
    for account, balance in state.cash.items():
        if balance < 0 and account != CUSTODIAN:
            yield f"{account} stands at {balance}"


def _decks(state: State, last: Event) -> Iterator[str]:
    in_hand = Counter([last.card]) if isinstance(last, CardDrawn) else Counter[str]()
    kept = Counter(card for player in state.players.values() for card in player.kept)
    for name, deck in state.decks.items():
        full = Counter({card.id: card.count for card in public_assistance_deck(name).values()})
        held = Counter({card: n for card, n in (kept + in_hand).items() if card in full})
        here = Counter(deck.unseen) + Counter(deck.returned) + held
        if here != full:
            yield f"deck {name}: {full - here} missing, {here - full} too many"


def _pieces(state: State) -> Iterator[str]:
    for seat, player in state.players.items():
        if not 0 <= player.block < LENGTH[player.track] or not -1 <= player.partner < 16:
            yield f"seat {seat} is off the board: {player.track} {player.block}, partner {player.partner}"
        if min(player.children, player.notes, player.skips, player.month, player.own) < 0:
            yield f"seat {seat} has less than nothing: {player}"


def _rest(state: State) -> Iterator[str]:
    if state.cash[ESCROW]:
        yield f"{state.cash[ESCROW]} wait in escrow"
    for seat in state.staying() if state.status == "playing" else ():
        if state.players[seat].track == "promenade" and state.cash[f"seat:{seat}"] == 0:
            yield f"seat {seat} is on the promenade with nothing"


def _attesting(state: State) -> bool:
    """After the result only the custodian may be asked, where that was agreed on, and never for ever."""
    kinds = [(prompt.seat, prompt.kind, bool(prompt.deadline)) for prompt in state.prompts.values()]
    return bool(state.options["attest"]) and kinds == [(state.custodian, "attest", True)]


def _prompts(state: State) -> Iterator[str]:
    asked = [prompt.seat for prompt in state.prompts.values()]
    if state.status == "playing" and (asked != [state.active] or state.seats[state.active].left):
        yield f"seat {state.active} is active, and asked are {asked}"
    if state.status != "playing" and asked and not _attesting(state):
        yield f"asked are {asked} while nobody plays"
    if state.status == "finished" and not (state.winners and state.standings):
        yield "the game is over without a result"
