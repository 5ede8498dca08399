"""`rollbook demo`: a whole game by four bots over HTTP, on a server that runs or on one of its own."""
