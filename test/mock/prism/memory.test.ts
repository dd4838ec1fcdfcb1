import { afterAll, expect, test } from 'vitest';
import { createMock } from '../../../mock/index.ts';
import { forgetSchemas } from '../../../mock/prism/memory.ts';

const mock = createMock({ apis: ['router'] });
afterAll(() => {
  mock.close();
});

const run = async (body: string): Promise<number> =>
  (
    await mock.fetch('/v1/models/mock/ok', {
      method: 'POST',
      headers: { 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json' },
      body,
    })
  ).status;

test('all six compilers of Prism let go of their schemas, and everything is judged as before', async () => {
  await mock.ready();
  const before = [await run('{"prompt":"x"}'), await run('[]')];
  expect(forgetSchemas()).toBe(6);
  expect([await run('{"prompt":"x"}'), await run('[]')]).toStrictEqual(before);
  const fresh = createMock({ apis: ['router'] });
  const page = await fresh.fetch('/v1/models', { headers: { 'X-API-Key': 'service-mock-ok' } });
  expect([page.status, fresh.journal.entries()[0]?.responseFindings]).toStrictEqual([200, []]);
  fresh.close();
});
