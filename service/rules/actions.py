"""Every action of a seat as a typed record: what the API takes, what its schema shows, what the rules decide on.

Static bounds stand in the types and are refused as bad input; what depends on the game is a rule's business.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from events.base import Json, OptionValue
from events.boards_social_justice import RoleName
from events.deals import ScheduledPayment
from events.operations import Text
from service.rules.action_base import Action as Action  # noqa: PLC0414 # spoken of as `actions.Action`
from service.rules.action_base import Prompt as Prompt  # noqa: PLC0414 # likewise
from service.rules.action_base import Prompted as Prompted  # noqa: PLC0414 # likewise
from service.rules.actions_politics import PoliticsAction

Dollars: TypeAlias = Annotated[int, Meta(ge=1, le=2**53 - 1, description="Whole dollars.")]

SquareIndex: TypeAlias = Annotated[int, Meta(ge=0, le=39, description="Index of a square.")]
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


class ChooseRole(Prompted, frozen=True, tag="choose_role"):
    """Take a role out of the bag (SJG-2)."""

    role: RoleName


class DrawRole(Prompted, frozen=True, tag="draw_role"):
    """Pick no role: one that is left is dealt by chance (SJG-2)."""


class EndTurn(Prompted, frozen=True, tag="end_turn"):
    """Do nothing more in this turn (SJG-18a)."""


class Stop(Prompted, frozen=True, tag="stop"):
    """Stop at the College or the Military on the way; the rest of the roll is lost (SJG-48, SJG-52)."""


class Decline(Prompted, frozen=True, tag="decline"):
    """Say no to what is offered (SJG-86)."""


class Buy(Prompted, frozen=True, tag="buy"):
    """Buy the title under one's token from the bank (SJG-20)."""


class PayRent(Prompted, frozen=True, tag="pay_rent"):
    """Pay the rent (SJG-24)."""


class Gentrify(Prompted, frozen=True, tag="gentrify"):
    """Take the unimproved title under one's token over, and improve it (SJG-25)."""

    houses: Annotated[int, Meta(ge=0, le=3, description="Houses added at once.")]


class Donate(Prompted, frozen=True, tag="donate"):
    """Donate a house to a property of another: no rent there any more (SJG-28)."""

    square: SquareIndex


class Build(Prompted, frozen=True, tag="build"):
    """Build a house on a property of one's own (SJG-30)."""

    square: SquareIndex


class SetRate(Prompted, frozen=True, tag="set_rate"):
    """Set a rate of a utility that one holds (SJG-66)."""

    name: Annotated[
        str,
        Meta(
            pattern=r"^(enron|flint|froogle)\.(payday|landing)(?![\s\S])",
            description="Utility and rate, such as `enron.payday`.",
        ),
    ]
    rate: Annotated[int, Meta(ge=0, le=10_000, description="Whole dollars.")]


class ApplyForAid(Prompted, frozen=True, tag="apply_for_aid"):
    """Apply for aid with the tuition (SJG-51)."""


class PayTuition(Prompted, frozen=True, tag="pay_tuition"):
    """Pay the tuition and hold the next role (SJG-49, SJG-50)."""


class Enlist(Prompted, frozen=True, tag="enlist"):
    """Join the military (SJG-52)."""


class UsePass(Prompted, frozen=True, tag="use_pass"):
    """Let a kept card avoid jail (SJG-64)."""


class PayBail(Prompted, frozen=True, tag="pay_bail"):
    """Pay bail instead of going to jail (SJG-61)."""


class PayFine(Prompted, frozen=True, tag="pay_fine"):
    """Pay what a card asks instead of going to jail (SJG-37)."""


class GoToJail(Prompted, frozen=True, tag="go_to_jail"):
    """Go to jail instead of paying what a card asks (SJG-37)."""


class TakeHouse(Prompted, frozen=True, tag="take_house"):
    """Put a free house on a property of one's own (SJG-37)."""

    square: SquareIndex


class RaiseFunds(Prompted, frozen=True, tag="raise_funds"):
    """Let the bank take titles and lend until a debt is covered (SJG-9)."""


class DeclareBankruptcy(Prompted, frozen=True, tag="declare_bankruptcy"):
    """Give up under a debt that one cannot cover (SJG-4, SJG-9)."""


SocialJusticeAction: TypeAlias = (
    ChooseRole
    | DrawRole
    | EndTurn
    | Stop
    | Decline
    | Buy
    | PayRent
    | Gentrify
    | Donate
    | Build
    | SetRate
    | ApplyForAid
    | PayTuition
    | Enlist
    | UsePass
    | PayBail
    | PayFine
    | GoToJail
    | TakeHouse
    | RaiseFunds
    | DeclareBankruptcy
)


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

    options: dict[str, OptionValue]


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
