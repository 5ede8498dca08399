"""Whole random games of The Social Justice Game: legal actions, random deals and proposals, a share of nonsense."""

import msgspec

from service.rules import actions as a
from service.rules import options as agreed
from service.rules.rulebooks import ACTIONS, SOCIAL_JUSTICE
from service.rules.social_justice.catalogue import PARAMETERS
from tests.properties.citizens import Anybody, Json, drawn
from tests.properties.games import RandomGame
from tests.support.kinds import sjg

OBJECTIONS = frozenset(
    {
        "cash_too_short", "loan_open", "not_with_oneself", "not_in_game", "in_debt", "usury", "bank_is_automatic",
        "not_anothers_title", "not_the_holder", "terms_open", "role_refused", "bank_lends_nothing", "too_many_offers",
        "too_many_agreements", "wrong_offer", "empty_agreement", "not_between_two", "each_payday", "no_lender",
        "none_acceptable", "no_place", "empty_declaration", "not_in_harms_way", "too_many_transfers", "set_twice",
        "repealed_twice", "unknown_rule", "no_actor", "no_last_payment", "both_bank", "wrong_amount", "out_of_bounds",
        "empty_where", "rate_locked",
    }
)  # fmt: skip
"""What bounds of single parameters cannot say of a deal, a proposal or a declaration as a whole."""

ROUNDS = (2, 4, 7, 12)
AT_LENGTH = ("move.extra.", "jail.fixed_turns", "end.rounds")
"""What makes a game endless or no game is proposed and not agreed on at the start."""


class SocialJusticeGame(RandomGame):
    """One game of The Social Justice Game on its way from the lobby to its end."""

    rules = SOCIAL_JUSTICE
    may_refuse = OBJECTIONS
    most_actions = 12_000

    def options(self) -> Json:
        """Draw the options; most parameters keep their default, and the game is short."""
        chance = self.chance
        chosen: Json = {
            "assignment": chance.choice(["random_bag", "choose"]),
            "bank": chance.choice(["auto", "auto", "player"]),
            "turn_seconds": chance.choice([0, 60]),
            "end.rounds": chance.choice(ROUNDS),
        }
        for name, parameter in PARAMETERS.items():
            if chance.random() < 0.04 and not name.startswith(AT_LENGTH):
                chosen[name] = drawn(parameter.bound, chance)
        return agreed.agree(chosen, agreed.defaults(agreed.OF_SOCIAL_JUSTICE), agreed.OF_SOCIAL_JUSTICE)

    def wish(self) -> tuple[int, Json] | None:
        """Pick a seat, more often one that is asked, and what it sends."""
        return Anybody(self.chance).wish(sjg(self.state))

    def nonsense(self) -> tuple[int, a.AnyAction]:
        """Make an action that may well be refused: of any kind, by any seat, under any prompt."""
        state, chance = self.state, self.chance
        prompt = chance.choice([*state.prompts, "p1", f"p{state.version + 1}"])
        kind = chance.choice(list(SAMPLES))
        body = {"action": kind, **SAMPLES[kind], **({"prompt": prompt} if PROMPTED[kind] else {})}
        made: a.AnyAction = msgspec.convert(body, ACTIONS[kind])
        around: list[a.AnyAction] = [
            made, made, made, made,
            a.Start(),
            a.Renew(seat=chance.randint(1, 8)),
            a.SetOptions(options={"end.rounds": 3}),
            a.TakeSeat(name="", kind="person", level="", nonce_commitment="", host=False),
            a.Expire(prompt=prompt, deadline=chance.choice([0, state.at])),
        ]  # fmt: skip
        return chance.choice(sorted(state.seats)), chance.choice(around)

    def share_of_leaving(self) -> float:
        """Leave more often while a turn, or its beginning, waits for another seat's answer."""
        asked = [(prompt.kind, prompt.seat) for prompt in self.state.prompts.values()]
        if any(kind == "raise_funds" and seat != sjg(self.state).active for kind, seat in asked):
            return 0.2
        waits = {"raise_funds", "ballot", "choose_role"} & {kind for kind, _ in asked}
        return 0.03 if waits else super().share_of_leaving()

    def progress(self) -> dict[int, int]:
        """Own turns of each seat never fall."""
        return {seat: citizen.own for seat, citizen in sjg(self.follower).citizens.items()}


def _samples() -> tuple[dict[str, Json], dict[str, bool]]:
    """Return one body of every action, and whether it names a prompt."""
    samples: dict[str, Json] = {}
    prompted: dict[str, bool] = {}
    for record in SOCIAL_JUSTICE.choices:
        name = str(record.__struct_config__.tag)
        prompted[name] = issubclass(record, a.Prompted)
        fields = [f for f in msgspec.structs.fields(record) if f.required and f.name != "prompt"]
        samples[name] = {field.encode_name: GUESSES[field.name] for field in fields}
    return samples, prompted


GUESSES: Json = {
    "role": "owner", "houses": 3, "square": 6, "name": "froogle.payday", "rate": 10_000, "ballot": "no",
    "operations": [{"op": "set", "param": "no.such", "value": 1}], "fee": 5, "froogle": 7, "fixed_turns": 1, "free": 2,
    "players": [1], "buyer": 2, "price": 10, "lender": 1, "principal": 100, "pct": 10, "term": 3, "loan": 1,
    "party": 2, "text": "", "payments": [], "offer": 1, "agreement": 1, "to": 1, "amount": 5,
}  # fmt: skip
SAMPLES, PROMPTED = _samples()


def play(seed: int) -> SocialJusticeGame:
    """Play the game of a seed."""
    return SocialJusticeGame(seed).play()
