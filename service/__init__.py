"""The service: what may happen next.

The rules (`decide`), chance, bots, the JSON API and the command line. It may read projections and events.
"""
