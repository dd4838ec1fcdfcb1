import { afterAll, beforeAll, expect, test } from 'vitest';
import { isBroken } from '../../cli/conform/kills.ts';
import { runConformance } from '../../conformance/index.ts';
import type { Report, Transport, WireRequest } from '../../conformance/index.ts';
import { createMock, type SteerableMock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { invoicesContract } from '../mock/invoices.ts';

const contract = await invoicesContract();
let mock: SteerableMock;
beforeAll(async () => {
  mock = createMock({ contracts: [contract] });
  await mock.ready();
});
afterAll(() => {
  mock.close();
});

const judge = (transport: Transport, ...rules: readonly string[]): Promise<Report> =>
  runConformance({
    ...{ contracts: [contract], baseUrl: 'http://localhost', allow: ['writes', 'negatives'], transport },
    fixtures: { writes: ['sendInvoice', 'payInvoice'] },
    rules:
      rules.length === 0
        ? ['resource.*', 'lifecycle.*', 'conditional-get.*', 'document.getInvoice.*']
        : rules,
  });

const broken = ({ rules }: Report): readonly string[] => rules.filter(isBroken).map(({ id }) => id);

/** A change of a request before the mock has it, or of the JSON and the headers of an answer. */
interface Fault {
  readonly ask?: (request: WireRequest) => WireRequest;
  readonly body?: (body: unknown, request: WireRequest) => unknown;
  readonly headers?: (
    headers: readonly (readonly [string, string])[],
    request: WireRequest,
  ) => readonly (readonly [string, string])[];
}

function faulty({
  ask = (request) => request,
  body = (value) => value,
  headers = (all) => all,
}: Fault): Transport {
  const inner = inProcess(mock.handle);
  return async (request) => {
    const { body: parts, ...answer } = await inner(ask(request));
    const chunks: Uint8Array[] = [];
    for await (const chunk of parts) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const changed = text === '' ? text : JSON.stringify(body(JSON.parse(text), request));
    const sent = headers(answer.headers, request).filter(([name]) => !/^content-length$/i.test(name));
    return { ...answer, headers: sent, body: inOnePart(changed) };
  };
}

async function* inOnePart(text: string): AsyncGenerator<Uint8Array> {
  if (text !== '') yield await Promise.resolve(Buffer.from(text));
}

/** Changes the members of an invoice, or of each of them. */
function each(change: (invoice: Record<string, unknown>) => object): (body: unknown) => unknown {
  const one = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'lines' in value
      ? { ...value, ...change(value as Record<string, unknown>) }
      : value;
  return (body) => (Array.isArray(body) ? body.map(one) : one(body));
}

const listOf = (value: unknown): readonly unknown[] => value as readonly unknown[];

test('the mock keeps the things that are made below another path, and the suite judges them', async () => {
  const { rules, findings } = await judge(faulty({}));
  expect(findings).toEqual([]);
  expect(rules.filter(isBroken)).toEqual([]);
  const judged = rules.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  expect(judged).toEqual(
    expect.arrayContaining([
      ...['resource.invoices.created', 'resource.invoices.replaced', 'resource.invoices.missing'],
      ...['lifecycle.Invoice.refused', 'conditional-get.getInvoice.changed', 'document.getInvoice.answer'],
    ]),
  );
});

test.each<[string, Fault, string]>([
  ['shows one line', { body: each(({ lines }) => ({ lines: listOf(lines).slice(0, 1) })) }, 'created'],
  ['shows one tag', { body: each(({ tags }) => ({ tags: listOf(tags).slice(0, 1) })) }, 'created'],
  ['shows no reference', { body: each(() => ({ reference: undefined })) }, 'created'],
  [
    'shows whole prices',
    {
      body: each(({ lines }) => ({
        lines: (lines as { price: number }[]).map((line) => ({ ...line, price: Math.floor(line.price) })),
      })),
    },
    'created',
  ],
  [
    'names the list in Location',
    {
      headers: (all, { target }) =>
        all.map(([name, value]) => (/^location$/i.test(name) ? [name, target] : [name, value])),
    },
    'created',
  ],
  [
    'lists another time of creation',
    {
      body: (body) =>
        Array.isArray(body) ? each(() => ({ createdAt: '2001-01-01T00:00:00Z' }))(body) : body,
    },
    'listed',
  ],
  [
    'forgets the filter',
    { ask: (request) => ({ ...request, target: request.target.replace(/\?state=\w+/, '') }) },
    'filtered',
  ],
])('the suite detects a server that %s', async (_, fault, name) => {
  const rule = `resource.invoices.${name}`;
  expect(broken(await judge(faulty(fault), rule))).toEqual([rule]);
});

test('the suite detects a tag that does not change with the state', async () => {
  const headers: Fault['headers'] = (all, { target }) =>
    all.map(([name, value]) => (/^etag$/i.test(name) ? [name, `"${target.length}"`] : [name, value]));
  const ask: Fault['ask'] = (request) => ({
    ...request,
    headers: request.headers.map(([name, value]) =>
      /^if-none-match$/i.test(name) && value.includes(`"${request.target.length}"`)
        ? [name, '*']
        : [name, value],
    ),
  });
  const rule = 'conditional-get.getInvoice.changed';
  expect(broken(await judge(faulty({ ask, headers }), rule))).toEqual([rule]);
});

test.each(['a-key', 'k'.repeat(41)])(
  'the mock refuses the key %s, whose length the document forbids',
  async (key) => {
    const send = (target: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
      mock.fetch(
        new Request(`http://localhost${target}`, {
          ...{ method: 'POST', body },
          headers: { 'Content-Type': 'application/json', ...headers },
        }),
      );
    const { id } = (await (await send('/customers', '{"name":"a"}')).json()) as { id: string };
    const invoice = '{"lines":[{"text":"a","price":1}]}';
    const seen = await send(`/customers/${id}/invoices`, invoice, { 'Request-Key': key });
    expect(seen.status).toBe(400);
  },
);
