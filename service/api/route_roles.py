"""Who may call what: one table, which the documents show and a test walks.

It is a promise about the facade and not a second check: `service.games` decides who may do what.
"""

from typing import Literal, TypeAlias, get_args

Role: TypeAlias = Literal["anyone", "join", "spectator", "seat", "host", "operator"]
ROLES: tuple[Role, ...] = get_args(Role)

ABOUT: dict[Role, str] = {
    "anyone": "no token",
    "join": "the join code",
    "spectator": "the watch token",
    "seat": "the token of a seat",
    "host": "the host's token",
    "operator": "the operator's token",
}

EVERYONE = frozenset(ROLES)
HOST = frozenset[Role]({"host"})
SEAT = frozenset[Role]({"seat"})

ALLOWED: dict[str, frozenset[Role]] = {
    "docs.index": EVERYONE,
    "docs.reference": EVERYONE,
    "docs.openapi": EVERYONE,
    "health.health": EVERYONE,
    "health.readiness": EVERYONE,
    "catalogue.list_rulebooks": EVERYONE,
    "catalogue.get_board": EVERYONE,
    "catalogue.get_deck": EVERYONE,
    "catalogue.list_event_types": EVERYONE,
    "games.create_game": EVERYONE,
    "games.list_games": EVERYONE,
    "games.get_game": EVERYONE,
    "games.fork_game": EVERYONE,
    "games.open_rematch": HOST,
    "games.get_rematch": EVERYONE,
    "lobby.set_options": HOST,
    "lobby.take_seat": frozenset({"join", "host"}),
    "lobby.leave_seat": SEAT,
    "lobby.renew_token": HOST,
    "lobby.mark_ready": SEAT,
    "lobby.start_game": HOST,
    "presence.pause_game": HOST,
    "presence.resume_game": HOST,
    "presence.hand_over": SEAT | HOST,
    "presence.hand_back": SEAT,
    "presence.reopen_seat": HOST,
    "erasure.erase_texts": SEAT,
    "erasure.erase_text": SEAT,
    "play.list_actions": SEAT,
    "play.act": SEAT,
    "history.list_events": EVERYONE,
    "history.issue_ticket": EVERYONE,
    "history.list_steps": EVERYONE,
    "history.get_step": EVERYONE,
    "history.verify_game": EVERYONE,
    "audit.get_bundle": EVERYONE,
    "audit.start_audit": EVERYONE,
    "audit.get_audit": EVERYONE,
    "audit.get_job": EVERYONE,
    "replays.make_page": EVERYONE,
    "replays.get_page": EVERYONE,
    "proofs.list_keys": EVERYONE,
    "proofs.get_checkpoint": EVERYONE,
    "proofs.prove_inclusion": EVERYONE,
    "proofs.prove_consistency": EVERYONE,
    "ledger.list_accounts": EVERYONE,
    "ledger.list_entries": EVERYONE,
    "ledger.get_trial_balance": EVERYONE,
    "ledger.get_statement": EVERYONE,
    "books.explain_balance": EVERYONE,
    "books.get_policy": EVERYONE,
    "books.export_ledger": EVERYONE,
    "books.export_ledgers": EVERYONE,
    "politics.list_rules": EVERYONE,
    "politics.list_votes": EVERYONE,
    "statistics.get_statistics": EVERYONE,
}
"""Endpoint → who may call it, in a public game. In a private one a caller without a token of it gets 404."""

TOKENLESS = frozenset(
    {
        "catalogue.list_rulebooks",
        "catalogue.list_event_types",
        "games.create_game",
        "proofs.list_keys",
        "statistics.get_statistics",
    }
)
"""Endpoints below /v1 that answer alike with any token and with none."""

NOTES: dict[str, str] = {
    "games.list_games": "private games are listed for the operator alone",
    "games.get_rematch": "its join code is shown to seats and the host",
    "books.export_ledgers": "a game that the caller may not see is refused as on its own",
    "audit.get_job": "a job about a private game is 404 to a caller without a token of it",
    "lobby.leave_seat": "its own seat; before the start the host may free any seat",
    "lobby.take_seat": "a bot takes one for the host alone; a reopened seat has a join code of its own",
    "presence.hand_over": "a seat its own, the host any",
    "presence.hand_back": "its own",
    "erasure.erase_texts": "its own; the operator has `rollbook erase`",
    "erasure.erase_text": "its own",
    "play.list_actions": "its own",
    "statistics.get_statistics": "private games count too, and none is named",
}
