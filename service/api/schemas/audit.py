"""Audits and background jobs."""

import marshmallow as ma

from service.api.schemas.base import Strict, flag, many, text, whole
from service.api.schemas.history import Finding, missing, unchecked, verdict


class Execution(Strict):
    """What executing every action again came to."""

    outcome = ma.fields.String(
        required=True, validate=ma.validate.OneOf(["same", "differs", "now ends", "no longer ends"])
    )
    version = whole("The first event that differs; 0 when none does.")


class AuditAnswer(Strict):
    """What an audit said: the whole stream was read from the first entry on, and every action executed again."""

    game = text()
    at = whole("When it began (UTC, ms).")
    version = whole("Version of the last event that it read.")
    head = text("Chain link there, in hex.")
    tree = text("Root of the Merkle tree over all events, in hex.")
    sealed = flag("The game is over: nothing can follow.")
    verdict = verdict("verified", "failed", "not verified")
    sound = flag("There is no finding.")
    execution = ma.fields.Nested(Execution, required=True, allow_none=True)
    checks = many(ma.fields.String())
    unchecked = unchecked()
    missing = missing()
    findings = many(Finding)


class JobAnswer(Strict):
    """A background job about a game."""

    job = text("Its id; it stands for the newest job of its kind about the game.")
    kind = text("What is done.")
    game = text()
    status = ma.fields.String(required=True, validate=ma.validate.OneOf(["queued", "running", "finished", "failed"]))
    done = whole("Events done.")
    total = whole("Events in all; 0 while that is not known.")
