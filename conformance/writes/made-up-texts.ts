import type { Contract } from '../../contract/model.ts';
import type { ApiSuite } from '../api-suite.ts';
import { parseJson } from '../exchanges/exchange.ts';
import { textsIn } from './known-ids.ts';

/**
 * Texts that the suite itself makes up for the bodies of calls: they are no secrets, also as a password, so that a script
 * that repeats a call needs none.
 */
export function madeUpTexts(
  contracts: readonly Pick<Contract, 'name' | 'operations'>[],
  suites: readonly Pick<ApiSuite, 'api' | 'writes'>[],
): readonly string[] {
  return contracts.flatMap(({ name, operations }) => {
    const writes = suites.find(({ api }) => api === name)?.writes;
    return operations.flatMap(({ id }) => textsIn(parseJson(writes?.bodyOf(id, {}) ?? 'null')));
  });
}
