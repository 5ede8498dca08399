"""gunicorn's configuration for the API; `api_child` in `children` gives the socket and the application."""

import os
import sys
import threading
import time
from typing import Any

import gunicorn.http.wsgi
import gunicorn.util

from service.hosting.supervisor.children import API_GRACE
from service.hosting.supervisor.http_errors import without_words, write_problem
from service.hosting.supervisor.response import Joined
from service.limits import SPARE
from service.settings import Settings

_settings = Settings.load(os.environ)

worker_class = "service.hosting.supervisor.worker.Worker"
workers = _settings.workers
worker_connections = _settings.limits.connections + SPARE  # above our own limit, so that ours refuses

timeout = 60  # a worker that gives no sign for so long is stuck, and is replaced
graceful_timeout = API_GRACE
keepalive = 5  # idle connections count as in flight at the end, so not longer than API_GRACE

limit_request_line = 4094
limit_request_fields = 64
limit_request_field_size = 8190

# Else any process of this machine could move the application to another path by a header SCRIPT_NAME or PATH_INFO.
forwarder_headers = ""

# Heartbeats are writes to a file: on a disk under load they can stall a worker, in memory they cannot.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 -- gunicorn unlinks the file at once
control_socket_disable = True  # the supervisor is the one way to run it
proc_name = "rollbook-api"

accesslog = None
errorlog = "-"
loglevel = "warning"


def post_fork(_server: Any, _worker: Any) -> None:
    """Take the data folder off the import path (see `api`): an editable install is asked after it."""
    sys.path.pop()


def post_worker_init(worker: Any) -> None:
    """Install our form of gunicorn's answers, and release requests that wait for events as soon as the worker ends."""
    gunicorn.util.write_error = write_problem
    gunicorn.http.wsgi.Response = Joined
    Joined.seconds = _settings.limits.send_seconds
    worker.proxied = bool(_settings.trusted_proxies)
    worker.log.error_log.addFilter(without_words)
    services = getattr(worker.wsgi, "extensions", {}).get("rollbook")
    if services is not None:
        services.uptime.keep_beating(lambda: bool(worker.alive))
        threading.Thread(target=_let_go, args=(worker, services.watcher), daemon=True).start()


def _let_go(worker: Any, watcher: Any) -> None:
    while worker.alive:
        time.sleep(0.1)
    watcher.let_go()
