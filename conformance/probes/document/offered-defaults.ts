import { isRecord } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { check } from '../../scenarios/check.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check } from '../../scenarios/scenario.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { refusesItself } from './server-errors.ts';
import { valueKey } from './value-key.ts';

/** The optional parameters that have a default: to send it is the same as to leave the parameter out. */
export function offeredDefaults(api: OwnApi, operation: Operation): readonly [string, Json][] {
  return operation.parameters
    .flatMap((parameter): [string, Json][] => {
      const schema = followed(api.root, parameter.schema);
      const value = isRecord(schema) ? (schema['default'] as Json | undefined) : undefined;
      const isSent = value !== undefined && value !== null && api.misfits(parameter, value).length === 0;
      return parameter.required || parameter.deprecated || parameter.in === 'cookie' || !isSent
        ? []
        : [[valueKey(operation, parameter), value]];
    })
    .slice(0, MOST_DEFAULTS);
}

/**
 * A call that succeeds without a parameter is not refused with the default of the parameter.
 *
 * @param send the same call with these values in addition
 */
export async function* judgeOfferedDefaults(
  rule: string,
  defaults: ReturnType<typeof offeredDefaults>,
  without: Exchange,
  send: (more: Values) => Promise<Exchange>,
): AsyncGenerator<Check> {
  // One by one only if they are refused together.
  if (defaults.length === 0 || !refusesItself((await send(Object.fromEntries(defaults))).status)) return;
  for (const [key, value] of defaults) {
    const seen = await send({ [key]: value });
    if (!refusesItself(seen.status)) continue;
    yield check(
      rule,
      [without, seen],
      false,
      `no refusal of ${key}=${String(value)}, which the document states as the default`,
      undefined,
      `${seen.status} for a default of the document`,
    );
  }
}

/** The number of defaults that are sent one by one. */
export const MOST_DEFAULTS = 8;
