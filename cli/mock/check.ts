import { shownPlace } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { Context } from '../context.ts';

/**
 * Compiles every schema of the documents that a mock would serve, and reports those that cannot be used for
 * validation, with their places. Returns the exit code: 1 if there are any.
 */
export async function checkSchemas(
  contracts: readonly Contract[],
  { terminal }: Pick<Context, 'terminal'>,
): Promise<number> {
  const { bodiesOf } = await import('../../contract/judge/bodies.ts');
  const { say, sign } = terminal;
  let faults = 0;
  for (const contract of contracts) {
    const { file, locate } = contract.document;
    const found = bodiesOf(contract).unjudgeable();
    faults += found.length;
    for (const { pointer, reason } of found) {
      const place = locate(pointer);
      const where = place === undefined ? `${file}#${pointer}` : shownPlace(place);
      say(`${sign.bad} ${where}  the schema at ${pointer} cannot be used: ${reason}`);
    }
    const count = contract.operations.length;
    const all = `${file}: ${String(count)} ${count === 1 ? 'operation' : 'operations'}, every schema can be used`;
    if (found.length === 0) say(`${sign.good} ${all}`);
  }
  return faults === 0 ? 0 : 1;
}
