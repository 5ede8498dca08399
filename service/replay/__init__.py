"""Replay: a game step by step, found by turn, seat and kind; a picture of the board; a page that needs no server."""
