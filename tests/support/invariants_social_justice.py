"""What holds of every game of The Social Justice Game after every event, and what holds between two actions."""

from collections import Counter
from collections.abc import Iterator

from events.base import BANK, Event
from events.play import CardDrawn, MoneyMoved
from events.social_justice.board import LAP, change_deck
from events.social_justice.politics import BallotCast
from events.social_justice.tasks import Owe
from projections.state.social_justice import SocialJusticeState as State
from service.rules.rulebooks import RULES_OF


def after_any_event(state: State, last: Event) -> list[str]:
    """Find what is wrong in the middle of an action; `last` is the event folded in last."""
    return [*_cash(state), *_deck(state, last), *_citizens(state), *_titles(state), *_out(state, last)]


def between_actions(state: State) -> list[str]:
    """Find what is wrong when nobody is acting: nobody can go on, or a player is asked who is out."""
    return [*_prompts(state), *_debts(state), *_loans(state)]


def _cash(state: State) -> Iterator[str]:
    if sum(state.cash.values()):
        yield f"cash sums to {sum(state.cash.values())}"
    for account, balance in state.cash.items():
        if balance < 0 and account != BANK:
            yield f"{account} stands at {balance}"


def _deck(state: State, last: Event) -> Iterator[str]:
    in_hand = Counter([last.card]) if isinstance(last, CardDrawn) else Counter[str]()
    kept = Counter(card for citizen in state.citizens.values() for card in citizen.kept)
    full = Counter({card.id: card.count for card in change_deck().values()})
    deck = state.decks["change"]
    here = Counter(deck.unseen) + Counter(deck.returned) + kept + in_hand
    if here != full:
        yield f"deck: {full - here} missing, {here - full} too many"


def _citizens(state: State) -> Iterator[str]:
    for seat, citizen in state.citizens.items():
        if not 0 <= citizen.square < LAP:
            yield f"seat {seat} is off the board: {citizen.square}"
        if min(citizen.jail_turns, citizen.own, citizen.aid_used) < 0 or citizen.harms_way > citizen.serving:
            yield f"seat {seat} cannot be so: {citizen}"


def _titles(state: State) -> Iterator[str]:
    for square, title in state.titles.items():
        if not 0 <= title.houses <= 3 or (title.holder and title.holder not in state.citizens):
            yield f"title {square} cannot be so: {title}"


def _out(state: State, last: Event) -> Iterator[str]:
    """Who is out holds nothing, and neither pays, is paid nor votes any more."""
    out = {seat for seat, citizen in state.citizens.items() if citizen.out}
    for seat in out:
        if state.cash[f"seat:{seat}"] or any(title.holder == seat for title in state.titles.values()):
            yield f"seat {seat} is out and holds something"
        if isinstance(last, MoneyMoved) and f"seat:{seat}" in (last.payer, last.payee):
            yield f"seat {seat} is out, and pays or is paid: {last}"
        if isinstance(last, BallotCast) and last.seat == seat:
            yield f"seat {seat} is out and votes"


def _prompts(state: State) -> Iterator[str]:
    kinds = [(prompt.seat, prompt.kind) for prompt in state.prompts.values()]
    if state.status != "playing":
        if kinds or state.agenda:
            yield f"asked are {kinds}, and left is {state.agenda}, while nobody plays"
        return
    if not kinds:
        yield "nobody is asked"
    if len(kinds) > 1 and {kind for _, kind in kinds} != {"ballot"}:
        yield f"more than one decision is open: {kinds}"
    for seat, kind in kinds:
        if state.citizens[seat].out or state.seats[seat].left:
            yield f"seat {seat} is asked {kind}, and is out"
        if kind not in RULES_OF[type(state)].defaults:
            yield f"a prompt of the kind {kind} has no default"


def _debts(state: State) -> Iterator[str]:
    owing = [task for task in state.agenda if isinstance(task, Owe)]
    raising = [prompt.seat for prompt in state.prompts.values() if prompt.kind == "raise_funds"]
    if [task.seat for task in owing] != raising:
        yield f"owing are {owing}, raising {raising}"
    if any(state.cash[f"seat:{task.seat}"] >= task.amount for task in owing):
        yield f"a debt could be paid: {owing}"
    if owing and state.agenda[-1] != owing[-1]:
        yield f"something lies above a debt: {state.agenda}"


def _loans(state: State) -> Iterator[str]:
    for number, loan in state.deals.loans.items():
        if state.citizens[loan.borrower].out:
            yield f"loan {number} is owed by a player who is out"
