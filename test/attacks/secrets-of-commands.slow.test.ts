// @module-tag long
// @module-tag attack
import type { Command } from 'commander';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLine } from '../../cli/main.ts';
import { makeTerminal } from '../../cli/terminal.ts';
import { freshFolder, tallystickHere } from '../cli/command.ts';

/** A secret of the command line, of the environment or of a file is in no output of any command. */

let count = 0;
const mark = (): string => `mark${String((count += 1)).padStart(2, '0')}x7Qk3fZ9pW5d`;
/** Where commands meet addresses with a secret. */
const of = {
  query: mark(),
  user: mark(),
  proxy: mark(),
  server: mark(),
  overlay: mark(),
  reference: mark(),
  onward: mark(),
  option: mark(),
};

const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  servers: [{ url: `https://user:${of.server}@api.example.com` }],
  paths: {
    '/things': {
      get: {
        operationId: 'list',
        responses: {
          200: { description: 'd', content: { 'application/json': { schema: { type: 'array' } } } },
        },
      },
    },
  },
};
const response = { $ref: `https://user:${of.reference}@127.0.0.1:1/x.json?sig=${of.reference}` };
const referring = { ...document, paths: { '/things': { get: { responses: { 200: response } } } } };
const overlay = (target: string): string => `overlay: 1.0.0
info: { title: Our server, version: '1' }
actions:
  - { target: '${target}', update: { url: 'https://user:${of.overlay}@api.example.com' } }
`;

let folder = '';
let server: Server;
let url = '';

