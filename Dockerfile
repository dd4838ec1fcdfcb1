# A mock for teams without Node. Built from the sources: docker build -t tallystick .
FROM node:22-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund && npm pack --pack-destination /packed

FROM node:22-slim
ENV NODE_ENV=production \
    TALLYSTICK_MOCK_HOST=0.0.0.0 \
    TALLYSTICK_MOCK_PORT=4710 \
    TALLYSTICK_MOCK_CONTROL_PORT=4711
COPY --from=build /packed/*.tgz /tmp/tallystick.tgz
RUN npm install --global --no-audit --no-fund /tmp/tallystick.tgz && npm cache clean --force && rm /tmp/tallystick.tgz
# Nothing is written: the file system can be read-only.
USER node
WORKDIR /home/node
EXPOSE 4710 4711
# Any answer will do: without a credential it is a refusal.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.TALLYSTICK_MOCK_PORT).then(()=>process.exit(0),()=>process.exit(1))"]
# As its first process node gets SIGTERM itself, and the mock ends at once.
ENTRYPOINT ["node", "/usr/local/lib/node_modules/tallystick/dist/cli/bin.cjs"]
CMD ["mock"]
