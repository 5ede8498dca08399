"""Sentences for deals."""

from projections.timeline_scene import Sentences

SENTENCES: Sentences = {}
