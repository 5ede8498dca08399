"""Signed checkpoints of a game and Merkle proofs of its events."""
