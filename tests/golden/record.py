"""Records the golden games: `python -m tests.golden.record`.

Whole games, played through `Games` on a store, by players who do anything that is allowed, with known secrets and a
scripted clock; so the same code records the same games. A game that was published is never recorded again but on
purpose (`--again`): it is how every later release shows that old games are replayed, and executed, as they were.
"""

import random
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
import msgspec

from events import codec
from events.store import Entry
from projections import evolve as folding
from projections.evolve import AnyState
from service.api.http.answers import entries as as_answered
from service.games.chance import nonce_commitment
from service.games.clock import Clock
from service.games.due import dues_of
from service.games.games import Games
from service.games.records import NewGame, NewSeat, RequestContext
from service.rules.actions import Leave, Start
from service.rules.decide import parse
from service.rules.violations import RuleViolation
from tests.golden.players import players_of
from tests.golden.scripts import SCRIPTS, Script, nonce_of
from tests.support.databases import DATABASES
from tests.support.played import NAMES, Table, empty, games_on
from workers.bots import BotMoves

GAMES = Path(__file__).parent / "games"
MORE_NAMES = ("Eve", "Fay", "Gil", "Hal")
BEGIN = 1_767_225_600_000


class Recorder:
    """Plays one script, to the sealed end."""

    def __init__(self, name: str, script: Script) -> None:
        self.script = script
        self.now = BEGIN
        self.chance = random.Random(f"{name} {script.seed}")
        self.games: Games = games_on(empty(), clock=Clock(lambda: self.now, lambda: self.now / 1000))
        secret = sha256((name + script.salt).encode()).digest()
        self.wish = players_of(script, self.chance)
        new = NewGame(script.rulebook, preset=script.preset, options=script.options, secret=secret)
        created = self.games.opening.create(new, RequestContext(key=name))
        self.table = Table(self.games, created.answer.game, created.host_token, {})
        self.join = created.join_code

    def record(self) -> list[Entry]:
        """Play, and give the whole stream."""
        self._open()
        leaving, around = dict(self.script.leaving), dict(self.script.around)
        while not (state := self.table.state).over():
            self.now += self.chance.randint(400, 9_000)
            due = [turn for turn in leaving if turn <= state.turn]
            if due:
                self._leave(leaving.pop(due[0]))
            elif around and state.turn >= (first := min(around)):
                around.pop(first)(self)
            elif not self._let_a_bot_move(state) and not self._let_pass(state):
                self._act(state)
        return [entry for batch in self.table.store.streams.stream(self.table.game) for entry in batch]

    def _open(self) -> None:
        table, games = self.table, self.games
        for seat, name in enumerate((*NAMES, *MORE_NAMES)[: self.script.seats], start=1):
            if seat > self.script.seats - self.script.bots:
                games.seats.sit(table.game, NewSeat(kind="bot", level="random"), RequestContext(table.host, key=name))
                continue
            commitment = nonce_commitment(nonce_of(seat)) if seat in self.script.nonces else ""
            token = table.host if seat == 1 else self.join
            seated = games.seats.sit(
                table.game, NewSeat(name=name, nonce_commitment=commitment), RequestContext(token, key=name)
            )
            table.tokens[seat] = seated.token
            self.now += 5_000
        self.script.lobby(self)
        edition = table.state.edition
        for seat, token in table.tokens.items():
            opened = nonce_of(seat) if self.script.nonces[:1] == (seat,) else None
            games.actions.ready(table.game, edition, opened, RequestContext(token, key=f"ready {edition}"))
        games.actions.perform(table.game, Start(), RequestContext(table.host, key="start"))

    def _leave(self, seat: int) -> None:
        self.games.actions.perform(
            self.table.game, Leave(), RequestContext(self.table.tokens[seat], key="leave"), seat=seat
        )

    def _let_a_bot_move(self, state: AnyState) -> bool:
        """Make the move of the bot that is due next, if it is before everything else."""
        dues = dues_of(state)
        if not dues or dues[0].kind != "bot":
            return False
        self.now = max(self.now, dues[0].at)
        return BotMoves(self.games).move(state.game, dues[0].seat, dues[0].moves)

    def _let_pass(self, state: AnyState) -> bool:
        """Wait until the absent seat's deadline has passed, every second time."""
        (prompt, *_) = state.prompts.values()
        if prompt.deadline is None or prompt.seat != self.script.absent or self.chance.random() < 1 / 2:
            return False
        self.now = prompt.deadline + 2_000
        self.games.watch(self.table.game, RequestContext())
        return True

    def _act(self, state: AnyState) -> None:
        wish = self.wish(state)
        if wish is None:
            return
        seat, body = wish
        if state.seats[seat].bot:  # it moves by itself, in a moment
            return
        with suppress(RuleViolation):  # what bounds of single parameters cannot say: the cover of a stake, a deal
            key = f"{state.version} {self.chance.random()}"
            self.games.actions.perform(
                self.table.game, parse(msgspec.json.encode(body)), RequestContext(self.table.tokens[seat], key=key)
            )


