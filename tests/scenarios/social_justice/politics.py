"""Words for scenarios of politics."""

from projections.state_politics import Politics, Rule
from projections.state_social_justice import SocialJusticeState

ZERO = "0" * 64


def bare_state(*stack: Rule) -> SocialJusticeState:
    """A state with nothing in it but a stack of rules, for what asks nothing else of it."""
    return SocialJusticeState(
        game="g_bare", rules=1, code=ZERO, pins=(), options={}, places=8, private=False, commitment=ZERO,
        known_secret=True, parent="", politics=Politics(stack=stack, rules=len(stack)),
    )  # fmt: skip
