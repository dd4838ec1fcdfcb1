import { afterEach, expect, test } from 'vitest';
import { loadOwnContract } from '../../contract/index.ts';
import {
  ApiError,
  ConnectionError,
  createJobs,
  IdempotencyKeyReuseError,
  type Job,
  type JobsClient,
  type JobsOptions,
} from '../../generated/jobs/index.ts';
import { isJob } from '../../generated/jobs/validators.ts';
import type { MockOptions } from '../../mock/index.ts';
import { type Between, ORIGIN, type Sent, world, type World } from './in-process.ts';

const KEY = 'service-mock-ok';
const worlds: World[] = [];
afterEach(() => {
  for (const { mock } of worlds.splice(0)) mock.close();
});

function here(options: MockOptions = {}, between?: Between): World {
  const made = world({ apis: ['jobs'], ...options }, between);
  worlds.push(made);
  return made;
}

function client({ connection }: World, options: Partial<JobsOptions> = {}): JobsClient {
  return createJobs({ ...connection, credentials: { BearerAuth: KEY }, ...options });
}

const node = (name: string, inputs: object): object => ({ class_type: name, inputs });
const graph = { '1': node('WriteText', { text: 'a tally stick' }) };
const longer = {
  '1': node('WriteText', { text: 'first' }),
  '2': node('Wait', { seconds: 3, after: ['1', 0] }),
};
const invalid = { '1': node('GeneratePicture', {}) };

type Body = Parameters<JobsClient['submitJob']>[0]['body'];
const workflow = (nodes: object): { body: Body } => ({ body: { workflow: nodes } as unknown as Body });

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function apiErrorOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await errorOf(call);
  if (!(error instanceof ApiError)) throw new Error('no answer that is an error', { cause: error });
  return error;
}

