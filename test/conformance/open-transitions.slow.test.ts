import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { leapingClock } from './leaping-clock.ts';
import { scripted } from './servers.ts';

const JOB = "content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } }";
const contract = own(
  'jobs-of-others',
  `
openapi: 3.1.0
info: { title: Jobs, version: '1' }
paths:
  /jobs:
    post:
      operationId: addJob
      responses: { '201': { description: Queued., ${JOB} } }
  /jobs/{id}:
    parameters: [&id { name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: readJob
      responses: { '200': { description: The job., ${JOB} }, '404': { description: None. } }
  /jobs/{id}/cancel:
    parameters: [*id]
    post:
      operationId: cancelJob
      responses: { '200': { description: Canceled., ${JOB} }, '404': { description: None. }, '409': { description: Too late. } }
components:
  schemas:
    Job:
      type: object
      required: [id, state]
      properties: { id: { type: string }, state: { type: string } }
`,
  `
api: jobs-of-others
contract: '1'
document: 1
policies:
  - kind: lifecycle
    schema: Job
    property: state
    states: [queued, running, done, canceled]
    initial: queued
    terminal: [done, canceled]
    transitions:
      - { from: queued, to: running, on: worker }
      - { from: running, to: canceled, on: cancel }
      - { from: running, to: done, on: worker }
rules: []
unspecified: []
`,
);

/** @param cancels the state after a cancellation in a state; without one, it is refused */
async function transitions(cancels: Readonly<Record<string, string>>): Promise<string | undefined> {
  const jobs = new Map<string, { state: string; reads: number }>();
  const report = await runConformance({
    contracts: [await contract],
    baseUrl: 'http://localhost',
    clock: leapingClock(),
    allow: ['writes', 'negatives'],
    rules: ['lifecycle.*'],
    transport: scripted(({ method, target }) => {
      const [, collection, id = '', action] = target.split('/');
      if (collection !== 'jobs') return { status: 404 };
      const headers = { 'Content-Type': 'application/json' };
      if (method === 'POST' && id === '') {
        const made = `job-${String(jobs.size + 1)}`;
        jobs.set(made, { state: 'queued', reads: 0 });
        return { status: 201, headers, body: { id: made, state: 'queued' } };
      }
      const job = jobs.get(id);
      if (job === undefined) return { status: 404 };
      if (action === 'cancel') {
        const next = cancels[job.state];
        if (next === undefined) return { status: 409 };
        job.state = next;
      } else {
        job.reads += 1;
        if (job.reads > 8) job.state = { queued: 'running', running: 'done' }[job.state] ?? job.state;
      }
      return { status: 200, headers, body: { id, state: job.state } };
    }).transport,
  });
  return report.rules.find(({ id }) => /^lifecycle\.[^.]*\.transitions$/.test(id))?.verdict;
}

test.each([
  ['is canceled at once', { queued: 'canceled', running: 'canceled' }, 'pass'],
  ['refuses to be canceled', { running: 'canceled' }, 'pass'],
] as const)('whether a queued thing can be canceled is open: it %s', async (_what, cancels, verdict) => {
  expect(await transitions(cancels)).toBe(verdict);
});

test('what has ended does not begin again', async () => {
  expect(await transitions({ running: 'canceled', done: 'canceled' })).toBe('fail');
});
