import type { ProbePlan } from '../conformance/index.ts';
import { table } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** A plan for a person: every request that a run would send, then what stays closed and what would open it. */
export function planLines(plan: ProbePlan, { paint }: Pick<Terminal, 'paint'>): string[] {
  const requests = plan.requests.map(({ method, target, as, times, mayBill, for: owner }) => [
    `${times}x`,
    method,
    target,
    `as ${as}`,
    mayBill ? 'may bill' : '',
    owner,
  ]);
  const byReason = new Map<string, string[]>();
  for (const { rule, gap } of plan.rulesClosed) {
    byReason.set(gap.reason, [...(byReason.get(gap.reason) ?? []), rule]);
  }
  const lines = [
    `target  ${plan.baseUrl}   identity: ${plan.identity}`,
    `plan    ${plan.rulesOpen.length} rules open, ${plan.rulesClosed.length} closed; nothing is sent`,
    `        ${plan.requestsAtMost} requests at most, ${plan.billedAtMost} of them might be billed by a broken server`,
    '',
    ...table([['', 'method', 'target', 'credential', '', 'for'], ...requests]),
  ];
  if (byReason.size > 0) lines.push('', paint('bold', 'closed'));
  for (const [reason, rules] of byReason)
    lines.push(`  ${reason}: ${rules.length} rules, such as ${rules[0] ?? ''}`);
  const fixtures = plan.missing.filter(({ line }) => line !== undefined);
  if (fixtures.length > 0) lines.push('', paint('bold', 'lines for the fixtures file that would open rules'));
  for (const { line, rules } of fixtures) lines.push(`  ${line ?? ''}   ${rules.length} rules`);
  return lines;
}
