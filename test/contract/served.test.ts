import { expect, test } from 'vitest';
import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import { servedApiOf } from '../../contract/served/served.ts';

const byName = (_operation: unknown, { name }: { readonly name: string }): string => name;

test.each(ownContractNames)(
  'what the engine knows of %s is plain data, which can be printed',
  async (name) => {
    const api = servedApiOf(await loadOwnContract(name), byName);
    expect(JSON.parse(JSON.stringify(api))).toStrictEqual(api);
    expect(api.operations.length).toBeGreaterThan(0);
  },
);

test('a schema is named after its component, or else after its place', async () => {
  const { operations } = servedApiOf(await loadOwnContract('router'), byName);
  const run = operations.find(({ id }) => id === 'runModel');
  expect(run?.body?.contents).toStrictEqual([
    { mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterModelInput' },
  ]);
  expect(run?.responseHeaders?.['429']?.map(({ schema }) => schema)).toContain(
    'runModel 429 X-Committed-Spend-Limit',
  );
});

test('a page size has no schema: the engine brings it into its bounds', async () => {
  const { operations } = servedApiOf(await loadOwnContract('router'), byName);
  const list = operations.find(({ id }) => id === 'listModels');
  expect(list?.parameters?.map(({ name, schema }) => [name, schema])).toStrictEqual([
    ['cursor', 'RouterPageCursor'],
    ['limit', undefined],
  ]);
});

test('a parameter without a member is left to the engine', async () => {
  const { operations } = servedApiOf(await loadOwnContract('router'), () => undefined);
  expect(operations.flatMap(({ parameters = [] }) => parameters)).toStrictEqual([]);
});