beforeAll(async () => {
  folder = await freshFolder();
  const files = {
    'things.json': JSON.stringify(document),
    'referring.json': JSON.stringify(referring),
    'fits.yaml': overlay('$.servers[0]'),
    'fits-nothing.yaml': overlay('$.nothing'),
    'things.behaviour.yaml': 'api: things\ncontract: "1"\ndocument: 1\npolicies: []\n',
    'fixtures.yaml': `baseUrl: https://user:${of.user}@127.0.0.1:1/?token=${of.query}\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  server = createServer((request, answer) => {
    const path = request.url?.split('?', 1)[0];
    if (path === '/refused.json') answer.writeHead(403).end();
    else if (path === '/moved.json')
      answer.writeHead(302, { Location: `http://127.0.0.2:1/x?token=${of.onward}` }).end();
    else if (path === '/broken.json') answer.end('{"openapi": "3.1.0" }}');
    else if (path === '/things.json') answer.end(JSON.stringify(document));
    else answer.writeHead(401, { 'Content-Type': 'application/json' }).end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** Documents with a secret in their address or in what they contain. */
const documents = (): readonly string[] => [
  ...['things', 'refused', 'moved', 'broken'].map((name) => `${url}/${name}.json?token=${of.query}`),
  `http://user:${of.user}@127.0.0.1:1/x.json?token=${of.query}`,
  'things.json',
  'referring.json',
];

/** For each command, the command lines by which it can meet secrets. */
const lines: Readonly<Record<string, (document: string) => readonly (readonly string[])[]>> = {
  init: (one) => [[one]],
  generate: (one) => [
    [one, '--out', 'out'],
    [one, '--out', 'out', '--json'],
    [one, '--out', 'out', '--allow-remote', '127.0.0.1:1'],
    [one, '--out', 'overlaid', '--overlay', 'fits.yaml'],
    [one, '--out', 'overlaid', '--overlay', 'fits-nothing.yaml'],
  ],
  diff: (one) =>
    ['text', 'markdown', 'json', 'github'].map((format) => [
      ...[one, 'router', '--format', format, '--allow-remote', new URL(url).host],
    ]),
  mock: (one) => [
    [one, '--check'],
    [one, '--port', '0', '--control-port', '0', '--exec', 'true'],
  ],
  'mock snapshot save': () => [['x', '--url', `http://127.0.0.1:1/?token=${of.query}`]],
  'mock snapshot load': () => [['x', '--url', `http://user:${of.user}@127.0.0.1:1/`]],
  'mock snapshot list': () => [['--url', `http://user:${of.user}@127.0.0.1:1/`]],
  'mock snapshot delete': () => [['x', '--url', `http://user:${of.user}@127.0.0.1:1/`]],
  'mock snapshot export': () => [['x', '--url', `http://user:${of.user}@127.0.0.1:1/`]],
  'mock snapshot import': () => [['fixtures.yaml', '--url', `http://user:${of.user}@127.0.0.1:1/`]],
  'mock snapshot reset': () => [['--url', `http://127.0.0.1:1/?token=${of.query}`]],
  conform: (one) => [
    [url, '--contract', one],
    [url, '--contract', one, '--plan'],
    [`http://user:${of.user}@127.0.0.1:1/?token=${of.query}`, '--contract', one],
    [url, '--contract', one, '--proxy', `http://user:${of.proxy}@127.0.0.1:1`],
    [url, '--contract', one, `--api-kye=${of.option}`],
    [url, '--contract', one, '--header', `X-Api-Key ${of.option}`],
    ['--contract', one, '--fixtures', 'fixtures.yaml'],
  ],
  'conform replay': () => [
    ['none.json', 'x0001', '--base-url', `http://user:${of.user}@127.0.0.1:1/?token=${of.query}`],
  ],
  'conform report': () => [['none.json']],
  'conform cleanup': () => [['none.json']],
  'conform compare': () => [['none.json', 'none.json']],
  proxy: (one) => [
    [url, '--contract', one, '--port', '0', '--no-control', '--exec', 'true', '--report', 'passed'],
    [`http://user:${of.user}@127.0.0.1:1/?token=${of.query}`, '--contract', one],
  ],
  fixtures: (one) => [
    ['--contract', one],
    ['--mock', `http://user:${of.user}@127.0.0.1:1/`],
    ['--mock', `http://127.0.0.1:1/?token=${of.query}`],
  ],
  'fixtures check': (one) => [['fixtures.yaml', '--contract', one]],
  'fixtures discover': () => [
    [`http://user:${of.user}@127.0.0.1:1/?token=${of.query}`],
    [url, '--api-key', of.option],
  ],
  'sheet draft': (one) => [[one], [one, '--overlay', 'fits-nothing.yaml']],
  'sheet check': (one) => [['things.behaviour.yaml', '--document', one]],
  scenarios: () => [[]],
  deviations: (one) => [[one]],
  assumptions: () => [[]],
  explain: () => [[`http://user:${of.user}@127.0.0.1:1/`]],
  doctor: () => [[]],
};

/** All commands that do something, by their names on a command line. */
function leaves(command: Command, before: readonly string[] = []): readonly string[] {
  return command.commands.flatMap((each) => {
    const name = [...before, each.name()];
    const isGroup =
      each.commands.length > 0 && each.registeredArguments.length === 0 && each.options.length === 0;
    return [...(isGroup ? [] : [name.join(' ')]), ...leaves(each, name)];
  });
}

test('each command is here', () => {
  const stream = new Writable();
  const world = { stdout: stream, stderr: stream, cwd: folder, environment: {} };
  const program = commandLine({
    ...{ ...world, terminal: makeTerminal(world, {}) },
    ...{ exit: () => undefined, onSignal: () => () => undefined },
  });
  expect(Object.keys(lines).sort()).toStrictEqual([...leaves(program)].sort());
});

async function written(): Promise<readonly (readonly [name: string, text: string])[]> {
  const given = new Set(['things.json', 'referring.json', 'fits.yaml', 'fits-nothing.yaml', 'fixtures.yaml']);
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile() && !given.has(file.name));
  return Promise.all(
    names.map(
      async ({ parentPath, name }) => [name, await readFile(join(parentPath, name), 'utf8')] as const,
    ),
  );
}

function expectNoMark(outputs: readonly (readonly [name: string, text: string])[]): void {
  for (const [name, text] of outputs)
    for (const [place, secret] of Object.entries(of))
      expect(`${name}: ${text.includes(secret) ? place : ''}`).toBe(`${name}: `);
}

test.each(Object.keys(lines))('%s: no output has a secret of its command line or its files', async (name) => {
  await mkdir(join(folder, 'passed'), { recursive: true });
  const environment = { HTTPS_PROXY: `http://user:${of.proxy}@127.0.0.1:1` };
  const all = documents().flatMap((one) => lines[name]?.(one) ?? []);
  const distinct = [...new Map(all.map((line) => [line.join('\n'), line])).values()];
  let printed = 0;
  for (const line of distinct) {
    const { stdout, stderr } = await tallystickHere([...name.split(' '), ...line], {
      ...{ cwd: folder, environment },
    });
    printed += stdout.length + stderr.length;
    expectNoMark([[[name, ...line].join(' '), stdout + stderr]]);
  }
  expect(printed).toBeGreaterThan(0);
  expectNoMark(await written());
});
