"""The API's process: gunicorn, started in a folder that holds nothing of the user's.

gunicorn puts its working folder before all others that it imports from, its configuration too. A folder `service` or
`events` in the user's working folder would take the place of ours; and that folder may be gone.
"""

import contextlib
import os
import resource
import sys

from service.settings import Settings


def main() -> None:
    """Run gunicorn on the arguments of this process."""
    os.chdir(Settings.load(os.environ).data)
    _take_all_files()
    from gunicorn.app.wsgiapp import run  # noqa: PLC0415 -- it notes the folder as soon as it is imported
    from gunicorn.util import getcwd  # noqa: PLC0415 -- only once we stand there

    sys.path.append(getcwd())  # the data folder may be the user's, too: named last, it is not put first
    run()


def _take_all_files() -> None:
    """Raise the number of connections to what the system allows: the usual 1,024 are below our own limit."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):  # a system that names no number for all there are
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    main()
