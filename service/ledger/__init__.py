"""The books for readers: entries, explanations and exports."""
