import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type GeneratedFile, MANIFEST_PATH, writeGenerated } from '../../generator/index.ts';
import { textHash } from '../../generator/manifest.ts';
import { temporaryFolder } from './generated.ts';

function output(texts: Record<string, string>): GeneratedFile[] {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }));
  const hashes = Object.fromEntries(files.map(({ path, text }) => [path, textHash(text)]));
  return [
    ...files,
    { path: MANIFEST_PATH, text: JSON.stringify({ tallystick: '1', contracts: {}, files: hashes }) },
  ];
}

function contentsOf(folder: string): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => lstatSync(join(folder, path)).isFile())
    .sort();
  return Object.fromEntries(
    found.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]),
  );
}

function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

test('a second run with the same files changes nothing', async () => {
  const out = temporaryFolder();
  const files = output({ 'a/x.ts': '1', 'b.ts': '2' });
  expect(await writeGenerated(files, { out })).toStrictEqual({
    ok: true,
    added: [MANIFEST_PATH, 'a/x.ts', 'b.ts'],
    changed: [],
    unchanged: [],
    removed: [],
  });
  expect(await writeGenerated(files, { out })).toStrictEqual({
    ok: true,
    added: [],
    changed: [],
    unchanged: [MANIFEST_PATH, 'a/x.ts', 'b.ts'],
    removed: [],
  });
});

test('files of an earlier run are replaced and removed, with the folders that they leave empty', async () => {
  const out = temporaryFolder();
  await writeGenerated(output({ 'a/deep/x.ts': '1', 'b.ts': '2' }), { out });
  const result = await writeGenerated(output({ 'b.ts': '3' }), { out });
  expect(result).toMatchObject({ ok: true, changed: [MANIFEST_PATH, 'b.ts'], removed: ['a/deep/x.ts'] });
  expect(contentsOf(out)['b.ts']).toBe('3');
  expect(existsSync(join(out, 'a'))).toBe(false);
});

test('files that the manifest does not list are not touched', { tags: 'attack' }, async () => {
  const out = temporaryFolder();
  put(out, 'notes.md', 'mine');
  put(out, 'a/mine.ts', 'mine');
  await writeGenerated(output({ 'a/x.ts': '1' }), { out });
  await writeGenerated(output({ 'b.ts': '1' }), { out });
  expect(contentsOf(out)).toMatchObject({ 'notes.md': 'mine', 'a/mine.ts': 'mine', 'b.ts': '1' });
});

test('a file that was edited by hand stops the run before anything is written', async () => {
  const out = temporaryFolder();
  await writeGenerated(output({ 'a.ts': '1', 'b.ts': '1' }), { out });
  put(out, 'a.ts', 'edited');
  const before = contentsOf(out);
  expect(await writeGenerated(output({ 'a.ts': '2', 'b.ts': '2' }), { out })).toStrictEqual({
    ok: false,
    inTheWay: [{ path: 'a.ts', reason: 'edited by hand' }],
  });
  expect(contentsOf(out)).toStrictEqual(before);
  await writeGenerated(output({ 'a.ts': '2', 'b.ts': '2' }), { out, overwrite: ['a.ts'] });
  expect(contentsOf(out)).toMatchObject({ 'a.ts': '2', 'b.ts': '2' });
});

test('an edited file is not removed either', async () => {
  const out = temporaryFolder();
  await writeGenerated(output({ 'a.ts': '1', 'b.ts': '1' }), { out });
  put(out, 'a.ts', 'edited');
  expect(await writeGenerated(output({ 'b.ts': '1' }), { out })).toMatchObject({
    ok: false,
    inTheWay: [{ path: 'a.ts' }],
  });
});

test('a foreign file in the place of a generated one stops the run, unless it is the same', async () => {
  const out = temporaryFolder();
  put(out, 'a.ts', 'mine');
  put(out, 'b.ts', '1');
  expect(await writeGenerated(output({ 'a.ts': '1', 'b.ts': '1' }), { out })).toStrictEqual({
    ok: false,
    inTheWay: [{ path: 'a.ts', reason: 'not ours' }],
  });
  expect(contentsOf(out)).toStrictEqual({ 'a.ts': 'mine', 'b.ts': '1' });
});

