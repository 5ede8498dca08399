"""Projections: what is true now.

Game state, the ledger and the timeline, each folded from events in order. Facts only: nothing here asks a rule, draws
a number or reads a clock.
"""
