import { expect, test } from 'vitest';
import { ALICE, jobsMock, waiting, workflow, writeText } from './jobs-mock.ts';

const good = workflow(writeText());
const withAsset = (id: string): object =>
  workflow({ class_type: 'LoadAsset', inputs: { asset: { __type: 'core/ASSET', info: { id } } } });

const refusals: readonly [rule: string, body: unknown, status: number, code: string][] = [
  ['jobs.submit.sync-validation', {}, 422, 'invalid_workflow'],
  ['jobs.submit.unknown-class', workflow({ class_type: 'Nope', inputs: {} }), 422, 'invalid_workflow'],
  [
    'jobs.submit.invalid-workflow',
    workflow({ class_type: 'GeneratePicture', inputs: {} }),
    422,
    'invalid_workflow',
  ],
  ['jobs.submit.ui-format', { nodes: [{ id: 1 }], links: [] }, 422, 'workflow_format_ui'],
  ['jobs.submit.ui-format', { workflow: { nodes: [], links: [] } }, 422, 'workflow_format_ui'],
  ['jobs.submit.webhook-url-rejected', { ...good, webhook_url: 'https://x.example' }, 422, 'invalid_request'],
  ['jobs.submit.inputs-rejected', { ...good, inputs: {} }, 422, 'invalid_request'],
  ['jobs.submit.reserved-null', { ...good, inputs: null }, 422, 'invalid_request'],
  ['jobs.submit.reserved-null', { '1': writeText(), webhook_url: null }, 422, 'invalid_request'],
  ['jobs.submit.extra-data-closed', { ...good, extra_data: { other: 1 } }, 422, 'invalid_request'],
  ['jobs.submit.extra-data-closed', { ...good, extra_data: null }, 422, 'invalid_request'],
  ['jobs.submit.asset-exists', withAsset('nobody has it'), 422, 'missing_asset'],
  ['jobs.submit.asset-owned', withAsset('bobs'), 422, 'missing_asset'],
  ['a body that is no object', [], 422, 'invalid_workflow'],
];

test.each(refusals)('%s: %j is refused with %i %s', async (_rule, body, status, code) => {
  const jobs = await jobsMock({ jobs: { assets: [{ id: 'bobs', owner: 'service-mock-ok+bob' }] } });
  const answer = await jobs.submit(body);
  expect([answer.status, answer.code]).toStrictEqual([status, code]);
  expect(answer.body).not.toHaveProperty('id');
  expect(jobs.findings()).toStrictEqual([]);
});

const accepted: readonly [what: string, body: unknown][] = [
  ['an envelope', good],
  ['a bare graph', { '1': writeText() }],
  ['an envelope with members that nobody knows', { ...good, note: 'x' }],
  ['the key of extra data that is known', { ...good, extra_data: { api_key_service: 'secret' } }],
  ['empty extra data', { ...good, extra_data: {} }],
  ['an asset of everybody', withAsset('asset-lighthouse')],
  ['an asset of the caller', withAsset('mine')],
];

test.each(accepted)('jobs.submit.201: %s is taken and queued', async (_what, body) => {
  const jobs = await jobsMock({ jobs: { assets: [{ id: 'mine', owner: ALICE }] } });
  const { status, job } = await jobs.submit(body);
  expect([status, job.status]).toStrictEqual([201, 'queued']);
  expect((await jobs.read(job.id)).job).toStrictEqual(job);
  expect(jobs.findings()).toStrictEqual([]);
});

test.each([
  ['malformed JSON', '{', {}, 422],
  ['no body', undefined, {}, 422],
  ['a form', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }, 422],
  ['JSON under another type', JSON.stringify(good), { 'Content-Type': 'text/plain' }, 422],
  ['JSON under a type of its own', JSON.stringify(good), { 'Content-Type': 'application/x.flow+json' }, 201],
  ['more than eleven million bytes', ' '.repeat(11_000_000), {}, 413],
])('jobs.submit.malformed-json: %s answers in the usual shape', async (_what, body, headers, status) => {
  const jobs = await jobsMock();
  const answer = await jobs.send('POST', '/api/v2/jobs', {
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  });
  expect(answer.status).toBe(status);
  if (status !== 201)
    expect(answer.body).toMatchObject({ error: { code: 'invalid_request', message: expect.any(String) } });
});

test.each([
  ['no-credits', 402, 'insufficient_credits', undefined],
  ['forbidden', 403, 'forbidden', undefined],
  ['rate-limited', 429, 'rate_limited', '1'],
  ['queue-full', 429, 'queue_full', '1'],
  ['deployment-not-ready', 429, 'deployment_not_ready', '1'],
  ['deployment-stopped', 422, 'deployment_stopped', undefined],
  ['submit-unanswered', 500, 'upstream_error', undefined],
])('the magic key %s answers %i %s', async (name, status, code, retryAfter) => {
  const jobs = await jobsMock();
  const answer = await jobs.submit(good, { as: `service-mock-${name}` });
  expect([answer.status, answer.code]).toStrictEqual([status, code]);
  expect(answer.headers.get('retry-after') ?? undefined).toBe(retryAfter);
});

test('a queue for two jobs accepts two, and a third one after one has left', async () => {
  const jobs = await jobsMock({ jobs: { slots: 1, queueLimit: 2 } });
  const first = await jobs.submit(workflow(waiting(1)));
  const codes = [];
  for (let n = 0; n < 2; n += 1) codes.push((await jobs.submit(good)).code);
  expect(codes).toStrictEqual([undefined, 'queue_full']);
  await jobs.clock.advance(400);
  expect((await jobs.read(first.job.id)).job.status).toBe('running');
  expect((await jobs.submit(good)).status).toBe(201);
  expect((await jobs.submit(good, { as: `${ALICE}+bob` })).status, 'a queue of its own').toBe(201);
});

test('scenarios that a request asks for apply to the calls that they concern', async () => {
  const jobs = await jobsMock();
  const prefer = 'scenario=queue-full;after=1;times=1';
  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await jobs.submit(good, { prefer })).status);
  expect(statuses).toStrictEqual([201, 429, 201]);
  const { job } = await jobs.submit(good);
  expect((await jobs.read(job.id, { prefer: 'scenario=queue-full' })).status, 'not about reading').toBe(200);
});

test('secrets of extra data are in no answer and not in the journal', async () => {
  const jobs = await jobsMock({ auto: true });
  const { job } = await jobs.submit({ ...good, extra_data: { api_key_service: 'pssst, secret' } });
  await (await jobs.watch(job.id)).text();
  await jobs.submit({ ...good, extra_data: { misspelled_key: 'pssst, secret' } });
  expect(JSON.stringify((await jobs.read(job.id)).body)).not.toContain('pssst');
  const entries = jobs.mock.journal.entries();
  expect(entries[0]?.request.body, 'the rest can be read').toContain('WriteText');
  expect(JSON.stringify(entries)).not.toContain('pssst');
});
