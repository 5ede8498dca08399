"""What a seat of The Social Justice Game is asked, and what it may do about it."""

from typing import Any

from events.social_justice.board import Square
from service.bots import figures
from service.bots.base import Json


class Situation:
    """One question to one seat.

    Args:
        state: The game, as the API shows it.
        prompt: The prompt.
        actions: What is open.

    Attributes:
        state: The game.
        prompt: Id of the prompt.
        why: What gave rise to it.
        seat: Who is asked.
        menu: What is open by name; of actions that are open under several prompts, the one under this.
    """

    def __init__(self, state: Json, prompt: Json, actions: list[Json]) -> None:
        self.state = state
        self.prompt: str = prompt["prompt"]
        self.why: str = prompt["why"]
        self.seat: int = prompt["seat"]
        self.menu = {action["name"]: action for action in actions if action["prompt"] in ("", self.prompt)}

    @property
    def citizen(self) -> Json:
        """Return the seat's things."""
        return figures.citizen_of(self.state, self.seat)

    @property
    def role(self) -> str:
        """Return the role held."""
        return str(self.citizen["role"])

    @property
    def square(self) -> Square:
        """Return the square under the token."""
        return figures.board_of(self.state).squares[self.citizen["square"]]

    @property
    def cash(self) -> int:
        """Return the cash at hand."""
        return figures.cash_of(self.state, self.seat)

    @property
    def spare(self) -> int:
        """Return what can be spent."""
        return figures.spare(self.state, self.seat)

    def do(self, name: str, /, **parameters: Any) -> Json | None:
        """Return the body of an action; None when it is not open."""
        action = self.menu.get(name)
        return None if action is None else {**action["body"], **parameters}

    def default(self) -> Json:
        """Return the body of what happens by default."""
        body: Json = next(action["body"] for action in self.menu.values() if action["default"])
        return body

    def tuition(self) -> int | None:
        """Return what a degree would cost now; None where there is none."""
        if self.role not in ("unemployed", "employee"):
            return None
        charge = figures.value_of(self.state, f"college.tuition.{self.role}") * self.citizen["aid_charge"] // 100
        share = figures.value_of(self.state, "college.gi_pct") if self.citizen["veteran"] else 100
        return int(charge * share // 100)
