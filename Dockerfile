# The service in a small image: `docker build -t tenon .`, then `docker run -p 8787:8787 -v tenon:/data -e GITHUB_TOKEN tenon`.

# The digest makes every build begin with the same files. `docker buildx imagetools inspect node:24-bookworm-slim` shows the newest one.
ARG NODE_IMAGE=node:24-bookworm-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df

FROM ${NODE_IMAGE} AS build
WORKDIR /src
RUN apt-get update && apt-get install -y --no-install-recommends make && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json .npmrc ./
# Nothing is compiled: the packages have what they need for each platform.
RUN npm ci --ignore-scripts
COPY . .
RUN touch node_modules/.package-lock.json && make build docs && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
WORKDIR /app
COPY --from=build /src/package.json ./
COPY --from=build /src/node_modules node_modules
COPY --from=build /src/dist dist
COPY --from=build /src/runtime/cli/tenon.js runtime/cli/tenon.js
RUN mkdir /data && chown node:node /data
USER node
# Two arenas of glibc instead of eight for each core give memory back that large answers have used.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8787 TENON_DATA_DIR=/data MALLOC_ARENA_MAX=2
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TENON_PORT || process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "runtime/cli/tenon.js", "serve"]
