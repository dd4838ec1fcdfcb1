import { admitThing } from '../contract/policies/capacity.ts';
import type { ServerCaller } from './handler.ts';
import type { Ports } from './ports.ts';
import { statedRefusal } from './refusal.ts';
import type { ReadyCall } from './versions.ts';

/**
 * Refuses a call that would create one thing too many. Only what keeps the things can count them: without a number from there,
 * the handler has to refuse.
 *
 * @throws {Refusal} as the sheet states
 */
export async function requireRoom<Caller extends ServerCaller>(
  { api, options }: Ports<Caller>,
  { course, input, call }: ReadyCall<Caller>,
): Promise<void> {
  const { capacity, id } = course.operation;
  const count = options.existing?.[id];
  // A call that collects an earlier result creates nothing.
  if (capacity?.things === undefined || count === undefined || call.collecting) return;
  if (admitThing(await count(input, call), capacity.things)) return;
  course.note({ policy: 'capacity', case: 'things' });
  throw statedRefusal(api, capacity, TOO_MANY_THINGS);
}

export const TOO_MANY_THINGS =
  'As many of these exist as may: send the request again when one of them is removed.';
