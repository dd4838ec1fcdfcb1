// @module-tag long
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract, packageRoot } from '../../contract/index.ts';
import { temporaryFolder } from '../generator/generated.ts';

type File = 'openapi' | 'behaviour';
type Edit = readonly [file: File, from: string, to: string];

/** What reading one of our contracts says after an edit: code, place in the sheet and message. */
async function told(api: string, edits: readonly Edit[]): Promise<readonly string[]> {
  const folder = temporaryFolder();
  for (const file of ['openapi', 'behaviour'] as const) {
    let text = readFileSync(join(packageRoot(), `specs/${api}.${file}.yaml`), 'utf8');
    for (const [, from, to] of edits.filter(([edited]) => edited === file)) {
      expect(text).toContain(from);
      text = text.replace(from, to);
    }
    writeFileSync(join(folder, `${file}.yaml`), text);
  }
  const loaded = await loadContract({
    document: 'openapi.yaml',
    sheet: 'behaviour.yaml',
    cwd: folder,
    name: api,
  });
  const diagnostics = loaded.ok ? loaded.warnings : loaded.diagnostics;
  return diagnostics.map(
    ({ code, pointer = '', message }) => `${code} ${pointer.replace(/^\/policies\/\d+/, '')} ${message}`,
  );
}

const contradicts = (...rest: string[]): string => `sheet-contradicts ${rest.join(' ')}`;

