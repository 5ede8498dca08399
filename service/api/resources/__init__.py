"""The routes under /v1, one module for each thing."""

from service.api.http.resource import Resource
from service.api.resources.audit import audit
from service.api.resources.books import books
from service.api.resources.catalogue import catalogue
from service.api.resources.erasure import erasure
from service.api.resources.games import games
from service.api.resources.history import history
from service.api.resources.ledger import ledger
from service.api.resources.lobby import lobby
from service.api.resources.play import play
from service.api.resources.politics import politics
from service.api.resources.presence import presence
from service.api.resources.proofs import proofs
from service.api.resources.replays import replays
from service.api.resources.statistics import statistics

RESOURCES: tuple[Resource, ...] = (
    catalogue, games, lobby, erasure, play, presence, history, replays, audit, proofs, ledger, books, politics,
    statistics,
)  # fmt: skip
