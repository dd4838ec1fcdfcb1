/**
 * `npm run bench`: what we claim about speed, beside peers in one run. Ratios count; absolute figures are orientation.
 * CPU time comes from the measured processes themselves. Nothing is asserted. Names of parts run only these: `npm run bench
 * -- servers proxies`; `--json FILE` writes the rows for programs as well, `--write` puts all rows into docs/speed.md.
 */
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, mistaken } from '../command-line.ts';
import { fetchedGenerators, generationTime } from './generators.ts';
import { bestOf, cpuPerRequest, runProgram, startServer } from './measure.ts';
import type { Load, Server } from './measure.ts';
import { proxyCosts } from './proxies.ts';
import { openStreams } from './streams.ts';
import { writeSection } from '../soak/page.ts';
import { validatorSpeeds } from './validators.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = join(root, 'dist/cli/bin.cjs');
const document = join(root, 'specs/router.openapi.yaml');
const foreign = join(root, 'node_modules/@blockfrost/openapi/openapi.yaml');
const { resolve } = createRequire(import.meta.url);
const prism = resolve('@stoplight/prism-cli/dist/index.js');
const openapiTypescript = join(root, 'node_modules/openapi-typescript/bin/cli.js');
const headers = { 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json' };
const probe = { path: '/v1/models', headers };
const parts = { servers, documents, streams, proxies, programs, generators, suite, validators };
const { json, write, wanted } = readArguments();
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);

const rows: string[][] = [['what', 'who', 'measured', 'theirs / ours', 'bar']];
const scratch = await mkdtemp(join(tmpdir(), 'tallystick-bench-'));

interface Peer {
  readonly name: string;
  readonly figure: number;
  readonly bar?: string;
}

/** Rows of one comparison; a ratio above 1 means that ours takes less. */
function compare(what: string, ours: number, peers: readonly Peer[], unit: (figure: number) => string): void {
  rows.push([what, 'tallystick', unit(ours), '', '']);
  for (const { name, figure, bar } of peers) {
    rows.push(['', name, unit(figure), `${(figure / ours).toFixed(2)} x`, bar ?? '']);
  }
}

const microseconds = (figure: number): string => `${figure.toFixed(1)} us CPU`;
const milliseconds = (figure: number): string => `${figure.toFixed(0)} ms`;

try {
  for (const [name, measure] of Object.entries(parts)) if (isWanted(name)) await measure();
} finally {
  await rm(scratch, { recursive: true, force: true });
}
if (json !== undefined) await writeFile(json, `${JSON.stringify({ schemaVersion: 1, rows }, null, 2)}\n`);
if (write) writeSection('bench', rows, 'speed.md');
const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
for (const row of rows)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );

// --- internal ---

function readArguments(): {
  readonly json: string | undefined;
  readonly write: boolean;
  readonly wanted: readonly string[];
} {
  const { values, positionals } = commandLine(
    import.meta.url,
    {
      options: { json: { type: 'string' }, write: { type: 'boolean', default: false } },
      allowPositionals: true,
    },
    Object.keys(parts),
  );
  if (values.write && positionals.length > 0)
    mistaken(import.meta.url, '--write replaces the whole table: leave out the names of parts');
  return { ...values, json: values.json, wanted: positionals };
}

async function servers(): Promise<void> {
  const list: Load = { path: '/v1/models', method: 'GET', headers, seconds };
  const run: Load = { path: '/v1/models/mock/ok', method: 'POST', headers, body: '{"prompt":"x"}', seconds };
  const loads: Loads = {
    list,
    run,
    lists: { ...list, each: (number) => ({ path: `/v1/models?number=${String(number)}` }) },
    runs: { ...run, each: (number) => ({ body: `{"prompt":"${String(number)}"}` }) },
  };
  const mock = (...more: readonly string[]): Promise<Server> =>
    startServer([bin, 'mock', '--port', '0', '--control-port', '0', '--print-url', ...more], probe);
  const ours = await mock('--quiet');
  const ANSWER = await fetch(`${ours.url}/v1/models`, { headers }).then((response) => response.text());
  const peers: readonly (readonly [
    name: string,
    start: () => Promise<Server>,
    bars?: Partial<Record<keyof Loads, string>>,
  ])[] = [
    [
      'prism CLI',
      () => prismServer(document, 'info', probe),
      { list: '10 x', lists: '6 x', run: '8 x', runs: '5 x' },
    ],
    ['tallystick, telling each exchange', () => mock()],
    ['prism CLI, silent', () => prismServer(document, 'silent', probe), { lists: '3 x', runs: '2.5 x' }],
    ['fastify', () => startServer([peer('fastify')], probe, { ANSWER })],
    ['node:http', () => startServer([peer('node-http')], probe, { ANSWER })],
  ];
  const rivals: Record<keyof Loads, Peer[]> = { list: [], run: [], lists: [], runs: [] };
  const starts: Peer[] = [];
  const measured = await allLoads('tallystick', ours, loads);
  for (const [name, start, bars] of peers) {
    const server = await start();
    const figures = await allLoads(name, server, loads);
    for (const load of ['list', 'lists', 'run', 'runs'] as const) {
      const bar = bars?.[load];
      rivals[load].push({ name, figure: figures[load], ...(bar === undefined ? {} : { bar }) });
    }
    if (name === 'prism CLI')
      starts.push({ name: 'prism CLI, one document', figure: server.millisecondsToReady, bar: '2 x' });
  }
  compare('mock, GET list, each request', measured.list, rivals.list, microseconds);
  compare('mock, GET list, no two requests equal', measured.lists, rivals.lists, microseconds);
  compare('mock, POST run, each request', measured.run, rivals.run, microseconds);
  compare('mock, POST run, no two bodies equal', measured.runs, rivals.runs, microseconds);
  compare('mock, start to ready', ours.millisecondsToReady, starts, milliseconds);
}

