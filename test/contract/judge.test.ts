import { expect, test } from 'vitest';
import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import { checksOf } from '../../contract/judge/judge.ts';
import { own } from '../mock/own-document.ts';

test.each(ownContractNames)('every schema of %s that the engine names can be judged by', async (name) => {
  const checks = checksOf(await loadOwnContract(name));
  expect(Object.keys(checks).length).toBeGreaterThan(5);
  for (const check of Object.values(checks)) expect(check(Symbol.iterator)).toHaveProperty('ok');
});

test('a fault is reported with its place and the message of generated guards', async () => {
  const checks = checksOf(await loadOwnContract('router'));
  const judged = checks['RouterModelListResponse']?.({ data: [], has_more: 'no', limit: 1 });
  expect(judged).toMatchObject({
    ok: false,
    errors: expect.arrayContaining([{ pointer: '/has_more', message: 'must be boolean' }]) as unknown,
  });
});

const WITH_SCHEMAS_AS_EXAMPLES = `
openapi: 3.1.0
info: { title: Schemas, version: '1' }
paths:
  /schemas:
    post:
      operationId: addSchema
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [$id]
              properties: { $id: { type: string, minLength: 3, example: { $id: 'http://{domain}/a' } } }
            examples:
              one: { value: { $id: 'http://{domain}/a', $anchor: same } }
              two: { value: { $id: 'urn:b', items: { $anchor: same, $id: 'urn:b', title: other } } }
      responses: { '204': { description: Added. } }
`;

test('an example that is a schema with an address of its own disturbs no judgement', async () => {
  const checks = checksOf(await own('schemas', WITH_SCHEMAS_AS_EXAMPLES));
  const [check] = Object.values(checks);
  expect([check?.({ $id: 'urn:x' }).ok, check?.({ $id: 'x' }).ok, check?.({}).ok]).toStrictEqual([
    true,
    false,
    false,
  ]);
});
