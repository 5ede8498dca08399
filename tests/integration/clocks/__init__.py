"""Clocks, workers and API processes on one store, killed at random, by a clock that the test sets."""
