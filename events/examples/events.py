"""One example of every event type, for the schema page and the golden files.

An example that was published is never edited nor moved, and a new one goes to the end of `EXAMPLES`: the canonical
bytes are pinned by a golden file, so that an accidental change of what stands on a stream is noticed.
"""

from hashlib import sha256

from events import forks, lobby, play
from events.base import CUSTODIAN, Envelope, Event, seat_account
from events.catalogue import wire_name
from events.examples.clocks import CLOCKS
from events.examples.deals import EXAMPLES as DEALS
from events.examples.politics import EXAMPLES as POLITICS
from events.examples.social_justice import SOCIAL_JUSTICE
from events.public_assistance import events as pa

GAME = "g_example"


def _digest(of: str) -> str:
    return sha256(of.encode()).hexdigest()


_PINS = tuple(
    lobby.DataPin(name=f"public_assistance_{part}", version=1, sha256=_digest(part))
    for part in ("board", "benefit", "burden")
)

_STANDINGS = (
    lobby.Standing(seat=2, rank=1, total=4150, tax=0, score=4150, track="promenade"),
    lobby.Standing(seat=1, rank=2, total=3900, tax=390, score=3510, track="rut"),
)

_LOBBY: tuple[Event, ...] = (
    lobby.GameCreated(
        game=GAME,
        rulebook="public_assistance",
        rules=1,
        code=_digest("code"),
        pins=_PINS,
        options={"bump": True, "dice": 3, "lottery_match": "any_order", "months": 12},
        places=4,
        private=False,
        commitment=_digest("commitment"),
        known_secret=False,
        parent="",
    ),
    lobby.SeatTaken(seat=1, kind="person", level="", name=_digest("Ann"), nonce_commitment=_digest("nonce"), host=True),
    lobby.OptionsChanged(number=2, options={"bump": False, "dice": 3, "lottery_match": "exact_order", "months": 6}),
    lobby.NonceOpened(seat=1, input=_digest("input")),
    lobby.SeatReady(seat=1, number=2),
    lobby.GameStarted(seats=(1, 2), inputs=(_digest("input"), ""), options={"bump": False, "dice": 3, "months": 6}),
    lobby.CredentialRenewed(credential="seat:2"),
    lobby.CustodianNamed(seat=1, why="start"),
    lobby.SeatLeft(seat=3, playing=True),
    lobby.GameFinished(reason="completed", standings=_STANDINGS, winners=(2,)),
    lobby.SecretRevealed(secret=_digest("secret")),
)

_PLAY: tuple[Event, ...] = (
    play.ActionTaken(
        seat=2,
        name="bet",
        prompt="p17",
        params={"game": "horses", "pick": 7, "stake": 100, "taker": CUSTODIAN},
        received=1_767_225_600_250,
    ),
    play.TurnStarted(seat=2, turn=5, own=3),
    play.PromptOpened(prompt="p17", seat=2, kind="start", why="", deadline=1_767_225_660_000),
    play.PromptClosed(prompt="p17", how="answered"),
    play.DiceRolled(seat=2, purpose="movement", coordinate="movement:2:3", sides=6, faces=(4, 1, 6)),
    play.CardDrawn(
        seat=2,
        deck="benefit",
        card="BN17",
        text="A second agency covers the same need.",
        draw=4,
        coordinate="deck:benefit:4",
    ),
    play.CardKept(seat=2, deck="benefit", card="BN17"),
    play.CardReturned(seat=2, deck="benefit", card="BN17", kept=True),
    play.MoneyMoved(
        payer=CUSTODIAN,
        payee=seat_account(2),
        amount=1250,
        reason="monthly_grant",
        rule="PA-11",
        ref="promenade:0",
        breakdown=(
            play.Part(what="basic", amount=500),
            play.Part(what="children", amount=600),
            play.Part(what="BN17", amount=150),
        ),
    ),
    play.DebtForgiven(
        payer=seat_account(2), payee=CUSTODIAN, amount=60, reason="block", rule="PA-28", ref="promenade:12"
    ),
    play.ChainStopped(seat=2, moves=8),
    play.TurnEnded(seat=2),
)

_PUBLIC_ASSISTANCE: tuple[Event, ...] = (
    play.OrderDecided(order=(2, 1)),
    pa.PieceMoved(
        seat=2, from_track="promenade", from_block=48, to_track="promenade", to_block=7, how="roll", rule="PA-8"
    ),
    pa.MonthCounted(seat=2, month=3),
    pa.ChildGained(seat=2, children=5),
    pa.ChildrenTurnedIn(seat=2, children=5),
    pa.SideTrackEntered(seat=2, track="heist"),
    pa.SideTrackMoved(seat=2, track="heist", from_block=0, to_block=4),
    pa.SideTrackLeft(seat=2, track="heist", how="caught"),
    pa.CheatGranted(seat=2),
    pa.CheatEnded(seat=2, how="used"),
    pa.SkipAdded(seat=2, skips=1, rule="PA-28"),
    pa.TurnSkipped(seat=2, skips=0),
    pa.NotesWritten(seat=1, notes=2, principal=2000, due=3000, rule="PA-40"),
    pa.LoanRepaid(seat=1, notes=1, amount=1500, rule="PA-50"),
    pa.PartnerPlaced(seat=1),
    pa.PartnerMoved(seat=1, from_block=14, to_block=2),
    pa.PartnerRemoved(seat=1, how="conscience"),
    pa.BetsOffered(seat=1, horses=True, lottery=False, max_stake=200),
    pa.BetPlaced(seat=2, game="horses", pick=7, stake=100, taker=seat_account(1)),
    pa.BetSettled(seat=2, game="horses", pick=7, stake=100, taker="custodian", won=True, prize=500),
    pa.BetsWithdrawn(seat=1),
    pa.WaiverUsed(seat=2, card="BN25"),
    pa.Bumped(seat=1, by=2),
    pa.EndReached(seat=2, month=6),
)

_LATER: tuple[Event, ...] = (play.BooksAttested(seat=1, version=16, digest=_digest("trial balance")),)

_FORKS: tuple[Event, ...] = (forks.GameForked(parent="g0parent", step=9, version=40, head=_digest("head"), chance=""),)

EXAMPLES: dict[str, Event] = {
    wire_name(type(event)): event
    for event in (*_LOBBY, *_PLAY, *_PUBLIC_ASSISTANCE, *_LATER, *SOCIAL_JUSTICE, *POLITICS, *DEALS, *CLOCKS, *_FORKS)
}
"""By wire name, in the order in which they were published."""


def envelope(event: Event, version: int = 1) -> Envelope[Event]:
    """Wrap an event as the entry of the example game at a version."""
    return Envelope(
        version=version,
        at=1_767_225_600_000 + 250 * version,
        turn=5,
        actor="seat:2",
        action=_digest("action"),
        data=event,
    )


def entries() -> list[Envelope[Event]]:
    """Wrap every example, as a stream of the versions 1, 2, 3 …; it is no game that could be played."""
    return [envelope(event, version) for version, event in enumerate(EXAMPLES.values(), start=1)]
