"""The timeline: every event as one line of plain English."""
