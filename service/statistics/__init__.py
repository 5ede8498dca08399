"""Statistics over all games: counted from the feeds of appends, kept in the store, told without reading a game."""
