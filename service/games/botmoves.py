"""Bots at the table: a move that is due, made once, by whichever process comes first."""

import msgspec

from projections.evolve import AnyState
from service.bots.seats import move_of
from service.games.credentials import Caller
from service.games.due import HASTE_MS, Due, bot_due
from service.games.presence import Presence
from service.games.records import Ask, Loaded, Wish
from service.games.texts import seal_action
from service.rules.actions import PlayAction
from service.rules.decide import default_of, parse
from service.rules.violations import RuleViolation, refuse


class BotMoves(Presence):
    """What bots do about games."""

    def move_bot(self, game: str, seat: int, moves: int) -> bool:
        """Make a bot's move, unless it was made, is not due yet, or is nobody's any more; tells whether it was made.

        Args:
            game: Id of the game.
            seat: Whose bot.
            moves: What had been done on that seat when the move was planned: the move happens once.
        """
        loaded = self.settle(self.loader.load(game))
        due = self._due(loaded.state, seat, moves)
        body = move_of(loaded.state, seat) if due else None
        if due is None or body is None:
            return False
        try:
            made = self._move(loaded, seat, moves, parse(msgspec.json.encode(body)))
        except RuleViolation:
            return self._do_the_usual(game, seat, moves)  # what the bot wants is not possible
        if made and 0 < due.last <= self.clock.now() + HASTE_MS:
            self._do_the_usual(game, seat, moves + 1, last=due.last)  # there is no time to be asked again
        return made

    def _do_the_usual(self, game: str, seat: int, moves: int, *, last: int | None = None) -> bool:
        """Answer by the default; false when that is not possible, either.

        So it is between its last moment and the time at which the default is taken without it.

        Args:
            game: Id of the game.
            seat: Whose bot.
            moves: What had been done on that seat before.
            last: Answer only what is to be answered by this moment; None for anything.
        """
        newer = self.loader.load(game)
        due, default = self._due(newer.state, seat, moves), _default(newer.state, seat)
        if due is None or default is None or last not in (None, due.last):
            return False
        try:
            return self._move(newer, seat, moves, default)
        except RuleViolation:
            return False

    def _due(self, state: AnyState, seat: int, moves: int) -> Due | None:
        due = bot_due(state, seat)
        return due if due is not None and due.moves == moves and due.at <= self.clock.now() else None

    def _move(self, loaded: Loaded, seat: int, moves: int, action: PlayAction) -> bool:
        sealed, texts = seal_action(action)

        def build(_caller: Caller, state: AnyState) -> Wish:
            if not state.seats[seat].bot or state.seats[seat].moves != moves:
                raise refuse("prompt_gone", "The seat has moved since, or is a person's again.")
            return Wish(sealed, seat=seat, actor=f"bot:{seat}", texts=texts)

        ask = Ask(key=f"{seat}:{moves}", digest="bot")
        return not self._perform(loaded, ask, build, self.clock.now(), scope="bot").repeated


def _default(state: AnyState, seat: int) -> PlayAction | None:
    prompt = next((prompt.prompt for prompt in state.prompts.values() if prompt.seat == seat), None)
    return None if prompt is None else default_of(state, prompt)
