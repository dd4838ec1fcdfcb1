/**
 * `npm run release -- --check` checks whether this checkout can be released: clean tree, version, changelog,
 * the content of the tarball and the origin of each of its files, links of the packed README. It changes
 * nothing. A person publishes the release.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { packageRoot } from '../../contract/index.ts';
import { linksOf } from '../../test/docs/links.ts';
import { releaseProblems, type ReleaseFacts } from './checks.ts';

const unknown = process.argv.slice(2).filter((argument) => argument !== '--check');
if (unknown.length > 0) {
  console.error(`✖ unknown: ${unknown.join(' ')}. Usage: npm run release -- --check`);
  process.exitCode = 2;
} else {
  const facts = readFacts();
  const problems = releaseProblems(facts);
  for (const problem of problems) console.error(`✖ ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else
    console.log(
      `✔ ${facts.version} can be released: ${String(facts.packed.length)} files\n${steps(facts.version)}`,
    );
}

// --- internal ---

function steps(version: string): string {
  return [
    'What is left to a person:',
    '  .ci/run                    every test',
    '  npm run licences           licences and ages of the dependencies',
    `  git tag v${version}`,
    `  npm pack                   tallystick-${version}.tgz`,
  ].join('\n');
}

interface Manifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

function readFacts(): ReleaseFacts {
  const { version, bin, exports } = JSON.parse(read('package.json')) as Manifest;
  const locked = JSON.parse(read('package-lock.json')) as { readonly version: string };
  const [{ files = [] } = {}] = JSON.parse(run('npm', 'pack', '--dry-run', '--ignore-scripts', '--json')) as {
    readonly files?: readonly { readonly path: string }[];
  }[];
  const readme = read('README.md');
  const here = lines(run('git', 'tag', '--points-at', 'HEAD'));
  return {
    changes: lines(run('git', 'status', '--porcelain')),
    version,
    lockedVersion: locked.version,
    changelog: read('CHANGELOG.md'),
    otherTags: lines(run('git', 'tag')).filter((tag) => !here.includes(tag)),
    packed: files.map(({ path }) => path),
    tracked: run('git', 'ls-files', '-z').split('\0'),
    promised: [
      ...Object.values(bin),
      ...Object.values(exports).flatMap((target) =>
        typeof target === 'string' ? [target] : Object.values(target),
      ),
    ].map((path) => posix.normalize(path)),
    links: linksOf(readme).map((link) => posix.normalize(link)),
    printedVersions: [...readme.matchAll(/tallystick-(\d+\.\d+\.\d+)\.tgz|shows="(\d+\.\d+\.\d+)"/g)].map(
      ([, packed, shown]) => packed ?? shown ?? '',
    ),
    today: new Date().toISOString().slice(0, 10),
  };
}

function read(path: string): string {
  return readFileSync(join(packageRoot(), path), 'utf8');
}

function run(program: string, ...parameters: readonly string[]): string {
  return execFileSync(program, parameters, {
    cwd: packageRoot(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 2 ** 20,
  });
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
