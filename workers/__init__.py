"""Workers: what happens in the background."""
