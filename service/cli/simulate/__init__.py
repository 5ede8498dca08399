"""`rollbook simulate`: many whole games in process; a command and its tables for each rulebook."""
