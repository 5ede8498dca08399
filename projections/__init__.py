"""Projections: what is true now.

Game state, the ledger and the timeline, each folded from events in order. Facts only: no rule is asked, no number
drawn, no clock read.
"""
