"""Questions that are answered over many events: lists of games, politics, statistics."""