test.each<[api: string, edit: Edit, says: string]>([
  // Numbers.
  [
    'router',
    ['behaviour', 'defaultLimit: 20', 'defaultLimit: 25'],
    contradicts(
      '/defaultLimit defaultLimit is 25, but the default of the parameter limit of listModels is 20 in the document',
    ),
  ],
  [
    'router',
    ['behaviour', 'maximumLimit: 100', 'maximumLimit: 50'],
    contradicts('/maximumLimit maximumLimit is 50, but the maximum of the parameter limit'),
  ],
  ['router', ['openapi', '        default: 20\n', '        default: 30\n'], contradicts('/defaultLimit')],
  // Statuses.
  [
    'router',
    [
      'behaviour',
      '    status: 504\n    bucket: deadline_exceeded',
      '    status: 503\n    bucket: deadline_exceeded',
    ],
    contradicts('/status deadline_exceeded has status 503 here, and 504 in error-buckets'),
  ],
  [
    'router',
    ['behaviour', '    status: 429\n    bucket: concurrency', '    status: 503\n    bucket: concurrency'],
    contradicts('/status concurrency_limit_exceeded has status 503 here, and 429'),
  ],
  [
    'router',
    ['behaviour', 'status: 304\n', 'status: 200\n'],
    contradicts('/status 200 has no body, but the document declares one'),
  ],
  [
    'router',
    ['behaviour', 'status: 304\n', 'status: 305\n'],
    'sheet-status-undeclared /status the document declares no 305 for getModelInputSchema',
  ],
  [
    'jobs',
    ['behaviour', 'reuse: { status: 422', 'reuse: { status: 409'],
    contradicts('/reuse/status idempotency_key_reuse has status 409 here, and 422 in error-codes'),
  ],
  // Names.
  [
    'router',
    ['behaviour', 'at: query.limit,', 'at: query.limits,'],
    contradicts('/findings/0/at the document has no parameter query.limits of listModels'),
  ],
  [
    'router',
    [
      'behaviour',
      'keptHeaders: [X-Service-Request-Id, ETag, Cache-Control]',
      'keptHeaders: [X-Service-Request-Id, ETag, Expires]',
    ],
    contradicts('/keptHeaders/2 Expires is kept'),
  ],
  [
    'router',
    ['behaviour', 'keyHeader: X-API-Key', 'keyHeader: X-Key'],
    contradicts('/keyHeader keys are sent in X-Key, but the document declares them in X-API-Key'),
  ],
  [
    'router',
    ['behaviour', 'parameters: [provider, model]\n\n', 'parameters: [provider, name]\n\n'],
    contradicts('/parameters/1 the path of getModel has no parameter name'),
  ],
  [
    'router',
    ['behaviour', '    run: runModel\n', '    run: runModels\n'],
    contradicts('/run the document has no operation runModels'),
  ],
  [
    'registry',
    ['behaviour', 'within: [nodeId]', 'within: [node]'],
    contradicts('/within/0 the path of publishNodeVersion has no parameter node'),
  ],
  [
    'jobs',
    ['behaviour', 'members: { getJob: self', 'members: { readJob: self'],
    contradicts('/members/readJob the document has no operation readJob'),
  ],
  [
    'jobs',
    ['behaviour', 'states: [queued, running,', 'states: [queued, paused, running,'],
    contradicts('/states the document does not list paused for Job.status'),
  ],
  [
    'jobs',
    ['openapi', 'enum: [queued, running,', 'enum: [queued, waiting, running,'],
    contradicts('/states the document also lists waiting for Job.status'),
  ],
  [
    'router',
    [
      'openapi',
      '          examples: [invalid_input]\n        detail:',
      '          enum: [invalid_input]\n        detail:',
    ],
    contradicts('/bodyMember the document does not allow content_policy_violation'),
  ],
  [
    'jobs',
    ['openapi', '            text/event-stream:', '            application/json:'],
    contradicts('/operations the document declares no event stream for streamJobEvents'),
  ],
  // Members.
  [
    'router',
    ['behaviour', 'items: data,', 'items: entries,'],
    contradicts('/page/items the document has no member entries in the body of listModels'),
  ],
  [
    'router',
    ['behaviour', 'bodyMember: error_type', 'bodyMember: bucket'],
    contradicts('/bodyMember no error body of the document has the member bucket'),
  ],
  [
    'registry',
    ['behaviour', '    code: error\n', '    code: error.code\n'],
    contradicts('/code no error body of the document has the member error.code'),
  ],
  [
    'registry',
    ['behaviour', 'member: node_version.version', 'member: version'],
    contradicts('/member the document has no member version'),
  ],
  [
    'registry',
    ['behaviour', 'address: signedUrl', 'address: signed_url'],
    contradicts('/address the document has no member signed_url'),
  ],
  [
    'jobs',
    ['openapi', '        inputs: false', '        inputs: { type: object }'],
    contradicts('/members/1 inputs is refused, but the document allows it'),
  ],
  [
    'router',
    ['openapi', "examples: ['yes', 'no', unknown]", "enum: ['yes', 'no', unknown]"],
    contradicts('/known billing.charges_on_policy_rejection is open'),
  ],
  // What has to be there.
  [
    'router',
    ['openapi', 'required: [data, limit]', 'required: [data, limit, next_cursor]'],
    contradicts('/page/next next_cursor is left out of the last page'),
  ],
  [
    'router',
    ['openapi', '      in: query\n      required: false', '      in: query\n      required: true'],
    contradicts('/cursorParameter cursor is left out for the first page'),
  ],
  [
    'jobs',
    ['openapi', '        - urls\n      properties', '        - urls\n        - logs\n      properties'],
    contradicts('/property logs may be left out, but the document requires it of Job'),
  ],
  [
    'jobs',
    ['openapi', '        logs:\n          type: object', "        logs:\n          type: [object, 'null']"],
    contradicts('/property logs is left out and never null'),
  ],
])('%s: %j is reported', async (api, edit, says) => {
  const diagnostics = await told(api, [edit]);
  expect(diagnostics).toContainEqual(expect.stringContaining(says));
});

test('a status that both policies of a sheet give and the document does not spell out is a warning', async () => {
  const edits: Edit[] = [
    ['behaviour', 'name: idempotency_key_reuse, status: 422', 'name: idempotency_key_reuse, status: 409'],
    ['behaviour', 'reuse: { status: 422', 'reuse: { status: 409'],
  ];
  expect(await told('jobs', edits)).toStrictEqual([
    'sheet-status-undeclared /reuse/status the document declares no 409 for submitJob',
  ]);
});

test.each(['router', 'registry', 'jobs'])('the unchanged %s agrees with its document', async (api) => {
  expect(await told(api, [])).toStrictEqual([]);
});

test('a fact that only the sheet states is not a contradiction', async () => {
  const edits: Edit[] = [
    ['openapi', '        maximum: 100\n        default: 20\n', ''],
    ['openapi', "        '304':\n", "        '3XX':\n"],
  ];
  expect(await told('router', edits)).toStrictEqual([]);
});