test('a checkout that made CRLF of line ends counts as untouched', async () => {
  const out = temporaryFolder();
  await writeGenerated(output({ 'a.ts': 'x\ny\n' }), { out });
  put(out, 'a.ts', 'x\r\ny\r\n');
  expect(await writeGenerated(output({ 'a.ts': 'x\ny\n' }), { out })).toMatchObject({
    ok: true,
    unchanged: [MANIFEST_PATH, 'a.ts'],
  });
  expect(await writeGenerated(output({ 'a.ts': 'z\n' }), { out })).toMatchObject({
    ok: true,
    changed: [MANIFEST_PATH, 'a.ts'],
  });
});

test('check says what would change and writes nothing, not even a folder', async () => {
  const out = join(temporaryFolder(), 'none', 'yet');
  expect(await writeGenerated(output({ 'a.ts': '1' }), { out, check: true })).toMatchObject({
    ok: true,
    added: [MANIFEST_PATH, 'a.ts'],
  });
  expect(existsSync(dirname(out))).toBe(false);
  await writeGenerated(output({ 'a.ts': '1' }), { out });
  const before = contentsOf(out);
  expect(await writeGenerated(output({ 'a.ts': '2', 'b.ts': '1' }), { out, check: true })).toMatchObject({
    added: ['b.ts'],
    changed: [MANIFEST_PATH, 'a.ts'],
  });
  expect(contentsOf(out)).toStrictEqual(before);
});

test('a replacement that fails half way leaves the old output', async () => {
  const out = temporaryFolder();
  await writeGenerated(output({ 'a.ts': '1', 'b.ts': '1', 'old.ts': '1' }), { out });
  const before = contentsOf(out);
  let calls = 0;
  const replace = async (from: string, to: string): Promise<void> => {
    calls += 1;
    if (calls === 3) throw new Error('the disk is full');
    await rename(from, to);
  };
  await expect(
    writeGenerated(output({ 'a.ts': '2', 'b.ts': '2', 'c/new.ts': '2' }), { out, replace }),
  ).rejects.toThrow('it is as it was before');
  expect(contentsOf(out)).toStrictEqual(before);
  expect(existsSync(join(out, 'c'))).toBe(false);
});

/** What a run leaves that is killed between two replacements: `before` is the output that it found. */
function cutOff(
  out: string,
  before: GeneratedFile[],
  after: GeneratedFile[],
  added: readonly string[],
): void {
  const manifest = (files: GeneratedFile[]): string =>
    files.find(({ path }) => path === MANIFEST_PATH)?.text ?? '';
  put(out, '.tallystick.partial/owner-999999999', '');
  put(
    out,
    '.tallystick.partial/run.json',
    JSON.stringify({ before: manifest(before), after: manifest(after), added }),
  );
  for (const { path, text } of before) put(out, `.tallystick.partial/before/${path}`, text);
}

const one = output({ 'a.ts': '1', 'b.ts': '1' });
const two = output({ 'a.ts': '2', 'b.ts': '1', 'c/new.ts': '2' });

test('a run that was killed half way is undone by the next one', async () => {
  const out = temporaryFolder();
  await writeGenerated(one, { out });
  cutOff(out, one, two, ['c/new.ts', '../outside.ts']);
  put(out, 'a.ts', '2');
  put(out, 'c/new.ts', '2');
  put(dirname(out), 'outside.ts', 'mine');
  expect(await writeGenerated(one, { out })).toMatchObject({ ok: true, added: [], changed: [], removed: [] });
  expect(contentsOf(out)['a.ts']).toBe('1');
  expect(existsSync(join(out, '.tallystick.partial'))).toBe(false);
  expect(existsSync(join(out, 'c'))).toBe(false);
  expect(readFileSync(join(dirname(out), 'outside.ts'), 'utf8')).toBe('mine');
  rmSync(join(dirname(out), 'outside.ts'));
});

