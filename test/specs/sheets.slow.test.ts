// @module-tag long
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { FixtureShape } from '../../conformance/target/fixture-shape.ts';
import { fixturesShape } from '../../conformance/target/fixtures-shape.ts';
import type { Json, JsonObject } from '../../contract/model.ts';
import { operationId, operationsOf } from './document-walk.ts';
import { apis, objectAt, readDocument, readSheet, readSheetSchema } from './own-specs.ts';

const validate = new Ajv2020({
  strict: true,
  strictRequired: false,
  allErrors: true,
  formats: { regex: true },
}).compile(readSheetSchema());

const operationIds = (api: string): readonly string[] =>
  operationsOf(readDocument(api)).map(({ value }) => operationId(value));

test.each(apis)('the sheet of %s fits specs/behaviour.schema.json', (api) => {
  validate(readSheet(api));
  expect(validate.errors ?? []).toEqual([]);
});

const slips: readonly [slip: string, sheet: (sheet: JsonObject) => Json, at: string][] = [
  ['an unknown member', (sheet) => ({ ...sheet, polices: [] }), ''],
  ['an unknown kind', (sheet) => ({ ...sheet, policies: [{ kind: 'idempotence' }] }), '/policies/0/kind'],
  ['a missing kind', (sheet) => ({ ...sheet, policies: [{ header: 'X' }] }), '/policies/0'],
  [
    'a member that its kind does not know',
    (sheet) => ({ ...sheet, policies: [{ kind: 'credentials', keyHeadr: 'X-API-Key' }] }),
    '/policies/0',
  ],
  ['a rule without a source', (sheet) => ({ ...sheet, rules: [{ id: 'a.b.c', level: 'must' }] }), '/rules/0'],
  [
    'prose in place of data',
    (sheet) => ({ ...sheet, unspecified: [{ id: 'A-01', about: 'x', mockUses: 'y' }] }),
    '/unspecified/0/mockUses',
  ],
];

test.each(slips)('%s in a sheet is an error with its place', (_, slip, at) => {
  const sheet = { api: 'a', contract: '1', document: 1, policies: [], rules: [], unspecified: [] };
  expect(validate(sheet)).toBe(true);
  expect(validate(slip(sheet))).toBe(false);
  expect(validate.errors?.map(({ instancePath }) => instancePath)).toContain(at);
});

test('rule ids and ids of open points are unique over all sheets', () => {
  const ids = apis
    .flatMap((api) => [...readSheet(api).rules, ...readSheet(api).unspecified])
    .map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test.each(apis)('every operation, policy, schema and document that the sheet of %s names exists', (api) => {
  const { rules, policies, document } = readSheet(api);
  const kinds = policies.map(({ kind }) => kind);
  const schemas = Object.keys(objectAt(readDocument(api), 'components', 'schemas'));
  const missing = [
    ...rules.filter(({ operation }) => operation !== undefined && !operationIds(api).includes(operation)),
    ...rules.filter(({ policy }) => policy !== undefined && !kinds.some((kind) => kind === policy)),
    ...rules.filter(({ source }) => source.document !== document),
  ].map(({ id }) => id);
  expect(missing).toEqual([]);
  const named = policies.flatMap((policy) => [
    ...('operations' in policy
      ? Object.values(policy.operations).filter((id: string) => !operationIds(api).includes(id))
      : []),
    ...('schema' in policy && !schemas.includes(policy.schema) ? [policy.schema] : []),
  ]);
  expect(named).toEqual([]);
});

test.each(apis)('exactly the rules of %s that cannot be observed have a reason', (api) => {
  const judgedElsewhere = readSheet(api).rules.filter(
    ({ audience }) => audience === 'client' || audience === 'document',
  );
  expect(judgedElsewhere.filter(({ unobservable }) => unobservable !== undefined)).toEqual([]);
});

/** `pages>=2` is asked of the catalogue itself, `surface=demo` names the value that a member must have. */
function isFixture(need: string): boolean {
  const path = need.replace(/=.*$/, '').split('.');
  const shape = path.reduce<FixtureShape | undefined>((group, name) => group?.members[name], fixturesShape);
  return shape !== undefined || need === 'pages>=2';
}

test.each(apis)('every need of the rules of %s can be declared in a fixtures file', (api) => {
  const unknown = readSheet(api).rules.flatMap(({ id, needs }) =>
    needs.filter((need) => !isFixture(need)).map((need) => `${id}: ${need}`),
  );
  expect(unknown).toEqual([]);
});
