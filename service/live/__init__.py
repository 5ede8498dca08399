"""Games while they are watched: one reader a process and game, streams that resume, and tickets for browsers."""
