import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oracles } from './suites.ts';
import { whyNotJudged } from '../../conformance/rule-set.ts';
import { loadOwnContract, ownContractNames, packageRoot } from '../../contract/index.ts';
import { listDeviations } from '../../mock/index.ts';
import type { Kill } from './matrix.ts';
import { settingFor } from './settings.ts';

export const matrixFile = join(packageRoot(), 'docs', 'kill-matrix.md');

/** The page about a run of all deviations against the whole suite. */
export async function matrixDocument(kills: readonly Kill[]): Promise<string> {
  const sections = await Promise.all(ownContractNames.map((name) => section(name, kills)));
  const rules = new Set(kills.map(({ deviation }) => deviation.rule));
  const count = (is: (kill: Kill) => boolean): number => kills.filter(is).length;
  return [
    '# Kill matrix',
    '',
    'This page shows that the suite detects broken rules. The mock can break each rule on purpose',
    '(`tallystick mock --deviate <rule>~<name>`), and the whole suite has judged each of these mocks. The broken rule must',
    'fail, or warn if it is only inferred from the contract. Every other rule must keep the verdict that it has on the',
    'faithful mock. The exceptions are listed, each with its reason.',
    '',
    'The last columns are about proxies, which see the same exchanges and send none: whether `tallystick proxy` names the',
    "broken rule, and whether Prism's proxy reports anything that it does not report on the faithful mock.",
    `Of these deviations, tallystick's names ${count(({ verdict, observed }) => observed === verdict)} and Prism's notices ${count(({ byPrism }) => byPrism === true)}.`,
    '',
    `${kills.length} deviations, ${rules.size} rules, ${count(({ killed }) => !killed)} survivors.`,
    'Written by `npm run kill-matrix -- --full`.',
    '',
    ...sections,
  ].join('\n');
}

/** The cells of a row of the page, by which it can be found. */
export function rowOf({ deviation, setting, verdict, along, observed, byPrism }: Kill): readonly string[] {
  const [rule = '', variant = ''] = deviation.id.split('~');
  return [
    `\`${rule}\``,
    `\`${variant}\``,
    setting,
    verdict,
    along.map((one) => `\`${one.rule}\` ${one.verdict}: ${one.why}`).join('; ') || 'nothing',
    observed === verdict ? 'named' : 'no',
    byPrism === true ? 'something' : 'no',
  ];
}

/**
 * What the page gets wrong, as far as the tables of deviations tell without a run: a line for each deviation that is
 * missing, that is there no longer, that is listed with another setting or other companions, or that survived.
 */
export function matrixMisfits(page = readFileSync(matrixFile, 'utf8')): readonly string[] {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(/ (?<!\\)\| /))
    .map((cells) => cells.map((cell) => cell.replaceAll('\\|', '|')))
    .filter((cells) => cells.length === 7);
  const listed = new Map<string, string>();
  const watched = new Set(oracles.flatMap(({ judges }) => judges));
  const misfits: string[] = [];
  for (const [rule, variant, setting = '', verdict = '', along = '', byProxy] of rows) {
    const id = [rule, variant].join('~').replaceAll('`', '');
    const companions = [...along.matchAll(/(?:^|; )`([\w.-]+)` /g)].map(([, name = '']) => name);
    listed.set(id, factsOf(setting, companions));
    if (verdict !== 'fail' && verdict !== 'warn') misfits.push(`${id} survived: ${verdict}`);
    const isMissed = watched.has(nameIn(rule)) && byProxy !== 'named';
    if (isMissed && UNSEEN[id] === undefined) misfits.push(`${id} is not named by the proxy`);
  }
  for (const deviation of listDeviations()) {
    const companions = deviation.alsoFails.flatMap(({ rule, bySearch }) => (bySearch === true ? [] : [rule]));
    const expected = factsOf(settingFor(deviation).name, companions);
    const found = listed.get(deviation.id);
    listed.delete(deviation.id);
    if (found === undefined) misfits.push(`${deviation.id} is missing`);
    else if (found !== expected) misfits.push(`${deviation.id} is listed ${found}, not ${expected}`);
  }
  return [...misfits, ...[...listed.keys()].map((id) => `${id} does not exist any more`)];
}

