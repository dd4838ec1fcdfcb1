import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../contract/model.ts';
import { documentGate, headerExamplesAgree } from './document-gate.ts';
import { apis, readDocument, readSheet, setAt } from './own-specs.ts';

for (const api of apis) {
  test.each(Object.entries(documentGate))(`specs/${api}.openapi.yaml %s`, (_, check) => {
    expect(check(readDocument(api))).toEqual([]);
  });
}

test('specs/router.openapi.yaml shows the same bucket in header and body of every error', () => {
  const buckets = readSheet('router').policies.find((policy) => policy.kind === 'error-buckets');
  const agree = headerExamplesAgree(String(buckets?.header), String(buckets?.bodyMember));
  expect(agree(readDocument('router'))).toEqual([]);

  const broken = readDocument('router');
  setAt(broken, [...timedOut, 'headers', 'X-Service-Error-Type', 'examples', 'partner'], {
    value: 'deadline_exceeded',
  });
  expect(agree(broken)).toEqual(['#/components/responses/TimedOut partner']);
});

const timedOut = ['components', 'responses', 'TimedOut'];
const schemas = ['components', 'schemas'];

/** What the gate must find, put into the router's document. */
const breaks: readonly [check: string, path: readonly string[], value: Json | undefined, found: string][] = [
  ['names its dialect', ['jsonSchemaDialect'], undefined, '#/jsonSchemaDialect'],
  ['has schemas that compile strictly', [...schemas, 'RouterModelId', 'patern'], 'x', 'patern'],
  ['has schemas that compile strictly', [...schemas, 'RouterModelId', 'pattern'], '(', 'regular expression'],
  [
    'asserts nothing beside a $ref',
    [...schemas, 'RouterModelListEntry', 'properties', 'id', 'maxLength'],
    10,
    '#/components/schemas/RouterModelListEntry/properties/id',
  ],
  ['writes null as a type', [...schemas, 'RouterModelInput', 'nullable'], true, 'RouterModelInput'],
  [
    'closes no member of an allOf',
    [...schemas, 'RouterModelListEntry', 'additionalProperties'],
    false,
    '#/components/schemas/RouterModelDetail',
  ],
  [
    'says how arrays in parameters explode',
    ['components', 'parameters', 'Limit', 'schema'],
    { type: 'array', items: { type: 'integer' } },
    '#/components/parameters/Limit',
  ],
  [
    'shows an example of every parameter, body and header',
    [...timedOut, 'content', 'application/json', 'examples'],
    undefined,
    '#/components/responses/TimedOut/content/application~1json',
  ],
  [
    'shows an example of every parameter, body and header',
    ['components', 'headers', 'EntityTag', 'example'],
    undefined,
    '#/components/headers/EntityTag',
  ],
  [
    'shows examples that pass their own schemas',
    [...timedOut, 'content', 'application/json', 'examples', 'partner', 'value'],
    { detail: 7 },
    '/detail',
  ],
  [
    'shows examples that pass their own schemas',
    ['components', 'parameters', 'Limit', 'example'],
    101,
    'maximum',
  ],
];

test.each(breaks)('the gate "%s" notices a break at %j', (check, path, value, found) => {
  const broken: JsonObject = readDocument('router');
  setAt(broken, path, value);
  expect(documentGate[check]?.(broken).join('\n')).toContain(found);
});

test('every check of the gate is proven by a break', () => {
  expect(new Set(breaks.map(([check]) => check))).toEqual(new Set(Object.keys(documentGate)));
});
