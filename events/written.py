"""Every shape of an event that any release ever wrote to a stream: wire name and schema number.

The list only grows. It is written out, not computed from the types there are, so that a type that was removed or
renamed is missed. A new type or a new schema number adds a line; `events.catalogue.check` asks for it by name.
"""

WRITTEN: frozenset[tuple[str, int]] = frozenset(
    {
        ("action_taken", 1),
        ("bet_placed", 1),
        ("bet_settled", 1),
        ("bets_offered", 1),
        ("bets_withdrawn", 1),
        ("books_attested", 1),
        ("bumped", 1),
        ("card_drawn", 1),
        ("card_kept", 1),
        ("card_returned", 1),
        ("chain_stopped", 1),
        ("cheat_ended", 1),
        ("cheat_granted", 1),
        ("child_gained", 1),
        ("children_turned_in", 1),
        ("credential_renewed", 1),
        ("custodian_named", 1),
        ("debt_forgiven", 1),
        ("dice_rolled", 1),
        ("end_reached", 1),
        ("game_created", 1),
        ("game_finished", 1),
        ("game_started", 1),
        ("loan_repaid", 1),
        ("money_moved", 1),
        ("month_counted", 1),
        ("nonce_opened", 1),
        ("notes_written", 1),
        ("options_changed", 1),
        ("order_decided", 1),
        ("partner_moved", 1),
        ("partner_placed", 1),
        ("partner_removed", 1),
        ("piece_moved", 1),
        ("prompt_closed", 1),
        ("prompt_opened", 1),
        ("seat_left", 1),
        ("seat_ready", 1),
        ("seat_taken", 1),
        ("secret_revealed", 1),
        ("side_track_entered", 1),
        ("side_track_left", 1),
        ("side_track_moved", 1),
        ("skip_added", 1),
        ("turn_ended", 1),
        ("turn_skipped", 1),
        ("turn_started", 1),
        ("waiver_used", 1),
    }
)
"""(type, schema)."""