// --- internal ---

const REFUSED = 'a refusal may have another reason';

/** Deviations of rules that oracles judge, which passing traffic alone does not show. */
const UNSEEN: Readonly<Record<string, string>> = {
  'router.list.limit-honoured~serves-20': 'a short page may have been trimmed: a whole walk shows it',
  'router.list.limit-default~with-a-key': REFUSED,
  'router.list.limit-clamped~400': REFUSED,
  'router.list.limit-clamped-huge~500': REFUSED,
  'router.list.limit-clamped-huge~400': REFUSED,
  'router.list.limit-zero~400': REFUSED,
  'router.list.limit-negative~400': REFUSED,
  'router.schema.inm-miss~other-document': 'the tag in the 304 is the one that was asked for',
  'router.schema.304-no-body~document': 'by HTTP a 304 has no body, so that a proxy reads none',
  'router.idem.release-5xx~body-remembered': 'another call with the key may be on its way',
  'router.idem.release-429~beyond-the-spend-recorded': 'another call with the key may be on its way',
  'router.run.output-object~large-without-a-key': 'what is not JSON is judged where the output is known',
  'router.run.output-object~nothing-to-an-empty-one': 'what is not JSON is judged where the output is known',
  'router.auth.required~body-first': REFUSED,
  'registry.publish.201~no-chunks': REFUSED,
  'registry.publish.201~one-at-a-time': REFUSED,
  'registry.publish.version-unique~escaped-path': 'another spelling of a path is another path to a proxy',
  'registry.publish.node-version-required~500': REFUSED,
  'registry.publish.version-unique~unread-in-chunks':
    'an answer without a publication does not say that it is one',
  'registry.publish.node-required~403': REFUSED,
  'registry.publish.node-required~null-crashes': REFUSED,
  'registry.publish.wrong-types~403': REFUSED,
  'registry.publish.wrong-types~500': REFUSED,
  'jobs.submit.node-errors~no-details': 'whether a graph has errors of nodes is not in the exchange',
  'jobs.submit.201~no-chunks': REFUSED,
  'jobs.submit.201~nearly-used-key': REFUSED,
  'jobs.submit.201~key-of-refused-caller': REFUSED,
  'jobs.submit.201~on-one-line-only': REFUSED,
  'jobs.state.legal-path~never-running': 'a job may run for so short a time that no event tells of it',
  'jobs.state.legal-path~canceled-by-duplicate': 'another caller may have cancelled it',
  'jobs.urls.resolvable~events-nowhere': 'a 404 alone does not say where its address came from',
  'jobs.sse.snapshot-status~left-out': 'when an event came is not in the exchange',
  'jobs.sse.connect-terminal~stays-open': 'whether a stream ends is judged by who waits for it',
  'jobs.sse.connect-terminal~resumed-behind-the-end':
    'a stream without any event breaks the rule about its end, which is named',
};

function nameIn(cell = ''): string {
  return cell.replaceAll('`', '');
}

function factsOf(setting: string, companions: readonly string[]): string {
  return `on ${setting} with ${companions.length === 0 ? 'nothing' : [...companions].sort().join(', ')}`;
}

async function section(name: (typeof ownContractNames)[number], kills: readonly Kill[]): Promise<string> {
  const rules = (await loadOwnContract(name)).sheet?.rules ?? [];
  const ids = new Set(rules.map(({ id }) => id));
  const rows = kills.filter(({ deviation }) => ids.has(deviation.rule)).map(rowOf);
  const broken = new Set(kills.map(({ deviation }) => deviation.rule));
  const others = rules
    .filter(({ id }) => !broken.has(id))
    .map((rule) => [`\`${rule.id}\``, whyNotJudged(rule) ?? 'none yet']);
  return [
    `## ${name}`,
    '',
    ...table(
      ['rule', 'broken by', 'tried on', 'verdict', 'changes with it', 'our proxy', "Prism's proxy"],
      rows,
    ),
    '',
    'Rules that no deviation breaks:',
    '',
    ...table(['rule', 'because'], others),
    '',
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}
