"""A real game of any length: players who offer bets and withdraw them between their moves, without end."""

from events import chain, codec
from events.store import Entry, SidecarUpdate, Store
from service.rules import actions as a
from service.rules.decide import default_of
from service.rules.violations import RuleViolation
from tests.support.playing import Table

CHUNK = 1_000


def long_game(game: str, *, events: int) -> Table:
    """Play until there are so many events; the game goes on."""
    table = Table(game, seats=4, options={"months": 60, "player_bets": True})
    while len(table.envelopes) < events and table.state.status == "playing":
        prompt = next(iter(table.state.prompts.values()))
        for _ in range(20):
            dabble(table, prompt.seat)
        table.do(default_of(table.state, prompt.prompt), prompt.seat)
    return table


def dabble(table: Table, seat: int) -> None:
    """Offer bets and withdraw them again."""
    try:
        table.do(a.OfferBets(horses=True, lottery=False, max_stake=50), seat)
        table.do(a.WithdrawBets(), seat)
    except RuleViolation:
        return


def put(store: Store, table: Table) -> None:
    """Write a whole stream into a store."""
    game = table.state.game
    datas = [codec.encode(envelope) for envelope in table.envelopes]
    links = chain.links(chain.genesis(game), datas)
    entries = [Entry(data, link) for data, link in zip(datas, links, strict=True)]
    for start in range(0, len(entries), CHUNK):
        previous = entries[start - 1].link if start else chain.genesis(game)
        sidecar = SidecarUpdate(created=1000, about=b"{}", secret=table.secret)
        key = f"{start:064x}"
        store.streams.append(
            game,
            entries[start : start + CHUNK],
            action=key,
            request=key,
            expected=start,
            previous=previous,
            sidecar=sidecar,
        )
