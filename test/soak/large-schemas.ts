/**
 * Schemas as large as documents have them, and larger: `npm run soak -- large-schemas`. Each document is generated, checked and
 * compiled by TypeScript with every strictness, and its guards are asked about values beside a plain judge and ajv. Each
 * takes a process of its own, so that its memory can be told. Exit 1 where the compiler complains or a verdict differs.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { loadContract } from '../../contract/index.ts';
import { generate } from '../../generator/index.ts';
import { chain, samples, single, web } from '../generator/large-schemas.ts';
import { isRight } from '../schema-suite/plain-judge.ts';
import { valuesNear } from '../schema-suite/random-schemas.ts';
import { writeSection } from './page.ts';
import { strictest } from '../strictest.ts';

const documents: Readonly<Record<string, () => Record<string, object>>> = {
  '10,000 schemas that refer to each other': () => web(10_000),
  'a chain of 1,500': () => chain(1500),
  'anyOf of 300 objects': () => ({ Any: single['Any'] ?? {}, Looking: single['Looking'] ?? {} }),
  '2,000 flat properties': () => ({ Flat: single['Flat'] ?? {} }),
};

/** Figures of one document. */
interface Tried {
  readonly generateSeconds: number;
  readonly generateMegabytes: number;
  readonly guardsMegabytes: number;
  readonly compileSeconds: number;
  readonly compileMegabytes: number;
  readonly complaints: readonly string[];
  readonly values: number;
  readonly right: number;
  /** Values of which a guard does not say what the plain judge says, and what ajv says. */
  readonly differing: number;
  readonly differingFromAjv: number;
}

const { values: options } = parseArgs({ options: { document: { type: 'string' } }, strict: false });
if (typeof options.document === 'string')
  process.stdout.write(JSON.stringify(await tried(documents[options.document]?.() ?? {})));
else {
  const rows: string[][] = [
    [
      ...[
        'document',
        'generated in',
        'memory',
        'guards',
        'compiled in',
        'memory',
        'complaints',
        'values',
        'right',
      ],
      ...['other verdicts than the plain judge', 'than ajv'],
    ],
  ];
  for (const name of Object.keys(documents)) {
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(import.meta.url), '--document', name],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    );
    if (status !== 0) throw new Error(`${name}: status ${String(status)}`);
    const found = JSON.parse(stdout) as Tried;
    for (const complaint of found.complaints.slice(0, 5)) process.stdout.write(`✖ ${complaint}\n`);
    if (found.complaints.length + found.differing + found.differingFromAjv > 0) process.exitCode = 1;
    const [seconds, megabytes] = [(n: number) => `${n.toFixed(1)} s`, (n: number) => `${n.toFixed(1)} MB`];
    rows.push([
      ...[name, seconds(found.generateSeconds), megabytes(found.generateMegabytes)],
      ...[megabytes(found.guardsMegabytes), seconds(found.compileSeconds), megabytes(found.compileMegabytes)],
      ...[found.complaints.length, found.values, found.right, found.differing, found.differingFromAjv].map(
        String,
      ),
    ]);
  }
  process.stdout.write(`${writeSection('large-schemas', rows)}\n`);
}

async function tried(schemas: Record<string, object>): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-large-schemas-'));
  try {
    const document = {
      ...{ openapi: '3.1.0', info: { title: 'Large', version: '1' }, paths: {} },
      components: { schemas },
    };
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
    const before = process.cpuUsage();
    const loaded = await loadContract({ document: 'openapi.json', cwd: folder, name: 'large' });
    if (!loaded.ok) throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
    const files = await generate([loaded.contract]);
    const { user, system } = process.cpuUsage(before);
    const generated = {
      generateSeconds: (user + system) / 1e6,
      generateMegabytes: process.resourceUsage().maxRSS / 1024,
      guardsMegabytes: (files.find(({ path }) => path === 'large/validators.ts')?.text.length ?? 0) / 1e6,
    };
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const compiled = compile(folder);
    const module = (await import(
      pathToFileURL(join(folder, 'out', 'large', 'validators.js')).href
    )) as Record<string, (value: unknown) => boolean>;
    return { ...generated, ...compiled, ...(await judged(document, schemas, module)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compile(folder: string): Pick<Tried, 'compileSeconds' | 'compileMegabytes' | 'complaints'> {
  const compilerOptions = {
    ...strictest,
    ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [], module: 'nodenext' },
    ...{ allowUnreachableCode: false, allowUnusedLabels: false, outDir: 'out', rootDir: '.' },
  };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['large', 'runtime'] }),
  );
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  // Of a child no other figures are to be had than those that it gives itself.
  const usage = `process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    console.log('CPU: ' + (userCPUTime + systemCPUTime) / 1e6 + '\\nMemory: ' + maxRSS / 1024);
  });`;
  const { stdout } = spawnSync(
    process.execPath,
    [
      '--max-old-space-size=3072',
      '--import',
      `data:text/javascript,${encodeURIComponent(usage)}`,
      tsc,
      '-p',
      folder,
    ],
    { encoding: 'utf8' },
  );
  const figure = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1]);
  return {
    compileSeconds: figure('CPU'),
    compileMegabytes: figure('Memory'),
    complaints: stdout.split('\n').filter((line) => line.includes('error TS')),
  };
}

async function judged(
  document: object,
  schemas: Record<string, object>,
  module: Readonly<Record<string, (value: unknown) => boolean>>,
): Promise<Pick<Tried, 'values' | 'right' | 'differing' | 'differingFromAjv'>> {
  const names = Object.keys(schemas);
  const step = Math.ceil(names.length / 300);
  const asked = names
    .filter((_, index) => index % step === 0)
    .flatMap((name) =>
      [...samples, ...valuesNear(document, schemas[name], 40, name)].map((value) => ({ name, value })),
    );
  const said = asked.map(({ name, value }) => module[`is${name}`]?.(value));
  const right = asked.map(({ name, value }) => isRight(document, schemas[name], value));
  const ajv = await ajvVerdicts(document, asked);
  return {
    values: asked.length,
    right: right.filter(Boolean).length,
    differing: said.filter((verdict, index) => verdict !== right[index]).length,
    differingFromAjv: said.filter((verdict, index) => verdict !== ajv[index]).length,
  };
}

/** ajv compiles what a schema refers to inside of its own compilation: a chain of them needs more stack than a thread has. */
async function ajvVerdicts(
  document: object,
  asked: readonly { readonly name: string; readonly value: unknown }[],
): Promise<readonly unknown[]> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { Ajv2020 } = require('ajv/dist/2020.js');
    const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, ownProperties: true });
    ajv.addSchema(workerData.document, 'document');
    const judges = new Map();
    parentPort.postMessage(workerData.asked.map(({ name, value }) => {
      const judge = judges.get(name) ?? ajv.compile({ $ref: 'document#/components/schemas/' + name });
      judges.set(name, judge);
      return judge(value);
    }));`;
  const worker = new Worker(code, {
    eval: true,
    workerData: { document, asked },
    resourceLimits: { stackSizeMb: 900, maxOldGenerationSizeMb: 3000 },
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
