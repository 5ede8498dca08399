"""The event store, on a fake, a real and a cluster-enabled server."""
