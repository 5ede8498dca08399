"""What a game's state is made of; `projections.evolve` folds it from events."""
