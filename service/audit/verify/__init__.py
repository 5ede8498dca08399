"""The verification of a game's history: everything that the stored bytes can show, from a store or from a bundle.

One pass, several checks: bytes and chain (`run`), books, chance (`fairness`), whether executing the recorded actions
again gives the recorded events (`reexecution`), and what that does not show (`consistency`).
"""

from service.audit.verify.history import History, StoredHistory
from service.audit.verify.pins import Pin
from service.audit.verify.report import Finding, Outcome, Report, shown, shown_findings
from service.audit.verify.run import Progress, verify

__all__ = [
    "Finding",
    "History",
    "Outcome",
    "Pin",
    "Progress",
    "Report",
    "StoredHistory",
    "shown",
    "shown_findings",
    "verify",
]
