"""The application by the injected clock, for gunicorn."""

from service.api.app import create_app
from tests.integration.clocks.injected import services

_services = services()
_services.uptime.serve()
app = create_app(_services)