test('a run that was killed before its end, with its manifest written, is undone as well', async () => {
  const out = temporaryFolder();
  await writeGenerated(two, { out });
  cutOff(out, one, two, ['c/new.ts']);
  expect(await writeGenerated(one, { out })).toMatchObject({ ok: true, added: [], changed: [], removed: [] });
  expect(existsSync(join(out, 'c'))).toBe(false);
});

test('a file that was edited after the cut-off is not put back', async () => {
  const out = temporaryFolder();
  await writeGenerated(one, { out });
  cutOff(out, one, two, ['c/new.ts']);
  put(out, 'a.ts', 'edited since');
  put(out, 'c/new.ts', 'edited since');
  expect(await writeGenerated(one, { out })).toMatchObject({ ok: false });
  expect(contentsOf(out)).toMatchObject({ 'a.ts': 'edited since', 'c/new.ts': 'edited since' });
});

test('a text that the manifest does not list is not put back', { tags: 'attack' }, async () => {
  const out = temporaryFolder();
  await writeGenerated(one, { out });
  cutOff(out, one, two, []);
  put(out, '.tallystick.partial/before/a.ts', 'planted');
  put(out, '.tallystick.partial/before/notes.ts', 'planted');
  put(out, 'a.ts', '2');
  await writeGenerated(one, { out });
  expect(Object.values(contentsOf(out))).not.toContain('planted');
});

test(
  'links in a folder that somebody else committed lead no restored file outside',
  { tags: 'attack' },
  async () => {
    const out = temporaryFolder();
    const outside = temporaryFolder();
    put(outside, 'x.ts', '2');
    put(outside, 'before/a.ts', '1');
    const before = output({ 'a.ts': '1', 'deep/x.ts': '1' });
    const after = output({ 'a.ts': '2', 'deep/x.ts': '2' });
    await writeGenerated(before, { out });
    cutOff(out, before, after, []);
    rmSync(join(out, 'deep'), { recursive: true });
    symlinkSync(outside, join(out, 'deep'));
    rmSync(join(out, 'a.ts'));
    symlinkSync(join(outside, 'x.ts'), join(out, 'a.ts'));
    await writeGenerated(output({ 'b.ts': '1' }), { out });
    expect(contentsOf(outside)).toStrictEqual({ 'before/a.ts': '1', 'x.ts': '2' });
  },
);

test.each(['run.json', 'before', 'owner-999999999'])(
  'a link for %s in the staging folder is not followed',
  { tags: 'attack' },
  async (name) => {
    const out = temporaryFolder();
    const outside = temporaryFolder();
    await writeGenerated(one, { out });
    cutOff(out, one, two, []);
    put(out, 'a.ts', '2');
    const place = join(out, '.tallystick.partial', name);
    cpSync(place, join(outside, 'target'), { recursive: true });
    rmSync(place, { recursive: true });
    symlinkSync(join(outside, 'target'), place);
    const kept = contentsOf(outside);
    await writeGenerated(two, { out });
    expect(contentsOf(outside)).toStrictEqual(kept);
  },
);

test.each(['a link', 'a file', 'a folder of somebody else'])(
  '%s in the place of the staging folder stops the run',
  { tags: 'attack' },
  async (what) => {
    const out = temporaryFolder();
    const outside = temporaryFolder();
    put(outside, 'owner-999999999', '');
    const staging = join(out, '.tallystick.partial');
    if (what === 'a link') symlinkSync(outside, staging);
    else if (what === 'a file') writeFileSync(staging, '');
    else put(out, '.tallystick.partial/mine.txt', 'mine');
    await expect(writeGenerated(one, { out })).rejects.toThrow(/remove it, and run this again/);
    expect(Object.keys(contentsOf(outside))).toStrictEqual(['owner-999999999']);
  },
);

