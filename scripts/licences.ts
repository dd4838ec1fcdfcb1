/**
 * `npm run licences`: before a release, checks the licences of all installed packages against the list below,
 * and prints the age of each direct dependency. Queries the registry for the dates. Exit 1 for another
 * licence.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Licences that require no more than their notice, which each package contains. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { dependencies } = read('package.json') as { readonly dependencies: Readonly<Record<string, string>> };
const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> };

const shipped = Object.entries(packages)
  .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
  .map(([path, { version, license }]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    license: license ?? oldStyleLicense(path),
  }));
const refused = shipped.filter(({ license }) => !isAllowed(license));

console.log(`${String(shipped.length)} packages are installed with tallystick. Their licences:`);
for (const [license, count] of counted(shipped.map(({ license }) => license)))
  console.log(`  ${String(count).padStart(4)}  ${license}`);

console.log('\nDirect dependencies, the oldest first:');
const rows = Object.keys(dependencies).map((name) => {
  const version = packages[`node_modules/${name}`]?.version ?? '';
  const { time, latest } = registered(name);
  return { name, version, published: time[version] ?? '', latest, latestOn: time[latest] ?? '' };
});
for (const row of rows.sort((left, right) => left.published.localeCompare(right.published))) {
  const newer = row.latest === row.version ? '' : `   latest ${row.latest} of ${row.latestOn.slice(0, 10)}`;
  console.log(
    `  ${row.name.padEnd(28)} ${row.version.padEnd(10)} ${row.published.slice(0, 10)}  ${months(row.published).padStart(3)} months${newer}`,
  );
}

if (refused.length > 0) {
  const list = refused.map(({ name, version, license }) => `${name}@${String(version)} (${license})`);
  console.error(`\n✖ Licences that are not on the list in scripts/licences.ts: ${list.join(', ')}`);
  process.exitCode = 1;
}

/** Packages from before 2015 have a list of `licenses`, which npm does not copy into the lockfile. */
function oldStyleLicense(path: string): string {
  const { licenses } = read(`${path}/package.json`) as {
    readonly licenses?: readonly { readonly type: string }[];
  };
  return licenses?.map(({ type }) => type).join(' OR ') ?? 'none';
}

/** For `A OR B` one of them, for `A AND B` each. */
function isAllowed(license: string): boolean {
  const plain = license.replace(/[()]/g, '');
  return plain.split(' OR ').some((all) => all.split(' AND ').every((one) => allowed.has(one.trim())));
}

function counted(values: readonly string[]): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left);
}

function registered(name: string): {
  readonly time: Readonly<Record<string, string>>;
  readonly latest: string;
} {
  const told = execFileSync('npm', ['view', name, 'time', 'dist-tags', '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { time, 'dist-tags': tags } = JSON.parse(told) as {
    readonly time: Readonly<Record<string, string>>;
    readonly 'dist-tags': { readonly latest: string };
  };
  return { time, latest: tags.latest };
}

function months(date: string): string {
  return date === '' ? '?' : String(Math.floor((Date.now() - Date.parse(date)) / 2_629_800_000));
}
