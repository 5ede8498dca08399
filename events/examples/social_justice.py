"""An example of every event of The Social Justice Game but those of politics and of deals."""

from events.base import Event, seat_account
from events.social_justice import events as sjg
from events.social_justice import tasks as agenda

SOCIAL_JUSTICE: tuple[Event, ...] = (
    agenda.AgendaSet(
        tasks=(
            agenda.CloseTurn(seat=2),
            agenda.Ask(seat=2, kind="turn_end"),
            agenda.Walk(seat=2, left=3, how="roll"),
            agenda.Owe(
                seat=2, creditor=seat_account(1), amount=50, reason="utility", rule="SJG-67", ref="square:5"
            ),
        )
    ),
    sjg.RoleTaken(seat=2, role="unemployed", how="drawn"),
    sjg.RoleChanged(
        seat=2, role="employee", before="unemployed", why="enlisted", floor="employee", rule="SJG-53"
    ),
    sjg.RoundStarted(round=3),
    sjg.TokenMoved(seat=2, from_square=38, to_square=0, how="roll", rule="SJG-18"),
    sjg.TitlePassed(square=3, seller=0, holder=2, why="bought", rule="SJG-20"),
    sjg.HouseAdded(square=3, seat=1, houses=1, why="donated", rule="SJG-28"),
    sjg.HousesRemoved(square=3, houses=2),
    sjg.RateSet(seat=1, name="enron.payday", rate=120),
    sjg.DebtArose(
        seat=2, creditor=seat_account(1), amount=50, reason="utility", rule="SJG-67", ref="square:5"
    ),
    sjg.AidAnswered(seat=2, face=4, charge=50, used=1),
    sjg.Enlisted(seat=2),
    sjg.TourEnded(seat=2),
    sjg.Jailed(seat=2, turns=3),
    sjg.JailAvoided(seat=1, how="role"),
    sjg.TurnMissed(seat=2, left=2),
    sjg.JailLeft(seat=2, how="served"),
    sjg.CardIgnored(seat=2, card="CH05", why="other_role"),
    sjg.CitizenOut(seat=2, why="bankrupt", rule="SJG-9"),
    sjg.WorthCounted(
        lines=(
            sjg.WorthLine(
                seat=1, cash=2400, titles=1000, houses=150, owed=600, receivable=0, worth=2950,
                roles=(sjg.RoleHeld(turn=0, role="owner"),), out="",
            ),
            sjg.WorthLine(
                seat=2, cash=0, titles=0, houses=0, owed=0, receivable=0, worth=0,
                roles=(sjg.RoleHeld(turn=0, role="unemployed"), sjg.RoleHeld(turn=9, role="employee")), out="bankrupt",
            ),
        )
    ),
)  # fmt: skip