interface Loads {
  readonly list: Load;
  readonly run: Load;
  /** The same, where no two requests are equal. */
  readonly lists: Load;
  readonly runs: Load;
}

async function allLoads(name: string, server: Server, loads: Loads): Promise<Record<keyof Loads, number>> {
  const figures = { list: 0, run: 0, lists: 0, runs: 0 };
  let bad = 0;
  for (const load of ['list', 'run', 'lists', 'runs'] as const) {
    const measured = await cpuPerRequest(server, loads[load]);
    figures[load] = measured.microseconds;
    bad += measured.bad;
  }
  await server.stop();
  if (bad > 0)
    console.error(`▲ ${name} answered ${bad} requests with another status than 2xx: its figures mean little`);
  return figures;
}

/** Prism's command cannot take a free port: `peers/prism.mjs` chooses one and prints it. */
function prismServer(source: string, verbosity: string, first: typeof probe): Promise<Server> {
  return startServer([peer('prism'), prism, source, verbosity], first);
}

/** A large document of somebody else: how long it takes from the start to the first answer. */
async function documents(): Promise<void> {
  const large = fetchedGenerators()?.large;
  const subjects = [
    ["Blockfrost's document (YAML, 0.5 MB)", foreign, '/'],
    ["GitHub's document (JSON, 13 MB)", large, '/meta'],
  ] as const;
  for (const [name, source, path] of subjects) {
    const what = `mock, ${name}, start to first answer`;
    if (source === undefined) {
      rows.push([what, '', 'skipped: it could not be fetched', '', '']);
      continue;
    }
    const first = { path, headers };
    const started = async (start: () => Promise<Server>): Promise<number> => {
      const server = await start();
      await server.stop();
      return server.millisecondsToReady;
    };
    const options = ['--port', '0', '--control-port', '0', '--print-url', '--quiet'];
    const ours = await started(() => startServer([bin, 'mock', source, ...options], first));
    const theirs = await started(() => prismServer(source, 'silent', first));
    compare(what, ours, [{ name: 'prism CLI', figure: theirs, bar: '2 x' }], milliseconds);
  }
}

function peer(name: string): string {
  return join(root, `test/bench/peers/${name}.mjs`);
}

async function streams(): Promise<void> {
  const serving = [
    '--port',
    '0',
    '--control-port',
    '0',
    '--print-url',
    '--quiet',
    '--surface',
    'self-hosted',
  ];
  const mock = await startServer([bin, 'mock', ...serving], probe);
  const { latestMs, bytesEach, events } = await openStreams(mock, 1_000);
  await mock.stop();
  const told = `${events} events, each received by all within ${milliseconds(latestMs)}, ${(bytesEach / 1024).toFixed(0)} kB per stream`;
  rows.push(['mock, 1,000 open event streams', 'tallystick', told, '', '1 s, 60 kB']);
}

async function proxies(): Promise<void> {
  const data = [{ id: 'acme/echo-1', provider: 'acme', model: 'echo-1' }];
  const answer = JSON.stringify({ data, has_more: false, limit: 20 });
  const subjects = { bin, upstream: peer('node-http'), probe, seconds, answer };
  const { ours, nginx } = await proxyCosts(subjects);
  const row = (what: string, name: 'call' | 'upload' | 'stream'): void =>
    compare(
      `proxy, ${what}`,
      ours[name],
      nginx === undefined ? [] : [{ name: 'nginx, which judges nothing', figure: nginx[name] }],
      microseconds,
    );
  row('each call', 'call');
  row('each upload of 10 MB', 'upload');
  row('each of 1,000 streams, a second', 'stream');
}

