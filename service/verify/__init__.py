"""The verification of a game's history: everything that the stored bytes alone can show.

Not here: whether the recorded actions lead to the recorded events, which is found by executing the game again.
"""

from service.verify.pinned import Pin
from service.verify.report import Finding, Report
from service.verify.run import verify

__all__ = ["Finding", "Pin", "Report", "verify"]
