"""The API's process: gunicorn, started where nothing of the user's lies.

gunicorn imports from the folder that it stands in before any other, its configuration, too. A folder `service` or
`events` of whoever types `rollbook serve` would take the place of ours.
"""

import os

from service.settings import Settings


def main() -> None:
    """Run gunicorn on the arguments of this process."""
    os.chdir(Settings.load(os.environ).data)
    from gunicorn.app.wsgiapp import run  # noqa: PLC0415 -- it notes the folder as soon as it is imported

    run()


if __name__ == "__main__":
    main()
