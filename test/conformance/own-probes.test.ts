import { beforeAll, expect, test } from 'vitest';
import {
  TargetError,
  defineProbe,
  exitCode,
  planConformance,
  repeatRule,
  runConformance,
} from '../../conformance/index.ts';
import type { ConformanceOptions, Probe, Report, Transport, WireRequest } from '../../conformance/index.ts';
import type { BehaviourSheet, Contract, Rule } from '../../contract/index.ts';
import { notesContract } from '../engine/notes.ts';

/** Rules of a sheet that no template judges, judged by probes in a user's own repository. */
const ECHOED = 'notes.text.echoed';
const TRIMMED = 'notes.text.trimmed';
const POWERED = 'notes.headers.powered-by';

let notes: Contract;
beforeAll(async () => {
  const plain = await notesContract();
  const rule = (id: string, level: Rule['level'] = 'must'): Rule => ({
    ...{ id, level, says: `${id}, in words.`, needs: [], audience: 'server' },
    source: { document: 1, section: 's', item: 'i' },
  });
  const rules = [rule(ECHOED), rule(TRIMMED, 'should'), rule(POWERED, 'info')];
  notes = { ...plain, sheet: { ...(plain.sheet as BehaviourSheet), policies: [], rules } };
});

const words = defineProbe({
  title: 'Adds notes and reads them',
  rules: [ECHOED, TRIMMED],
  requests: { add: { operation: 'addNote', times: 2 }, read: { operation: 'getNote' } },
  async run({ send, expect: judge, fresh }) {
    const text = fresh();
    const added = await send('add', { body: { text } });
    const { id } = added.json as { id: string };
    const read = await send('read', { parameters: { id } });
    judge(ECHOED, [added, read], (read.json as { text?: string }).text === text, 'the text that was sent');
    const padded = await send('add', { body: { text: ' padded ' }, headers: { 'X-Why': 'blanks' } });
    judge(TRIMMED, padded, (padded.json as { text?: string }).text === 'padded', 'the text without blanks');
  },
});

/** A server that keeps notes; `change` is what it does to a text. */
function server(
  change = (text: string): string => text.trim(),
): Transport & { readonly seen: WireRequest[] } {
  const kept = new Map<string, object>();
  const seen: WireRequest[] = [];
  const answer = (request: WireRequest): Promise<object | undefined> => {
    const path = request.target.split('?')[0] ?? '';
    if (request.method === 'POST' && request.body !== undefined) {
      const { text } = JSON.parse(Buffer.from(request.body).toString()) as { text: string };
      const note = { id: `n${kept.size + 1}`, text: change(text) };
      kept.set(`/notes/${note.id}`, note);
      return Promise.resolve(note);
    }
    return Promise.resolve(path === '/notes' ? { data: [], has_more: false, limit: 2 } : kept.get(path));
  };
  const transport = async (request: WireRequest) => {
    seen.push(request);
    const found = await answer(request);
    const status = found === undefined ? 404 : request.method === 'POST' ? 201 : 200;
    const headers = [['Content-Type', 'application/json'] as const];
    return { status, headers, body: chunks(JSON.stringify(found ?? {})) };
  };
  return Object.assign(transport, { seen });
}

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

const options = (probes: readonly Probe[], transport: Transport = server()): ConformanceOptions => ({
  contracts: [notes],
  baseUrl: 'http://localhost',
  credential: { header: 'Authorization', value: 'Bearer somebody' },
  allow: ['writes'],
  rules: ['notes.*'],
  probes,
  transport,
});

const judge = (probes: readonly Probe[], transport?: Transport): Promise<Report> =>
  runConformance(options(probes, transport));
const verdicts = ({ rules }: Report): Record<string, string> =>
  Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]));

