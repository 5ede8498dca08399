"""The application that gunicorn serves, wired from the environment."""

import os

from werkzeug.middleware.proxy_fix import ProxyFix

from service.api.app import create_app
from service.bootstrap import build
from service.hosting.supervisor.bodies import BodyFirst
from service.settings import Settings

_settings = Settings.load(os.environ)
_services = build(_settings)
_services.uptime.serve()
app = create_app(_services, cors_origins=_settings.cors_origins, limits=_settings.limits)
if _settings.trusted_proxies:
    app.wsgi_app = ProxyFix(app.wsgi_app, x_for=_settings.trusted_proxies)  # type: ignore[method-assign] # Flask's own way
app.wsgi_app = BodyFirst(app.wsgi_app, seconds=_settings.limits.body_seconds)  # type: ignore[method-assign] # as above
