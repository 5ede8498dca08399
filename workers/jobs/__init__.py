"""The jobs by their names in the queue: plain arguments, safe twice, safe late."""

from workers.jobs.audit import audit_game
from workers.jobs.bot_move import move_bot
from workers.jobs.erase_log import rewrite_log
from workers.jobs.keyframes import make_keyframes
from workers.jobs.replay_page import make_page

__all__ = ["audit_game", "make_keyframes", "make_page", "move_bot", "rewrite_log"]
