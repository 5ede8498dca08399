"""`Play`: the private copy of a game on which one action is decided.

Recording an event lets it happen to the copy at once, so that a chain (roll, move, land, draw, pay) always reads the
true state. Nothing is written to the stream before all of it is decided.
"""

from collections.abc import Mapping
from typing import Generic, Protocol, TypeVar

from events.base import Account, Envelope, Event
from events.play import CardDrawn, DiceRolled, MoneyMoved, Part, PromptClosed, PromptOpened
from projections import evolve as game
from projections.state.base import GameState, Prompt
from service.rules.dice import Dice
from service.rules.violations import RuleViolation, refuse

S = TypeVar("S", bound=GameState)


class Card(Protocol):
    """What drawing needs of a card of either game."""

    @property
    def id(self) -> str:
        """Its name on the wire."""

    @property
    def text(self) -> str:
        """What it says."""


C = TypeVar("C", bound=Card)


def pinned(state: GameState, name: str) -> int:
    """Return the version of a data file that a game is played on."""
    # A plain loop: a cache would hash every pin at every question.
    for pin in state.pins:
        if pin.name == name:
            return pin.version
    raise AssertionError(f"no {name} is pinned")


def option_of(state: GameState, name: str) -> int:
    """Read an option that is a whole number (or a flag)."""
    value = state.options[name]
    assert isinstance(value, int), name
    return value


class Play(Generic[S]):
    """One action being decided.

    Attributes:
        state: The copy; true as of the last recorded event.
        envelopes: What was recorded, ready for the stream.
        at: When the action is recorded (UTC, ms).
        by_default: The clock acts: what it answers closes as `defaulted`.
        pins: Version of each data file that the game is played on, by name.
    """

    most_events = 2000
    """Bound on the events of one action: every chain has a cap of its own, so a rule that comes near this has a bug."""

    def __init__(self, state: S, dice: Dice, *, at: int, actor: str = "", action: str = "") -> None:
        state.at = at
        self.state = state
        self.envelopes: list[Envelope[Event]] = []
        self.at = at
        self._actor = actor
        self._action = action
        self.by_default = False
        self.pins = {pin.name: pin.version for pin in state.pins}
        self._dice = dice
        self._handlers = game.HANDLERS[type(state)]
        self._drawn = False

    def record(self, event: Event) -> None:
        """Record an event: it happens to the state at once."""
        state, envelopes = self.state, self.envelopes
        assert len(envelopes) < self.most_events, "a chain of events without a cap"
        self._handlers[type(event)](state, event)
        state.version = version = state.version + 1
        envelopes.append(
            Envelope(version=version, at=self.at, turn=state.turn, actor=self._actor, action=self._action, data=event)
        )

    def refusal(self, code: str, detail: str, field: str = "") -> RuleViolation:
        """Build a refusal; only before the first draw, since nobody may learn an outcome and then not suffer it."""
        assert not self._drawn, f"{code}: refused after a draw"
        return refuse(code, detail, field)

    def move_cash(
        self,
        payer: Account,
        payee: Account,
        amount: int,
        *,
        reason: str,
        rule: str,
        ref: str = "",
        breakdown: tuple[Part, ...] = (),
    ) -> None:
        """Move cash that is there: the one way to do so in both games. An amount of 0 makes no posting.

        What happens when there is not enough of it is a matter of each rulebook; see its `money`.
        """
        assert amount >= 0, "an amount is never negative"
        if not amount:
            return
        assert payer != payee, "nobody pays themselves"
        self.record(
            MoneyMoved(payer=payer, payee=payee, amount=amount, reason=reason, rule=rule, ref=ref, breakdown=breakdown)
        )

    def roll(self, seat: int, purpose: str, *coordinate: object, count: int, sides: int = 6) -> tuple[int, ...]:
        """Throw dice for a seat at `purpose/coordinate/…` and record the faces."""
        self._drawn = True
        where = purpose
        for part in coordinate:
            where = f"{where}/{part}"
        faces = self._dice.roll(where, count=count, sides=sides)
        self.record(DiceRolled(seat=seat, purpose=purpose, coordinate=where, sides=sides, faces=faces))
        return faces

    def pick(self, coordinate: str, *, among: int) -> int:
        """Choose one of `among` things by chance, from 0; the caller records what it chose."""
        self._drawn = True
        return self._dice.pick(coordinate, among=among)

    def draw(self, seat: int, deck: str, cards: Mapping[str, C]) -> C:
        """Draw a card for a seat: an unseen one by chance; with none unseen, the front of the returned ones.

        Rule: PA-41, SJG-37.
        """
        pile = self.state.decks[deck]
        coordinate = f"{deck}/{pile.draws + 1}" if pile.unseen else ""
        if coordinate:
            card = cards[pile.unseen_at(self.pick(coordinate, among=sum(pile.unseen.values())))]
        else:
            card = cards[pile.returned[0]]
        self.record(
            CardDrawn(seat=seat, deck=deck, card=card.id, text=card.text, draw=pile.draws + 1, coordinate=coordinate)
        )
        return card

    def open_prompt(self, seat: int, kind: str, why: str = "", *, without_clock: int | None = None) -> None:
        """Ask a seat to decide; its default is taken at the deadline.

        Args:
            seat: Who decides.
            kind: What is decided.
            why: What gave rise to it, where a kind has several causes.
            without_clock: Seconds until the deadline where no `turn_seconds` were agreed on; None for no deadline.
        """
        seconds = self.option("turn_seconds") or without_clock
        # While the clocks stand still, it is the moment at which they stopped.
        now = self.state.paused or self.at
        deadline = now + 1000 * seconds if seconds else None
        prompt = f"p{self.state.version + 1}"
        self.record(PromptOpened(prompt=prompt, seat=seat, kind=kind, why=why, deadline=deadline))

    def answer(self, prompt: str) -> None:
        """Close the prompt that an action answers, or that the clock answers by its default."""
        self.close_prompt(self.state.prompts[prompt], "defaulted" if self.by_default else "answered")

    def close_prompt(self, prompt: Prompt, how: str) -> None:
        """Close a prompt: `answered`, `defaulted` or `void`."""
        self.record(PromptClosed(prompt=prompt.prompt, how=how))  # type: ignore[arg-type] # the caller's literal

    def void_prompts(self, seat: int = 0) -> None:
        """Close the open prompts of a seat, 0 for those of all, without an answer."""
        for prompt in list(self.state.prompts.values()):
            if seat in (0, prompt.seat):
                self.close_prompt(prompt, "void")

    def option(self, name: str) -> int:
        """Read an option that is a whole number (or a flag)."""
        # `option_of` written out: it is asked many times in a move.
        value = self.state.options[name]
        assert isinstance(value, int), name
        return value

    def seats_from_left_of(self, seat: int) -> list[int]:
        """List the seats that are still in the game, in seat order from a seat's left, that seat last."""
        alive = self.state.alive()
        return [s for s in alive if s > seat] + [s for s in alive if s <= seat]
