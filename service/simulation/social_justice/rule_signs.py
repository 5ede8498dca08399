"""By which events one knows that a rule of The Social Justice Game was done; words as in `simulation.rule_signs`."""

from collections.abc import Iterable

from events.lobby import GameFinished
from events.play import MoneyMoved
from events.social_justice.board import MOST_HOUSES
from events.social_justice.deals import LoanGranted, LoanPaid, OfferEnded, OfferMade
from events.social_justice.events import (
    CardIgnored,
    CitizenOut,
    DebtArose,
    HouseAdded,
    JailAvoided,
    JailLeft,
    RateSet,
    RoleTaken,
    TitlePassed,
    TokenMoved,
)
from events.social_justice.politics import RuleAdopted, RuleDeclared, VoteClosed, VoteOpened
from service.simulation import rule_signs
from service.simulation.rule_signs import Cases, rules_by_word, signs_from

SIGNS = signs_from(
    {
        "SJG-2": "role_taken",
        "SJG-3": "worth_counted",
        "SJG-4": "citizen_out:bankrupt",
        "SJG-4a": "debt_arose:loan_due",
        "SJG-4b": "citizen_out",
        "SJG-6": "money_moved:rent",
        "SJG-7": "role_changed:degree role_changed:enlisted",
        "SJG-8": "proposal_made",
        "SJG-9": "debt_arose",
        "SJG-10": "title_passed:sold",
        "SJG-11": "loan_granted:bank",
        "SJG-12": "loan_granted:player",
        "SJG-13": "loan_granted:SJG-14",
        "SJG-14": "loan_granted:SJG-14",
        "SJG-15": "loan_granted:SJG-16",
        "SJG-16": "loan_granted:SJG-16",
        "SJG-17": "order_decided",
        "SJG-18": "dice_rolled:movement",
        "SJG-18a": "prompt_opened:turn_start prompt_opened:turn_end",
        "SJG-19": "token_moved",
        "SJG-20": "title_passed:bought",
        "SJG-21": "house_added:built",
        "SJG-22": "turn_started",
        "SJG-23": "action_taken:decline_buy",
        "SJG-24": "money_moved:SJG-24",
        "SJG-25": "title_passed:gentrified",
        "SJG-26": "money_moved:SJG-26",
        "SJG-27": "title_passed:gentrified",
        "SJG-28": "house_added:donated",
        "SJG-29": "house_added:full",
        "SJG-30": "house_added:built",
        "SJG-31": "agreement_made money_moved:SJG-31",
        "SJG-32": "proposal_made",
        "SJG-33": "vote_closed:passed vote_closed:failed",
        "SJG-36": "rule_adopted:payday_cap",
        "SJG-37": "card_drawn",
        "SJG-38": "card_ignored:other_role",
        "SJG-39": "role_taken:unemployed",
        "SJG-40": "role_taken:employee",
        "SJG-41": "role_taken:manager",
        "SJG-42": "role_taken:owner",
        "SJG-43": "enlisted",
        "SJG-44": "dice_rolled:combat",
        "SJG-45": "house_added",
        "SJG-46": "money_moved:SJG-46",
        "SJG-47": "money_moved:SJG-47",
        "SJG-48": "prompt_opened:college",
        "SJG-49": "role_changed:SJG-49",
        "SJG-50": "role_changed:SJG-50",
        "SJG-51": "aid_answered",
        "SJG-52": "prompt_opened:enlist",
        "SJG-53": "role_changed:SJG-53",
        "SJG-54": "role_changed:veteran",
        "SJG-55": "money_moved:SJG-55",
        "SJG-56": "dice_rolled:serving",
        "SJG-57": "dice_rolled:combat",
        "SJG-58": "tour_ended",
        "SJG-59": "money_moved:SJG-59",
        "SJG-60": "debt_arose:hospital",
        "SJG-61": "jailed",
        "SJG-62": "jail_left",
        "SJG-63": "jail_avoided:role",
        "SJG-64": "jail_avoided:pass",
        "SJG-65": "money_moved:SJG-65",
        "SJG-66": "rate_set:enron",
        "SJG-67": "money_moved:SJG-67",
        "SJG-68": "money_moved:SJG-68",
        "SJG-69": "rate_set:flint",
        "SJG-70": "money_moved:SJG-70",
        "SJG-71": "money_moved:SJG-71",
        "SJG-72": "rate_set:froogle",
        "SJG-73": "money_moved:SJG-73",
        "SJG-74": "money_moved:SJG-74",
        "SJG-75": "title_passed:bought",
        "SJG-76": "house_added:full",
        "SJG-77": "title_passed:bought",
        "SJG-78": "speech_given",
        "SJG-79": "president_elected",
        "SJG-80": "presidency_ended",
        "SJG-81": "rule_declared:bailout",
        "SJG-82": "rule_declared:care",
        "SJG-83": "rule_declared:net",
        "SJG-84": "rule_declared:pardon prisoner_pardoned",
        "SJG-85": "troops_withdrawn",
    }
)
"""Rule → the words that each are one firing of it. Not here: SJG-1 and SJG-5 (no mechanic), SJG-34 and SJG-35 (what
they refuse leaves no trace), SJG-86 (no deadline passes in a simulation)."""

RULES_OF = rules_by_word(SIGNS)


def _added(event: HouseAdded) -> Iterable[str]:
    return event.why, *(["full"] if event.houses == MOST_HOUSES else [])


def _adopted(event: RuleAdopted) -> Iterable[str]:
    caps = any(".payday_cap." in setting.param for setting in event.settings)
    parts = {"settings": event.settings, "transfers": event.transfers, "texts": event.texts, "payday_cap": caps}
    return [name for name, part in parts.items() if part]


CASES: Cases = {
    **rule_signs.CASES,
    CardIgnored: lambda event: (event.why,),
    CitizenOut: lambda event: (event.why,),
    DebtArose: lambda event: (event.reason,),
    GameFinished: lambda event: (event.reason,),
    HouseAdded: _added,
    JailAvoided: lambda event: (event.how,),
    JailLeft: lambda event: (event.how,),
    LoanGranted: lambda event: (event.rule, "player" if event.lender else "bank"),
    LoanPaid: lambda event: (event.rule,),
    MoneyMoved: lambda event: (event.rule, event.reason),
    OfferEnded: lambda event: (event.how,),
    OfferMade: lambda event: (str(event.terms.__struct_config__.tag),),
    RateSet: lambda event: (event.name.partition(".")[0],),
    RoleTaken: lambda event: (event.role, event.how),
    RuleAdopted: _adopted,
    RuleDeclared: lambda event: (event.area,),
    TitlePassed: lambda event: (event.why,),
    TokenMoved: lambda event: (event.how, event.rule),
    VoteClosed: lambda event: (event.outcome,),
    VoteOpened: lambda event: (event.kind,),
}
"""What tells the cases of an event apart."""
