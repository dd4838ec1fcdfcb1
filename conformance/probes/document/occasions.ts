import { isRecord } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import type { Session } from '../../scenarios/scenario.ts';
import type { Fixtures, Occasion } from '../../target/fixtures.ts';
import { fixtureKeysOf } from './values.ts';

/**
 * What a fixture lets the suite provoke. `refused`: by the business behind the operation, with a request that the document
 * allows; `failing`: an error of the server; `limited`: 429; `unavailable`: 503; `missing`: what it names does not exist.
 */
export type OccasionName = 'slow' | 'refused' | 'failing' | 'limited' | 'unavailable' | 'missing';

/** The need of a scenario that one occasion of an operation opens, as a path in the fixtures file. */
export function occasionNeed({ id }: Operation, name: OccasionName): string {
  return `occasions.${id}.${name}`;
}

/** How the fixtures provoke an occasion; `bodies.<operationId>.slow` is another spelling of a slow one. */
export function occasionsOf(
  { occasions = {}, bodies = {} }: Fixtures,
  { id }: Operation,
  name: OccasionName,
): readonly Occasion[] {
  const given = Object.hasOwn(occasions, id) ? occasions[id]?.[name] : undefined;
  const own = [given ?? []].flat().filter((one) => isRecord(one));
  const body = Object.hasOwn(bodies, `${id}.${name}`) ? bodies[`${id}.${name}`] : undefined;
  return [...own.slice(0, MOST_OCCASIONS), ...(body === undefined ? [] : [{ body }])];
}

/** A session in which a call of the operation is one of that occasion. */
export function onOccasion<Of extends Pick<Session, 'fixtures'>>(
  session: Of,
  operation: Operation,
  { parameters, body }: Occasion,
): Of {
  const { fixtures } = session;
  const own = Object.entries(isRecord(parameters) ? parameters : {}).map(([name, value]) => [
    fixtureKeysOf(operation, name)[0],
    value,
  ]);
  return {
    ...session,
    fixtures: {
      ...fixtures,
      parameters: { ...fixtures.parameters, ...Object.fromEntries(own) },
      ...(body === undefined ? {} : { bodies: { ...fixtures.bodies, [operation.id]: body } }),
    },
  };
}

/** How many spellings of one occasion are tried. */
export const MOST_OCCASIONS = 3;
