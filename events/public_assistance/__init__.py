"""Public Assistance: its events and its board."""
