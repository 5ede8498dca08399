"""Every action of a seat as a typed record: what the API takes, what its schema shows, what the rules decide on.

Static bounds stand in the types and are refused as bad input; what depends on the game is a rule's business.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from events.base import OptionValue
from service.rules.action_base import Action as Action  # noqa: PLC0414 # spoken of as `actions.Action`
from service.rules.action_base import Prompt as Prompt  # noqa: PLC0414 # spoken of in the same way
from service.rules.action_base import Prompted as Prompted  # noqa: PLC0414 # spoken of in the same way

Dollars: TypeAlias = Annotated[int, Meta(ge=1, le=2**53 - 1, description="Whole dollars.")]


class Roll(Prompted, frozen=True, tag="roll"):
    """Throw the dice and move (PA-8, PA-18, PA-32, SJG-18)."""


class CheatMove(Prompted, frozen=True, tag="cheat_move"):
    """Move to a promenade block of one's choice instead of rolling (PA-26)."""

    block: Annotated[int, Meta(ge=0, le=51, description="Index of the promenade block.")]


class BetHorses(Prompted, frozen=True, tag="bet_horses"):
    """Bet on a horse before moving (PA-22)."""

    horse: Annotated[int, Meta(ge=2, le=12, description="The sum of two dice that wins.")]
    stake: Dollars
    taker: Annotated[int, Meta(ge=0, le=8, description="Seat that takes the bet; 0 for the custodian.")] = 0


class BetLottery(Prompted, frozen=True, tag="bet_lottery"):
    """Announce a lottery number before moving (PA-24)."""

    number: Annotated[
        str, Meta(pattern="^[1-6]{3}$", min_length=3, max_length=3, description="Three digits, each from 1 to 6.")
    ]
    stake: Dollars
    taker: Annotated[int, Meta(ge=0, le=8, description="Seat that takes the bet; 0 for the custodian.")] = 0


class Borrow(Prompted, frozen=True, tag="borrow"):
    """Write more notes at the custodian (PA-40)."""

    amount: Dollars


class Repay(Prompted, frozen=True, tag="repay"):
    """Redeem whole notes (PA-40)."""

    notes: Annotated[int, Meta(ge=1, le=100_000, description="How many notes.")]


class UseWaiver(Prompted, frozen=True, tag="use_waiver"):
    """Use a kept waiver, which cancels this Get a Job (PA-30)."""


class TakeJob(Prompted, frozen=True, tag="take_job"):
    """Keep the waiver and take the job (PA-30)."""


class RollPartner(Prompted, frozen=True, tag="roll_partner"):
    """Roll for the partner on the Cake Walk (PA-46)."""


class DeclinePartner(Prompted, frozen=True, tag="decline_partner"):
    """Leave the partner where it is (PA-46)."""


class OfferBets(Action, frozen=True, tag="offer_bets"):
    """Take other players' bets from now on (PA-54)."""

    horses: bool
    lottery: bool
    max_stake: Dollars


class WithdrawBets(Action, frozen=True, tag="withdraw_bets"):
    """Take no more bets (PA-54)."""


class AttestBooks(Action, frozen=True, tag="attest_books"):
    """Attest the books as they stand, as the custodian of record (PA-10)."""


class AttestResult(Prompted, frozen=True, tag="attest_result"):
    """Attest the books after the result, as the custodian of record (PA-10)."""


class DeclineResult(Prompted, frozen=True, tag="decline_result"):
    """Leave the books after the result without an attestation (PA-10)."""


PlayAction: TypeAlias = Action
"""What `POST …/actions` takes. Every action there is stands in the catalogue of its rulebook (`rulebooks.ACTIONS`)."""


class Open(Struct, frozen=True, kw_only=True, tag_field="action", forbid_unknown_fields=True):
    """What people do around play; each has a route of its own."""


class TakeSeat(Open, frozen=True, tag="take_seat"):
    """Sit down. `name` is the digest of the typed-in name."""

    name: str
    kind: Literal["person", "bot"]
    level: str
    nonce_commitment: str
    host: bool


class Leave(Open, frozen=True, tag="leave"):
    """Leave one's seat."""


class Renew(Open, frozen=True, tag="renew"):
    """Issue a new token for a seat."""

    seat: int


class SetOptions(Open, frozen=True, tag="set_options"):
    """Change options before the start."""

    options: Mapping[str, OptionValue]


class Ready(Open, frozen=True, tag="ready"):
    """Agree to an edition of the options; perhaps open the nonce (`nonce_hash`, `nonce_input` are made of it)."""

    edition: int
    nonce_hash: str
    nonce_input: str


class Start(Open, frozen=True, tag="start"):
    """Begin to play."""


class Expire(Open, frozen=True, tag="expire"):
    """The deadline of a prompt has passed: its default is taken."""

    prompt: Prompt
    deadline: int


class Pause(Open, frozen=True, tag="pause"):
    """Stop the game's clocks."""


class Resume(Open, frozen=True, tag="resume"):
    """Start the game's clocks again."""


class CreditOutage(Open, frozen=True, tag="credit_outage"):
    """Return to open prompts the time in which nobody could be served (UTC, ms)."""

    since: int
    until: int


class HandOver(Open, frozen=True, tag="hand_over"):
    """Hand one's seat to a bot."""

    level: str


class HandBack(Open, frozen=True, tag="hand_back"):
    """Play one's seat again."""


class Reopen(Open, frozen=True, tag="reopen"):
    """Open a seat whose person is away to others; `level` is of the bot that keeps it where none does yet."""

    seat: int
    level: str


class Retake(Open, frozen=True, tag="retake"):
    """Take a seat that was reopened. `name` is the digest of the typed-in name."""

    seat: int
    name: str


OpenAction: TypeAlias = Open
AnyAction: TypeAlias = PlayAction | OpenAction


name_of: Callable[[AnyAction | type[AnyAction]], str] = attrgetter("__struct_config__.tag")
"""Return the name of an action, or of its record, in the API and on the stream."""
