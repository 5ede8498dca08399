"""The services of a worker process, made once: what is made before a job forks is shared by all of them."""

import os
from functools import cache

from service.bootstrap import Services, build
from service.settings import Settings


@cache
def services() -> Services:
    """Wire the services from the environment.

    Raises:
        OperatorError: No store is named, or a key file cannot be used.
        StoreError: The store is not one that this program can use.
    """
    return build(Settings.load(os.environ))
