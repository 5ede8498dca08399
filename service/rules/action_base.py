"""What every action of a seat is made of: something done at any time, or under a prompt."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

# `$` would let a line feed at the end pass; this says "nothing follows" in Python and in ECMAScript alike.
Prompt: TypeAlias = Annotated[
    str, Meta(pattern=r"^p[1-9][0-9]{0,15}(?![\s\S])", description="Id of the prompt answered.")
]


class Action(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="action"):
    """Something that a seat does during play."""


class Prompted(Action, frozen=True, kw_only=True):
    """An action that answers a prompt, or is open while that prompt is."""

    prompt: Prompt
