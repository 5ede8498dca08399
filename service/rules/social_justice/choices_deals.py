"""Every action of deals."""

from collections.abc import Callable, Mapping

from service.rules import actions as a
from service.rules.choice import AnyChoice
from service.rules.social_justice.table import State

CHOICES: tuple[AnyChoice, ...] = ()
DEFAULTS: Mapping[str, Callable[[State, str], a.PlayAction]] = {}
