"""Bots at the table: a move that is due, made once, by whichever process comes first."""

import msgspec

from projections.game import AnyState
from service.bots.seats import move_of
from service.credentials import Caller
from service.games.due import bot_due
from service.games.presence import Presence
from service.games.records import Ask, Loaded, Wish
from service.rules.actions import PlayAction
from service.rules.decide import default_of, parse
from service.rules.violations import RuleViolation, refuse
from service.texts import seal_action


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
        if not self._is_due(loaded.state, seat, moves):
            return False
        body = move_of(loaded.state, seat)
        if body is None:
            return False
        try:
            return self._move(loaded, seat, moves, parse(msgspec.json.encode(body)))
        except RuleViolation:
            newer = self.loader.load(game)
            default = _default(newer.state, seat)
            if default is None or not self._is_due(newer.state, seat, moves):
                return False
            return self._move(newer, seat, moves, default)  # what the bot wants is not possible: it does the usual

    def _is_due(self, state: AnyState, seat: int, moves: int) -> bool:
        due = bot_due(state, seat)
        return due is not None and due.moves == moves and due.at <= self.clock.now()

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
