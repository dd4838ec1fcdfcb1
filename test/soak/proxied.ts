/**
 * Whether `tallystick proxy` between the suite and a mock on real sockets changes a verdict, blames an innocent, or misses
 * what docs/kill-matrix.md says that it names: `npx tsx test/soak/proxied.ts [PARTS OF IDS…]`. Exit 1 for each of these.
 * Time is real here, so that nothing is tried that waits for minutes; a break that nothing else shows is tried again with calls that take seconds. With `--minutes=15` no deviation is begun later than that; with `--write` the table goes to docs/soak.md.
 */
import { readFileSync } from 'node:fs';
import { permissions, runConformance, type Permission, type Report } from '../../conformance/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { listDeviations, startMock } from '../../mock/index.ts';
import { startProxy } from '../../proxy/index.ts';
import { asFixtures } from '../kill-matrix/matrix.ts';
import { innocents } from '../kill-matrix/innocent-runs.ts';
import { matrixFile } from '../kill-matrix/matrix-document.ts';
import { settingFor, type Setting } from '../kill-matrix/settings.ts';
import { writeSection } from './page.ts';

const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const problems: string[] = [];
const say = (problem: string): void => {
  problems.push(problem);
  process.stdout.write(`${problem}\n`);
};

const rows = [['server', 'rules', 'verdicts that the proxy changed', 'rules that the proxy blames']];
for (const { name, setting } of parts.length === 0 ? innocents : []) {
  const direct = await judge(setting, [], false);
  const through = await judge(setting, [], true);
  const before = new Map(direct.suite.rules.map(({ id, verdict }) => [id, verdict]));
  const changed = through.suite.rules.filter(({ id, verdict }) => verdict !== before.get(id));
  const blamed = (through.proxy?.rules ?? []).filter(
    ({ verdict, level }) => level !== 'client' && (verdict === 'fail' || verdict === 'warn'),
  );
  for (const { id, verdict, observed = '', reason = '' } of changed)
    say(
      `${name}: ${id} is ${verdict}, without the proxy ${before.get(id) ?? 'missing'}: ${observed}${reason}`,
    );
  for (const { id, observed = '' } of blamed) say(`${name}: the proxy blames ${id}: ${observed}`);
  rows.push([name, String(direct.suite.rules.length), String(changed.length), String(blamed.length)]);
}

const named = listDeviations().filter(
  ({ id }) => isNamed(id) && (parts.length === 0 || parts.some((part) => id.includes(part))),
);
const count = { named: 0, missed: 0, tooSlow: 0 };
const minutes = Number(/^--minutes=(\d+)$/m.exec(process.argv.join('\n'))?.[1] ?? Number.POSITIVE_INFINITY);
const endsAt = Date.now() + minutes * 60_000;
for (const [at, { id, rule }] of named.entries()) {
  if (Date.now() > endsAt) break;
  if (process.stderr.isTTY) process.stderr.write(`\r  ${at + 1}/${named.length} ${id}\u001b[K`);
  const { setting } = settingFor({ id, rule });
  // The calls of one rule are usually enough.
  const first = await judge(setting, [id], true, [rule]);
  const second = isBroken(first.proxy, rule) ? first : await judge(setting, [id], true);
  // Some breaks show only in calls that take seconds.
  const { suite, proxy } = isBroken(second.proxy, rule)
    ? second
    : await judge(setting, [id], true, [rule], ['slow']);
  if (isBroken(proxy, rule)) count.named += 1;
  else if (verdictOn(suite, rule) === 'not-exercised') {
    count.tooSlow += 1;
    process.stdout.write(`${id}: the suite does not exercise the rule without long waits\n`);
  } else {
    count.missed += 1;
    say(`${id}: the proxy says ${verdictOn(proxy, rule)}, the suite ${verdictOn(suite, rule)}`);
  }
}
rows.push([
  `${count.named + count.missed + count.tooSlow} of the ${named.length} deviations that it names in process, each alone`,
  '',
  '',
  `named ${count.named}, missed ${count.missed}, too slow for real time ${count.tooSlow}`,
]);
process.stdout.write(`${writeSection('proxied', rows)}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

// --- internal ---

/** Whether the table of deviations says that the proxy names the broken rule. */
function isNamed(id: string): boolean {
  const [rule = '', variant = ''] = id.split('~');
  const row = readFileSync(matrixFile, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| \`${rule}\` | \`${variant}\` |`));
  if (row === undefined) throw new Error(`${id} is not in docs/kill-matrix.md`);
  return row.split(' | ').at(-2) === 'named';
}

function verdictOn(report: Report | undefined, rule: string): string {
  return report?.rules.find(({ id }) => id === rule)?.verdict ?? 'missing';
}

function isBroken(report: Report | undefined, rule: string): boolean {
  return ['fail', 'warn'].includes(verdictOn(report, rule));
}

/** One run of the suite, with all permissions but those to wait, unless they are among `more`. */
async function judge(
  setting: Setting,
  deviations: readonly string[],
  isProxied: boolean,
  rules?: readonly string[],
  more: readonly Permission[] = [],
): Promise<{ readonly suite: Report; readonly proxy: Report | undefined }> {
  const contracts = await Promise.all(setting.apis.map((api) => loadOwnContract(api)));
  const { publicUrl: _, ...given } = setting.mock ?? {};
  // Otherwise a call that waits for the deadline of the server takes ten minutes.
  const options = more.includes('slow') ? { deadlineMs: 5_000, ...given } : given;
  const mock = await startMock({ ...options, apis: setting.apis, deviations, port: 0, controlPort: false });
  const own = mock.fixtures() as Record<string, unknown>;
  const { mountPrefix = '' } = (own['job'] ?? {}) as { readonly mountPrefix?: string };
  const target = new URL(`${mock.url}${mountPrefix}`);
  const proxy = isProxied ? await startProxy({ target, contracts, controlPort: false }) : undefined;
  try {
    const baseUrl = proxy?.url ?? mock.url;
    const suite = await runConformance({
      contracts,
      baseUrl,
      fixtures: asFixtures({
        ...(setting.fixtures?.(own) ?? own),
        ...(mountPrefix === '' ? {} : { jobsBaseUrl: baseUrl + mountPrefix }),
      }),
      allow: permissions.filter(
        (permission) => more.includes(permission) || (permission !== 'slow' && permission !== 'long'),
      ),
      ...(rules === undefined ? {} : { rules }),
      seed: 1,
      explore: 0,
    });
    return { suite, proxy: await proxy?.stop() };
  } finally {
    await mock.stop();
  }
}
