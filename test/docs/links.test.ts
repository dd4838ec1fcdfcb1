import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { linksOf } from './links.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** All texts that people read. */
const pages = ['.', 'docs', 'specs', 'examples', 'generator', 'generated', 'templates', 'mock', 'conformance']
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  );

test.each(pages)('every link of %s leads to something', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  expect(linksOf(text).filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
});

test.each(pages)('no paragraph of %s is a heading, because a line of dashes follows it', (page) => {
  const text = readFileSync(join(root, page), 'utf8').replace(/^```.*?^```/gms, '');
  expect(text.match(/^[^\s|#-].*\n(?:-{2,}|={2,})$/gm) ?? []).toEqual([]);
});

test('the list of decisions has each of them', () => {
  const list = readFileSync(join(root, 'docs/adr/README.md'), 'utf8');
  const records = readdirSync(join(root, 'docs/adr')).filter((name) => /^\d{4}-/.test(name));
  expect(records.filter((name) => !list.includes(`(${name})`))).toEqual([]);
});
