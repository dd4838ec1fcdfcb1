/**
 * `npm run docs` writes everything that is generated and takes seconds: docs/rules.md, docs/oasdiff.md,
 * docs/reference/ and generated/. Names pick pages, and `--long` adds those that take a run of minutes or
 * hours. `--check` writes nothing, and exits with 1 when something is out of date; of a long page it checks
 * only the parts that need no run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { main } from '../cli/main.ts';
import { packageRoot } from '../contract/index.ts';
import { illnesses } from '../test/conformance/sick/illnesses.ts';
import { pageMisfits } from '../test/conformance/sick/page.ts';
import { oasdiffPage } from '../test/contract/diff/oasdiff/page.ts';
import { matrixMisfits } from '../test/kill-matrix/matrix-document.ts';
import { schemaPage } from '../test/schema-suite/page.ts';
import { rulesDocument } from '../test/kill-matrix/rules-document.ts';
import { pictureMisfits } from './pictures/misfits.ts';
import { takePictures } from './pictures/take.ts';
import { referencePages } from './reference/pages.ts';

interface Page {
  readonly path: string;
  readonly isLong: boolean;
  /** @returns whether it worked */
  readonly write: () => boolean | Promise<boolean>;
  /** The outdated files, one per line. */
  readonly misfits: () => readonly string[] | Promise<readonly string[]>;
}

/** A file whose text is generated in this process. */
function written(
  path: string,
  text: () => string | Promise<string>,
  more: () => readonly string[] = () => [],
): Page {
  const file = join(packageRoot(), path);
  return {
    path,
    isLong: false,
    write: async () => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, await text());
      for (const line of more()) console.error(`✖ ${line}`);
      return more().length === 0;
    },
    misfits: async () => [
      ...(existsSync(file) && readFileSync(file, 'utf8') === (await text()) ? [] : ['it differs']),
      ...more(),
    ],
  };
}

const pages: Readonly<Record<string, Page>> = {
  rules: written('docs/rules.md', rulesDocument),
  oasdiff: written('docs/oasdiff.md', oasdiffPage),
  ...Object.fromEntries(
    referencePages.map(({ name, path, text, misfits }) => [name, written(path, text, misfits)]),
  ),
  generated: {
    path: 'generated/',
    isLong: false,
    write: async () => (await generate()).code === 0,
    misfits: async () => {
      const { code, said } = await generate('--check');
      return code === 0 ? [] : said.split('\n').filter((line) => line.trim() !== '');
    },
  },
  'json-schema': written('docs/json-schema.md', schemaPage),
  // They need a browser, and the inspector of `npm run build`.
  pictures: {
    path: 'docs/images/',
    isLong: true,
    write: async () => (await takePictures(join(packageRoot(), 'docs/images'))).length > 0,
    misfits: () => pictureMisfits(packageRoot()),
  },
  'kill-matrix': {
    path: 'docs/kill-matrix.md',
    isLong: true,
    write: () => script('test/kill-matrix/kill-matrix.ts', '--full'),
    misfits: () => matrixMisfits(),
  },
  'sick-servers': {
    path: 'docs/sick-servers.md',
    isLong: true,
    write: () => script('test/conformance/sick/sick-servers.ts'),
    misfits: () => pageMisfits(illnesses),
  },
  // The content of these two is known only after a run.
  soak: { path: 'docs/soak.md', isLong: true, write: () => script('test/soak/soak.ts'), misfits: () => [] },
  slips: {
    path: 'docs/slips.md',
    isLong: true,
    write: () => script('test/corpus/slips.ts'),
    misfits: () => [],
  },
  corpus: {
    path: 'docs/corpus.md',
    isLong: true,
    write: () => script('test/corpus/corpus.ts'),
    misfits: () => [],
  },
};

const MOST_LINES = 20;
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = [
  ...named.filter((name) => !Object.hasOwn(pages, name)),
  ...flags.filter((flag) => flag !== '--check' && flag !== '--long'),
];
if (unknown.length > 0) {
  console.error(
    `✖ unknown: ${unknown.join(', ')}. Pages: ${Object.keys(pages).join(', ')}. Flags: --check, --long`,
  );
  process.exitCode = 2;
} else {
  const isCheck = flags.includes('--check');
  for (const [name, page] of Object.entries(pages)) {
    const isWanted =
      named.length === 0 ? !page.isLong || flags.includes('--long') || isCheck : named.includes(name);
    if (isWanted) await (isCheck ? check(name, page) : write(name, page));
  }
}

// --- internal ---

async function write(name: string, page: Page): Promise<void> {
  if (await page.write()) console.log(`✔ ${page.path}`);
  else {
    console.error(`✖ ${page.path} was not written: see above (npm run docs -- ${name})`);
    process.exitCode = 1;
  }
}

async function check(name: string, { path, misfits }: Page): Promise<void> {
  const wrong = await misfits();
  if (wrong.length === 0) return;
  console.error(`✖ ${path} is out of date: npm run docs -- ${name}`);
  for (const line of wrong.slice(0, MOST_LINES)) console.error(`  ${line}`);
  if (wrong.length > MOST_LINES) console.error(`  and ${wrong.length - MOST_LINES} more`);
  process.exitCode = 1;
}

/** From the sources: nothing has to be built first. */
async function generate(
  ...more: readonly string[]
): Promise<{ readonly code: number; readonly said: string }> {
  let said = '';
  const stream = { write: (text: string) => (said += text) !== '' } as unknown as NodeJS.WritableStream;
  const code = await main(['generate', '--server', '--out', 'generated', ...more], {
    stdout: stream,
    stderr: stream,
    cwd: packageRoot(),
    environment: process.env,
    onSignal: () => () => undefined,
  });
  if (code !== 0 && more.length === 0) console.error(said);
  return { code, said };
}

function script(file: string, ...parameters: readonly string[]): boolean {
  const command = ['--import', 'tsx', file, ...parameters];
  return spawnSync(process.execPath, command, { cwd: packageRoot(), stdio: 'inherit' }).status === 0;
}
