"""Sentences for politics."""

from projections.timeline_scene import Sentences

SENTENCES: Sentences = {}
