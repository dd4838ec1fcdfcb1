import { join } from 'node:path';
import { whyNotJudged } from '../../conformance/rule-set.ts';
import { loadOwnContract, ownContractNames, packageRoot } from '../../contract/index.ts';
import type { Kill } from './matrix.ts';

export const matrixFile = join(packageRoot(), 'docs', 'kill-matrix.md');

/** The page about a run of all deviations against the whole suite. */
export async function matrixDocument(kills: readonly Kill[]): Promise<string> {
  const sections = await Promise.all(ownContractNames.map((name) => section(name, kills)));
  const rules = new Set(kills.map(({ deviation }) => deviation.rule));
  return [
    '# Kill matrix',
    '',
    'How do we know that the suite notices anything? The mock can break each rule on purpose',
    '(`tallystick mock --deviate <rule>~<name>`). This page is what the whole suite said about each of these mocks: the',
    'broken rule fails (warns, where it is only inferred from the contract), and every other rule keeps the verdict that it',
    'has on the faithful mock, but for those that cannot help changing, each with the reason.',
    '',
    `${kills.length} deviations, ${rules.size} rules, ${kills.filter(({ killed }) => !killed).length} survivors.`,
    'Written by `npm run kill-matrix -- --full`.',
    '',
    ...sections,
  ].join('\n');
}

/** The cells of a row of the page, by which it can be found. */
export function rowOf({ deviation, setting, verdict, along }: Kill): readonly string[] {
  const [rule = '', variant = ''] = deviation.id.split('~');
  return [
    `\`${rule}\``,
    `\`${variant}\``,
    setting,
    verdict,
    along.map((one) => `\`${one.rule}\` ${one.verdict}: ${one.why}`).join('; ') || 'nothing',
  ];
}

// --- internal ---

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
    ...table(['rule', 'broken by', 'tried on', 'verdict', 'changes with it'], rows),
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
