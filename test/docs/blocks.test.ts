import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../cli/command.ts';
import { blocksOf, pages, parseBlocks } from './blocks.ts';

const fence = '```';

test('a promise is read from what stands after the language', () => {
  const info = `sh exit=1 status=200,503 shows="a b" shows='"c":1' lacks=d writes="x y" background by-hand=why`;
  const [first, second] = parseBlocks(
    'page.md',
    `Text.\n\n${fence}${info}\ntrue\n${fence}\n\n${fence}ts\n// src/a.ts\nexport {};\n${fence}\n`,
  );
  expect(first).toStrictEqual({
    ...{ page: 'page.md', line: 3, language: 'sh', text: 'true\n' },
    promised: {
      ...{ exit: 1, status: [200, 503], shows: ['a b', '"c":1'], lacks: ['d'], writes: ['x', 'y'] },
      ...{ background: true, byHand: 'why' },
    },
  });
  expect(second).toMatchObject({ line: 7, language: 'ts', file: 'src/a.ts' });
});

test('a promise that cannot be read names page and line', () => {
  expect(() => parseBlocks('page.md', `${fence}sh contains=x\ntrue\n${fence}\n`)).toThrow(
    'page.md:1: "contains=x" after the language of a block means nothing',
  );
});

test.each(pages)('every command of %s says what it promises, so that it is tested', (page) => {
  const untested = blocksOf(page).filter(({ language, promised, text }) => {
    if (language !== 'sh' || promised.byHand !== undefined) return false;
    if (/\bcurl /.test(text) && promised.status.length === 0) return true;
    return promised.status.length + promised.shows.length + promised.writes.length === 0;
  });
  expect(untested).toEqual([]);
});

test.each(pages)('no command of %s hides in a block of plain text', (page) => {
  const hidden = blocksOf(page).filter(
    ({ language, text }) => language === 'text' && /^(?:npx|npm|node|curl|tallystick) /m.test(text),
  );
  expect(hidden).toEqual([]);
});

test.each(pages)('every block of code of %s says which file it is', (page) => {
  const nameless = blocksOf(page).filter(
    ({ language, file, promised }) =>
      !['sh', 'text'].includes(language) && file === undefined && promised.byHand === undefined,
  );
  expect(nameless).toEqual([]);
});

test.each([
  ['README.md', '.'],
  ['CONTRIBUTING.md', '.'],
  ['ARCHITECTURE.md', '.'],
  ['docs/stores.md', '.'],
  ['docs/soak.md', '.'],
  ['examples/reference-server/README.md', '.'],
  ['examples/generate-in-your-repo/README.md', 'examples/generate-in-your-repo/project'],
  ['examples/qa-live-run/README.md', 'examples/qa-live-run/project'],
  ['examples/your-own-api/README.md', 'examples/your-own-api/project'],
  ['examples/frontend-with-mock/README.md', 'examples/frontend-with-mock/project'],
  ['examples/query-hooks/README.md', 'examples/query-hooks/project'],
  ['examples/standard-schema/README.md', 'examples/standard-schema/project'],
  ['examples/servers/README.md', 'examples/servers/project'],
])('%s names only scripts that package.json of %s has', (page, folder) => {
  const { scripts } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    scripts: object;
  };
  const text = readFileSync(join(root, page), 'utf8');
  const named = [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  expect(named).not.toEqual([]);
});

/** Without `--`, npx takes the name of the program as the value of `--no`. */
test('npx never runs the package without `--`', () => {
  const wrong = /npx --no (?!-- )/;
  const folders = [
    'docs',
    'specs',
    'examples',
    'templates',
    'generated',
    'cli',
    'mock',
    'conformance',
    'generator',
  ];
  const files = [
    ...readdirSync(root).filter((name) => name.endsWith('.md')),
    ...folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    ),
  ].filter((name) => /\.(?:md|ts|tsx|hbs|ya?ml|json)$/.test(name) && !name.includes('node_modules'));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((name) => wrong.test(readFileSync(join(root, name), 'utf8')))).toEqual([]);
});
