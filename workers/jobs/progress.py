"""How far a job is, for those who wait for it."""

from collections.abc import Callable

from rq import get_current_job


def progress() -> Callable[[int, int], None]:
    """Return a callback that notes what is done, at most a hundred times: each is a write to the queue."""
    job, noted = get_current_job(), 0

    def note(done: int, total: int) -> None:
        nonlocal noted
        if job is not None and ((done - noted) * 100 >= total or done == total):
            noted = done
            job.meta.update(done=done, total=total)
            job.save_meta()  # type: ignore[no-untyped-call] # RQ has types for most

    return note
