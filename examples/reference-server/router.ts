import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import { createServer, refuse, type Server, type ServerOptions } from '../../generated/router/server.ts';
import { type Account, accountOf } from './accounts.ts';
import type { Cursors } from './cursors.ts';
import { type Model, modelsFor } from './models.ts';

export interface RouterParts {
  readonly deadlineMs: number;
  readonly cursors: Cursors;
  /** Called for every call that reaches a partner. */
  readonly onDispatch?: (model: string, key: string | undefined) => void;
  readonly options?: Partial<ServerOptions<Account>>;
}

/**
 * The model router on the generated server: only the parts that the contract leaves to a server are written
 * here.
 */
export function routerServer({ deadlineMs, cursors, onDispatch, options = {} }: RouterParts): Server {
  const models = modelsFor(deadlineMs);
  const visible = models.filter(({ released }) => released);
  const accepts = new Map(visible.map((model) => [model.id, checkOf(model)]));

  const find = ({ provider, model }: { readonly provider: string; readonly model: string }): Model => {
    const id = `${provider}/${model}`;
    const found = visible.find((candidate) => candidate.id === id);
    if (found !== undefined) return found;
    const near = visible.filter((candidate) => candidate.id.startsWith(`${provider}/`)).slice(0, 3);
    const hint = near.length === 0 ? '' : ` Did you mean ${near.map((each) => each.id).join(', ')}?`;
    throw refuse('model_not_found', `There is no model ${id}.${hint}`);
  };

  return createServer<Account>(
    {
      listModels({ cursor, limit = visible.length }) {
        const from = cursor === undefined ? 0 : cursors.open(cursor);
        if (from === undefined)
          throw refuse('invalid_input', 'This cursor is not valid: start again with the first page.');
        const data = visible.slice(from, from + limit).map(entryOf);
        const next = from + limit;
        return next < visible.length
          ? { status: 200, body: { data, limit, has_more: true, next_cursor: cursors.issue(next) } }
          : { status: 200, body: { data, limit, has_more: false } };
      },
      getModel(input) {
        const model = find(input);
        return {
          status: 200,
          body: {
            ...entryOf(model),
            billing: { charges_on_policy_rejection: model.charges },
            ...(model.input === undefined
              ? {}
              : { input_schema_url: `https://models.example.com/${model.id}/openapi.json` }),
          },
        };
      },
      async runModel({ body, ...named }, call) {
        const model = find(named);
        onDispatch?.(model.id, call.collecting ? undefined : call.key);
        const reply = await model.run({
          input: body,
          bytes: call.bytes,
          signal: call.signal,
          collecting: call.collecting,
          charge: () => call.charge(),
        });
        // A server that takes money does so if this is true: a key pays once, regardless of the number of
        // runs.
        if (reply.status === 200) await call.charge();
        return reply;
      },
      getModelInputSchema(input) {
        const model = find(input);
        return {
          status: 200,
          headers: { 'Cache-Control': 'private, max-age=60' },
          body: schemaDocument(model),
        };
      },
    },
    {
      ...{ deadlineMs, leaseMs: deadlineMs + 30_000, replayCapBytes: 100_000, checkResponses: true },
      authenticate(credentials) {
        const account = accountOf(credentials);
        if (account?.hasAccess === false) throw refuse('forbidden', 'This account has no access.');
        return account;
      },
      capacity: {
        bounds: ({ calls, cents }) => ({ calls, cents }),
        cents(input, { caller }) {
          const model = find(input as { readonly provider: string; readonly model: string });
          const check = accepts.get(model.id);
          if (check !== undefined && !check(input['body']))
            throw refuse('invalid_input', `The input does not fit: ${check.errors?.[0]?.message ?? ''}`);
          if (!caller.hasCredits) throw refuse('insufficient_credits', 'This workspace has no credits.');
          return model.cents;
        },
      },
      ...options,
    },
  );
}

// --- internal ---

function entryOf({ id }: Model): { readonly id: string; readonly provider: string; readonly model: string } {
  const [provider = '', model = ''] = id.split('/');
  return { id, provider, model };
}

/** One for all models, because it compiles a shared schema only once. */
const schemas = new Ajv2020({ strict: false });

function checkOf({ input }: Model): ValidateFunction | undefined {
  return input === undefined ? undefined : schemas.compile(input);
}

function schemaDocument({ id, input }: Model) {
  return {
    openapi: '3.1.0',
    info: { title: `The input of ${id}`, version: '1' },
    'x-service-router-model-id': id,
    'x-service-input-schema-authored': input !== undefined,
    paths: {
      [`/v1/models/${id}`]: {
        post: {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Input' } } },
          },
          responses: { 200: { description: 'What the model makes of it.' } },
        },
      },
    },
    components: { schemas: { Input: input ?? { type: 'object' } } },
  };
}
