"""The API as it runs: gunicorn with gevent, on a real Valkey."""
