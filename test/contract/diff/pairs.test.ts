import { expect, test } from 'vitest';
import { diffContracts } from '../../../contract/diff/diff.ts';
import { base } from './base.ts';
import { changed, pairs } from './pairs.ts';
import { readValid } from './read.ts';

test.each(pairs.map((pair) => [pair.name, pair] as const))('%s', async (_, pair) => {
  const [old, next] = [await readValid(base), await readValid(changed(pair))];
  const { changes } = diffContracts(old, next);
  const found = changes.map(({ kind, callers, servers }) => `${kind} ${callers}/${servers}`);
  expect(found.sort()).toStrictEqual([...pair.expected].sort());
  for (const { before, after, callers, servers, reason } of changes) {
    expect(before?.line).toBeGreaterThan(0);
    expect(after?.line).toBeGreaterThan(0);
    expect(reason === undefined).toBe(callers !== 'unknown' && servers !== 'unknown');
  }
});
