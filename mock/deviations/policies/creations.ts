import type { PolicyOf } from '../../../contract/index.ts';
import type { Contract } from '../../../contract/model.ts';
import { asStatus } from '../changes.ts';
import { status, when } from '../conditions.ts';
import { documented, type Ways } from './broken.ts';

/** A replacement is answered like a creation. */
export function creationWays(
  { operations }: Contract,
  { upsert: creates, operations: { replace } }: PolicyOf<'resource'>,
): Ways {
  const statuses = operations.find(({ id }) => id === replace)?.responses.map((one) => one.status) ?? [];
  // Otherwise the status does not tell a created thing from a replaced one.
  if (creates !== true || replace === undefined || !['200', '201'].every((one) => statuses.includes(one)))
    return {};
  return {
    'upsert~created-again': [
      { operations: [replace], onReply: when(status(200), asStatus(201)) },
      documented('the answer to a creation may have other headers', 'answer'),
    ],
  };
}
