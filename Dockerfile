# The campaign server as an image. docs/how-to/serve-a-campaign.md says how to run it:
#
#     docker build --tag rankwise .
#     docker run --publish 8000:8000 --volume campaigns:/campaigns rankwise
#
# A test holds this file to the project; "scripts/check-slow image" does what it says on bare machines.

FROM debian:trixie-slim AS build
RUN apt-get update && \
    apt-get install --yes --no-install-recommends python3 python3-venv python3-dev g++ && \
    rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY pyproject.toml constraints.txt CMakeLists.txt LICENSE README.md ./
COPY native native
COPY src src
RUN python3 -m venv /opt/build && \
    PIP_CONSTRAINT=/source/constraints.txt PIP_BUILD_CONSTRAINT=/source/constraints.txt \
    /opt/build/bin/python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source
RUN python3 -m venv /opt/rankwise && \
    wheel=$(echo /wheels/rankwise-*.whl) && \
    /opt/rankwise/bin/python -m pip install --no-cache-dir --only-binary :all: \
    --constraint /source/constraints.txt "$wheel[serve]" && \
    /opt/rankwise/bin/python -m pip uninstall --yes pip

FROM debian:trixie-slim
RUN apt-get update && \
    apt-get install --yes --no-install-recommends python3 && \
    rm -rf /var/lib/apt/lists/* && \
    useradd --uid 10001 --no-create-home --home-dir /campaigns rankwise && \
    install --directory --owner rankwise --group rankwise --mode 700 /campaigns
COPY --from=build /opt/rankwise /opt/rankwise
ENV PATH=/opt/rankwise/bin:/usr/bin:/bin PYTHONUNBUFFERED=1
USER rankwise
VOLUME /campaigns
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
ENTRYPOINT ["rankwise", "serve", "/campaigns", "--host", "0.0.0.0", "--port", "8000"]
CMD ["--base-url", "http://localhost:8000"]
