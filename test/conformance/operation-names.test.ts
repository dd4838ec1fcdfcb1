import { expect, test } from 'vitest';
import { operationNames } from '../../conformance/target/operation-names.ts';
import { loadOwnContract } from '../../contract/index.ts';

const GET = { method: 'GET', as: 'valid', times: 1 } as const;
const nameOf = operationNames([await loadOwnContract('router')]);

test.each([
  ['/v1/models/{id}', 'GET /v1/models/{provider}/{model}'],
  ['/v1/models/{id}/openapi.json', 'GET /v1/models/{provider}/{model}/openapi.json'],
  ['/v1/models/quartz/no-such/openapi.json', 'GET /v1/models/{provider}/{model}/openapi.json'],
  ['/v1/models?cursor={cursor}', 'GET /v1/models'],
  ['/v1/nothing/{id}?limit=1', 'GET /v1/nothing/{id}'],
])('a request to %s has the name %s, whoever planned it', (target, name) => {
  expect(nameOf('router', { ...GET, target })).toBe(name);
});

test('what a template planned from the document has the name of its path', () => {
  const target = '/v1/models/{provider}/{model}/openapi.json{?query}';
  const plan = { ...GET, target, operation: 'getModelInputSchema' };
  expect(nameOf('router', plan)).toBe('GET /v1/models/{provider}/{model}/openapi.json');
});
