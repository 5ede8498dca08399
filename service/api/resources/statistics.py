"""Statistics over all games."""

from typing import Any

from flask import Response

from service.api.http.answers import reply
from service.api.http.context import games, services
from service.api.http.resource import Resource
from service.api.schemas.statistics import StatisticsAnswer, StatisticsQuery
from service.queries.statistics import statistics_of

statistics = Resource("statistics", "Statistics over all games.")


@statistics.operation("GET", "/statistics", StatisticsAnswer, query=StatisticsQuery)
def get_statistics(query: dict[str, Any]) -> Response:
    """Show how fair dice and cards were in all games that are over, and how many games and events there were by day.

    What was counted is kept, and up to date but for seconds: `as_of` is until when, `behind` whether anything waits.
    """
    return reply(statistics_of(services().store.figures, now=games().clock.now(), days=query["days"]))
