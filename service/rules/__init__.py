"""The rules of both games: `decide` is the only place where a rule is written.

Pure: no Flask, no Redis, no clock, no chance of its own. Time and dice are inputs.
"""
