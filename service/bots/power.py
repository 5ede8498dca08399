"""The White House as a sensible bot sees it: whom it elects, and what it declares once it is President."""

from service.bots import figures
from service.bots.base import Json
from service.bots.situation import Situation

FEE = 100
"""What a President lets the hospital take."""

SENTENCE = 1
"""Own turns that a President lets later prisoners miss, when nobody is there to be freed."""

BAILOUT = 60
"""What a President who holds Enron or Flint lets landing there cost."""


def ballot_on(situation: Situation) -> str:
    """Vote for a candidate who promises what helps: care for who pays, a pardon or the troops for who waits for it."""
    promises, citizen = situation.state["politics"]["promises"], situation.citizen
    helped = {
        "care": figures.value_of(situation.state, f"hospital.fee.{situation.role}") > FEE,
        "pardon": citizen["jailed"],
        "troops": citizen["harms_way"],
    }
    return "yes" if any(helped.get(area) for area in promises) else "no"


def declare(situation: Situation) -> Json | None:
    """Use the powers of a President, one after the other: what was promised first, what serves oneself last."""
    return (
        _care(situation)
        or situation.do("withdraw_troops")
        or situation.do("free_prisoner")
        or situation.do("declare_sentence", fixed_turns=SENTENCE)
        or _own(situation)
    )


def _care(situation: Situation) -> Json | None:
    fees = [figures.value_of(situation.state, f"hospital.fee.{role}") for role in ("unemployed", "employee", "manager")]
    return situation.do("declare_care", fee=FEE) if max(fees) > FEE else None


def _own(situation: Situation) -> Json | None:
    """Raise what one takes, lower what one pays."""
    board, titles = figures.board_of(situation.state), situation.state["titles"]
    holders = {key: titles[str(board.utility(key).i)]["holder"] for key in ("enron", "flint", "froogle")}
    mine = {key: BAILOUT if holders[key] == situation.seat else None for key in ("enron", "flint")}
    if any(rate is not None for rate in mine.values()) and (body := situation.do("declare_bailout", **mine)):
        return body
    return situation.do("declare_net", froogle=BAILOUT if holders["froogle"] == situation.seat else 0)
