import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { packageRoot } from '../../contract/index.ts';
import { fetchedGenerators, type Fetched } from './fetched.ts';
import { runProgram } from './measure.ts';
import { alone, compared, kilobytes, megabytes, type Row } from './rows.ts';
import { bin, document } from './subjects.ts';

/** How much code is generated, how much of it a browser loads, and how large the inspector is. */
export async function sizes(scratch: string): Promise<readonly Row[]> {
  const peers = fetchedGenerators();
  const inspector = filesOf(join(packageRoot(), 'dist/inspector')).filter((file) =>
    /\.(?:js|css)$/.test(file),
  );
  return [
    ...(peers === undefined
      ? [{ what: 'generated code', who: '', measured: 'skipped: other generators could not be fetched' }]
      : [
          ...(await bundleRows(peers, join(scratch, 'bundles'))),
          ...(await largeRows(peers, join(scratch, 'large'))),
        ]),
    alone(
      'inspector, js and css, gzip',
      kilobytes(inspector.reduce((total, file) => total + gzipSync(readFileSync(file)).length, 0)),
      { bar: '60 kB' },
    ),
  ];
}

// --- internal ---

/** What a browser loads for a page that lists models, and does nothing else. */
async function bundleRows({ heyApi, orval, openapiFetch }: Fetched, out: string): Promise<readonly Row[]> {
  const within = (name: string): string => join(out, name);
  await runProgram([bin, 'generate', document, '--out', within('tallystick')]);
  await runProgram(heyApi(document, within('hey-api')));
  await runProgram(orval(document, within('orval')));
  const bundle = (source: string): Promise<number> => bundleBytes(source, out);
  const ours = await bundle(
    "import { connect, listModels } from './tallystick/router/index.ts'; export const list = () => listModels(connect({ baseUrl: '/' }));",
  );
  const theirs = [
    ['orval', "import { listModels } from './orval/client.ts'; export const list = () => listModels();"],
    [
      'openapi-fetch',
      `import createClient from '${openapiFetch}'; export const list = () => createClient({ baseUrl: '/' }).GET('/v1/models');`,
    ],
    [
      'hey-api',
      "import { listModels } from './hey-api/index.ts'; export const list = () => listModels({ baseUrl: '/' });",
    ],
  ] as const;
  const peers = [];
  for (const [name, source] of theirs) peers.push({ name, figure: await bundle(source) });
  const [first, ...others] = compared('one call in a browser, minified and gzip', ours, peers, kilobytes);
  return [{ ...(first as Row), bar: '4 kB', aim: '3 kB' }, ...others];
}

async function bundleBytes(source: string, resolveDir: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0]?.text ?? '', { level: 9 }).length;
}

/** How much is written for GitHub's document, and how much of it the guards are, which the index does not load. */
async function largeRows({ large, heyApi }: Fetched, out: string): Promise<readonly Row[]> {
  await runProgram([bin, 'generate', large, '--out', join(out, 'tallystick')]);
  await runProgram(heyApi(large, join(out, 'hey-api')));
  const ours = filesOf(join(out, 'tallystick'));
  const all = sizeOf(ours);
  const guards = sizeOf(ours.filter((file) => /\/validators(?:\.|\/)/.test(file)));
  const theirs = sizeOf(filesOf(join(out, 'hey-api')));
  const what = "code written for GitHub's document";
  const [first, ...others] = compared(what, all, [{ name: 'hey-api, no guards', figure: theirs }], megabytes);
  return [
    {
      ...(first as Row),
      measured: `${megabytes(all)}, of them guards ${((guards / all) * 100).toFixed(0)} %`,
      bar: 'guards a third, none in the index',
    },
    ...others,
  ];
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((total, file) => total + statSync(file).size, 0);
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
