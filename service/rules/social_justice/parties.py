"""Who pays and who is paid in a transfer: parties are roles and relations, never a player.

Written as one word: `actor`, `bank`, `all`, `others`, `role:owner,manager`, `holder:enron`.
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from events.social_justice.board import ROLES, UTILITIES
from service.rules.social_justice.shorthand import State, board_of

PartyKind: TypeAlias = Literal["actor", "bank", "all", "others", "role", "holder"]
THE_BANK = 0
"""Stands for the bank where seats are listed."""

_PLAIN: dict[str, PartyKind] = {"actor": "actor", "bank": "bank", "all": "all", "others": "others"}
_PLAYER = re.compile(r"(?i)(?:^|[.:,\s])(?:(?:seat|player|p)[\s:_#-]*\d+|me|myself|i|you|her|him)(?![a-z0-9_])")


@dataclass(frozen=True, slots=True)
class Party:
    """One side of a transfer.

    Attributes:
        kind: How it is found.
        words: Roles or the utility; empty for the others.
    """

    kind: PartyKind
    words: tuple[str, ...] = ()


def names_a_player(word: str) -> bool:
    """Return whether a player is named, by number or by `me`: a rule pertains to all players (SJG-34)."""
    return bool(_PLAYER.search(word))


def party_of(word: str) -> Party | None:
    """Read a party; None when it is none."""
    if word in _PLAIN:
        return Party(_PLAIN[word])
    kind, _, listed = word.partition(":")
    words = tuple(listed.split(","))
    if kind == "role" and all(role in ROLES for role in words) and len(set(words)) == len(words):
        return Party("role", words)
    if kind == "holder" and listed in UTILITIES:
        return Party("holder", words)
    return None


def members(state: State, party: Party, *, actor: int, order: list[int]) -> list[int]:
    """List a party's seats in the order given, or the bank alone; only who is still in.

    Args:
        state: The game.
        party: Whom to list.
        actor: Whom the trigger is about; 0 for nobody.
        order: Seats still in, in the order in which they pay and are paid.
    """
    if party.kind == "bank":
        return [THE_BANK]
    if party.kind == "all":
        return list(order)
    if party.kind == "others":
        return [seat for seat in order if seat != actor]
    if party.kind == "role":
        return [seat for seat in order if state.citizens[seat].role in party.words]
    wanted = actor if party.kind == "actor" else holder_of(state, party.words[0])
    return [seat for seat in order if seat == wanted]


def holder_of(state: State, utility: str) -> int:
    """Return the seat that holds a utility's title; 0 for the bank."""
    return state.titles[board_of(state).utility(utility).i].holder


def houses_of(state: State, seat: int) -> int:
    """Count the houses on a seat's titles."""
    return sum(title.houses for title in state.titles.values() if title.holder == seat)
