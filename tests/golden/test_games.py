"""The golden games: recorded whole, replayed and executed again at every change, byte for byte and event for event.

A failure here means that a game which was played under an earlier release would not be what it was. Such a change needs
a new rules version (`service.rules.versions`), never a new recording.
"""

import random
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from events import chain, codec
from events.base import Envelope, Event
from events.lobby import CredentialRenewed, GameCreated, GameFinished, OptionsChanged, SecretRevealed
from events.play import ActionTaken, BooksAttested, ChainStopped, DebtForgiven, DiceRolled, MoneyMoved
from events.public_assistance.events import ChildGained
from events.social_justice.politics import TransferLeftOut
from events.store import Entry
from projections import evolve as folding
from projections.ledger.books import Books
from projections.ledger.check import check
from projections.ledger.debts import debts_of
from service.audit.execution import DiceOf, classify, recorded_dice
from service.rules.options import CLOCKS, PUBLIC_ASSISTANCE, preset
from service.rules.public_assistance.choices import CHOICES
from service.rules.public_assistance.landing import BLOCKS
from service.rules.public_assistance.shorthand import PaPlay
from service.rules.rulebooks import SOCIAL_JUSTICE
from tests.golden import record
from tests.golden.record import GAMES, final_state, main, read, states
from tests.golden.scripts import OF_PUBLIC_ASSISTANCE, OF_SOCIAL_JUSTICE, SCRIPTS
from tests.support import kinds
from tests.support.executed import dice_from, execute
from tests.support.kinds import pa, sjg
from tests.support.rules import rule


@cache
def entries(name: str) -> list[Entry]:
    return read(name)


@cache
def envelopes(name: str) -> list[Envelope[Event]]:
    return codec.decode_all(entry.data for entry in entries(name))


def created(name: str) -> GameCreated:
    first = envelopes(name)[0].data
    assert isinstance(first, GameCreated)
    return first


def secret(name: str) -> bytes:
    last = envelopes(name)[-1].data
    assert isinstance(last, SecretRevealed)
    return bytes.fromhex(last.secret)


def test_every_script_has_its_game_and_its_state() -> None:
    assert {path.stem for path in GAMES.glob("*.ndjson")} == set(SCRIPTS) == set(states())


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_golden_game_is_written_and_chained_as_it_was(name: str) -> None:
    """Each entry is decoded and encoded to the same bytes, and the chain over them is the recorded one."""
    stored = [entry.data for entry in entries(name)]
    assert [codec.encode(envelope) for envelope in envelopes(name)] == stored
    assert chain.links(chain.genesis(created(name).game), stored) == [entry.link for entry in entries(name)]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_golden_game_folds_to_the_same_end(name: str) -> None:
    """State and books: what the recorded events say has not changed its meaning."""
    books = Books()
    for envelope in envelopes(name):
        books.fold(envelope)
    state = folding.fold(envelopes(name))
    assert check(books, state.cash, debts_of(state)) == []
    assert final_state(name) == states()[name]


def own_dice(name: str) -> DiceOf:
    """Dice that follow from a game's secret; what a fork copied followed from its parent's."""
    own = dice_from(secret(name))
    if not created(name).parent:
        return own
    return lambda state, recorded: own(state, recorded) if state.forked else recorded_dice(state, recorded)


