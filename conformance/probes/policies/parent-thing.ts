import type { Json, Operation } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { RequestPlans, Session } from '../../scenarios/scenario.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { thingsOf } from './things.ts';
import type { Things } from './things.ts';

/** The resource below which another one is. */
export interface Parent {
  readonly things: Things;
  readonly reader: Operation;
}

/** @param reader of the things below it */
export function parentOf(api: OwnApi, { path }: Pick<Operation, 'path'>): Parent | undefined {
  return resourcesOf(api.contract)
    .map((policy) => thingsOf(api, policy))
    .flatMap((things): readonly Parent[] => {
      const reader = things.operation('read');
      return reader !== undefined && path.startsWith(`${reader.path}/`) ? [{ things, reader }] : [];
    })
    .toSorted((one, other) => other.reader.path.length - one.reader.path.length)[0];
}

/** The requests of `callParent`, by one of its roles. */
export function plansOfParent(
  api: OwnApi,
  { things, reader }: Parent,
  role: 'patch' | 'delete',
): RequestPlans {
  const operation = things.operation(role);
  return operation === undefined ? {} : { [READ]: api.plan(reader), [nameOf(role)]: api.plan(operation) };
}

/** Changes or deletes a parent, by its version if it has one. */
export async function callParent(
  session: Session,
  { things, reader }: Parent,
  role: 'patch' | 'delete',
  values: Values,
  body?: Json,
): Promise<Exchange> {
  const seen = await things.send(session, READ, reader, values, {});
  const ifMatch = seen.header('etag') ?? null;
  return things.send(session, nameOf(role), things.operation(role) as Operation, values, { body, ifMatch });
}

// --- internal ---

const READ = 'read the parent';

function nameOf(role: string): string {
  return `${role} the parent`;
}
