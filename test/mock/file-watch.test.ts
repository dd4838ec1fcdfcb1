import { mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { FileWatch } from '../../cli/files/file-watch.ts';

/** The test polls manually, so nothing depends on the time. */
const folder = mkdtempSync(join(tmpdir(), 'tallystick-watch-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const NEVER = { everyMs: 2 ** 30 };

async function watching(...files: readonly string[]): Promise<{
  readonly watch: FileWatch;
  readonly told: string[][];
  readonly path: (file: string) => string;
}> {
  const told: string[][] = [];
  const path = (file: string): string => join(folder, file);
  const watch = new FileWatch((changed) => {
    told.push(changed.map((file) => file.slice(folder.length + 1)));
    return Promise.resolve();
  }, NEVER);
  await watch.watch(files.map(path), Number.POSITIVE_INFINITY);
  await watch.look();
  await watch.look();
  return { watch, told, path };
}

test('several changes of a file are reported once, after the last one', async () => {
  writeFileSync(join(folder, 'a'), 'one');
  const { watch, told, path } = await watching('a');
  for (const text of ['', 't', 'two thirds']) {
    writeFileSync(path('a'), text);
    await watch.look();
    expect(told).toStrictEqual([]);
  }
  await watch.look();
  expect(told).toStrictEqual([['a']]);
  await watch.look();
  expect(told).toStrictEqual([['a']]);
  await watch.close();
});

test('a renamed file, a recreated file and a changed link are reported', async () => {
  writeFileSync(join(folder, 'b'), 'one');
  writeFileSync(join(folder, 'c'), 'one');
  writeFileSync(join(folder, 'd1'), 'one');
  writeFileSync(join(folder, 'd2'), 'two');
  symlinkSync('d1', join(folder, 'd'));
  const { watch, told, path } = await watching('b', 'c', 'd');
  writeFileSync(path('b.swap'), 'two');
  renameSync(path('b.swap'), path('b'));
  unlinkSync(path('c'));
  await watch.look();
  writeFileSync(path('c'), 'two!');
  unlinkSync(path('d'));
  symlinkSync('d2', path('d'));
  await watch.look();
  await watch.look();
  expect(told).toStrictEqual([['b', 'c', 'd']]);
  await watch.close();
});

test('a file is reported when it appears, and not after it is unwatched', async () => {
  writeFileSync(join(folder, 'e'), 'one');
  const { watch, told, path } = await watching('e', 'f');
  writeFileSync(path('f'), 'here');
  await watch.look();
  await watch.look();
  expect(told).toStrictEqual([['f']]);
  await watch.watch([path('f')], Number.POSITIVE_INFINITY);
  writeFileSync(path('e'), 'two');
  await watch.look();
  await watch.look();
  expect(told).toStrictEqual([['f']]);
  await watch.close();
});

test('a change during a read is reported', async () => {
  const { watch, told, path } = await watching();
  writeFileSync(path('g'), 'one');
  await watch.watch([path('g')], 0);
  await watch.look();
  await watch.look();
  expect(told).toStrictEqual([['g']]);
  await watch.close();
});

test('nothing is reported after it is closed', async () => {
  writeFileSync(join(folder, 'h'), 'one');
  const { watch, told, path } = await watching('h');
  await watch.close();
  writeFileSync(path('h'), 'two');
  await watch.look();
  await watch.look();
  expect(told).toStrictEqual([]);
});