test('rules without a template get verdicts, with their evidence', async () => {
  const transport = server();
  const good = await judge([words], transport);
  expect(verdicts(good)).toEqual({ [ECHOED]: 'pass', [TRIMMED]: 'pass' });
  expect(exitCode(good)).toBe(0);
  expect(transport.seen.filter(({ method }) => method === 'POST')).toHaveLength(2);
  const bad = await judge(
    [words],
    server((text) => ` ${text} `),
  );
  expect(verdicts(bad)).toEqual({ [ECHOED]: 'fail', [TRIMMED]: 'warn' });
  const [echoed] = bad.rules;
  expect(echoed).toMatchObject({ expected: 'the text that was sent' });
  expect(echoed?.exchanges).toHaveLength(2);
  expect(exitCode(bad)).toBe(1);
  const again = await repeatRule(bad, ECHOED, options([words]));
  expect([again.before.verdict, again.now.verdict]).toEqual(['fail', 'pass']);
});

test('a rule that no probe judges ends the run with 2, regardless of the other rules', async () => {
  const report = await judge([
    { ...words, rules: [ECHOED], run: (tools) => words.run({ ...tools, expect: () => undefined }) },
  ]);
  expect(verdicts(report)[TRIMMED]).toBe('error');
  expect(exitCode(report)).toBe(2);
});

