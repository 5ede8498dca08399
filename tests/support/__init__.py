"""Helpers of the tests: real servers, and ways to trouble them."""
