"""The Social Justice Game: one module for each kind of thing in the rulebook."""
