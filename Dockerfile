# An image of `msgsite serve` (docs/operate/containers.md). The build fetches only the base image and the packages of
# package-lock.json, whose hashes it verifies; with a filled cache, it fetches no packages.
ARG NODE_IMAGE=node:22-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --prefer-offline --no-audit
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts --offline --no-audit

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    MSGSITE_HOST=0.0.0.0 \
    MSGSITE_DATA=/data \
    MSGSITE_WEBHOOKS=/config/webhooks.json
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE /app/NOTICE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/bin bin
COPY --from=build /app/public public
COPY --from=build /app/schemas schemas
RUN mkdir /data /config && chown node:node /data && chmod 700 /data \
    && echo '[]' > /config/webhooks.json \
    && printf '#!/bin/sh\nexec node /app/bin/msgsite.js "$@"\n' > /usr/local/bin/msgsite \
    && chmod 755 /usr/local/bin/msgsite
USER node
VOLUME /data
EXPOSE 3000 3001
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The program receives SIGTERM directly and exits within the 10 seconds that Docker allows.
ENTRYPOINT ["node", "/app/bin/msgsite.js"]
CMD ["serve"]
