"""Simulation: many whole games in process, and what they were like.

Games are played by the same `decide` and folded by the same handlers as the service's own; nothing is stored. A report
holds counts alone until the very end, so it is the same however many processes share the work. Each rulebook has a
package with what it counts and reports; what both have in common stands here.
"""
