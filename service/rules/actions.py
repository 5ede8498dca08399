"""Every action of a seat as a typed record: what the API takes, what its schema shows, what the rules decide on.

Static bounds stand in the types and are refused as bad input; what depends on the game is a rule's business.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from events.base import Json, OptionValue
from events.deals import ScheduledPayment
from events.operations import Text
from service.rules.action_base import Action as Action  # noqa: PLC0414 # spoken of as `actions.Action`
from service.rules.action_base import Prompt as Prompt  # noqa: PLC0414 # likewise spoken of
from service.rules.action_base import Prompted as Prompted  # noqa: PLC0414 # likewise spoken of
from service.rules.actions_politics import PoliticsAction
from service.rules.actions_social_justice import SocialJusticeAction, SquareIndex

Dollars: TypeAlias = Annotated[int, Meta(ge=1, le=2**53 - 1, description="Whole dollars.")]

Number: TypeAlias = Annotated[int, Meta(ge=1, le=2**53 - 1, description="Its number in the game.")]
Dealt: TypeAlias = Annotated[int, Meta(ge=1, le=1_000_000, description="Whole dollars.")]
Cited: TypeAlias = Annotated[
    str, Meta(pattern=r"^[a-z0-9:._-]{0,40}(?![\s\S])", description="Id of the house rule that asks for it.")
]
Payments: TypeAlias = Annotated[tuple[ScheduledPayment, ...], Meta(max_length=5, description="What runs by itself.")]


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
    """Let a kept waiver cancel this Get a Job (PA-30)."""


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
    """Attest the books behind the result, as the custodian of record (PA-10)."""


class DeclineResult(Prompted, frozen=True, tag="decline_result"):
    """Leave the books behind the result without an attestation (PA-10)."""


class SellTitle(Prompted, frozen=True, tag="sell_title"):
    """Offer a title or utility with its houses to another player, or to a banker's seat (SJG-10)."""

    square: SquareIndex
    buyer: Annotated[int, Meta(ge=0, le=8, description="Seat that may buy; 0 for the bank.")]
    price: Dealt


class BidForTitle(Prompted, frozen=True, tag="bid_for_title"):
    """Offer to buy a title or utility with its houses from the player who holds it (SJG-10)."""

    square: SquareIndex
    price: Dealt


class SellToBank(Prompted, frozen=True, tag="sell_to_bank"):
    """Sell a title or utility with its houses to the automatic bank, at what it pays (SJG-10)."""

    square: SquareIndex


class RequestLoan(Prompted, frozen=True, tag="request_loan"):
    """Ask a player, or a banker's seat, for a loan; the lender sets interest and period (SJG-13 to SJG-16)."""

    lender: Annotated[int, Meta(ge=0, le=8, description="Seat that is asked; 0 for the bank.")]
    principal: Dealt
    pct: Annotated[int, Meta(ge=0, le=1000, description="Interest that would be welcome, in percent.")] | None = None
    term: Annotated[int, Meta(ge=1, le=50, description="Period that would be welcome, in own turns.")] | None = None


class BorrowFromBank(Prompted, frozen=True, tag="borrow_from_bank"):
    """Borrow from the automatic bank, on its terms (SJG-13, SJG-14)."""

    principal: Dealt


class RepayLoan(Prompted, frozen=True, tag="repay_loan"):
    """Repay a loan in full before it is due (SJG-14, SJG-16)."""

    loan: Number


class ProposeAgreement(Prompted, frozen=True, tag="propose_agreement"):
    """Propose an agreement to another seat: a text, payments that run by themselves, or both (SJG-31)."""

    party: Annotated[int, Meta(ge=1, le=8, description="The other seat.")]
    text: Text = ""
    payments: Payments = ()


class OnOffer(Action, frozen=True, kw_only=True):
    """An action on an open offer."""

    offer: Number


class AcceptOffer(OnOffer, frozen=True, tag="accept_offer"):
    """Accept an offer; it is carried out at once (SJG-10, SJG-14, SJG-31)."""


class DeclineOffer(OnOffer, frozen=True, tag="decline_offer"):
    """Turn an offer down (SJG-10, SJG-14, SJG-31)."""


class WithdrawOffer(OnOffer, frozen=True, tag="withdraw_offer"):
    """Take an offer back (SJG-10, SJG-14, SJG-31)."""


class CounterSale(OnOffer, frozen=True, tag="counter_sale"):
    """Answer an offer of a sale with another price (SJG-10)."""

    price: Dealt


class CounterLoan(OnOffer, frozen=True, tag="counter_loan"):
    """Answer a request or an offer of a loan with terms: the lender's own, or what the borrower would take (SJG-14)."""

    principal: Dealt
    pct: Annotated[int, Meta(ge=0, le=1000, description="Flat interest in percent of the principal.")]
    term: Annotated[int, Meta(ge=1, le=50, description="Own turns of the borrower until it is due.")]


class CounterAgreement(OnOffer, frozen=True, tag="counter_agreement"):
    """Answer a proposed agreement with another text or other payments (SJG-31)."""

    text: Text = ""
    payments: Payments = ()


Counter: TypeAlias = CounterSale | CounterLoan | CounterAgreement


class CancelAgreement(Action, frozen=True, tag="cancel_agreement"):
    """Ask for the end of an agreement; it ends when both have asked (SJG-31)."""

    agreement: Number


class Pay(Action, frozen=True, tag="pay"):
    """Give somebody money, perhaps because a house rule asks for it (SJG-31)."""

    to: Annotated[int, Meta(ge=0, le=8, description="Seat that is paid; 0 for the bank.")]
    amount: Dealt
    cites: Cited = ""


PlayAction: TypeAlias = (
    Roll
    | CheatMove
    | BetHorses
    | BetLottery
    | Borrow
    | Repay
    | UseWaiver
    | TakeJob
    | RollPartner
    | DeclinePartner
    | OfferBets
    | WithdrawBets
    | AttestBooks
    | AttestResult
    | DeclineResult
    | SocialJusticeAction
    | PoliticsAction
    | SellTitle
    | BidForTitle
    | SellToBank
    | RequestLoan
    | BorrowFromBank
    | RepayLoan
    | ProposeAgreement
    | AcceptOffer
    | DeclineOffer
    | WithdrawOffer
    | CounterSale
    | CounterLoan
    | CounterAgreement
    | CancelAgreement
    | Pay
)
"""What `POST …/actions` takes."""


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
    """Give up one's seat."""


class Renew(Open, frozen=True, tag="renew"):
    """Issue a seat's token anew."""

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


OpenAction: TypeAlias = TakeSeat | Leave | Renew | SetOptions | Ready | Start | Expire
AnyAction: TypeAlias = PlayAction | OpenAction


def name_of(action: AnyAction) -> str:
    """Give the action's name in the API and on the stream."""
    return str(action.__struct_config__.tag)


def params_of(action: AnyAction) -> dict[str, Json]:
    """Give the parameters for the stream: all but name and prompt, options flattened."""
    if isinstance(action, SetOptions):
        return {f"options.{key}": msgspec.to_builtins(value) for key, value in action.options.items()}
    fields = (name for name in action.__struct_fields__ if name != "prompt")
    return {name: msgspec.to_builtins(getattr(action, name)) for name in fields}
