"""One example of every event type."""
