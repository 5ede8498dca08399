"""The server key and the signing keys: their files, their use, and signed notes."""
