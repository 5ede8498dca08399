"""Bots of The Social Justice Game: nothing illegal, nothing that hangs on what they need not see, and some sense."""

from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from jsonschema_rs import Draft202012Validator

from events.base import Event
from events.social_justice.politics import ProposalMade
from projections.evolve import AnyState
from projections.state.social_justice import SocialJusticeState
from service.bots import LEVELS, Bot, Json, RandomBot, SensibleBot, figures, interest, menu_of, view_of
from service.rules.social_justice import parameters, worth
from service.rules.social_justice.catalogue import PARAMETERS
from service.simulation.matches import Match, play
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, hall
from tests.simulation.sj import BASIC_INCOME, events_of, plan

TAX = {
    "op": "add_transfer", "trigger": "each_payday", "where": {"role": ["owner"]}, "from": "actor",
    "to": "role:unemployed,employee", "amount": {"fixed": 200}, "split": "share",
}  # fmt: skip


class Recorder:
    """Another bot, of whose choices an account is kept; each is held against the schema that it was shown."""

    kept: ClassVar[Counter[str]] = Counter()

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    @property
    def ignored(self) -> frozenset[str]:
        return self.bot.ignored

    def choose(self, actions: list[Json], state: Json) -> Json | None:
        return self._kept(actions, self.bot.choose(actions, state))

    def answer(self, actions: list[Json], state: Json) -> Json | None:
        return self._kept(actions, self.bot.answer(actions, state))

    def _kept(self, actions: list[Json], body: Json | None) -> Json | None:
        if body is not None:
            schema = next(a["schema"] for a in actions if a["name"] == body["action"])
            Draft202012Validator(schema).validate(body)
            self.kept[body["action"]] += 1
        return body


def recorded(kind: Callable[[int], Bot]) -> Callable[[int], Bot]:
    return lambda seed: Recorder(kind(seed))


