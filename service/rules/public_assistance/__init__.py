"""Public Assistance: one module for each kind of thing in the rulebook."""
