"""Politics: the rules in force and since when, and every vote with each ballot."""

from typing import Any

from flask import Response

from projections.rules_in_force import PoliticsOnRecord
from service.api.http.answers import reply
from service.api.http.context import games, version_of
from service.api.http.resource import Resource
from service.api.schemas import politics as schemas
from service.api.schemas.base import AtQuery
from service.queries import politics as read

politics = Resource("politics", "Politics: the rules in force and since when, and every vote with each ballot.")


@politics.operation("GET", "/games/<game:game>/rules", schemas.RuleListAnswer, query=AtQuery)
def list_rules(query: dict[str, Any], game: str) -> Response:
    """List the rules that were voted on or declared, and what every parameter is, at the newest version or another.

    Rules come with the newest first, as they lie on the stack; one that was repealed shows when. A parameter's value is
    that of the topmost rule in force that sets it, else what the holder of a utility set, else what was agreed on at
    the start, else the default. A game whose rules cannot be voted on has none of it.
    """
    version, record = _record(game, query)
    state = games().loader.at(game, version).state
    assert state is not None, "a version from 1 has a state"
    content = {
        "game": game,
        "version": version,
        "rules": list(reversed(record.rules.values())),
        "parameters": read.lines(state),
        "presidencies": record.terms,
        "texts": read.texts_of(games().loader, game, record),
    }
    return reply(content)


@politics.operation("GET", "/games/<game:game>/votes", schemas.VoteListAnswer, query=AtQuery)
def list_votes(query: dict[str, Any], game: str) -> Response:
    """List every vote with each ballot, oldest first, at the newest version or at any other."""
    version, record = _record(game, query)
    content = {
        "game": game,
        "version": version,
        "votes": list(record.votes.values()),
        "texts": read.texts_of(games().loader, game, record),
    }
    return reply(content)


def _record(game: str, query: dict[str, Any]) -> tuple[int, PoliticsOnRecord]:
    version = version_of(game, query)
    return version, read.on_record(games().loader, game, upto=version)
