"""The application that gunicorn serves, wired from the environment."""

import os

from service.api.app import create_app
from service.bootstrap import build
from service.settings import Settings

_settings = Settings.load(os.environ)
_services = build(_settings)
_services.uptime.serve()
app = create_app(_services, cors_origins=_settings.cors_origins)
