import type { Command } from 'commander';
import { suggest, typed } from '../contract/index.ts';
import type { Contract, Rule, Unspecified } from '../contract/index.ts';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { CommandFailure } from './failure.ts';
import { loadCarried } from './contracts/own-contracts.ts';
import { table } from './terminal.ts';

const levels: Readonly<Record<Rule['level'], string>> = {
  must: 'must: breaking it fails the run',
  'must-not': 'must not: breaking it fails the run',
  should: 'should: inferred from the contract; breaking it is a warning',
  client: 'client: a rule for callers, tested on the generated client',
  info: 'info: recorded without a verdict',
};

export function explainCommand(context: Context): Command {
  return makeCommand('explain', context.terminal)
    .description('explain a rule or an assumption, with its source in the contract')
    .argument(
      '<id>',
      'a rule such as router.list.limit-clamped, an area such as router.list, or an assumption such as A-07',
    )
    .option('--json', 'print one JSON document')
    .action(async (id: string, options: { readonly json?: true }) => {
      const contracts = await loadCarried();
      const wanted = id.split('~')[0] ?? id;
      const rule = rulesOf(contracts).find((candidate) => candidate.id === wanted);
      const open = unspecifiedOf(contracts).find((candidate) => candidate.id === wanted);
      const area = rulesOf(contracts).filter((candidate) => candidate.id.startsWith(`${wanted}.`));
      const found = rule ?? open ?? (area.length > 0 ? { rules: area } : undefined);
      if (found === undefined) throw unknownId(wanted, contracts);
      if (options.json) context.terminal.result(JSON.stringify({ schemaVersion: 1, ...found }, undefined, 2));
      else if (rule !== undefined) await explainRule(rule, context);
      else if (open !== undefined) explainUnspecified(open, context);
      else
        for (const line of table(area.map(({ id: each, says }) => [each, says])))
          context.terminal.result(line);
    });
}

// --- internal ---

function rulesOf(contracts: readonly Contract[]): readonly Rule[] {
  return contracts.flatMap(({ sheet }) => sheet?.rules ?? []);
}

function unspecifiedOf(contracts: readonly Contract[]): readonly Unspecified[] {
  return contracts.flatMap(({ sheet }) => sheet?.unspecified ?? []);
}

function unknownId(id: string, contracts: readonly Contract[]): CommandFailure {
  const known = [...rulesOf(contracts), ...unspecifiedOf(contracts)].map((item) => item.id);
  const near = suggest(id, known);
  const listings = [...contracts.map(({ name }) => `explain ${name}`), 'assumptions'].map(typed);
  return new CommandFailure(
    2,
    `Unknown rule or assumption ${id}${near === undefined ? '' : `. Did you mean ${near}?`}`,
    listings.map((command, index) => `${index === 0 ? 'list all:' : '         '} ${command}`),
  );
}

async function explainRule(rule: Rule, { terminal }: Context): Promise<void> {
  const { listDeviations } = await import('../mock/index.ts');
  const { clientRules, whyNotJudged } = await import('../conformance/index.ts');
  const deviations = listDeviations().filter((deviation) => deviation.rule === rule.id);
  const { document, section, item } = rule.source;
  const rows: [string, string | undefined][] = [
    ['says', rule.says],
    ['level', levels[rule.level]],
    ['cites', `document ${document}, ${section}, ${item}`],
    ['operation', rule.operation],
    ['policy', rule.policy],
    ['needs', rule.needs.join(', ') || undefined],
    ['not tested', clientRules.includes(rule.id) ? undefined : whyNotJudged(rule)],
    ['broken by', deviations.map(({ id }) => typed(`mock --deviate ${id}`)).join(NEXT_LINE) || undefined],
    ['test it', howToTest(rule, { isClientRule: clientRules.includes(rule.id), whyNotJudged })],
  ];
  terminal.result(terminal.paint('bold', rule.id));
  for (const [name, text] of rows) if (text !== undefined) terminal.result(`  ${name.padEnd(11)}${text}`);
}

const NEXT_LINE = `\n${' '.repeat(13)}`;

function howToTest(
  rule: Rule,
  {
    isClientRule,
    whyNotJudged,
  }: { readonly isClientRule: boolean; readonly whyNotJudged: (rule: Rule) => string | undefined },
): string | undefined {
  if (isClientRule) return typed("mock --exec 'npm test' --judge-client");
  return whyNotJudged(rule) === undefined ? typed(`conform BASE_URL --rule ${rule.id}`) : undefined;
}

function explainUnspecified(open: Unspecified, { terminal }: Context): void {
  terminal.result(
    `${terminal.paint('bold', open.id)}  the contract leaves this open; conform never tests it`,
  );
  terminal.result(`  about      ${open.about}`);
  terminal.result(`  mock uses  ${JSON.stringify(open.mockUses)}`);
  const legal = open.canBe === undefined ? 'nothing else: it is fixed' : JSON.stringify(open.canBe);
  terminal.result(`  can be     ${legal}`);
}
