"""Requests for audits, which a worker does.

One audit of a game is under way at a time, and every request meanwhile gets the same one. Once it is over, or has
failed, the next request makes a new one, unless it repeats the request (`Idempotency-Key`) that made the last one.
"""

from service.jobs import AUDIT_JOB, Job, JobQueue


def ask_for(jobs: JobQueue, game: str, key: str) -> Job:
    """Request an audit of a game, and return its job.

    Args:
        jobs: The queue.
        game: Its id.
        key: Key by which the request may be repeated; empty for none.

    Raises:
        QueueUnavailable: The queue does not answer.
    """
    known = jobs.find(AUDIT_JOB, game)
    if known is not None and (known.open or (known.status == "finished" and key and known.key == key)):
        return known
    return jobs.start(AUDIT_JOB, game, key)
