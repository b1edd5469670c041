# syntax=docker/dockerfile:1

FROM python:3.13-slim-trixie AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_NO_INPUT=1 \
    PIP_ROOT_USER_ACTION=ignore

WORKDIR /src

# What the bot runs on stands in a layer of its own: a change of the bot or of its data doesn't install it anew.
COPY requirements.build.lock requirements.run.lock ./
RUN pip install --require-hashes --requirement requirements.build.lock \
    && python -m venv --without-pip /opt/jargonaut \
    && pip --python /opt/jargonaut/bin/python install --require-hashes --requirement requirements.run.lock

COPY pyproject.toml README.md LICENSE ./
COPY data/ data/
COPY adapters/ adapters/
COPY bot/ bot/
RUN pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
    && pip --python /opt/jargonaut/bin/python install --no-deps /wheels/*.whl \
    && /opt/jargonaut/bin/jargonaut check


FROM python:3.13-slim-trixie

LABEL org.opencontainers.image.title="Jargonaut" \
      org.opencontainers.image.description="A chat bot that explains model-deployment jargon, in English and Chinese" \
      org.opencontainers.image.licenses="MIT"

# Numbers, so that an owner of a volume can be named anywhere. A new volume at /data gets this owner.
RUN groupadd --gid 10001 jargonaut \
    && useradd --uid 10001 --gid 10001 --no-log-init --no-create-home --home-dir /data --shell /usr/sbin/nologin jargonaut \
    && install --directory --owner=10001 --group=10001 --mode=0750 /data \
    && install --directory /glossary

COPY --from=build /opt/jargonaut /opt/jargonaut

# A team's own files go to /glossary, and count with JARGONAUT_DATA='["/glossary"]'. HOME, because bolt asks for one as
# soon as it's imported, and another user than ours has none.
ENV PATH=/opt/jargonaut/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/data \
    XDG_STATE_HOME=/data \
    HTTP_HOST=0.0.0.0 \
    HTTP_PORT=3000 \
    OPS_HOST=0.0.0.0 \
    OPS_PORT=8081

# Nothing else is written to but /tmp: the rest of the file system may be read-only.
VOLUME ["/data"]
WORKDIR /data
USER 10001:10001

# Slack's requests, where they come over HTTP; health and metrics.
EXPOSE 3000 8081

# Without OPS_HOST there's nothing to ask: then a process that runs is healthy.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["python", "-I", "-c", \
"import http.client, os, sys; os.environ['OPS_HOST'] or sys.exit(); \
asked = http.client.HTTPConnection(os.environ['OPS_HOST'], int(os.environ['OPS_PORT']), timeout=4); \
asked.request('GET', '/healthz'); sys.exit(asked.getresponse().status != 200)"]

# The exec form: the bot is the container's first process, and gets its SIGTERM.
ENTRYPOINT ["jargonaut"]
CMD ["run"]
