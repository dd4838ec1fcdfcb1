import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documentFile, objectAt, readDocument, valueAt } from './own-specs.ts';

const schemas = ['components', 'schemas'];
const token = [...schemas, 'PublishNodeVersionRequest', 'properties', 'personal_access_token'];
const nodeErrors = [
  ...[...schemas, 'JobErrorResponse', 'properties', 'error', 'properties', 'details', 'properties'],
  ...['node_errors', 'additionalProperties', 'items'],
];

/** What a document declares beyond the words of the contract, and the words by which its head comment owns up to it. */
const choices: readonly (readonly [api: string, place: readonly string[], member: string, words: string])[] =
  [
    ['router', ['info'], 'version', '`2026.1` is a choice'],
    [
      'router',
      [...schemas, 'RouterModelInputSchemaDocument'],
      'required',
      'the two extensions of a schema document',
    ],
    ['registry', token, 'format', '`format: password` and `writeOnly` are choices'],
    ['registry', token, 'writeOnly', '`format: password` and `writeOnly` are choices'],
    [
      'registry',
      [...schemas, 'PublishNodeVersionResponse'],
      'required',
      'both members of the answer are required',
    ],
    ['jobs', ['info'], 'version', '`2026.1` is a choice'],
    ['jobs', nodeErrors, 'required', '`field` and `reason` are required'],
  ];

const headOf = (api: string): string =>
  readFileSync(documentFile(api), 'utf8')
    .split(/^openapi:/m, 1)
    .join('')
    .replaceAll(/\n#\s*/g, ' ');

test.each(choices)(
  '%s: the head comment explains what the contract does not declare: %j %s',
  (api, place, member, words) => {
    expect(objectAt(readDocument(api), ...place)).toHaveProperty(member);
    expect(headOf(api)).toContain(words);
  },
);

test('jobs.errors.reuse-is-422: the document does not say that a 422 is always a used key', () => {
  const answer = valueAt(
    readDocument('jobs'),
    'paths',
    '/api/v2/jobs',
    'post',
    'responses',
    '422',
    'description',
  );
  expect(answer).toMatch(/used before.*other refusals/s);
});
