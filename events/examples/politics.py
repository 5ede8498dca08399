"""One example of every event of politics; see `events.examples.events`."""

from hashlib import sha256

from events.base import BANK, Event, seat_account
from events.social_justice import operations as o
from events.social_justice import politics as p


def _digest(of: str) -> str:
    return sha256(of.encode()).hexdigest()


_RELIEF = o.SetValue(
    param="utility.{u}.payday_cap.{r}",
    value=20,
    fill=o.Fill(u=("enron", "flint"), r=("unemployed", "employee", "manager")),
)
_TAX = o.AddTransfer(
    trigger="each_payday",
    where=o.Where(role=("owner",)),
    payer="actor",
    payee="role:unemployed",
    amount=o.Sum(fixed=200),
    split="share",
    label=_digest("tax on the rich"),
)
_REBATE = o.AddTransfer(
    trigger="rent_paid",
    payer="bank",
    payee="actor",
    amount=o.Sum(pct=25, of="last_payment", min=1, max=100),
    on_short="skip",
)

EXAMPLES: tuple[Event, ...] = (
    p.ProposalMade(
        seat=2,
        vote="v1",
        operations=(
            _RELIEF,
            _TAX,
            o.Disable(rule="gentrify.enabled"),
            o.Enable(rule="utility.flint.public"),
            o.Repeal(rule_id="r2"),
        ),
        costs_turn=True,
    ),
    p.VoteOpened(vote="v1", kind="proposal", seat=2, eligible=(1, 2, 3), threshold="majority", needed=2),
    p.BallotCast(vote="v1", seat=2, ballot="yes", by_default=False),
    p.VoteClosed(vote="v1", outcome="passed", yes=(2, 3), no=(), abstain=(1,)),
    p.RuleRepealed(rule="r2", vote="v1"),
    p.RuleAdopted(
        rule="r3",
        vote="v1",
        seat=2,
        settings=(
            p.Setting(param="property.rent_pct", value=90),
            p.Setting(param="vote.threshold", value="two_thirds"),
            p.Setting(param="gentrify.enabled", value=False),
            p.Setting(param="jail.bail", value=None),
            p.Setting(param="jail.immune_roles", value=("manager", "owner")),
            p.Setting(param="college.aid_charge", value=(100, 50, 50, 0, 0, 0)),
        ),
        transfers=(_TAX, _REBATE),
        texts=(_digest("We split the cake."),),
    ),
    p.TransferShort(rule="r3", number=0, payer=seat_account(1), payee=BANK, missing=40),
    p.TransferLeftOut(rule="r3", number=1, trigger="rent_paid", payments=56),
    p.SpeechGiven(seat=1, vote="v2", promises=("care", "troops"), text=_digest("My fellow players")),
    p.PresidentElected(seat=1, vote="v2"),
    p.RuleDeclared(
        rule="r4", vote="v2", seat=1, area="net", settings=(p.Setting(param="utility.froogle.landing_rate", value=100),)
    ),
    p.PrisonerPardoned(seat=1, freed=3),
    p.TroopsWithdrawn(seat=1, seats=(2,)),
    p.PresidencyEnded(seat=1, vote="v2", promised=("care", "troops"), declared=("net", "pardon", "troops")),
)
"""In the order in which they were published."""
