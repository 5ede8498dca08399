"""`Games`: every game of a store, and what can be done with it.

Everything above (the API, the command line, workers) talks to this class or to one of its collaborators.
"""

from collections.abc import Callable, Mapping

from events.store import HeadLog, Store
from service.games.actions import Actions
from service.games.appending import Appender, no_queue
from service.games.clock import Clock
from service.games.credentials import ServerKey
from service.games.deadlines import Deadlines
from service.games.loading import HISTORY, Loader
from service.games.opening import Opening
from service.games.permissions import Gate
from service.games.records import Access, Caller, LoadedGame, RequestContext
from service.games.seats import Seats
from service.games.uptime import Uptime


class Games:
    """Every game of a store.

    Args:
        store: Where the games lie.
        key: Ids and tokens are derived from it.
        clock: The store's time.
        operator_token: Token of the person who runs the service; empty for none.
        heads: Log of heads outside the store; None keeps none.
        frozen: Games that take no actions, each with a sentence why: found at start to have lost their tail.
        enqueue: Hands a job to the workers by its dotted name.
        uptime: Whether anyone could be served; None: always.

    Attributes:
        loader: Reads games.
        guard: Stops games that have lost some of their history.
        gate: Recognises callers.
        appender: Decides, and appends.
        deadlines: Does what is due by the clock.
        actions: Takes the actions of people.
        seats: Issues the tokens of seats.
        opening: Opens games.
    """

    def __init__(
        self,
        store: Store,
        *,
        key: ServerKey,
        clock: Clock,
        operator_token: str = "",
        heads: HeadLog | None = None,
        frozen: Mapping[str, str] | None = None,
        enqueue: Callable[[str, str], object] = no_queue,
        uptime: Uptime | None = None,
    ) -> None:
        self.store, self.clock = store, clock
        self.loader = loader = Loader(store, heads=heads, frozen=frozen)
        self.guard = loader.guard
        self.gate = gate = Gate(store, operator_token)
        self.appender = appender = Appender(store, loader, gate, key=key, clock=clock, enqueue=enqueue)
        self.deadlines = Deadlines(loader, appender, clock, uptime)
        self.actions = Actions(loader, gate, self.deadlines, appender, clock)
        self.seats = Seats(self.actions, loader, key)
        self.opening = Opening(self.watch, loader, appender, key, clock)

    def current(self, game: str) -> LoadedGame:
        """Return a game at its head, after everything that was due by the clock; for those who serve all games."""
        return self.deadlines.apply(self.loader.load(game))

    def watch(self, game: str, request: RequestContext) -> tuple[LoadedGame, Caller]:
        """Return a game at its head and the caller, who may know of it.

        Raises:
            NoSuchGame: There is none, or it is private and the caller has no token of it.
            Unauthorized: A token was sent, and it is none of this game's.
        """
        try:
            loaded = self.current(game)
        except HISTORY:
            self.gate.hide(game, request)
            raise
        return loaded, self.gate.recognise(request, game, loaded.tokens, private=loaded.state.private)

    def enter(self, game: str, request: RequestContext) -> Access:
        """Admit a reader of what is stored, whether or not it can be folded to its end.

        So one event of a later release, or one damaged byte, does not hide the good history before it.

        Raises:
            NoSuchGame, Unauthorized: As `watch`.
        """
        try:
            loaded, caller = self.watch(game, request)
            return Access(loaded.state.version, loaded.link, caller)
        except HISTORY:
            head = self.loader.head(game)
            if head is None or not head.version:
                raise
            return Access(head.version, head.link, self.gate.admit(game, request))
