"""What a proposal may consist of: typed records, the same in actions and in events.

A record says what was proposed, word for word; whether it may be proposed is for the rules to decide. No field names a
player: rules are for every seat (SJG-34). Typed-in text (a house rule's, a label) stands here as it was sent, and on
the stream as its digest only.
"""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct, field

from events.social_justice.board import RoleName as Role

Utility: TypeAlias = Literal["enron", "flint", "froogle"]
Area: TypeAlias = Literal["bailout", "care", "net", "pardon", "troops"]

AREAS: tuple[Area, ...] = get_args(Area)

Whole: TypeAlias = Annotated[int, Meta(gt=-(2**53), lt=2**53)]
Word: TypeAlias = Annotated[str, Meta(max_length=80)]
Text: TypeAlias = Annotated[
    str,
    Meta(
        max_length=500,
        pattern=r"^[^\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]*(?![\s\S])",
        description="Typed in, without control characters but line feeds; the stream holds its digest alone.",
    ),
]
Value: TypeAlias = Whole | bool | Word | Annotated[tuple[Whole | Word, ...], Meta(max_length=6)] | None
"""A parameter's value: a whole number, a switch, a word, nothing at all (no cap), or a list: a set of roles, the six
charges of an aid roll."""

Trigger: TypeAlias = Literal[
    "each_payday", "turn_start", "round_end", "enlist", "degree", "rent_paid", "jail_release", "land:payday",
    "land:property", "land:change", "land:utility", "land:college", "land:hospital", "land:white_house",
    "land:back_taxes", "land:military", "land:go_to_jail", "land:enron", "land:flint", "land:froogle",
]  # fmt: skip
Base: TypeAlias = Literal[
    "salary", "cash", "last_payment", "rate:enron.payday", "rate:enron.landing", "rate:flint.payday",
    "rate:flint.landing", "rate:froogle.payday", "rate:froogle.landing",
]  # fmt: skip
Split: TypeAlias = Literal["each", "share"]
OnShort: TypeAlias = Literal["partial", "skip", "obligation"]


class Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of an operation."""


class Fill(Record, frozen=True):
    """Sets that fill the places of a parameter's name, all filled ones together being one operation.

    Attributes:
        u: Utilities for `{u}`.
        r: Roles for `{r}`.
    """

    u: Annotated[tuple[Utility, ...], Meta(max_length=3)] = ()
    r: Annotated[tuple[Role, ...], Meta(max_length=4)] = ()


class Where(Record, frozen=True):
    """Conditions on the actor; all that are given must hold.

    Attributes:
        role: The role is one of these.
        cash_at_least: Cash in whole dollars.
        cash_at_most: Cash in whole dollars.
        serving: Serving in the military, or not.
        houses_at_least: Houses on own titles.
    """

    role: Annotated[tuple[Role, ...], Meta(max_length=4)] | None = None
    cash_at_least: Whole | None = None
    cash_at_most: Whole | None = None
    serving: bool | None = None
    houses_at_least: Whole | None = None


class Sum(Record, frozen=True):
    """How much: a fixed amount, or a share of a figure rounded down; then at least `min`, at most `max`.

    Attributes:
        fixed: Whole dollars.
        pct: Per cent of `of`.
        of: The figure: each payer's own, or each payee's where the bank pays.
        min: Least amount in whole dollars.
        max: Most in whole dollars.
    """

    fixed: Whole | None = None
    pct: Whole | None = None
    of: Base | None = None
    min: Whole | None = None
    max: Whole | None = None


class Operation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op"):
    """One of the one to five operations of a proposal."""


class SetValue(Operation, frozen=True, tag="set"):
    """Set a parameter to a value.

    Attributes:
        param: Its name, such as `property.rent_pct`, or with places such as `utility.{u}.payday_cap.{r}`.
        value: The value.
        fill: What fills the places (`for` on the wire).
    """

    param: Word
    value: Value
    fill: Fill = field(default_factory=Fill, name="for")


class Enable(Operation, frozen=True, tag="enable"):
    """Switch a rule on: a parameter that is true or false."""

    rule: Word


class Disable(Operation, frozen=True, tag="disable"):
    """Switch a rule off: a parameter that is true or false."""

    rule: Word


class AddTransfer(Operation, frozen=True, tag="add_transfer"):
    """Add a transfer: money that moves by itself whenever something happens.

    Attributes:
        trigger: What sets it off.
        where: Conditions on the actor.
        payer: `actor`, `bank`, `all`, `others`, `role:owner,manager` or `holder:enron` (`from` on the wire).
        payee: One of the same (`to` on the wire).
        amount: How much.
        split: Every payer pays every payee the amount, or shares one amount out among them.
        on_short: What happens when the payer has less.
        label: What it is called; typed-in text.
    """

    trigger: Trigger
    payer: Word = field(name="from")
    payee: Word = field(name="to")
    amount: Sum
    where: Where | None = None
    split: Split = "each"
    on_short: OnShort = "partial"
    label: Text = ""


class AddText(Operation, frozen=True, tag="add_text"):
    """Adopt a house rule in words; it is shown and has no automatic effect (SJG-35)."""

    text: Text


class Repeal(Operation, frozen=True, tag="repeal"):
    """Take a rule off the stack; the rules below it hold again."""

    rule_id: Word


class MakeMotion(Operation, frozen=True, tag="motion"):
    """Propose that something is done at once."""

    motion: Literal["end_game"]


AnyOperation: TypeAlias = SetValue | Enable | Disable | AddTransfer | AddText | Repeal | MakeMotion
