"""The books: double entry, folded from the events alone."""
