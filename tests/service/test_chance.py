"""Chance: the bytes of an outcome, every face equally likely, nothing shared, and no second chance."""

import hmac
import itertools
import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from projections.likelihood import chi_square
from service.games import chance
from service.games.chance import SecretDice
from service.rules.play import Play
from service.rules.public_assistance.cards import draw
from tests.scenarios.dsl import given
from tests.scenarios.table import NOW, public_assistance
from tests.support.kinds import pa
from tests.support.rules import rule

LEAST = 0.001
"""A fixed set of secrets either passes or does not; a biased die of a few per cent would be far below."""


def secret(number: int) -> bytes:
    return sha256(b"%d" % number).digest()


def evenly(found: Counter[str], *names: str) -> float:
    """How probable it is that things equally likely differ as much as these."""
    chance_of_it = chi_square(found, dict.fromkeys(names, 1)).p
    assert chance_of_it is not None, "too few to say"
    return chance_of_it


class Bytes(SecretDice):
    """Dice whose bytes the test says, block by block."""

    def __init__(self, blocks: Sequence[bytes]) -> None:
        super().__init__(secret(0), "g", [])
        self.blocks = blocks

    def _block(self, _coordinate: str, number: int) -> bytes:
        return self.blocks[number]


@pytest.mark.parametrize("below", [2, 6, 7, 54, 256])
def test_of_the_256_bytes_as_many_lead_to_each_outcome(below: int) -> None:
    """The bytes beyond the last whole multiple are skipped: for a die 252 to 255."""
    taken = Counter(Bytes([bytes([first]), b"\0"]).pick("x", among=below) for first in range(256))
    skipped = 256 % below
    assert taken - Counter({0: skipped}) == Counter(dict.fromkeys(range(below), 256 // below))


def test_a_roll_reads_on_over_what_it_skips() -> None:
    """Also from one block into the next."""
    assert Bytes([bytes([5, 252]), bytes([255, 251, 6])]).roll("x", count=3, sides=6) == (6, 6, 1)


def test_an_outcome_is_what_the_format_says() -> None:
    """Computed again from docs/fairness.md: secret, game, inputs, coordinate, number of the block."""
    message = "rollbook/chance/v1\ng_1\naa,,bb\nmovement/2/7\n0"
    stream = hmac.new(secret(1), message.encode(), sha256).digest()
    faces = [byte % 6 + 1 for byte in stream if byte < 252][:3]
    assert SecretDice(secret(1), "g_1", ["aa", "", "bb"]).roll("movement/2/7", count=3, sides=6) == tuple(faces)


def test_every_part_makes_other_outcomes() -> None:
    """Another secret, game, nonce or coordinate; the order of what is asked is of no matter."""
    found = {
        SecretDice(key, game, inputs).roll(where, count=30, sides=6)
        for key in (secret(1), secret(2))
        for game in ("a", "b")
        for inputs in (["n", ""], ["", "n"])
        for where in ("movement/1/1", "movement/1/2", "movement/2/1", "horses/1/1")
    }
    assert len(found) == 2 * 2 * 2 * 4


@rule("PA-8", "PA-41")
def test_a_restart_meets_the_same_faces_and_never_the_first_ones_again() -> None:
    """Nothing is remembered between two outcomes, so nothing can be lost, repeated or used up by a retry."""
    where = [f"movement/1/{own}" for own in range(1, 30)]
    whole = SecretDice(secret(3), "g", [])
    played = {coordinate: whole.roll(coordinate, count=3, sides=6) for coordinate in where}
    for coordinate in reversed(where):
        assert SecretDice(secret(3), "g", []).roll(coordinate, count=3, sides=6) == played[coordinate]
    assert len(set(played.values())) > 20


def test_a_secret_is_32_bytes_of_the_system_and_its_commitment_is_the_games_own() -> None:
    """A thousand games in one process have a thousand secrets; equal secrets do not show by their commitments."""
    secrets = {chance.new_secret() for _ in range(1_000)}
    assert len(secrets) == 1_000
    assert {len(one) for one in secrets} == {32}
    assert len({chance.commitment(game, secret(1), known=False) for game in ("a", "b", "c")}) == 3


@rule("PA-8")
def test_every_face_is_equally_likely() -> None:
    """First movement roll of 4,000 games."""
    faces = Counter(
        str(face)
        for number in range(4_000)
        for face in SecretDice(secret(number), f"g_{number}", []).roll("movement/1/1", count=3, sides=6)
    )
    assert evenly(faces, *"123456") > LEAST


@pytest.mark.parametrize("other", ["movement/2/1", "movement/1/2", "horses/1/1"])
def test_outcomes_of_one_game_do_not_hang_together(other: str) -> None:
    """Two seats at the same moment, two turns of a seat, a bet and a move: each pair of faces as often as the next."""
    pairs: Counter[str] = Counter()
    for number in range(5_000):
        dice = SecretDice(secret(number), "g", [])
        first, second = (dice.roll(where, count=1, sides=6)[0] for where in ("movement/1/1", other))
        pairs[f"{first}{second}"] += 1
    assert evenly(pairs, *map("".join, itertools.product("123456", repeat=2))) > LEAST


def test_who_sees_the_commitment_guesses_no_better_than_chance() -> None:
    """A die computed from all that is public before the roll meets the real one one time in six."""
    hits: Counter[str] = Counter()
    for number in range(6_000):
        public = chance.commitment("g", secret(number), known=False)
        guess = SecretDice(bytes.fromhex(public), "g", []).roll("movement/1/1", count=1, sides=6)
        real = SecretDice(secret(number), "g", []).roll("movement/1/1", count=1, sides=6)
        hits[str((guess[0] - real[0]) % 6)] += 1
    assert evenly(hits, *"012345") > LEAST


@rule("PA-41")
def test_three_cards_come_in_each_of_their_six_orders_equally_often() -> None:
    """Drawn as in play, one after another from what is unseen."""
    cards = ("BN11", "BN13", "BN15")
    told = public_assistance(ann="promenade:1", bob="rut:2", unseen={"benefit": cards})
    state = given(told).state
    orders: Counter[str] = Counter()
    for number in range(1_500):
        play = Play(pa(state.copy()), SecretDice(secret(number), "g", []), at=NOW)
        orders[" ".join(draw(play, 1, "benefit").id for _ in cards)] += 1
    assert evenly(orders, *map(" ".join, itertools.permutations(cards))) > LEAST


PAGE = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
GAMES = Path(__file__).parents[1] / "golden" / "games"
TOLD = re.findall(r"`([a-z_]+(?:/<[a-z ]+>)+)`", PAGE)
"""Every coordinate that the page tells of, with its places."""


def test_the_page_lists_the_coordinates_of_both_games() -> None:
    """Those of all golden games are there, and none that no game has."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(GAMES.glob("*.ndjson"))]
    examples = {found for text in texts for found in re.findall(r'"coordinate":"([^"]+)"', text)}
    told = [re.compile(re.sub(r"<[a-z ]+>", r"[a-z0-9_]+", one)) for one in TOLD]
    assert [one for one in examples if not any(pattern.fullmatch(one) for pattern in told)] == []
    assert [one.pattern for one in told if not any(one.fullmatch(example) for example in examples)] == []
    assert len(set(TOLD)) > 12
