import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord, typed } from '../../contract/index.ts';

test('a command is printed so that npx finds the bin and downloads nothing', () => {
  expect(typed('mock --port 0')).toBe('npx --no -- tallystick mock --port 0');
  expect(typed('')).toBe('npx --no -- tallystick');
});

test.each([
  'plain',
  '',
  'two words',
  "it's",
  '$HOME',
  'a&b?c=d',
  '`id`',
  '*',
  '~/x',
  '\\',
  '"',
  'a\nb',
  '#',
  '!x',
])('a shell reads back %j as one word', (word) => {
  expect(execFileSync('sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' })).toBe(word);
});
