"""Proof that a game's history is what was played: verifier, bundles, execution, checkpoints and proofs."""
