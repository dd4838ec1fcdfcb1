import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pictures } from './pictures.ts';
import { fileOf, THEMES } from './take.ts';

/** The faults of the pictures in `docs/images`, one per line. Their content is not compared. */
export function pictureMisfits(root: string): readonly string[] {
  const folder = join(root, 'docs/images');
  const wanted = pictures.flatMap(({ name }) => THEMES.map((theme) => fileOf(name, theme)));
  const there = readdirSync(folder);
  const pages = pagesOf(root);
  return [
    ...wanted.filter((file) => !there.includes(file)).map((file) => `${file} is missing`),
    ...there.filter((file) => !wanted.includes(file)).map((file) => `${file} is not taken by any command`),
    ...wanted.filter((file) => !pages.includes(`images/${file}`)).map((file) => `no page shows ${file}`),
    ...there
      .filter((file) => !isPicture(readFileSync(join(folder, file))))
      .map((file) => `${file} is no WebP`),
  ];
}

/** Whether these bytes are a WebP. */
export function isPicture(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
}

// --- internal ---

/** The text of the README and of all guides. */
function pagesOf(root: string): string {
  const guides = readdirSync(join(root, 'docs/guides')).filter((name) => name.endsWith('.md'));
  const files = ['README.md', ...guides.map((name) => `docs/guides/${name}`)];
  return files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
}
