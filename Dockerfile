# One image for the API, the workers and every command of `rollbook`.

FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src
RUN python -m venv /opt/rollbook
COPY requirements.lock requirements-dev.lock ./
RUN /opt/rollbook/bin/pip install --require-hashes -r requirements.lock
# The build backend as the lock holds it, and no other tool for development; it stays in this stage.
RUN sed -n '/^setuptools==/,/[^\\]$/p' requirements-dev.lock > backend.lock \
    && pip install --require-hashes -r backend.lock
COPY pyproject.toml README.md LICENSE ./
COPY events events
COPY projections projections
COPY service service
COPY workers workers
RUN pip wheel --no-deps --no-build-isolation --wheel-dir dist . \
    && /opt/rollbook/bin/pip install --no-deps dist/*.whl

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin rollbook \
    && install -d -o rollbook -g rollbook -m 0700 /data
COPY --from=build /opt/rollbook /opt/rollbook
ENV PATH=/opt/rollbook/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    ROLLBOOK_HOST=0.0.0.0 \
    ROLLBOOK_PORT=8000 \
    ROLLBOOK_DATA=/data
USER rollbook
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
# On SIGTERM the supervisor ends its children in order; `docker stop` sends this signal.
STOPSIGNAL SIGTERM
CMD ["rollbook", "serve"]
