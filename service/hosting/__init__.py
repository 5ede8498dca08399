"""How the service runs on a machine: the supervisor of its processes, the embedded store, and their health."""