test('a run that was killed before it replaced anything leaves no trace', async () => {
  const out = temporaryFolder();
  await writeGenerated(output({ 'a.ts': '1' }), { out });
  put(out, '.tallystick.partial-999999999/after/a.ts', '2');
  await writeGenerated(output({ 'a.ts': '1' }), { out });
  expect(Object.keys(contentsOf(out))).toStrictEqual([MANIFEST_PATH, 'a.ts']);
});

test('two runs do not write to one folder at a time', async () => {
  const out = temporaryFolder();
  put(out, `.tallystick.partial/owner-${String(process.ppid)}`, '');
  await expect(writeGenerated(output({ 'a.ts': '1' }), { out })).rejects.toThrow('another run');
});

test('what the new manifest lists beyond the files of the run is left alone', async () => {
  const out = temporaryFolder();
  await writeGenerated(output({ 'a.ts': '1', 'other/x.ts': '1' }), { out });
  const manifest = output({ 'a.ts': '2', 'other/x.ts': '1' }).find(({ path }) => path === MANIFEST_PATH);
  const files = [{ path: 'a.ts', text: '2' }, ...(manifest === undefined ? [] : [manifest])];
  expect(await writeGenerated(files, { out })).toMatchObject({ ok: true, removed: [] });
  expect(contentsOf(out)).toMatchObject({ 'a.ts': '2', 'other/x.ts': '1' });
});

test('nothing is written or removed through a symbolic link', { tags: 'attack' }, async () => {
  const out = temporaryFolder();
  const outside = temporaryFolder();
  put(outside, 'x.ts', 'mine');
  symlinkSync(outside, join(out, 'a'));
  expect(await writeGenerated(output({ 'a/x.ts': '1' }), { out })).toStrictEqual({
    ok: false,
    inTheWay: [{ path: 'a/x.ts', reason: 'symbolic link' }],
  });
  writeFileSync(
    join(out, MANIFEST_PATH),
    JSON.stringify({ tallystick: '1', contracts: {}, files: { 'a/x.ts': textHash('mine') } }),
  );
  await writeGenerated(output({ 'b.ts': '1' }), { out });
  expect(readFileSync(join(outside, 'x.ts'), 'utf8')).toBe('mine');
});

test('a manifest cannot make a run remove what is outside of its folder', { tags: 'attack' }, async () => {
  const parent = temporaryFolder();
  put(parent, 'mine.ts', 'mine');
  const out = join(parent, 'out');
  put(
    out,
    MANIFEST_PATH,
    JSON.stringify({
      tallystick: '1',
      contracts: {},
      files: { '../mine.ts': textHash('mine'), '/etc/hostname': 'x' },
    }),
  );
  await writeGenerated(output({ 'a.ts': '1' }), { out });
  expect(readFileSync(join(parent, 'mine.ts'), 'utf8')).toBe('mine');
});

test.each([
  '../x.ts',
  '/x.ts',
  'a/../../x.ts',
  'C:\\x.ts',
  'a\\x.ts',
  'a//x.ts',
  '',
  '.',
  'a/.',
  'con.ts',
  'a/NUL',
  'x.',
  'x\0.ts',
  '.tallystick.partial/x.ts',
])('the path %j is refused', { tags: 'attack' }, async (path) => {
  await expect(writeGenerated([{ path, text: '' }], { out: temporaryFolder() })).rejects.toThrow(
    'not a path inside',
  );
});

test('two files that differ by case only are refused: some disks hold one of them', async () => {
  await expect(
    writeGenerated(output({ 'a/X.ts': '1', 'A/x.ts': '2' }), { out: temporaryFolder() }),
  ).rejects.toThrow('differ by more than case');
});

test('a folder in the place of a file stops the run', async () => {
  const out = temporaryFolder();
  put(out, 'a.ts/mine.txt', 'mine');
  expect(await writeGenerated(output({ 'a.ts': '1' }), { out })).toMatchObject({
    ok: false,
    inTheWay: [{ path: 'a.ts' }],
  });
});
