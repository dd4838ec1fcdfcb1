import { createServer, type Finding, refuse } from './api/router/server.js';

/** A router with one model, which returns its input. Each of the programs in this folder serves it. */
export const server = createServer(
  {
    listModels({ cursor, limit = 20 }) {
      if (cursor !== undefined) throw refuse('invalid_input', 'There is only one page.');
      return { status: 200, body: { data: [echo], has_more: false, limit } };
    },
    getModel: (asked) => ({
      status: 200,
      body: { ...find(asked), billing: { charges_on_policy_rejection: 'no' } },
    }),
    getModelInputSchema: (asked) => ({
      status: 200,
      headers: { 'Cache-Control': 'private, max-age=300' },
      body: schemaOf(find(asked)),
    }),
    runModel({ body, ...asked }) {
      find(asked);
      return { status: 200, body };
    },
  },
  {
    authenticate: ({ ApiKeyAuth, BearerAuth }) =>
      (ApiKeyAuth ?? BearerAuth) === 'service-key-of-ada' ? { id: 'ada' } : undefined,
    onFinding: log,
  },
);

/** How long calls and streams may take to end when the program is asked to end. */
export const graceMs = 20_000;

export const port = Number(process.env['PORT'] ?? 3000);

// --- internal ---

const echo = { id: 'acme/echo-1', provider: 'acme', model: 'echo-1' };

function find(asked: { readonly provider: string; readonly model: string }): typeof echo {
  const id = `${asked.provider}/${asked.model}`;
  if (id === echo.id) return echo;
  throw refuse('model_not_found', `There is no model ${id}.`);
}

function schemaOf({ id }: typeof echo) {
  return {
    openapi: '3.1.0' as const,
    info: { title: id, version: '1' },
    'x-service-router-model-id': id,
    'x-service-input-schema-authored': false,
    paths: {
      [`/v1/models/${id}`]: {
        post: {
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          responses: { '200': { description: 'The input.' } },
        },
      },
    },
  };
}

/** A line for each call, and for each fault. */
function log(finding: Finding): void {
  const { kind, call } = finding;
  if (kind === 'ended') console.log(call.requestId, call.method, call.path, finding.status, finding.ms, 'ms');
  else if ('error' in finding) console.error(call.requestId, kind, finding.error);
}
