"""Sentences for The Social Justice Game, but for politics and deals."""

from events.social_justice import events as sjg
from events.social_justice.tasks import AgendaSet
from projections.timeline.scene import Scene, Sentences, words
from projections.timeline.words import counted, money

_HOW_MOVED = {"roll": "moves", "card": "is directed", "direct": "goes straight"}
_HOW_TAKEN = {"drawn": "draws", "chosen": "chooses", "dealt": "is dealt"}
_WHY_CHANGED = {"degree": "by a degree", "enlisted": "by enlisting", "card": "by a card"}
_HOW_PASSED = {"start": "is given to", "bought": "is bought by", "gentrified": "is taken over by", "sold": "is sold to"}
_WHY_HOUSE = {"built": "builds", "gentrified": "adds", "donated": "donates", "card": "is granted"}
_HOW_AVOIDED = {
    "role": "its role keeps it out",
    "pass": "a kept card avoids it",
    "bail": "bail is paid",
    "no_jail": "there is none",
}
_WHY_OUT = {"bankrupt": "is bankrupt", "killed": "is killed in combat", "left": "leaves an estate"}
_WHY_IGNORED = {"other_role": "it is for other roles", "nothing_to_do": "there is nothing that it could do"}


def _passed(event: sjg.TitlePassed, scene: Scene) -> str:
    title = f"The title of {scene.square(event.square)}"
    if not event.holder:
        return f"{title} goes back to the bank."
    seller = f", out of the hands of {scene.who(event.seller)}" if event.seller else ""
    return f"{title} {_HOW_PASSED.get(event.why, 'goes to')} {scene.who(event.holder)}{seller}."


def _house(event: sjg.HouseAdded, scene: Scene) -> str:
    there = f"{scene.square(event.square)}: {counted(event.houses, 'house')} there"
    return f"{scene.who(event.seat)} {_WHY_HOUSE[event.why]} a house on {there}."


def _rate(event: sjg.RateSet, scene: Scene) -> str:
    utility, _, when = event.name.partition(".")
    return f"{scene.who(event.seat)} sets what {words(utility).title()} charges at {when} to {money(event.rate)}."


def _debt(event: sjg.DebtArose, scene: Scene) -> str:
    payee = scene.to_account(event.creditor)
    return f"{scene.who(event.seat)} owes {payee} {money(event.amount)} ({words(event.reason)}) and must raise it."


def _aid(event: sjg.AidAnswered, scene: Scene) -> str:
    return f"{scene.who(event.seat)} applies for aid: {event.charge} % of the tuition is left to pay."


def _role(event: sjg.RoleChanged, scene: Scene) -> str:
    return f"{scene.who(event.seat)} is {_role_name(event.role)} now, {_WHY_CHANGED[event.why]}."


def _role_name(role: str) -> str:
    return {"unemployed": "Unemployed", "employee": "an Employee", "manager": "a Manager", "owner": "the Owner"}[role]


def _worth(line: sjg.WorthLine, scene: Scene) -> str:
    return f"{scene.who(line.seat)} {money(line.worth)}"


def _moved(event: sjg.TokenMoved, scene: Scene) -> str:
    here, there = scene.square(event.from_square), scene.square(event.to_square)
    return f"{scene.who(event.seat)} {_HOW_MOVED[event.how]} from {here} to {there}."


SENTENCES: Sentences = {
    AgendaSet: lambda e, _: f"What is left of the turn is noted: {counted(len(e.tasks), 'task')}.",
    sjg.AidAnswered: _aid,
    sjg.CardIgnored: lambda e, s: f"{s.card(e.card)} does nothing to {s.who(e.seat)}: {_WHY_IGNORED[e.why]}.",
    sjg.CitizenOut: lambda e, s: f"{s.who(e.seat)} {_WHY_OUT[e.why]} and is out of the game.",
    sjg.DebtArose: _debt,
    sjg.Enlisted: lambda e, s: f"{s.who(e.seat)} joins the military.",
    sjg.HouseAdded: _house,
    sjg.HousesRemoved: lambda e, s: f"What stood on {s.square(e.square)} is removed: {counted(e.houses, 'house')}.",
    sjg.JailAvoided: lambda e, s: f"{s.who(e.seat)} does not go to jail: {_HOW_AVOIDED[e.how]}.",
    sjg.JailLeft: lambda e, s: f"{s.who(e.seat)} leaves jail for Payday ({e.how}).",
    sjg.Jailed: lambda e, s: f"{s.who(e.seat)} goes to jail and misses {counted(e.turns, 'turn')}.",
    sjg.RateSet: _rate,
    sjg.RoleChanged: _role,
    sjg.RoleTaken: lambda e, s: f"{s.who(e.seat)} {_HOW_TAKEN[e.how]} a role and is {_role_name(e.role)}.",
    sjg.RoundStarted: lambda e, _: f"Round {e.round} begins.",
    sjg.TitlePassed: _passed,
    sjg.TokenMoved: _moved,
    sjg.TourEnded: lambda e, s: f"The tour of {s.who(e.seat)} is over.",
    sjg.TurnMissed: lambda e, s: f"{s.who(e.seat)} misses this turn in jail; {e.left} to go.",
    sjg.WorthCounted: lambda e, s: f"What everybody is worth: {', '.join(_worth(line, s) for line in e.lines)}.",
}
