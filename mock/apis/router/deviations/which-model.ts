import type { Answer } from '../../../call/answer.ts';
import type { Condition } from '../../../deviations/conditions.ts';
import type { DeviationView } from '../../../deviations/deviation.ts';

/** Which model a request names. */

/** Requests whose path ends with this model. */
export function model(id: string): Condition {
  return (_, seen) => pathId(seen) === id;
}

/** Models without a promised behaviour. Breaking these leaves the others correct for other rules. */
export function isOrdinary(answer: Answer, seen: DeviationView): boolean {
  return !isMagic(answer, seen) && isWellFormed(answer, seen);
}

export function isMagic(_: Answer, seen: DeviationView): boolean {
  return pathId(seen).startsWith('mock/');
}

/** Whether both segments of the path match their pattern. */
export function isWellFormed(_: Answer, seen: DeviationView): boolean {
  const id = pathId(seen);
  return /^[a-z0-9]+([._-][a-z0-9]+)*\/[a-z0-9]+([._-][a-z0-9]+)*$/.test(id) && id.length < 60;
}

// --- internal ---

/** The last segments of the raw path, which name the model for paths with a model. */
function pathId({ request }: DeviationView): string {
  const [, , provider, name] = request.segments;
  return provider === undefined || name === undefined ? '' : `${provider}/${name}`;
}
