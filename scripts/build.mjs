// Builds dist/ from the TypeScript sources. Plain JavaScript, because it runs before anything is built.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as buildCode } from 'esbuild';
import { build } from 'vite';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

// Built beside dist/ and moved in at the end: a failed build keeps the previous dist/, and a partial build is
// never used.
const next = `dist.${process.pid}`;
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
try {
  const declarations = ['--emitDeclarationOnly', '--outDir', next];
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', ...declarations], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The sources do not compile.');
  await bundle(next);
  // Our own specs are read now, so that the mock need not read YAML when it starts.
  const contract = pathToFileURL(`${process.cwd()}/${next}/contract/`).href;
  const { parseText } = await import(`${contract}text/parse.js`);
  const { buildSpec } = await import(`${contract}built-specs.js`);
  for (const name of readdirSync('specs').filter((file) => /\.(openapi|behaviour)\.yaml$/.test(file))) {
    const file = `specs/${name}`;
    const text = readFileSync(file, 'utf8');
    const parsed = parseText(file, text);
    if (!parsed.ok) throw new Error(`${file} cannot be read.`);
    buildSpec(file, text, parsed, contract);
  }
  // Validators of schemas that never change are compiled now, for every command that reads a document.
  const { buildValidators } = await import(`${contract}built-validators.js`);
  await buildValidators(contract);
  // So are the templates of the generator.
  const { buildTemplates } = await import(`${contract}../generator/built-templates.js`);
  const { templateHelpers } = await import(`${contract}../generator/render.js`);
  buildTemplates('templates', templateHelpers, contract);
  // The inspector is a page: a few static files that the mock serves.
  const inspector = fileURLToPath(new URL('../mock/inspector/vite.config.js', import.meta.url));
  const outDir = `${process.cwd()}/${next}/inspector`;
  await build({ configFile: inspector, logLevel: 'warn', build: { outDir } });
  chmodSync(`${next}/cli/bin.cjs`, 0o755);
  const previous = `${next}.old`;
  if (existsSync('dist')) renameSync('dist', previous);
  renameSync(next, 'dist');
  rmSync(previous, { recursive: true, force: true });
} catch (error) {
  console.error(`✖ ${error instanceof Error ? error.message : String(error)}\n  dist/ is as it was.`);
  process.exitCode = 1;
} finally {
  rmSync(next, { recursive: true, force: true });
}

/**
 * Puts the modules into a few files: Node spends more time on finding and reading a thousand of them than on running
 * them. What package.json exports keeps its path; what several of these need is in `chunks/`.
 */
async function bundle(outdir) {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const exported = Object.values(exports)
    .flatMap((entry) => (typeof entry === 'string' ? [] : [entry.browser, entry.default]))
    .filter((path) => path !== undefined)
    .map((path) => path.replace(/^\.\/dist\/(.*)\.js$/, '$1.ts'));
  const common = { outdir, outbase: '.', platform: 'node', target: 'node20.19', logLevel: 'warning' };
  await buildCode({
    ...common,
    // Those of the last two lines are for the build itself.
    entryPoints: [
      ...exported,
      'cli/main.ts',
      // The thread of the judge, which is no import of another module.
      'proxy/judging/worker.ts',
      ...['text/parse', 'built-specs', 'built-validators'].map((name) => `contract/${name}.ts`),
      ...['built-templates', 'render'].map((name) => `generator/${name}.ts`),
    ],
    ...{
      bundle: true,
      splitting: true,
      format: 'esm',
      packages: 'external',
      chunkNames: 'chunks/[name]-[hash]',
    },
  });
  await buildCode({
    ...common,
    entryPoints: ['cli/bin.cts', 'cli/start.cts'],
    ...{ format: 'cjs', outExtension: { '.js': '.cjs' } },
  });
}
