"""A game to look at: where everything stands on a picture of the board, and a page that replays it with no server."""
