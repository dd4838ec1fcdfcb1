// @module-tag long
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../contract/index.ts';
import { isPicture, pictureMisfits } from '../../scripts/pictures/misfits.ts';
import { takePictures } from '../../scripts/pictures/take.ts';

test('every picture of the documentation can be taken again', { tags: 'browser' }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const written = await takePictures(folder);
  const there = readdirSync(folder);
  expect([...written].sort()).toStrictEqual(there.sort());
  expect(there.filter((file) => !isPicture(readFileSync(join(folder, file))))).toStrictEqual([]);
  // No two of them show the same.
  expect(new Set(there.map((file) => readFileSync(join(folder, file), 'base64'))).size).toBe(there.length);
  expect(there).toStrictEqual(readdirSync(join(packageRoot(), 'docs/images')).sort());
});

test('the documentation has every picture, and shows each of them', () => {
  expect(pictureMisfits(packageRoot())).toStrictEqual([]);
});