/** Submits without the generated client, as a client that breaks a rule would. */
function submitByHand(
  { connection }: World,
  nodes: object,
  key: string,
  more: object = {},
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${KEY}`,
    'content-type': 'application/json',
    'idempotency-key': key,
  };
  const init = { method: 'POST', headers, body: JSON.stringify({ workflow: nodes }), ...more };
  return (connection.fetch ?? fetch)(`${ORIGIN}/api/v2/jobs`, init);
}

const answerAs =
  (path: RegExp, change: (body: Job) => unknown): Between =>
  async (request, go) => {
    const response = await go(request);
    if (!path.test(request.url) || !response.headers.get('content-type')?.includes('json')) return response;
    const { status, headers } = response;
    return new Response(JSON.stringify(change((await response.json()) as Job)), { status, headers });
  };

// --- what is wrong with what a client sent ---

const submissions = (sent: readonly Sent[]): readonly Sent[] =>
  sent.filter(({ method, url }) => method === 'POST' && url.endsWith('/jobs'));

/** A second submission after one whose fate is unknown. */
function resubmissions(sent: readonly Sent[]): string[] {
  return submissions(sent).length > 1 ? ['submitted again'] : [];
}

/** Requests for a job that went past its links. */
function builtAddresses(sent: readonly Sent[], links: object): string[] {
  const known = Object.values(links).map(String);
  return sent
    .map(({ url }) => url)
    .filter((url) => !url.endsWith('/jobs') && !known.some((link) => url === link || url === ORIGIN + link));
}

const resumed = (sent: readonly Sent[]): string[] =>
  sent.flatMap(({ headers }) => headers.get('last-event-id') ?? []);

/** Cuts the first stream after its first bytes. */
function cutsFirstStream(): Between {
  let streams = 0;
  return async (request, go) => {
    const response = await go(request);
    if (!response.headers.get('content-type')?.includes('event-stream') || (streams += 1) > 1)
      return response;
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(value as Uint8Array),
      pull: async (controller) => {
        await reader.cancel();
        controller.error(new TypeError('terminated'));
      },
    });
    return new Response(body, { status: 200, headers: response.headers });
  };
}

const links = { self: '/elsewhere/one', events: '/elsewhere/two', cancel: '/elsewhere/three' };

/** A server whose links lead to other paths than the document's. */
function relinked(): Between {
  return async (request, go) => {
    const { pathname } = new URL(request.url);
    const id = moved.get('id') ?? '';
    const target = Object.entries(links).find(([, path]) => path === pathname)?.[0];
    const to = { self: '', events: '/events', cancel: '/cancel' }[target ?? ''];
    const onward =
      to === undefined ? request : new Request(`${ORIGIN}/api/v2/jobs/${id}${to}`, new Request(request));
    const response = await go(onward);
    if (!response.headers.get('content-type')?.includes('json') || !response.ok) return response;
    const job = (await response.json()) as Job;
    moved.set('id', job.id);
    return new Response(JSON.stringify({ ...job, urls: links }), {
      status: response.status,
      headers: response.headers,
    });
  };
}
const moved = new Map<string, string>();

const proofs: Readonly<Record<string, { outcome: string; prove: () => Promise<void> }>> = {
  'jobs.idem.duplicate-422': {
    outcome: 'a used key is an error of its own class, and is not tried again',
    async prove() {
      const place = here();
      const { submitJob } = client(place);
      const first = await submitJob(workflow(graph), { idempotencyKey: 'k' });
      expect(first.data.status).toBe('queued');
      const error = await apiErrorOf(submitJob(workflow(graph), { idempotencyKey: 'k' }));
      expect(error).toBeInstanceOf(IdempotencyKeyReuseError);
      expect([error.status, error.attempts]).toStrictEqual([422, 1]);
    },
  },
  'jobs.idem.never-reexecuted': {
    outcome: 'the refusal of a used key holds no job',
    async prove() {
      const { submitJob } = client(here());
      await submitJob(workflow(graph), { idempotencyKey: 'k' });
      const error = await apiErrorOf(submitJob(workflow(graph), { idempotencyKey: 'k' }));
      expect(isJob(error.body)).toBe(false);
    },
  },
  'jobs.idem.release-on-validation': {
    outcome: 'after a refused graph the same key takes a good one',
    async prove() {
      const { submitJob } = client(here());
      expect((await apiErrorOf(submitJob(workflow(invalid), { idempotencyKey: 'k' }))).bucket).toBe(
        'invalid_workflow',
      );
      expect((await submitJob(workflow(graph), { idempotencyKey: 'k' })).status).toBe(201);
    },
  },
  'jobs.idem.per-api-differs': {
    outcome: 'a submission that nobody answered is not sent again; one that a full queue refused is',
    async prove() {
      const lost = here({}, async (request, go) => {
        const response = await go(request);
        if (request.method !== 'POST') return response;
        await response.body?.cancel();
        throw new TypeError('fetch failed');
      });
      expect(await errorOf(client(lost).submitJob(workflow(graph)))).toBeInstanceOf(ConnectionError);
      expect(resubmissions(lost.sent)).toStrictEqual([]);
      await errorOf(submitByHand(lost, graph, 'k'));
      expect(resubmissions(lost.sent)).not.toStrictEqual([]);

      let refusals = 0;
      const full = here({}, (request, go) => {
        if ((refusals += 1) > 1) return go(request);
        const headers = new Headers(request.headers);
        headers.set('prefer', 'scenario=queue-full');
        return go(new Request(request, { headers }));
      });
      const { status, attempts } = await client(full).submitJob(workflow(graph));
      expect([status, attempts]).toStrictEqual([201, 2]);
      expect(new Set(full.sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    },
  },
  'jobs.job.metrics-optional': {
    outcome: 'a job without metrics is a job, and is followed to its end',
    async prove() {
      const without = answerAs(/jobs/, ({ metrics: _, ...job }) => job);
      const { submitJob, waitForJob } = client(here({}, without));
      const { data } = await submitJob(workflow(graph));
      expect([isJob(data), 'metrics' in data]).toStrictEqual([true, false]);
      expect((await waitForJob({ id: data.id })).status).toBe('succeeded');
    },
  },
  'jobs.urls.follow-not-build': {
    outcome: 'a job that is known from an answer is read, watched and cancelled by its links',
    async prove() {
      const seen: string[] = [];
      const through = relinked();
      const place = here({}, (request, go) => {
        seen.push(request.url);
        return through(request, go);
      });
      const jobs = client(place);
      const from = await jobs.submitJob(workflow(longer));
      await jobs.getJob.of(from);
      await jobs.cancelJob.of(from);
      await jobs.waitForJob({ id: from.data.id }, { from });
      const asked = seen.map((url): Sent => ({ method: '', url, headers: new Headers(), status: 0 }));
      expect(asked.length).toBeGreaterThan(4);
      expect(builtAddresses(asked, links)).toStrictEqual([]);
      await jobs.getJob({ id: from.data.id });
      const byHand = { method: 'GET', url: seen.at(-1) ?? '', headers: new Headers(), status: 0 };
      expect(builtAddresses([byHand], links)).not.toStrictEqual([]);
    },
  },
  'jobs.urls.origin-resolution': {
    outcome: 'a link below a mount prefix counts from the origin and not from the base address',
    async prove() {
      const place = here({ jobs: { surface: 'serverless', mountPrefix: '/deployment/d-42' } });
      const jobs = client(place, { baseUrl: `${ORIGIN}/deployment/d-42` });
      const from = await jobs.submitJob(workflow(graph));
      expect(from.data.urls).toMatchObject({
        self: expect.stringMatching(/^\/deployment\/d-42\//) as string,
      });
      await jobs.getJob.of(from);
      expect(place.sent.at(-1)?.status).toBe(200);
      expect(place.sent.at(-1)?.url).toMatch(/^http:\/\/mock\.test\/deployment\/d-42\/api\/v2\/jobs\/[^/]+$/);
    },
  },
  'jobs.logs.reread': {
    outcome: 'the end of a watch is a read, and brings the logs that no event has',
    async prove() {
      const place = here({ jobs: { surface: 'serverless' } });
      const jobs = client(place, { baseUrl: `${ORIGIN}/deployment/mock` });
      const from = await jobs.submitJob(workflow(graph));
      const told: Job[] = [];
      for await (const update of jobs.followJob({ id: from.data.id }, { from })) {
        if (update.kind === 'status' || update.kind === 'end') told.push(update.resource);
      }
      expect(told.at(-1)?.logs).toBeDefined();
      expect(told.slice(0, -1).filter((job) => 'logs' in job)).toStrictEqual([]);
      expect(place.sent.at(-1)?.url).not.toContain('/events');
    },
  },
  'jobs.sse.ends-after-terminal': {
    outcome: 'one stream and one read are enough for a job that ends while it is watched',
    async prove() {
      const place = here();
      const jobs = client(place);
      const from = await jobs.submitJob(workflow(graph));
      place.sent.length = 0;
      expect((await jobs.waitForJob({ id: from.data.id }, { from })).status).toBe('succeeded');
      expect(place.sent.map(({ url }) => url.endsWith('/events'))).toStrictEqual([true, false]);
    },
  },
  'jobs.sse.progress-complete': {
    outcome: 'a progress event is told whole, and never twice',
    async prove() {
      const jobs = client(here({}, cutsFirstStream()));
      const from = await jobs.submitJob(workflow(longer));
      const progress: string[] = [];
      for await (const update of jobs.followJob({ id: from.data.id }, { from })) {
        if (update.kind === 'progress') progress.push(JSON.stringify(update.data));
      }
      expect(progress.length).toBeGreaterThan(1);
      expect(progress.every((text, index) => text !== progress[index - 1])).toBe(true);
    },
  },
  'jobs.sse.client-no-resume': {
    outcome: 'a stream that breaks is opened anew and plainly, and the watch goes on to the end',
    async prove() {
      const place = here({}, cutsFirstStream());
      const jobs = client(place);
      const from = await jobs.submitJob(workflow(longer));
      expect((await jobs.waitForJob({ id: from.data.id }, { from })).status).toBe('succeeded');
      expect(place.sent.filter(({ url }) => url.endsWith('/events')).length).toBeGreaterThan(1);
      expect(resumed(place.sent)).toStrictEqual([]);
      const headers = { authorization: `Bearer ${KEY}`, 'last-event-id': '7' };
      await place.connection.fetch?.(`${ORIGIN}/api/v2/jobs/${from.data.id}/events`, { headers });
      expect(resumed(place.sent)).toStrictEqual(['7']);
    },
  },
  'jobs.errors.codes-open': {
    outcome: 'a code of a later version is an error with that code',
    async prove() {
      const brandNew: Between = (request, go) =>
        request.method === 'GET'
          ? Promise.resolve(
              Response.json({ error: { code: 'brand_new', message: 'Something else.' } }, { status: 418 }),
            )
          : go(request);
      const error = await apiErrorOf(client(here({}, brandNew)).getJob({ id: 'x' }));
      expect([error.status, error.bucket, error.message]).toStrictEqual([
        418,
        'brand_new',
        expect.stringContaining('Something else.'),
      ]);
    },
  },
};

for (const [rule, { outcome, prove }] of Object.entries(proofs)) test(`${rule}: ${outcome}`, prove);

test('every rule of workflow jobs that a client keeps or relies on is proven here', async () => {
  const { sheet } = await loadOwnContract('jobs');
  const rules = (sheet?.rules ?? []).filter(({ audience }) => audience === 'client' || audience === 'both');
  expect(rules.length).toBeGreaterThan(0);
  expect(Object.keys(proofs).sort()).toStrictEqual(rules.map(({ id }) => id).sort());
});

test('without events the job is polled until it ends', async () => {
  const place = here({}, (request, go) =>
    request.url.endsWith('/events')
      ? Promise.resolve(Response.json({ error: { code: 'x', message: 'x' } }, { status: 501 }))
      : go(request),
  );
  const jobs = client(place);
  const from = await jobs.submitJob(workflow(longer));
  expect((await jobs.waitForJob({ id: from.data.id }, { from })).status).toBe('succeeded');
  expect(place.sent.filter(({ method }) => method === 'GET').length).toBeGreaterThan(2);
});

test.each([
  ['none is trusted', [], null],
  ['the origin is trusted', ['https://jobs.example.com'], `Bearer ${KEY}`],
])('a link to another origin gets the credentials only where %s', async (_what, trustedOrigins, expected) => {
  const seen: Request[] = [];
  const place = here({}, async (request, go) => {
    seen.push(request);
    if (request.method === 'GET') return Response.json({});
    const response = await go(request);
    const job = (await response.json()) as Job;
    const urls = { self: 'https://jobs.example.com/one' };
    return new Response(JSON.stringify({ ...job, urls }), { status: 201, headers: response.headers });
  });
  const jobs = client(place, { trustedOrigins });
  await jobs.getJob.of(await jobs.submitJob(workflow(graph)));
  expect(seen.at(-1)?.url).toBe('https://jobs.example.com/one');
  expect(seen.at(-1)?.headers.get('authorization')).toBe(expected);
});