@rule("PA-9", "PA-41")
@pytest.mark.parametrize("dice", ["recorded", "secret"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_golden_game_executes_again_to_the_same_events(name: str, dice: str) -> None:
    """On the outcomes that were recorded, and again on those that follow from the revealed secret."""
    dice_of: DiceOf = recorded_dice if dice == "recorded" else own_dice(name)
    assert list(execute(envelopes(name), dice_of)) == []


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_gate_for_a_change_to_the_rules(name: str) -> None:
    """What was played under a version comes out the same under it, in one word; else this names the event.

    A change that is meant needs a new version: then `test_versions` says what it does to each golden game.
    """
    assert str(classify(execute(envelopes(name)))) == "same"


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_golden_game_differs_on_other_dice(name: str) -> None:
    """Another secret shows at the first roll that matters: the execution is no echo of the recording."""
    differences = list(execute(envelopes(name), dice_from(b"x" * 32)))
    rolled = [envelope.action for envelope in envelopes(name) if isinstance(envelope.data, DiceRolled)]
    assert differences[0].action in ("start", "choose_role", "roll")  # two may happen to draw the same roles
    assert len(differences) > len(set(rolled)) * 2 // 3


def test_together_those_of_public_assistance_show_everything() -> None:
    """Every event but one, every action, every option on, two to four seats, each way to end."""
    seen = [envelope.data for name in OF_PUBLIC_ASSISTANCE for envelope in envelopes(name)]
    assert kinds.OF_PUBLIC_ASSISTANCE - {type(event) for event in seen} == NEVER_HAPPENED
    names = {event.name for event in seen if isinstance(event, ActionTaken)}
    assert {str(choice.__struct_config__.tag) for choice in CHOICES} - names == set()
    final = {name: folding.fold(envelopes(name)) for name in OF_PUBLIC_ASSISTANCE}
    for option, (default, _) in PUBLIC_ASSISTANCE.items():
        assert any(state.options[option] != default for state in final.values()), option
    reissue = {**preset("pa_reissue"), "months": 6}
    reissue = {name: value for name, value in reissue.items() if name not in CLOCKS}
    assert final["two_reissue"].options == reissue
    assert {len(pa(state).players) for state in final.values()} == {2, 3, 4}
    assert {event.reason for event in seen if isinstance(event, GameFinished)} == {"completed", "abandoned"}
    assert any(state.inputs[0] and state.inputs[2] for state in final.values())
    assert {bool(event.digest) for event in seen if isinstance(event, BooksAttested)} == {True}
    assert all(state.over() and state.secret for state in final.values())


def test_together_those_of_the_social_justice_game_show_nearly_everything() -> None:
    """Two to eight seats; what no game of these shows stands below, and scenarios show it."""
    seen = [envelope.data for name in OF_SOCIAL_JUSTICE for envelope in envelopes(name)]
    assert kinds.OF_SOCIAL_JUSTICE - {type(event) for event in seen} == UNSEEN
    names = {event.name for event in seen if isinstance(event, ActionTaken)}
    assert {str(choice.__struct_config__.tag) for choice in SOCIAL_JUSTICE.choices} - names == UNDONE
    final = [sjg(folding.fold(envelopes(name))) for name in OF_SOCIAL_JUSTICE]
    assert {len(state.citizens) for state in final} == {2, 3, 4, 5, 6, 8}
    assert all(state.over() and state.secret for state in final)


LOBBY = {CredentialRenewed, OptionsChanged}
"""Shown by the games of Public Assistance, whose lobby is the same."""
UNSEEN = LOBBY | {BooksAttested, DebtForgiven, ChainStopped, TransferLeftOut}
"""The first two never happen in this game, no chain of its deck is long enough to be stopped, and only scenarios have
so many transfers that one is left out."""
UNDONE = {"counter_agreement", "gentrify", "go_to_jail", "pay_bail", "pay_fine", "raise_funds", "take_house"}
"""What takes luck, or a player who does not wait for the clock; scenarios show it."""

NEVER_HAPPENED = {ChainStopped}


def test_recording_is_deterministic_and_overwrites_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same script gives the same bytes; a recorded game stays, unless it is to be recorded again."""
    monkeypatch.setattr(record, "GAMES", tmp_path)
    name = "three_lively_lobby"
    run = CliRunner().invoke
    assert run(main, [name]).exit_code == 0
    first = (tmp_path / f"{name}.ndjson").read_bytes()
    (tmp_path / f"{name}.ndjson").write_bytes(b"old")
    refused = run(main, [name])
    assert refused.exit_code != 0
    assert "--again" in refused.output
    assert (tmp_path / f"{name}.ndjson").read_bytes() == b"old"
    random.seed(1)
    assert run(main, ["--again", name]).exit_code == 0
    assert (tmp_path / f"{name}.ndjson").read_bytes() == first


def test_a_changed_rule_of_the_same_number_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of behaviour without a new version fails at the first event that it changes."""
    name, levy = "two_standard", "PA-15"

    def without_levy(play: PaPlay, seat: int, _block: object) -> None:
        play.record(ChildGained(seat=seat, children=play.state.players[seat].children + 1))

    monkeypatch.setitem(BLOCKS, "child", without_levy)
    difference = next(execute(envelopes(name)))
    was = codec.decode(difference.recorded.encode())
    assert isinstance(was.data, MoneyMoved)
    assert (was.data.rule, was.version) == (levy, difference.version)
    assert difference.executed != difference.recorded
