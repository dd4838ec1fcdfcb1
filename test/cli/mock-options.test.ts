import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import type { Context } from '../../cli/context.ts';
import { CommandFailure } from '../../cli/failure.ts';
import { startOptionsOf, withMockOptions, type MockFlags } from '../../cli/mock/options.ts';
import { readMockSettings, readSettings, type MockSettings } from '../../cli/mock/settings.ts';

/** What the words of a command line become, without starting anything. */
function flagsOf(...words: readonly string[]): MockFlags {
  const command = withMockOptions(
    new Command('mock').exitOverride().configureOutput({ writeErr: () => undefined }),
  );
  return command.parse(words, { from: 'user' }).opts();
}

test.each<[words: string, settings: MockSettings, given: object]>([
  ['', {}, { port: 4710 }],
  ['--port 0 --control-port 9 --host localhost', {}, { port: 0, controlPort: 9, host: 'localhost' }],
  ['--surface public-demo', {}, { port: 4710, jobs: { surface: 'demo' } }],
  [
    '--surface self-hosted --static-token t --mount-prefix /d/1 --links absolute',
    {},
    {
      port: 4710,
      jobs: { surface: 'self-hosted', staticToken: 't', mountPrefix: '/d/1', links: 'absolute' },
    },
  ],
  ['--node-class A,B', {}, { port: 4710, jobs: { nodeClasses: [{ name: 'A' }, { name: 'B' }] } }],
  ['--node-class A,any', {}, { port: 4710, jobs: { nodeClasses: 'any' } }],
  [
    '--node-class B',
    { jobs: { nodeClasses: [{ name: 'A' }], slots: 1 } },
    { port: 4710, jobs: { slots: 1, nodeClasses: [{ name: 'A' }, { name: 'B' }] } },
  ],
  ['--publisher mine', {}, { port: 4710, registry: { publishers: [{ id: 'mine' }] } }],
  ['--webhooks loopback', {}, { port: 4710, registry: { webhooks: { deliver: true } } }],
  ['--webhooks any', {}, { port: 4710, registry: { webhooks: { deliver: true, hosts: 'any' } } }],
  [
    '--webhooks hooks.example.com',
    {},
    { port: 4710, registry: { webhooks: { deliver: true, hosts: ['hooks.example.com'] } } },
  ],
  [
    '--scenario slow --scenario queue-full;after=2;times=1 --latency 300ms',
    {},
    {
      port: 4710,
      scenarios: [
        { name: 'slow', times: null },
        { name: 'queue-full', after: 2, times: 1 },
        { name: 'latency', times: null, ms: 300 },
      ],
    },
  ],
  [
    '--scenario slow',
    { scenarios: [{ name: 'unavailable', after: 1 }] },
    {
      port: 4710,
      scenarios: [
        { name: 'slow', times: null },
        { name: 'unavailable', after: 1 },
      ],
    },
  ],
  [
    '--deadline 2s',
    { deadlineMs: 1, publicUrl: 'https://x' },
    { port: 4710, deadlineMs: 2_000, publicUrl: 'https://x' },
  ],
  [
    '',
    { assumptions: { 'A-18': { compare: 'json' } } },
    { port: 4710, assumptions: { 'A-18': { compare: 'json' } } },
  ],
])('mock %s', (words, settings, given) => {
  const list = words.split(' ').filter((word) => word !== '');
  expect(startOptionsOf(flagsOf(...list), settings)).toStrictEqual(given);
});

test.each([
  ['real', 1],
  ['frozen', 0],
  ['x60', 60],
])('--clock %s', (word, speed) => {
  expect(flagsOf('--clock', word).clock).toStrictEqual({ speed });
});

test.each([
  ['--clock 60', /Did you mean x60\?/],
  ['--scenario slow;often=2', /got often=2/],
  ['--surface moon', /self-hosted, serverless, public-demo/],
  ['--links none', /host-relative, absolute, mixed/],
])('%s is refused with the expected form', (words, message) => {
  expect(() => flagsOf(...words.split(' '))).toThrow(message);
});

test('a settings file with every setting is accepted', () => {
  const given = {
    models: [
      {
        provider: 'a',
        model: 'b',
        state: 'listed',
        chargesOnPolicyRejection: 'no',
        cents: 5,
        inputSchema: {},
      },
    ],
    jobs: { nodeClasses: [{ name: 'A', requires: ['x'], makes: 'image' }], assets: [{ id: 'one' }] },
    registry: {
      publishers: [{ id: 'mine', members: [{ user: 'me', role: 'owner' }], nodes: ['n'] }],
      accessTokens: { 'pat-mine': 'me' },
      webhooks: { deliver: true, hosts: 'any' },
    },
    scenarios: [{ name: 'slow', times: null }],
  };
  expect(readSettings(given, 'settings.yaml')).toStrictEqual(given);
});

test.each<[what: string, value: unknown, message: string]>([
  ['no object', [], 'settings.yaml#: expected an object, got []'],
  ['an unknown member', { job: {} }, 'settings.yaml#/job: unknown member. Did you mean jobs?'],
  ['a member of every object', { constructor: 1 }, 'settings.yaml#/constructor: unknown member'],
  ['a text for a number', { jobs: { slots: '2' } }, 'settings.yaml#/jobs/slots: expected a number, got "2"'],
  ['an unknown word', { profile: 'odd' }, 'settings.yaml#/profile: expected faithful, legal-but-odd'],
  [
    'a member too few',
    { registry: { publishers: [{}] } },
    'settings.yaml#/registry/publishers/0: id is missing',
  ],
  ['no list', { jobs: { nodeClasses: 'all' } }, 'settings.yaml#/jobs/nodeClasses: expected a list or any'],
])('settings with %s are refused with their pointer', (_what, value, message) => {
  expect(() => readSettings(value, 'settings.yaml')).toThrow(CommandFailure);
  expect(() => readSettings(value, 'settings.yaml')).toThrow(message);
});

const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
  .concat(
    Array.from('bcdefgh', (name, index) => {
      const before = 'abcdefg'[index] ?? 'a';
      return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(', ')}]`;
    }),
  )
  .join('\n');

test.each([
  ['aliases that make very much of little', bomb, /alias/i],
  ['an alias of nothing', 'jobs: *nothing', /alias/i],
  ['a list that contains itself', 'models: &a [*a]', /models\/0: expected an object/],
])('a settings file with %s is the mistake of its author', async (_what, text, message) => {
  const cwd = mkdtempSync(join(tmpdir(), 'settings-'));
  onTestFinished(() => {
    rmSync(cwd, { recursive: true, force: true });
  });
  writeFileSync(join(cwd, 'settings.yaml'), text);
  const reading = readMockSettings('settings.yaml', { cwd } as Context);
  await expect(reading).rejects.toThrow(CommandFailure);
  await expect(reading).rejects.toThrow(message);
  await expect(reading).rejects.toMatchObject({ exitCode: 2 });
});
