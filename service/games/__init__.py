"""Games as a whole: create them, act in them, read them. Everything above talks to `games.Games`."""