test('the plan has the requests of a probe, and nothing is sent without permission', async () => {
  const probes = { ...options([words]), contracts: [notes] };
  expect(planConformance(probes).requests.filter((one) => one.for.startsWith('probe.'))).toMatchObject([
    { method: 'POST', target: '/notes{?query}', times: 2, for: 'probe.adds-notes-and-reads-them' },
    { method: 'GET', times: 1 },
  ]);
  const transport = server();
  const report = await runConformance({ ...options([words], transport), allow: [] });
  expect(report.rules[0]).toMatchObject({ verdict: 'not-exercised', reason: 'needs --allow writes' });
  expect(transport.seen.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('omitted values are filled in: a valid body, and the media type of the document', async () => {
  const transport = server();
  const probe = defineProbe({
    title: 'As it comes',
    rules: [ECHOED],
    requests: { add: { operation: 'addNote', times: 2 }, elsewhere: { method: 'GET', path: '/health' } },
    async run({ send, expect: say }) {
      const added = await send('add');
      await send('elsewhere');
      const again = await send('add', { body: '{"text": "as it is"}', headers: { 'x-a': 'b' } });
      say(ECHOED, [added, again], added.status === 201, 'a note');
    },
  });
  expect(verdicts(await judge([probe], transport))[ECHOED]).toBe('pass');
  expect(transport.seen.map(({ method, target }) => `${method} ${target}`)).toContain('GET /health');
  const [first, second] = transport.seen.filter(({ method }) => method === 'POST');
  expect(JSON.parse(Buffer.from(first?.body ?? []).toString())).toEqual({
    text: expect.any(String) as string,
  });
  expect(Buffer.from(second?.body ?? []).toString()).toBe('{"text": "as it is"}');
  expect(Object.fromEntries(second?.headers ?? [])).toMatchObject({
    'Content-Type': 'application/json',
    'x-a': 'b',
  });
});

test('an open point is among the observations', async () => {
  const probe = defineProbe({
    title: 'Looks at a header',
    rules: [POWERED],
    requests: { list: { operation: 'listNotes' } },
    async run({ send, observe }) {
      const seen = await send('list');
      observe(POWERED, seen, seen.header('X-Powered-By') ?? 'no X-Powered-By');
    },
  });
  const { observations } = await runConformance({ ...options([probe]), rules: [POWERED] });
  expect(observations).toMatchObject([{ id: POWERED, seen: ['no X-Powered-By'] }]);
});

const failing = (run: Probe['run'], more: Partial<Probe> = {}): Probe => ({
  title: 'Fails',
  rules: [ECHOED, TRIMMED],
  requests: { list: { operation: 'listNotes' }, change: { operation: 'addNote' } },
  run,
  ...more,
});

test.each<[string, Probe['run'], string]>([
  [
    'throws',
    async ({ send, expect: say }) => {
      say(ECHOED, await send('list'), true, 'a list');
      const missing = undefined as unknown as { id: string };
      say(TRIMMED, [], missing.id === '', 'an id');
    },
    'the probe "Fails" failed: Cannot read properties of undefined (reading \'id\')',
  ],
  [
    'forgets a rule',
    async ({ send, expect: say }) => {
      say(ECHOED, await send('list'), true, 'a list');
    },
    `it ended without a verdict for ${TRIMMED}`,
  ],
  [
    'sends more than it declared',
    async ({ send, expect: say }) => {
      say(ECHOED, await send('list'), true, 'a list');
      await send('list');
    },
    'sends "list" more often than it declared',
  ],
  [
    'sends what it did not declare',
    async ({ send, expect: say }) => {
      say(ECHOED, await send('list'), true, 'a list');
      await send('remove');
    },
    'it sends "remove", which is not among its requests',
  ],
  [
    'judges another rule',
    async ({ send, expect: say }) => {
      const seen = await send('list');
      say(ECHOED, seen, true, 'a list');
      say('notes.other', seen, true, 'a list');
    },
    'it judges notes.other, which is not among its rules',
  ],
  [
    'misspells a parameter',
    async ({ send, expect: say }) => {
      say(ECHOED, await send('list', { parameters: { limmit: 1 } }), true, 'a list');
    },
    'listNotes has no parameter limmit. Did you mean limit?',
  ],
])('a probe that %s is an error of the run and no verdict on the server', async (name, run, says) => {
  const report = await judge([failing(run)]);
  const kept = name.startsWith('misspells') ? 'error' : 'pass';
  expect(verdicts(report)).toEqual({ [ECHOED]: kept, [TRIMMED]: 'error' });
  expect(exitCode(report)).toBe(2);
  const [finding] = report.findings;
  expect(finding).toMatchObject({ kind: 'harness' });
  expect(finding?.says).toContain(says);
  expect(finding?.help).toMatch(/^This says nothing about the server\. Correct the probe/);
  if (name === 'throws') expect(finding?.help).toMatch(/own-probes\.test\.ts:\d+:\d+\.$/);
});

test('judgements before a probe hangs are kept, and the rest is inconclusive', async () => {
  const hanging = failing(
    async ({ send, expect: say }) => {
      say(ECHOED, await send('list'), true, 'a list');
      await new Promise(() => undefined);
    },
    { budgetMs: 200, requests: { list: { operation: 'listNotes' } } },
  );
  const report = await judge([hanging]);
  expect(verdicts(report)).toEqual({ [ECHOED]: 'pass', [TRIMMED]: 'inconclusive' });
});

test('a probe without an opportunity reports that', async () => {
  const report = await judge([
    failing(({ notExercised }) => notExercised('no note is shared', 'parameters.sharedId')),
  ]);
  expect(report.rules[0]).toMatchObject({
    verdict: 'not-exercised',
    reason: 'no note is shared',
    fixtureLine: '"parameters": { "sharedId": "…" }',
  });
});

test.each<[string, unknown, string]>([
  ['no title', {}, 'title must be a string'],
  ['no rules', failing(() => Promise.resolve(), { rules: [] }), 'rules must be an array of ids'],
  ['no function', { ...words, run: 1 }, 'run must be a function'],
  [
    'a misspelt permission',
    failing(() => Promise.resolve(), { permissions: ['write' as 'writes'] }),
    'permissions must be',
  ],
  [
    'a request of nothing',
    failing(() => Promise.resolve(), { requests: { a: {} as never } }),
    'requests.a must have an operation',
  ],
  [
    'endless requests',
    failing(() => Promise.resolve(), { requests: { a: { operation: 'listNotes', times: 1e9 } } }),
    'times from 1 to 1000',
  ],
  [
    'a misspelt rule',
    failing(() => Promise.resolve(), { rules: ['notes.text.echoded'] }),
    'Did you mean notes.text.echoed?',
  ],
  [
    'a misspelt operation',
    failing(() => Promise.resolve(), { requests: { a: { operation: 'listNote' } } }),
    'Did you mean listNotes?',
  ],
])('a probe with %s is refused before anything is sent', (_, probe, says) => {
  const plan = (): unknown => planConformance({ ...options([probe as Probe]), contracts: [notes] });
  expect(plan).toThrow(TargetError);
  expect(plan).toThrow(says);
});
