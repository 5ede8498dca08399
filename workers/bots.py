"""Bots at the table: a move that is due, made once, by the process that comes first."""

import msgspec

from projections.evolve import AnyState
from service.bots.offers import answers_bot
from service.bots.seats import move_of
from service.games.due import HASTE_MS, Due, bot_due
from service.games.games import Games
from service.games.records import LoadedGame, RequestContext
from service.games.texts import commit_texts
from service.rules.actions import PlayAction
from service.rules.decide import default_of, parse
from service.rules.violations import RuleViolation

MOST_ANSWERS = 20
"""Offers and counter-offers that bots answer in one go; further ones wait for moves of their own."""


class BotMoves:
    """Moves bots.

    Args:
        games: The games.
    """

    def __init__(self, games: Games) -> None:
        self._games = games

    def move(self, game: str, seat: int, moves: int) -> bool:
        """Make a bot's move, unless it was made, is not due yet, or the seat is a person's; return whether it was made.

        Args:
            game: Id of the game.
            seat: Whose bot.
            moves: What had been done on that seat when the move was planned: the move happens once.
        """
        made = answered = self._move(game, seat, moves)
        for _ in range(MOST_ANSWERS):
            answering = self._answering(game) if answered else None
            if answering is None:
                break
            answered = self._move(game, answering.seat, answering.moves)
        return made

    def _answering(self, game: str) -> Due | None:
        """Find a bot that is to answer an offer of another in the same breath."""
        loaded = self._games.loader.cached(game)
        if loaded is None:
            return None
        seats = [(seat, sitter.moves) for seat, sitter in loaded.state.seats.items() if answers_bot(loaded.state, seat)]
        return next(filter(None, (self._due(loaded.state, seat, moves) for seat, moves in seats)), None)

    def _move(self, game: str, seat: int, moves: int) -> bool:
        loaded = self._games.current(game)
        due = self._due(loaded.state, seat, moves)
        body = move_of(loaded.state, seat) if due else None
        if due is None or body is None:
            return False
        try:
            made = self._append(loaded, seat, moves, parse(msgspec.json.encode(body)))
        except RuleViolation:
            return self._take_default(game, seat, moves)  # what the bot wants is not possible
        if made and 0 < due.last <= self._games.clock.now() + HASTE_MS:
            self._take_default(game, seat, moves + 1, last=due.last)  # there is no time to be asked again
        return made

    def _take_default(self, game: str, seat: int, moves: int, *, last: int | None = None) -> bool:
        """Answer by the default; return False when that is not possible, either.

        That is so between the bot's last moment and the time at which the default is taken without it.

        Args:
            game: Id of the game.
            seat: Whose bot.
            moves: What had been done on that seat before.
            last: Answer only what is to be answered by this moment; None for anything.
        """
        newer = self._games.loader.load(game)
        due, default = self._due(newer.state, seat, moves), _default(newer.state, seat)
        if due is None or default is None or last not in (None, due.last):
            return False
        try:
            return self._append(newer, seat, moves, default)
        except RuleViolation:
            return False

    def _due(self, state: AnyState, seat: int, moves: int) -> Due | None:
        due = bot_due(state, seat)
        return due if due is not None and due.moves == moves and due.at <= self._games.clock.now() else None

    def _append(self, loaded: LoadedGame, seat: int, moves: int, action: PlayAction) -> bool:
        committed, texts = commit_texts(action)
        request = RequestContext(
            key=f"{seat}:{moves}", digest="bot", system=f"bot:{seat}", if_moves=moves, received=self._games.clock.now()
        )
        return not self._games.appender.append(loaded, committed, request, texts=texts).repeated


def _default(state: AnyState, seat: int) -> PlayAction | None:
    prompt = next((prompt.prompt for prompt in state.prompts.values() if prompt.seat == seat), None)
    return None if prompt is None else default_of(state, prompt)
