import { expect, test } from 'vitest';
import { createMock } from '../../mock/index.ts';

const mock = createMock({ apis: ['router'] });

async function findings(model: string, input: object): Promise<unknown> {
  await mock.fetch(
    new Request(`http://mock.test/v1/models/${model}`, {
      method: 'POST',
      headers: { 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
    }),
  );
  return mock.journal.entries().at(-1)?.requestFindings;
}

test.each([
  ['its schema', 'acme/easel-2.1', { prompt: 7 }, { at: 'body.prompt', keyword: 'type' }],
  ['its schema, for a missing member', 'acme/easel-2.1', {}, { at: 'body.prompt', keyword: 'missing' }],
  ['the model itself', 'mock/invalid-image', { prompt: 'x' }, { at: 'body.image', keyword: 'missing' }],
])('the journal says where in the input %s finds a fault', async (_who, model, input, found) => {
  expect(await findings(model, input)).toMatchObject([found]);
});

test('an input that is accepted has no findings', async () => {
  expect(await findings('acme/easel-2.1', { prompt: 'x' })).toStrictEqual([]);
});
