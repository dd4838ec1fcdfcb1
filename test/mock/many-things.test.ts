import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../mock/index.ts';
import { stockContract } from './stock.ts';

interface Named {
  readonly id: string;
}

async function started() {
  const mock = createMock({ contracts: [await stockContract()] });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  return async (call: string, body?: unknown) => {
    const [method = '', path = ''] = call.split(' ');
    const answer = await mock.fetch(`${mock.url}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as unknown };
  };
}

test('all things of a list are created, each under its own id, in order', async () => {
  const ask = await started();
  const before = ((await ask('GET /boxes')).body as Named[]).length;
  const made = await ask('POST /boxes/batch', [
    { label: 'one', size: 1 },
    { label: 'two', size: 2 },
  ]);
  expect(made).toMatchObject({ status: 201, body: [{ label: 'one' }, { label: 'two', size: 2 }] });
  for (const box of made.body as Named[]) expect((await ask(`GET /boxes/${box.id}`)).body).toEqual(box);
  expect(((await ask('GET /boxes')).body as Named[]).length).toBe(before + 2);
});

test.each<[string, readonly unknown[]]>([
  ['the last is invalid', [{ label: 'one', size: 1 }, { label: 'two' }]],
  ['the first is no object', ['one', { label: 'two', size: 2 }]],
  ['it is empty', []],
])('a list creates nothing if %s', async (_, boxes) => {
  const ask = await started();
  const before = (await ask('GET /boxes')).body;
  expect((await ask('POST /boxes/batch', boxes)).status).toBe(422);
  expect((await ask('GET /boxes')).body).toEqual(before);
});

test('a thing with a status of its own is refused by itself, with the reason', async () => {
  const ask = await started();
  const seen = await ask('POST /parts/batch', {
    parts: [{ name: 'bolt' }, { name: '' }, { name: 'bolt', count: 2 }, { name: 'nut', count: 3 }],
  });
  expect(seen).toMatchObject({
    status: 207,
    body: {
      created: 2,
      failed: 2,
      results: [
        { index: 0, status: 201, part: { name: 'bolt', count: 1 } },
        { index: 1, status: 422, error: { message: expect.stringContaining('/parts/1/name') as string } },
        { index: 2, status: 409, error: { message: 'name is given already.' } },
        { index: 3, status: 201, part: { name: 'nut', count: 3 } },
      ],
    },
  });
  expect(JSON.stringify((await ask('GET /parts')).body)).toContain('nut');
});

test('a request without the list is refused as a whole', async () => {
  const ask = await started();
  expect((await ask('POST /parts/batch', { things: [] })).status).toBe(422);
  expect((await ask('POST /parts/batch', { parts: 'bolt' })).status).toBe(422);
});
