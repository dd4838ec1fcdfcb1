import { fixtureLine } from '../target/fixtures-shape.ts';
import type { Fixtures } from '../target/fixtures.ts';
import type { RequestPlan } from '../scenarios/scenario.ts';
import type { Gap } from '../verdicts/verdict.ts';

/**
 * Why a request is withheld: it may change what the run did not make, and the fixtures do not name its operation.
 * `undefined` if it may be sent. Also a call without a usable credential is
 * withheld: a faulty server may accept it.
 */
export function withheldGap(
  fixtures: NamingFixtures,
  { operation, effect }: Pick<RequestPlan, 'operation' | 'effect'>,
): Gap | undefined {
  if (operation === undefined || effect?.kind !== 'unclear' || isNamedWrite(fixtures, operation))
    return undefined;
  const line = fixtureLine(needOfWrite(operation));
  return {
    verdict: 'not-exercised',
    reason: `${operation} is withheld, because a run changes only what it made: ${effect.why}. List it in "writes" of the fixtures if it may be called`,
    missing: needOfWrite(operation),
    ...(line === undefined ? {} : { fixtureLine: line }),
  };
}

/** The members of fixtures that can name an operation. */
export type NamingFixtures = Pick<Fixtures, 'writes' | 'bodies' | 'parameters' | 'occasions'>;

/** What the fixtures lack for an operation that is withheld. */
export function needOfWrite(operation: string): string {
  return `writes.${operation}`;
}

/**
 * Whether the fixtures name an operation: in their list, by a body or an occasion for it, or by a value for one of its
 * parameters.
 */
export function isNamedWrite(
  { writes = [], bodies = {}, parameters = {}, occasions = {} }: NamingFixtures,
  operation: string,
): boolean {
  return (
    writes.includes(operation) ||
    Object.hasOwn(bodies, operation) ||
    Object.hasOwn(occasions, operation) ||
    Object.keys(parameters).some((key) => key.startsWith(`${operation}.`))
  );
}
