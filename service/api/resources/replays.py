"""The replay in one page: made by a worker, good in any browser, with no server."""

from typing import Any

from flask import Response, url_for

from service.api.http.answers import private
from service.api.http.context import games, reader, services
from service.api.http.resource import Resource
from service.api.resources.audit import JOB_REFUSALS, job_answer, queue
from service.api.schemas.audit import JobAnswer
from service.api.schemas.base import NoBody
from service.replay import requests as asking
from service.replay.page import POLICY
from service.replay.pages import Pages

HTML = "text/html"
PAGE: dict[str, Any] = {"type": "string", "description": "A page with everything in it."}

replays = Resource("replays", "The replay in one page: made by a worker, good in any browser, with no server.")


@replays.operation(
    "POST",
    "/games/<game:game>/replay.html",
    JobAnswer,
    status=202,
    body=NoBody,
    refuses=("queue_unavailable",),
)
def make_page(_body: dict[str, Any], _query: dict[str, Any], game: str) -> Response:
    """Have the page made that replays the game as it is now.

    While it is being made, and for an hour after that while the game does not go on, every request gets the same one.
    What failed is made again.
    """
    version = games().enter(game, reader()).version
    job = asking.ask_for(queue(), services().store, game, version)
    response = job_answer(job, 202)
    response.headers["Location"] = url_for("replays.get_page", game=game)
    return response


@replays.operation(
    "GET",
    "/games/<game:game>/replay.html",
    PAGE,
    media_type=HTML,
    refuses=("no_page", "page_not_ready", *JOB_REFUSALS),
)
def get_page(_query: dict[str, Any], game: str) -> Response:
    """Get the page that replays the game, or while it is being made, the progress."""
    games().enter(game, reader())
    jobs = queue()
    version = asking.ready_version(jobs, services().store, game)
    response = Response(Pages(jobs.connection).read(game, version), mimetype=HTML)
    response.headers["Content-Security-Policy"] = f"{POLICY}; frame-ancestors 'none'; sandbox allow-scripts"
    response.headers["Content-Disposition"] = f'inline; filename="{game}.html"'
    return private(response)
