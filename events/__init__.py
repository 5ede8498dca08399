"""Events: what can happen.

The event types of both games, boards and decks as data, the envelope, the codec, the hash chain and the stream
store. Nothing here knows what is true now or what may happen next: no other room is imported.
"""
