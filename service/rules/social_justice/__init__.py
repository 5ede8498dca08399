"""The rules of The Social Justice Game, one module for each kind of thing."""