async function programs(): Promise<void> {
  const nothing = await bestOf(5, ['-e', '0']);
  const help = await bestOf(5, [bin, '--help']);
  compare(
    'tallystick --help',
    help.milliseconds,
    [{ name: 'node -e 0', figure: nothing.milliseconds, bar: '0.59 x' }],
    milliseconds,
  );

  const out = (name: string): string => join(scratch, name);
  const theirs = async (source: string, name: string) =>
    bestOf(3, [openapiTypescript, source, '-o', `${out(name)}.ts`]);
  const three = await bestOf(3, [bin, 'generate', '--out', out('ours')]);
  const one = await theirs(document, 'router');
  compare(
    'generate: our three documents, types and validators and clients',
    three.milliseconds,
    [{ name: 'openapi-typescript, one document, types only', figure: one.milliseconds, bar: '1 x' }],
    milliseconds,
  );
  const big = await bestOf(2, [bin, 'generate', foreign, '--out', out('foreign')]);
  const types = await theirs(foreign, 'foreign');
  compare(
    "generate: Blockfrost's document, types and validators and client",
    big.milliseconds,
    [{ name: 'openapi-typescript, types only', figure: types.milliseconds }],
    milliseconds,
  );
}

/** The same work by other client generators: one of our documents, and a large one. */
async function generators(): Promise<void> {
  const peers = fetchedGenerators();
  if (peers === undefined) {
    rows.push(['generate, beside other generators', '', 'skipped: they could not be fetched', '', '']);
    return;
  }
  const { large, heyApi, orval } = peers;
  const out = (name: string): string => join(scratch, 'beside', name);
  const ours = (source: string, name: string) => [bin, 'generate', source, '--out', out(name)];
  const types = (source: string, name: string) => [openapiTypescript, source, '-o', out(`${name}.ts`)];
  await beside(
    'generate: our router document, types, client (ours: validators too)',
    3,
    ours(document, 'a'),
    [
      ['openapi-typescript, types only', types(document, 'b')],
      ['hey-api', heyApi(document, out('c'))],
      ['orval', orval(document, out('d'))],
    ],
  );
  await beside("generate: GitHub's document, types, client (ours: validators too)", 1, ours(large, 'e'), [
    ['openapi-typescript, types only', types(large, 'f')],
    ['hey-api', heyApi(large, out('g')), '5 x'],
  ]);
}

/** Rows of one document; a generator that fails gets no figure. */
async function beside(
  what: string,
  times: number,
  ours: readonly string[],
  others: readonly (readonly [name: string, args: readonly string[], bar?: string])[],
): Promise<void> {
  const own = await generationTime(times, ours);
  if (own === undefined) throw new Error(`tallystick gave up on ${what}`);
  const peers: Peer[] = [];
  const without: string[] = [];
  for (const [name, args, bar] of others) {
    const figure = await generationTime(times, args);
    if (figure === undefined) without.push(name);
    else peers.push({ name, figure, ...(bar === undefined ? {} : { bar }) });
  }
  compare(what, own, peers, milliseconds);
  for (const name of without) rows.push(['', name, 'gave up', '', '']);
}

async function suite(): Promise<void> {
  const mock = await startServer(
    [bin, 'mock', '--port', '0', '--control-port', '0', '--print-url', '--quiet', '--deadline', '2s'],
    probe,
  );
  const report = join(scratch, 'report');
  const ended = await runProgram(
    [bin, 'conform', mock.url, '--allow', 'negatives,billed', '--report', report],
    scratch,
  );
  await mock.stop();
  const bytes = await Promise.all(
    (await readdir(report)).map(async (name) => (await stat(join(report, name))).size),
  );
  const size = `${(ended.rssBytes / 2 ** 20).toFixed(0)} MB, reports ${(bytes.reduce((sum, one) => sum + one, 0) / 1024).toFixed(0)} kB`;
  rows.push([
    'suite over loopback on the mock',
    'tallystick',
    `${milliseconds(ended.milliseconds)}, ${size}`,
    '',
    '3 s',
  ]);
}

async function validators(): Promise<void> {
  const { ours, ajv } = await validatorSpeeds();
  rows.push(['validator, list page of 100', 'tallystick', `${(ours / 1000).toFixed(0)} k/s`, '', '']);
  rows.push(['', 'ajv', `${(ajv / 1000).toFixed(0)} k/s`, `${(ours / ajv).toFixed(2)} x`, '2.2 x']);
}
