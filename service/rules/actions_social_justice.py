"""Actions of The Social Justice Game but those of politics and of deals; see `service.rules.actions`."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from events.social_justice.board import RoleName
from service.rules.action_base import Prompted

SquareIndex: TypeAlias = Annotated[int, Meta(ge=0, le=39, description="Index of a square.")]


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
    """Decline what is offered (SJG-86)."""


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
    """Use a kept card to avoid jail (SJG-64)."""


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
    """Raise funds at the bank, by titles and a loan, until a debt is covered (SJG-9)."""


class DeclareBankruptcy(Prompted, frozen=True, tag="declare_bankruptcy"):
    """Declare bankruptcy under a debt that one cannot cover (SJG-4, SJG-9)."""
