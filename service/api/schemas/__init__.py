"""What bodies, queries and answers look like."""
