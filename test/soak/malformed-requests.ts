import type { RawRequest } from '../../mock/call/exchange.ts';

/**
 * Requests without end, the same for the same random numbers. Two in three are right but for one part, which is bent;
 * the others can be bent anywhere.
 */
export function malformedRequests(random: () => number): () => RawRequest {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const bent = (text: string): string => {
    let result = text;
    for (let cuts = 1 + Math.floor(random() * 3); cuts > 0; cuts -= 1) {
      const at = Math.floor(random() * (result.length + 1));
      result = `${result.slice(0, at)}${pick(noise)}${result.slice(at + Math.floor(random() * 3))}`;
    }
    return result;
  };
  const maybeBent = (text: string, chance: number): string => (random() < chance ? bent(text) : text);

  /** A JSON body in which one value is another one, of any kind, or in which a member is missing or too much. */
  const wrongBody = (body: object): string => {
    const copy = structuredClone(body);
    const places = placesOf(copy);
    const { holder, name } = pick(places);
    const fate = random();
    if (fate < 0.15) Reflect.deleteProperty(holder, name);
    else {
      const [member, value] = [fate < 0.3 ? pick(oddNames) : name, pick(oddValues)];
      // No assignment: that would make a prototype of `__proto__`.
      Object.defineProperty(holder, member, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return JSON.stringify(copy);
  };

  const nearly = (): RawRequest => {
    const route = pick(routes);
    const body = route.body?.(() => Math.floor(random() * 500));
    const part = pick(parts);
    const headers: (readonly [string, string])[] = [
      ['Host', 'x'],
      ['Authorization', pick(credentials)],
      ...(body === undefined ? [] : ([['Content-Type', 'application/json']] as const)),
      ...(random() < 0.5
        ? ([['Idempotency-Key', `key-${String(Math.floor(random() * 200))}`]] as const)
        : []),
    ];
    if (part === 'header') headers.push([pick(headerNames), maybeBent(pick(headerValues), 0.5)]);
    const text = body === undefined ? '' : JSON.stringify(body);
    return {
      method: route.method,
      target: part === 'query' ? `${route.target}?${maybeBent(pick(queries), 0.5)}` : route.target,
      rawHeaders: headers.flat(),
      body: Buffer.from(
        part !== 'body' || body === undefined
          ? text
          : random() < 0.7
            ? wrongBody(body)
            : random() < 0.5
              ? bent(text)
              : pick(oddBodies),
      ),
    };
  };

  const anywhere = (): RawRequest => {
    const route = pick(routes);
    const names = headerNames.filter(() => random() < 0.5);
    return {
      method: random() < 0.5 ? route.method : pick(oddMethods),
      target: maybeBent(random() < 0.8 ? route.target : pick(oddTargets), 0.6),
      rawHeaders: [
        ...(random() < 0.8 ? ['Authorization', maybeBent(pick(credentials), 0.2)] : []),
        ...['Host', 'x'],
        ...names.flatMap((name) => [name, maybeBent(pick(headerValues), 0.3)]),
      ],
      body: Buffer.from(bent(JSON.stringify(route.body?.(() => 1) ?? ''))),
    };
  };

  return () => (random() < 2 / 3 ? nearly() : anywhere());
}

// --- internal ---

interface Route {
  readonly method: string;
  readonly target: string;
  /** A body that is taken; `number` gives one of few, so that what is kept for good stays little. */
  readonly body?: (number: () => number) => Record<string, unknown>;
}

const prompt = { prompt: 'a hand', seed: 3, steps: 4, size: { width: 64, height: 64 }, references: ['x'] };
const graph = {
  1: { class_type: 'SketchPicture', inputs: { prompt: 'a hand' } },
  2: { class_type: 'SavePicture', inputs: { picture: ['1', 0] } },
};

const routes: readonly Route[] = [
  { method: 'GET', target: '/v1/models' },
  { method: 'GET', target: '/v1/models/mock/ok' },
  { method: 'GET', target: '/v1/models/acme/easel-2.1/openapi.json' },
  { method: 'POST', target: '/v1/models/mock/ok', body: () => ({ ...prompt }) },
  { method: 'POST', target: '/v1/models/acme/easel-2.1', body: () => ({ ...prompt }) },
  { method: 'POST', target: '/v1/models/acme/echo-1', body: () => ({ prompt: { any: ['thing', 1] } }) },
  { method: 'POST', target: '/api/v2/jobs', body: () => ({ ...graph }) },
  { method: 'POST', target: '/api/v2/jobs', body: () => ({ workflow: { ...graph } }) },
  { method: 'GET', target: '/api/v2/jobs/11111111-1111-4111-8111-111111111111' },
  { method: 'POST', target: '/api/v2/jobs/11111111-1111-4111-8111-111111111111/cancel' },
  { method: 'GET', target: '/api/v2/jobs/11111111-1111-4111-8111-111111111111/events' },
  {
    method: 'POST',
    target: '/publishers/acme/nodes/acme-upscaler/versions',
    body: (number) => ({
      node: { name: 'Upscaler', tags: ['x'], description: 'x' },
      node_version: { version: `1.0.${String(number())}`, changelog: 'x', dependencies: ['x'] },
      personal_access_token: 'pat-mock-ok',
    }),
  },
  {
    method: 'POST',
    target: '/proxy/northwind/v1/ai/skin-enhancer/creative',
    body: () => ({ image: 'iVBORw0KGgo=', sharpen: 50, smart_grain: 2 }),
  },
];

const parts = ['body', 'body', 'body', 'header', 'query'] as const;
const credentials = ['Bearer service-mock-ok', 'Bearer service-mock-ok', 'Bearer service-mock-ok+other'];
const queries = [
  'limit=0',
  'limit=abc',
  'limit=101',
  'limit=5&limit=6',
  'cursor=x',
  'limit=%zz',
  '&&=&',
  'x',
];
const headerNames = [
  ...['Idempotency-Key', 'Content-Type', 'If-None-Match', 'Prefer', 'Origin'],
  ...['Accept', 'Content-Length', 'X-API-Key', 'Last-Event-ID', 'Range', 'Access-Control-Request-Method'],
];
const headerValues = [
  ...['service-mock-ok', 'Bearer service-mock-ok', 'application/json', 'text/plain; charset=x', '"x"', ''],
  ...['scenario=slow', 'scenario=unavailable;after=x', 'scenario=cut-before', 'scenario=;;', 'POST', '*'],
  ...['a'.repeat(300), 'bytes=0-', '-1', 'null', 'http://localhost:1'],
];
const noise = '\u0000 % / ? & = .. ä { " [ 1e999 \ud800 %00 \r\n \' ; \\ -'.split(' ');
const oddMethods = ['PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'BREW', ''];
const oddTargets = ['', '//', '*', 'http://[::1', '/v1/models/%2e%2e/x', '/uploads/x?signature=x&expires=1'];
const oddNames = ['__proto__', 'constructor', '', 'é', '1', 'class_type', 'x'.repeat(200)];
const oddValues: readonly unknown[] = [
  ...[null, true, '', ' ', 0, -1, 1.5, 1e308, -0, 'x'.repeat(5_000), '\u0000', '\ud800', '1.0.0-', '01.0.0'],
  ...[[], {}, [[[]]], { $ref: '#' }, { 1: {} }, ['1', 0], ['9', 1], [null], Array(300).fill(1)],
];
const oddBodies = [
  ...['', '{', 'null', '[]', '"x"', '1', '{"prompt":1e400}', '{"prompt":"x","prompt":2}', '\ufeff{}'],
  ...['['.repeat(2_000), '{"a":'.repeat(1_000), '{"__proto__":{"x":1},"constructor":1}'],
];

interface Place {
  readonly holder: object;
  readonly name: string;
}

/** Where a value stands, at every depth. */
function placesOf(value: object): Place[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => [
    { holder: value, name },
    ...(typeof member === 'object' && member !== null ? placesOf(member) : []),
  ]);
}
