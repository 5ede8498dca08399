"""The application that gunicorn serves, wired from the environment."""

import os

from service.api.app import create_app
from service.bootstrap import build
from service.settings import Settings

_settings = Settings.load(os.environ)
app = create_app(build(_settings), cors_origins=_settings.cors_origins)
