import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createServer, refuse } from '../../generated/router/server.ts';
import { createMock, virtualClock, type Mock } from '../../mock/index.ts';

// Runs of the mock of the router and of a server that is generated from its contract: one engine, so one answer, also to
// the retry, also if the first answer was lost. The server's models do what those of the mock do.

type Delivery = 'delivered' | 'short' | 'dropped';
type Server = ReturnType<typeof createServer>;

interface Run {
  readonly model: string;
  readonly key?: string;
  readonly body?: string;
  readonly delivery?: Delivery;
}

let mock: Mock;
let server: Server;
beforeAll(async () => {
  mock = createMock({ apis: ['router'], clock: virtualClock() });
  await mock.ready();
});
beforeEach(() => {
  mock.reset();
  server = routerOf();
});
afterAll(() => {
  mock.close();
});

const BODY = '{"prompt":"x"}';

const timeout = { headers: { 'Retry-After': '2' } };
const models: Readonly<Record<string, (isCollecting: boolean, forbidReplay: () => void) => void>> = {
  'mock/ok': () => undefined,
  'mock/unreplayable': (_collecting, forbidReplay) => {
    forbidReplay();
  },
  'mock/unavailable': () => {
    throw refuse('service_unavailable', 'Not now.');
  },
  'mock/too-early': () => {
    throw refuse('service_unavailable', 'Too early.', { status: 425 });
  },
  'mock/provider-error': () => {
    throw refuse('provider_error', 'The provider failed.');
  },
  'mock/provider-timeout-collectable': (isCollecting) => {
    if (!isCollecting) throw refuse('provider_timeout', 'Too late.', timeout);
  },
};

function routerOf(): Server {
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  return createServer(
    {
      ...{ listModels: unused, getModel: unused, getModelInputSchema: unused },
      runModel: ({ provider, model }, { collecting, forbidReplay }) => {
        models[`${provider}/${model}`]?.(collecting, forbidReplay);
        return { status: 200, body: {} };
      },
    },
    {
      authenticate: () => ({ id: 'caller' }),
      lookup: {
        runModel: ({ provider = '', model = '' }) => {
          if (!Object.hasOwn(models, `${provider}/${model}`))
            throw refuse('model_not_found', 'No such model.');
        },
      },
    },
  );
}

const headersOf = ({ key }: Run): Record<string, string> => ({
  'Content-Type': 'application/json',
  'X-API-Key': 'service-mock-ok',
  ...(key === undefined ? {} : { 'Idempotency-Key': key }),
});

type Told = readonly (string | number | null | undefined)[];
const TOLD = ['x-service-error-type', 'idempotent-replayed', 'retry-after'];

async function byMock(run: Run): Promise<Told> {
  const { reply, settle } = await mock.handle({
    method: 'POST',
    target: `/v1/models/${run.model}`,
    rawHeaders: Object.entries(headersOf(run)).flat(),
    body: Buffer.from(run.body ?? BODY),
  });
  settle(run.delivery ?? 'delivered');
  const headers = new Headers(reply.headers.map(([name, value]): [string, string] => [name, value]));
  return [reply.status, ...TOLD.map((name) => headers.get(name))];
}

async function byServer(run: Run): Promise<Told> {
  const { status, headers, settle } = await server.exchange({
    method: 'POST',
    target: `/v1/models/${run.model}`,
    headers: new Headers(headersOf(run)),
    body: () => Promise.resolve(Buffer.from(run.body ?? BODY)),
    signal: new AbortController().signal,
  });
  await settle(run.delivery ?? 'delivered');
  return [status, ...TOLD.map((name) => headers.get(name))];
}

async function told(answer: (run: Run) => Promise<Told>, runs: readonly Run[]): Promise<Told[]> {
  const answers: Told[] = [];
  for (const run of runs) answers.push(await answer(run));
  return answers;
}

const courses: readonly [name: string, runs: readonly Run[]][] = [
  ['no key', [{ model: 'mock/ok' }, { model: 'mock/ok' }]],
  [
    'an unknown model with a body that is no JSON, and its retry',
    [
      { model: 'mock/nope', body: '{' },
      { model: 'mock/nope', key: 'k', body: '[]' },
      { model: 'mock/nope', key: 'k', body: '[]' },
    ],
  ],
  [
    'a known model with a body that is no JSON, none, or no object',
    ['{', '', '[]'].map((body, index) => ({ model: 'mock/ok', key: `k${String(index)}`, body })),
  ],
  [
    'another body and another model under one key',
    [
      { model: 'mock/ok', key: 'k' },
      { model: 'mock/ok', key: 'k', body: '{"prompt":"y"}' },
      { model: 'mock/unavailable', key: 'k' },
      { model: 'mock/ok', key: 'k' },
    ],
  ],
  ['an empty key and an endless one', ['', 'k'.repeat(256)].map((key) => ({ model: 'mock/ok', key }))],
  ...Object.keys(models).flatMap((model) =>
    (['delivered', 'short', 'dropped'] as const).map((delivery): [string, readonly Run[]] => [
      `${model}, its first answer ${delivery}, and two retries`,
      [
        { model, key: 'k', delivery },
        { model, key: 'k' },
        { model, key: 'k' },
      ],
    ]),
  ),
];

test.each(courses)('mock and generated server answer a run alike: %s', async (_name, runs) => {
  const answers = await told(byMock, runs);
  expect(answers).toStrictEqual(await told(byServer, runs));
  expect(answers.map(([status]) => status)).not.toContain(500);
});

test('simultaneous calls with one key: both sides run one and refuse the others as in flight', async () => {
  const five = Array.from({ length: 5 }, (): Run => ({ model: 'mock/ok', key: 'k' }));
  const statuses = async (answer: (run: Run) => Promise<Told>): Promise<unknown[]> =>
    (await Promise.all(five.map(answer))).map(([status]) => status).filter((status) => status === 200);
  expect((await statuses(byMock)).length).toBeGreaterThan(0);
  expect((await statuses(byServer)).length).toBeGreaterThan(0);
  expect(mock.dispatches()['mock/ok']).toBe(1);
});