@pytest.mark.parametrize("level", sorted(LEVELS))
@pytest.mark.parametrize("options", [{}, {"bank": "player", "assignment": "choose", "loan.usury_cap": 5}])
def test_nothing_illegal_is_chosen(level: str, options: Json, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole games: a refusal by the rules would end the test, and every choice fits the schema shown."""
    monkeypatch.setitem(LEVELS, level, recorded(LEVELS[level]))
    monkeypatch.setattr(Recorder, "kept", Counter())
    for number in range(3):
        state = play(plan(bots=level, players=4, rounds=10, options=options), number, lambda _: None)
        assert state.status == "finished"
    assert {"roll", "end_turn", *(["cast_ballot", "build"] if level == "sensible" else [])} <= set(Recorder.kept)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60))
def test_nothing_illegal_is_chosen_in_many_games(seed: int) -> None:
    """Chance proposes anything that is valid, and so tries every rule on everybody."""
    players = 2 + seed % 7
    assert play(plan(bots="random", players=players, seed=str(seed)), 0, lambda _: None).status == "finished"


def test_chance_proposes_anything_that_is_valid() -> None:
    kinds: Counter[str] = Counter()
    for number in range(6):
        seen = events_of(number, plan(bots="random", rounds=8))
        kinds.update(str(o.__struct_config__.tag) for e in seen if isinstance(e, ProposalMade) for o in e.operations)
    assert {"set", "add_transfer", "add_text", "repeal"} <= set(kinds)


def test_what_a_bot_does_not_consider_is_of_no_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shown everything that is open, as over HTTP, it plays the same game."""
    few = events_of(0, plan(players=4, rounds=8))
    monkeypatch.setattr(SensibleBot, "ignored", frozenset())
    assert events_of(0, plan(players=4, rounds=8)) == few


def test_its_figures_are_those_of_the_rules() -> None:
    """Every parameter and every net worth, in games that chance plays with the rules."""
    for number in range(3):
        compared = 0

        def see(event: Event, state: AnyState) -> None:
            nonlocal compared
            if event.__struct_config__.tag == "turn_ended" and isinstance(state, SocialJusticeState):
                view = view_of(state)
                for seat in state.alive():
                    assert figures.net_worth(view, seat) == worth.net_worth(state, seat)
                for name in PARAMETERS:
                    assert figures.value_of(view, name) == parameters.uncapped(state, name)
                compared += 1

        Match(plan(bots="random"), number).play(see)
        assert compared > 3


def chosen(game: Hall, seat: int, seed: int = 0) -> Json:
    body = SensibleBot(seed).choose(menu_of(game.state, seat), view_of(game.state))
    assert body is not None
    return body


def test_it_buys_what_it_can_spare_and_keeps_a_reserve() -> None:
    for cash, action in ((400, "buy"), (399, "decline")):
        game = hall(OWNER, EMPLOYEE.at(1, cash=cash), active=2).rolls(2)
        assert chosen(game, 2)["action"] == action


def test_it_builds_where_a_house_is_worth_most_until_only_the_reserve_is_left() -> None:
    """A second house adds most; on the dearest title it costs more than is left."""
    off = {"change.enabled": False}
    titles = {1: (2, 1), 3: (2, 0), 38: (2, 0)}
    body = chosen(hall(OWNER, EMPLOYEE.at(6, cash=600), active=2, titles=titles, options=off).rolls(2), 2)
    assert (body["action"], body["square"]) == ("build", 1)
    poor = hall(OWNER, EMPLOYEE.at(6, cash=250), active=2, titles={1: (2, 1)}, options=off).rolls(2)
    assert chosen(poor, 2)["action"] == "end_turn"


@pytest.mark.parametrize(("round_", "action"), [(1, "enlist"), (20, "decline")])
def test_it_enlists_while_there_is_time_for_the_raise(round_: int, action: str) -> None:
    game = hall(OWNER, UNEMPLOYED.at(28, cash=100), active=2, round_=round_).rolls(2)
    assert chosen(game, 2)["action"] == action


def test_it_studies_where_that_pays() -> None:
    """An Employee early on, with the tuition at hand; late in the game nothing would come of it."""
    for round_, action in ((1, "stop"), (17, "decline")):
        game = hall(OWNER, EMPLOYEE.at(8, cash=1_500), active=2, round_=round_).rolls(3)
        assert chosen(game, 2)["action"] == action
    game = hall(OWNER, EMPLOYEE.at(8, cash=1_500), active=2).rolls(2)
    assert chosen(game, 2)["action"] == "apply_for_aid"
    assert chosen(game.act(2, "apply_for_aid", ("aid", 3)), 2)["action"] == "pay_tuition"


def test_it_votes_for_what_serves_it() -> None:
    """A tax on the Owner: she is against, those who get it are for it, and the Manager too, since she falls behind."""
    game = hall(OWNER, UNEMPLOYED, EMPLOYEE, MANAGER, active=2).proposes(TAX)
    assert {seat: chosen(game, seat)["ballot"] for seat in (1, 3, 4)} == {1: "no", 3: "yes", 4: "abstain"}


def test_an_income_for_all_serves_those_who_have_little() -> None:
    """What everybody gets changes no rank; who is poor needs it all the same."""
    game = hall(OWNER, UNEMPLOYED.with_cash(100), MANAGER)
    scores = interest.scores(view_of(game.state), [BASIC_INCOME])
    assert (scores[1], scores[2], scores[3]) == (0, 100, 0)


def test_the_repeal_of_a_rule_is_worth_what_the_rule_cost() -> None:
    game = hall(OWNER, UNEMPLOYED, EMPLOYEE, active=2).adopts(TAX)
    before = interest.scores(view_of(hall(OWNER, UNEMPLOYED, EMPLOYEE, active=2).state), [TAX])
    after = interest.scores(view_of(game.state), [{"op": "repeal", "rule_id": "r1"}])
    assert after == pytest.approx({seat: -score for seat, score in before.items()})


def debtor(game: Hall, seat: int, *bodies: str) -> list[str]:
    """The actions of a debtor's bot, one after the other, each carried out."""
    bot, names = SensibleBot(0), []
    for _ in bodies:
        body = bot.choose(menu_of(game.state, seat), view_of(game.state))
        names.append(body["action"] if body else "waits")
        if body:
            game.act(seat, body["action"], **{k: v for k, v in body.items() if k not in ("action", "prompt")})
    return names


def test_under_a_debt_it_borrows_what_is_missing() -> None:
    """From the bank, exactly the shortfall; who may not asks the richest, waits for the answer, and gives up last."""
    game = hall(OWNER, EMPLOYEE.at(12, cash=100), active=2).rolls(1)
    assert debtor(game, 2, "borrow_from_bank") == ["borrow_from_bank"]
    assert game.cash(2) == 0
    wanted = ["request_loan", "waits", "declare_bankruptcy"]
    assert debtor(hall(OWNER, UNEMPLOYED.at(12, cash=100), MANAGER, active=2).rolls(1), 2, *wanted) == wanted


@pytest.mark.parametrize(
    ("lender", "principal", "answers"),
    [(5_000, 100, {"accept_offer"}), (5_000, 4_000, {"decline_offer"}), (200, 100, {"decline_offer"})],
)
def test_it_lends_what_it_can_spare_to_who_can_repay(lender: int, principal: int, answers: set[str]) -> None:
    game = hall(MANAGER.with_cash(lender), OWNER, MANAGER.with_cash(50), active=3, titles={39: (3, 0)})
    game.act(3, "request_loan", lender=1, principal=principal, pct=20, term=8)
    assert {_answer(game, 1, seed) for seed in range(20)} == answers


def test_it_lends_a_little_to_the_poor_now_and_then() -> None:
    game = hall(MANAGER, OWNER, UNEMPLOYED.with_cash(50), active=3)
    game.act(3, "request_loan", lender=1, principal=100, pct=20, term=8)
    assert {_answer(game, 1, seed) for seed in range(20)} == {"accept_offer", "decline_offer"}


def test_it_sets_terms_where_none_were_offered() -> None:
    game = hall(MANAGER, OWNER, MANAGER.with_cash(50), active=3, titles={39: (3, 0)})
    game.act(3, "request_loan", lender=1, principal=100)
    body = SensibleBot(0).answer(menu_of(game.state, 1), view_of(game.state))
    assert body is not None
    assert (body["action"], body["pct"], body["term"]) == ("counter_loan", 20, 8)


def _answer(game: Hall, seat: int, seed: int) -> Any:
    body = SensibleBot(seed).answer(menu_of(game.state, seat), view_of(game.state))
    return body["action"] if body else None


def test_there_is_nothing_to_answer_without_an_offer() -> None:
    game = hall(OWNER, EMPLOYEE, active=2)
    assert SensibleBot(0).answer(menu_of(game.state, 1), view_of(game.state)) is None
    assert RandomBot(0).answer(menu_of(game.state, 1), view_of(game.state)) is None


def test_its_whims_hang_on_the_point_of_the_game_alone() -> None:
    """Asked the same in another order, or twice, it chooses the same."""
    game = hall(OWNER, UNEMPLOYED, EMPLOYEE, active=2)
    bot = SensibleBot(7)
    first = bot.choose(menu_of(game.state, 2), view_of(game.state))
    assert bot.choose(menu_of(game.state, 2), view_of(game.state)) == first == chosen(game, 2, seed=7)
