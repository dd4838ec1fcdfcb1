import { Linter } from 'eslint';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bin, run } from './command.ts';

const startOn = (version: string) =>
  run(process.execPath, [
    '-e',
    `Object.defineProperty(process.versions, 'node', { value: '${version}' }); process.argv = [process.argv[0], 'tallystick', '--version']; require(${JSON.stringify(bin)})`,
  ]);

test.concurrent.each(['18.20.4', '20.18.3', '21.7.3', '22.11.0', '8.17.0'])(
  'Node %s gets a sentence and exit code 2',
  async (version) => {
    const { code, stderr, stdout } = await startOn(version);
    expect(stderr).toBe(`✖ tallystick needs Node ^20.19 or >=22.12, this is ${version}\n`);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  },
);

test.concurrent.each(['20.19.0', '20.20.2', '22.12.0', '23.0.0', '24.21.0'])(
  'Node %s is accepted',
  async (version) => {
    const { code, stdout } = await startOn(version);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
    expect(code).toBe(0);
  },
);

test('the bin uses only syntax that every Node can parse', () => {
  const messages = new Linter().verify(readFileSync(bin, 'utf8'), {
    languageOptions: { ecmaVersion: 5, sourceType: 'script' },
  });
  expect(messages).toEqual([]);
});
