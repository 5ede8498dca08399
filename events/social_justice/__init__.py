"""The Social Justice Game: its events and its board."""
