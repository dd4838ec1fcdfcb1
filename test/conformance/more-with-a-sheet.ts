import { isBroken } from '../../cli/conform/kills.ts';
import { judgeOf } from '../../cli/conform/self-test.ts';
import type { Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { draftText, proposalsOf } from '../../contract/draft/index.ts';
import { listDeviations } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';

/** How severe the findings are that a fault causes: nothing, warnings, or a fail. */
type Notice = 0 | 1 | 2;

export interface Noticed {
  readonly fault: string;
  /** By the document alone, with the drafted sheet, and with the full one. */
  readonly by: readonly Notice[];
}

/**
 * What is noticed of the faults of a contract's mock, by what says more and more.
 *
 * @param isChosen whether a fault is tried, by its place among all of them
 */
export async function noticesOf(
  contract: Contract,
  document: string,
  isChosen: (index: number) => boolean,
): Promise<readonly Noticed[]> {
  const alone = await own(contract.name, document);
  const drafted = await own(
    contract.name,
    document,
    draftText(alone, proposalsOf(alone), 'sheet.schema.json'),
  );
  const judges = [alone, drafted, contract].map((by) => judgeOf(contract, undefined, undefined, by));
  const honest = await each(judges, (judge) => judge([]));
  const faults = listDeviations([contract]).filter((_, index) => isChosen(index));
  return each(faults, async ({ id }) => {
    const by = await each(judges, async (judge, at) => noticeIn(await judge([id]), honest[at]));
    return { fault: id, by };
  });
}

/** The faults that a sheet hides: each has to be noticed at least as much as with less of it. */
export function hidden(found: readonly Noticed[]): readonly Noticed[] {
  return found.filter(({ by }) => by.some((notice, at) => notice < (by[at - 1] ?? 0)));
}

// --- internal ---

function noticeIn(report: Report, honest: Report | undefined): Notice {
  const before = new Map(honest?.rules.map(({ id, verdict }) => [id, verdict]));
  const found = report.rules.filter((rule) => isBroken(rule) && before.get(rule.id) !== rule.verdict);
  return found.some(({ verdict }) => verdict === 'fail') ? 2 : found.length > 0 ? 1 : 0;
}

async function each<Item, Made>(
  items: readonly Item[],
  make: (item: Item, at: number) => Promise<Made>,
): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (const [at, item] of items.entries()) made.push(await make(item, at));
  return made;
}
