"""Actions of politics in The Social Justice Game, as typed records; see `service.rules.actions`."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from events.social_justice.board import RoleName as Role
from events.social_justice.operations import AnyOperation, Area, Text
from service.rules.action_base import Prompted

Rate: TypeAlias = Annotated[int, Meta(ge=0, le=10_000, description="Whole dollars.")]
RateByRole: TypeAlias = Rate | Annotated[dict[Role, Rate], Meta(min_length=1, description="One for each role named.")]
Fee: TypeAlias = Annotated[int, Meta(ge=0, le=5_000, description="Whole dollars.")]
FeeByRole: TypeAlias = Fee | Annotated[dict[Role, Fee], Meta(min_length=1, description="One for each role named.")]
Place: TypeAlias = Annotated[int, Meta(ge=1, le=8, description="Number of a seat.")]


class Propose(Prompted, frozen=True, tag="propose"):
    """Propose to change the rules, and call a vote (SJG-32)."""

    operations: Annotated[tuple[AnyOperation, ...], Meta(min_length=1, max_length=5)]


class CastBallot(Prompted, frozen=True, tag="cast_ballot"):
    """Vote, in public and for good; only a yes affirms (SJG-33)."""

    ballot: Literal["yes", "no", "abstain"]


class GiveSpeech(Prompted, frozen=True, tag="give_speech"):
    """Promise areas that one will change, and stand for President (SJG-78)."""

    text: Text = ""
    promises: Annotated[tuple[Area, ...], Meta(max_length=5)] = ()


class DeclareBailout(Prompted, frozen=True, tag="declare_bailout"):
    """Set the landing rates of Enron and Flint, for all or by role (SJG-81)."""

    enron: RateByRole | None = None
    flint: RateByRole | None = None


class DeclareCare(Prompted, frozen=True, tag="declare_care"):
    """Set the hospital's fees, for all or by role (SJG-82)."""

    fee: FeeByRole


class DeclareNet(Prompted, frozen=True, tag="declare_net"):
    """Set Froogle's landing rate (SJG-83)."""

    froogle: Rate


class DeclareSentence(Prompted, frozen=True, tag="declare_sentence"):
    """Set how many turns jail takes from now on (SJG-84)."""

    fixed_turns: Annotated[int, Meta(ge=0, le=10, description="Own turns to be missed.")]


class FreePrisoner(Prompted, frozen=True, tag="free_prisoner"):
    """Free one prisoner at once (SJG-84)."""

    free: Place


class WithdrawTroops(Prompted, frozen=True, tag="withdraw_troops"):
    """Take serving players out of harm's way until their tours end (SJG-85)."""

    players: Annotated[tuple[Place, ...], Meta(min_length=1, max_length=8)]
