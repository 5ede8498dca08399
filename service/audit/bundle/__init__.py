"""The bundle: one game in one file, with everything that it takes to check it elsewhere; `docs/format.md`, to the byte.

Written from a store (`writing`), read without one (`reading`), and checked offline (`checking`).
"""

from service.audit.bundle.lines import BadBundle
from service.audit.bundle.reader import Bundle
from service.audit.bundle.verification import verify_bundle
from service.audit.bundle.writer import Checkpointer, write

__all__ = ["BadBundle", "Bundle", "Checkpointer", "verify_bundle", "write"]
