import type { ProbePlan } from '../plan.ts';
import { visible } from '../../contract/index.ts';
import { cut } from '../exchanges/sketch.ts';
import type { Gap } from '../verdicts/verdict.ts';
import { costWords, makeStyle, plural } from './style.ts';

/** Every request that a run would send, and how to enable further rules. */
export function renderPlan(
  plan: ProbePlan,
  options: { readonly colour?: boolean; readonly ascii?: boolean } = {},
): string {
  const style = makeStyle(options);
  const lines = [
    `  ${style.dim('target')}  ${style.bold(plan.baseUrl)}   identity: ${plan.identity}`,
    `  ${style.dim('plan')}    ${plural(plan.rulesOpen.length, 'rule')} can be tested, ${plan.rulesClosed.length} cannot; at most ${plural(plan.requestsAtMost, 'request')}, at most ${plan.billedAtMost} of them ${costWords(plan.isBilled)}`,
    '',
  ];
  let owner = '';
  for (const request of plan.requests) {
    if (request.for !== owner) {
      owner = request.for;
      const title = plan.scenarios.find(({ id }) => id === owner)?.title;
      lines.push(`  ${style.bold(owner)}${title === undefined ? '' : style.dim(`   ${title}`)}`);
    }
    const times = request.times === 1 ? '' : `  up to ${request.times} times`;
    const billed = request.mayBill ? `  ${style.caution(costWords(plan.isBilled))}` : '';
    const isOpen = request.credential?.sent === 'if-wanted' && request.as !== 'none';
    const caller = isOpen ? 'none, or ' : '';
    lines.push(
      `    ${request.method.padEnd(5)} ${request.target}  ${style.dim(`as ${caller}${request.as}${times}`)}${billed}`,
    );
    if (request.body !== undefined)
      lines.push(`          ${style.dim(`such as ${cut(visible(request.body), MOST_OF_BODY)}`)}`);
  }
  if (plan.withheld.length > 0)
    lines.push('', `  ${style.bold('withheld')}${style.dim('   a run changes only what it made')}`);
  for (const { request, reason, line } of plan.withheld)
    lines.push(`    ${request}: ${reason}   ${style.dim(line)}`);
  const unsearched = unsearchedLine(plan);
  if (unsearched !== undefined) lines.push('', `  ${unsearched}`);
  const groups = new Map<string, Gap[]>();
  for (const { gap } of plan.rulesClosed) groups.set(gap.reason, [...(groups.get(gap.reason) ?? []), gap]);
  if (groups.size > 0) lines.push('', `  ${style.bold('not tested')}`);
  for (const [reason, gaps] of [...groups].sort(([, a], [, b]) => b.length - a.length)) {
    const line = gaps[0]?.fixtureLine;
    lines.push(
      `    ${plural(gaps.length, 'rule')}: ${reason}${line === undefined ? '' : `   ${style.dim(line)}`}`,
    );
  }
  lines.push('', '  Nothing was sent.');
  return `${lines.join('\n')}\n`;
}

/** That random requests or a search, which the caller wants, send nothing for some APIs; `undefined` if that is not so. */
export function unsearchedLine({ unsearched }: Pick<ProbePlan, 'unsearched'>): string | undefined {
  const lines = unsearched.map(
    ({ option, apis }) => `${option} sends nothing for ${apis.join(', ')}: ${NEEDED[option]}`,
  );
  return lines.length === 0 ? undefined : lines.join('; ');
}

// --- internal ---

const NEEDED = {
  '--fuzz':
    'random requests need a description of those that break no rule, and only the built-in APIs have one',
  '--explore':
    'a search needs a model of the API, which a sheet gives with a resource that requests create and read',
} as const;

/** Characters of a body in a plan. */
const MOST_OF_BODY = 200;