@contextmanager
def _without_chance() -> Iterator[None]:
    """Digests of typed-in text are salted by chance, and a fork's secret is chosen by it, but in a recording."""

    def sealed(text: str) -> tuple[str, bytes]:
        record = bytes(16) + text.encode()
        return sha256(record).hexdigest(), record

    with ExitStack() as patched:
        for place in ("service.games.seats.commit_text", "service.games.texts.commit_text"):
            patched.enter_context(patch(place, sealed))
        patched.enter_context(patch("service.games.chance.new_secret", lambda: sha256(b"a fork's").digest()))
        yield


def record(name: str) -> bytes:
    """Play a script; gives its game as the API's NDJSON does, one entry a line."""
    with _without_chance():
        entries = Recorder(name, SCRIPTS[name]).record()
    return b"".join(msgspec.json.encode(line) + b"\n" for line in as_answered(entries))


def read(name: str) -> list[Entry]:
    """Read a golden game: its stored bytes and links, as they are."""
    return [_entry(line) for line in (GAMES / f"{name}.ndjson").read_bytes().splitlines()]


def _entry(line: bytes) -> Entry:
    answer: dict[str, Any] = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    return Entry(bytes(answer["event"]), bytes.fromhex(msgspec.json.decode(answer["link"])))


def final_state(name: str) -> str:
    """Sum up what a golden game folds to, in 64 hex digits."""
    return digest_of(folding.fold(codec.decode(entry.data) for entry in read(name)))


def digest_of(state: AnyState) -> str:
    """Sum up a state; a field that a later release adds changes nothing while it has its default."""
    return sha256(msgspec.json.encode(_bare(state), order="sorted")).hexdigest()


def _bare(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        fields = [(field.name, field) for field in msgspec.structs.fields(value)]
        return {name: _bare(getattr(value, name)) for name, field in fields if getattr(value, name) != _default(field)}
    if isinstance(value, dict):
        return {str(key): _bare(inner) for key, inner in value.items()}
    return [_bare(inner) for inner in value] if isinstance(value, list | tuple) else value


def _default(field: Any) -> Any:
    made = field.default_factory
    return field.default if made is msgspec.NODEFAULT else made()


def states() -> dict[str, str]:
    """The pinned final states: game → digest."""
    path = GAMES / "states.txt"
    return dict(line.split() for line in path.read_text("utf-8").splitlines()) if path.exists() else {}


def _pin(name: str) -> None:
    pinned = {**states(), name: final_state(name)}
    lines = [f"{game} {digest}\n" for game, digest in sorted(pinned.items())]
    (GAMES / "states.txt").write_text("".join(lines), "utf-8")


@click.command()
@click.option("--again", is_flag=True, help="Overwrite games that were recorded before.")
@click.argument("names", nargs=-1)
def main(names: tuple[str, ...], again: bool) -> None:
    """Record the golden games, or only those named."""
    for name in names or tuple(SCRIPTS):
        path = GAMES / f"{name}.ndjson"
        if path.exists() and not again:
            raise click.ClickException(f"{path.name} was recorded before; --again overwrites it for good.")
        path.write_bytes(record(name))
        _pin(name)
        click.echo(f"{path.name}: {len(path.read_bytes().splitlines())} events")


if __name__ == "__main__":
    with closing(DATABASES):
        main()
