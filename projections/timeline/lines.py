"""The timeline: every event as one line of plain English.

Names, card texts and whatever a stream holds are text and nothing else: they are put into a line, never read as a
format, and what does not print (line breaks, escape sequences, marks that turn the direction of writing) is left out. A
page or a terminal must still escape the line for its own markup.
"""

from collections.abc import Mapping

from events.base import Envelope, Event
from events.lobby import DataPin
from events.public_assistance.board import public_assistance_board, public_assistance_deck
from events.social_justice.board import change_deck, social_justice_board
from projections.timeline import (
    clocks as timeline_clocks,
)
from projections.timeline import (
    deals as timeline_deals,
)
from projections.timeline import (
    lobby as timeline_lobby,
)
from projections.timeline import (
    play as timeline_play,
)
from projections.timeline import (
    politics as timeline_politics,
)
from projections.timeline import (
    public_assistance as timeline_public_assistance,
)
from projections.timeline import (
    social_justice as timeline_social_justice,
)
from projections.timeline.scene import AnyBoard, Scene, Sentences
from projections.timeline.words import plain

SENTENCES: Sentences = {
    **timeline_lobby.SENTENCES,
    **timeline_play.SENTENCES,
    **timeline_public_assistance.SENTENCES,
    **timeline_social_justice.SENTENCES,
    **timeline_politics.SENTENCES,
    **timeline_deals.SENTENCES,
    **timeline_clocks.SENTENCES,
    **timeline_lobby.FORKS,
}


def say(
    envelope: Envelope[Event],
    names: Mapping[int, str],
    board: AnyBoard,
    cards: Mapping[str, str] | None = None,
    texts: Mapping[str, str] | None = None,
) -> str:
    """Return an event as one line.

    Args:
        envelope: The entry.
        names: Given names by seat; a seat without one is `Seat 2`.
        board: The board that the game is played on.
        cards: Texts of cards by id, from `card_texts`; a card without a text is shown by its id.
        texts: Typed-in texts that the event refers to, by digest.
    """
    scene = Scene(names=names, board=board, cards=cards or {}, at=envelope.at, actor=envelope.actor, texts=texts or {})
    return plain(SENTENCES[type(envelope.data)](envelope.data, scene))


def card_texts(pins: tuple[DataPin, ...]) -> dict[str, str]:
    """Return the texts of all cards of a game's pinned decks, by card id."""
    texts = {}
    for pin in pins:
        if pin.name in ("public_assistance_benefit", "public_assistance_burden"):
            deck = public_assistance_deck(pin.name.removeprefix("public_assistance_"), pin.version)
            texts.update({card.id: card.text for card in deck.values()})
        elif pin.name == "social_justice_change":
            texts.update({card.id: card.text for card in change_deck(pin.version).values()})
    return texts


def board_of(pins: tuple[DataPin, ...]) -> AnyBoard:
    """Return the board that a game's pins name."""
    versions = {pin.name: pin.version for pin in pins}
    if "social_justice_board" in versions:
        return social_justice_board(versions["social_justice_board"])
    return public_assistance_board(versions["public_assistance_board"])
