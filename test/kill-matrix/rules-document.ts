import { join } from 'node:path';
import { oracles, scenarios } from './suites.ts';
import { whyNotJudged } from '../../conformance/rule-set.ts';
import { loadOwnContract, ownContractNames, packageRoot } from '../../contract/index.ts';
import type { Rule } from '../../contract/index.ts';
import { listDeviations } from '../../mock/index.ts';

export const rulesFile = join(packageRoot(), 'docs', 'rules.md');

/** The text of docs/rules.md: `npm run docs` writes it, and a test says when it is out of date. */
export async function rulesDocument(): Promise<string> {
  const sections = await Promise.all(ownContractNames.map(section));
  return [
    '# Rules',
    '',
    'All rules of the behaviour sheets in `specs/`, in our own words. Each rule names its place in the contract, the scenarios',
    'that test it, and the deviations that break it. Written by `npm run docs`.',
    '',
    '- **mock** and **client**: who has to keep the rule: a server, a caller, or both.',
    '- **suite**: the scenarios of `conformance/` that judge it; an *oracle* looks at every exchange of a run.',
    '- **deviation**: the names after the `~` under which `tallystick mock --deviate <rule>~<name>` breaks it.',
    '',
    ...sections,
  ].join('\n');
}

// --- internal ---

async function section(api: (typeof ownContractNames)[number]): Promise<string> {
  const rules = (await loadOwnContract(api)).sheet?.rules ?? [];
  const rows = rules.map((rule) =>
    [
      `\`${rule.id}\` (${rule.level})`,
      rule.says,
      cites(rule),
      mock(rule),
      client(rule),
      suite(rule),
      deviation(rule),
    ].map(cell),
  );
  return [
    `## ${api}`,
    '',
    `${rules.length} rules, ${rules.filter((rule) => whyNotJudged(rule) === undefined).length} with a verdict on a live server.`,
    '',
    '| rule | says | cites | mock | client | suite | deviation |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n');
}

function cites({ source }: Rule): string {
  return `document ${source.document}, ${source.section}, ${source.item}`;
}

function mock({ audience, level, policy }: Rule): string {
  if (audience === 'client' || level === 'client') return 'a rule for callers';
  if (audience === 'document') return 'serves the document';
  if (level === 'info') return 'free to choose';
  return policy === undefined ? 'keeps it' : `keeps it, policy \`${policy}\``;
}

function client({ audience, level }: Rule): string {
  if (audience === 'client' || level === 'client') return 'keeps it';
  if (audience === 'both') return 'relies on it';
  return audience === 'document' ? 'is generated from the document' : 'a rule for servers';
}

function suite(rule: Rule): string {
  const judges = scenarios
    .filter((scenario) => scenario.judges.includes(rule.id))
    .map(({ id }) => `\`${id}\``);
  const watched = oracles.some((oracle) => oracle.judges.includes(rule.id)) ? ['oracle'] : [];
  const all = [...judges, ...watched];
  return all.length > 0 ? all.join(', ') : (whyNotJudged(rule) ?? 'no probe yet');
}

function deviation(rule: Rule): string {
  const variants = listDeviations().filter((one) => one.rule === rule.id);
  if (variants.length > 0) return variants.map(({ id }) => `\`${id.slice(id.indexOf('~') + 1)}\``).join(', ');
  return whyNotJudged(rule) === undefined ? 'none yet' : 'none: the rule has no verdict';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}
