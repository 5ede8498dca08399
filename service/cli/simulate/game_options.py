"""Options of a simulated game as they are written on the command line: NAME=VALUE, read as the option's type asks.

A number is written in plain ASCII digits. Other forms that Python accepts (digits of other scripts, underscores,
spaces) are refused, since they are more likely a mistake than meant.
"""

import re
from collections.abc import Sequence

from events.base import OptionValue, Scalar
from service.rules import options as agreed
from service.rules.bounds import Bound, Each, OneOf, OrNone, SomeOf
from service.rules.violations import RuleViolation
from service.settings import OperatorError

FLAGS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
NUMBER = re.compile(r"-?[0-9]{1,16}")


def number(what: str, text: str, bound: Bound) -> int:
    """Read a number, without checking that it is within the bound.

    Raises:
        OperatorError: It is not written in plain digits; the message says what is possible.
    """
    if not NUMBER.fullmatch(text):
        raise OperatorError(f"{what} must be {bound.words()}, not {text!r}.")
    return int(text)


def options_of(
    of: agreed.OptionSet, preset: str, chosen: Sequence[str], *, players: int, purse: str
) -> dict[str, OptionValue]:
    """Read the options of the game.

    Args:
        of: The options of its rulebook.
        preset: The options to begin with.
        chosen: Options that replace those of the preset, each as NAME=VALUE.
        players: How many sit at the table.
        purse: The option that names the seat which keeps the common purse.

    Raises:
        OperatorError: One is unknown, out of bounds, given twice or not written as NAME=VALUE.
    """
    try:
        options = agreed.agree(_once(of, chosen), agreed.preset(preset, of), of)
    except RuleViolation as refusal:
        raise OperatorError(str(refusal)) from refusal
    if options[purse] not in range(players + 1):
        raise OperatorError(f"Nobody sits at {options[purse]}, which is to be {purse}.")
    return options


def _once(of: agreed.OptionSet, chosen: Sequence[str]) -> dict[str, OptionValue]:
    """Read all of them, and refuse an option that is given twice."""
    options: dict[str, OptionValue] = {}
    for text in chosen:
        name, equals, value = text.partition("=")
        if not equals:
            raise OperatorError(f"--option takes NAME=VALUE, not {text!r}.")
        if name in options:
            raise OperatorError(f"The option {name} is given twice.")
        options[name] = _value(name, value, of.known[name][1]) if name in of.known else value
    return options


def _value(name: str, text: str, bound: Bound) -> OptionValue:
    """Read a value as its bound asks: null, a scalar, or items with commas between them (brackets are optional)."""
    if isinstance(bound, OrNone) and text == "null":
        return None
    if isinstance(bound, Each | SomeOf):
        inside = text[1:-1] if text.startswith("[") and text.endswith("]") else text
        return [_scalar(name, item, bound) for item in re.split(r", ?", inside)] if inside else []
    return _scalar(name, text, bound)


def _scalar(name: str, text: str, bound: Bound) -> Scalar:
    what = f"The option {name}"
    if bound == agreed.FLAG:
        if text.lower() not in FLAGS:
            raise OperatorError(f"{what} must be true or false, not {text!r}.")
        return FLAGS[text.lower()]
    words = isinstance(bound, OneOf | SomeOf) and all(isinstance(value, str) for value in bound.values)
    return text if words else number(what, text, bound)
