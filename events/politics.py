"""Events of politics."""
