"""`rollbook serve`: one supervisor, its children as data, and what ends them in order."""
