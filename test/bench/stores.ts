/**
 * What a store adds to a keyed call, how it grows with keys and replicas, and what a record takes:
 * `npm run bench:stores [-- most keys] [memory|valkey|postgres] [--write]`. Prints Markdown; with `--write` it also goes between the marks of
 * docs/stores.md.
 */
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { commandLine, mistaken } from '../command-line.ts';
import { load, type Loaded } from './store-load.ts';
import { inMemory, onPostgres, onValkey } from './store-subjects.ts';

const stores = ['memory', 'valkey', 'postgres'];
const { values, positionals: given } = commandLine(import.meta.url, {
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = given.find((word) => !/^\d+$/.test(word) && !stores.includes(word));
if (unknown !== undefined)
  mistaken(import.meta.url, `There is no '${unknown}': expected a number, ${stores.join(', ')}`);
const most = Number(given.find((each) => /^\d+$/.test(each)) ?? 1_000_000);
const sizes = [10_000, 100_000, 1_000_000].filter((size) => size <= most);
/** How long each load lasts at most, and how many calls it makes. */
const ENOUGH = { ms: 4_000, most: 8_000 };
const TOGETHER = 24;

const lines: string[] = [];
const say = (...more: readonly string[]): void => {
  lines.push(...more);
  process.stdout.write(`${more.join('\n')}\n`);
};
const round = (value: number): string => Math.round(value).toLocaleString('en');

/** Median and ninety-ninth percentile, as cells of a table. */
function cells(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right);
  return [0.5, 0.99]
    .map((share) => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)} ms`)
    .join(' | ');
}

/** Of loads that ran beside each other, what each made. */
const perSecond = (loads: readonly Loaded[]): string =>
  round(loads.reduce((sum, { times, seconds }) => sum + times.length / seconds, 0));

/** Replicas in processes of their own, which share the calls that run at once. */
async function replicated(url: string, count: number): Promise<readonly Loaded[]> {
  const program = fileURLToPath(new URL('store-replica.ts', import.meta.url));
  const replicas = await Promise.all(
    Array.from({ length: count }, async () => {
      const replica = fork(program, [url], { execArgv: ['--import', 'tsx'] });
      await new Promise((resolve) => replica.once('message', resolve));
      return replica;
    }),
  );
  const loads = replicas.map((replica, index) => {
    const answer = new Promise<Loaded>((resolve, reject) => {
      replica.once('message', (message) => {
        resolve(message as Loaded);
      });
      replica.once('exit', () => {
        reject(new Error('a replica ended before its answer'));
      });
    });
    replica.send({ name: `${String(count)} ${String(index)}`, together: TOGETHER / count, ...ENOUGH });
    return answer;
  });
  return Promise.all(loads);
}

const busy = loadavg()[0] ?? 0;
say(
  `Node ${process.version}, ${String(availableParallelism())} cores, the engines on the same machine and disk, answers of 330 bytes. Load of the machine before: ${busy.toFixed(1)}.`,
  '',
  '| store | keys before | one at a time: p50 | p99 | 24 at once: p50 | p99 | calls a second | bytes a record |',
  '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
);
const rows: string[] = [];
const asides: string[] = [];
for (const [word, open] of Object.entries({ memory: inMemory, valkey: onValkey, postgres: onPostgres })) {
  if (given.some((each) => /^[a-z]/.test(each)) && !given.includes(word)) continue;
  const subject = await open();
  const { name, store, url } = subject;
  await load(store, { name: 'warm', together: 8, ...ENOUGH, most: 500 });
  let [keys, bytes, filled] = [0, 0, 0];
  for (const size of sizes) {
    const before = await subject.bytes();
    if (size > keys) {
      await subject.fill(filled, filled + size - keys);
      bytes = ((await subject.bytes()) - before) / (size - keys);
      filled += size - keys;
      keys = size;
    }
    const alone = await load(store, { name: `alone ${String(size)}`, together: 1, ...ENOUGH });
    const many = await load(store, { name: `many ${String(size)}`, together: TOGETHER, ...ENOUGH });
    keys += alone.times.length + many.times.length;
    say(
      `| ${name} | ${round(size)} | ${cells(alone.times)} | ${cells(many.times)} | ${perSecond([many])} | ${round(bytes)} |`,
    );
    const aside = await subject.aside?.();
    if (aside !== undefined) asides.push(`- ${name}, ${round(size)} keys: ${aside}.`);
  }
  for (const count of url === undefined ? [] : [1, 2, 3]) {
    const loads = await replicated(url ?? '', count);
    const times = loads.flatMap((each) => each.times);
    rows.push(`| ${name} | ${String(count)} | ${cells(times)} | ${perSecond(loads)} |`);
  }
  await subject.close();
}
say(
  '',
  `With one, two and three replicas, each a process, ${String(TOGETHER)} calls at once in all, ${round(sizes.at(-1) ?? 0)} keys before:`,
  '',
  '| store | replicas | p50 | p99 | calls a second |',
  '| --- | ---: | ---: | ---: | ---: |',
  ...rows,
  '',
  ...asides,
);
if (values.write) {
  const page = fileURLToPath(new URL('../../docs/stores.md', import.meta.url));
  const [head = '', tail] = readFileSync(page, 'utf8').split(
    /(?<=<!-- measured -->)[^]*?(?=<!-- \/measured -->)/,
  );
  if (tail === undefined) throw new Error('docs/stores.md has no marks for what is measured');
  const whole = `${head}\n\n${lines.join('\n')}\n\n${tail}`;
  writeFileSync(page, await format(whole, { ...(await resolveConfig(page)), filepath: page }));
}
