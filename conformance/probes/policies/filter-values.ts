import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Parameter } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertyAt } from '../../../contract/schemas/schema-parts.ts';
import { at, isObject, isSuccess } from '../../exchanges/exchange.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import { sketch } from '../../exchanges/sketch.ts';
import type { OwnApi, Values } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import { listThings } from './listed-things.ts';
import { itemSchema } from './resource-lists.ts';
import type { Things } from './things.ts';

/** How many values of a filter are tried that no thing of the suite has. */
export const MOST_OTHER_VALUES = 3;

/**
 * Asks for values of a filter that no thing of the suite has: a server that forgets the filter shows the things.
 * Only values that the document names for the member as well, because a filter may know words such as `all`.
 */
export async function* judgeOtherValues(
  facts: OperationFacts<PolicyOf<'resource'>>,
  {
    session,
    things,
    within,
    parameter,
    name,
    known,
  }: {
    readonly session: Session;
    readonly things: Things;
    readonly within: Values;
    readonly parameter: Parameter;
    readonly name: string;
    /** The values that the things of the suite have. */
    readonly known: readonly unknown[];
  },
): AsyncGenerator<Check> {
  const shown = propertyAt(itemSchema(facts, things), name, facts.api.root).flatMap((schema) =>
    namedValues(facts.api, schema),
  );
  const others = namedValues(facts.api, parameter.schema).filter(
    (value) =>
      shown.includes(value) && !known.includes(value) && facts.api.misfits(parameter, value).length === 0,
  );
  for (const value of others.slice(0, MOST_OTHER_VALUES)) {
    const { items, pages } = await listThings(things, session, within, {
      query: { [parameter.name]: value },
      mostPages: 1,
    });
    const [page] = pages;
    if (page === undefined || !isSuccess(page)) continue;
    const other = items.map((item) => at(item, name)).find((one) => isKnownOther(one, value, shown));
    yield* facts.judge(
      'filtered',
      page,
      other === undefined,
      `nothing whose ${name} is not ${sketch(value, 40)}, with ${parameter.name}=${sketch(value, 40)}`,
      `one whose ${name} is ${sketch(other, 40)}`,
    );
  }
}

// --- internal ---

/** The values that a schema names: an `enum`, or both booleans. */
function namedValues(api: OwnApi, schema: unknown): readonly Json[] {
  const described = followed(api.root, schema);
  if (!isObject(described)) return [];
  const { enum: values, type, items } = described;
  if (Array.isArray(values)) return (values as Json[]).filter((value) => value !== null);
  if ([type].flat().includes('boolean')) return [true, false];
  return [type].flat().includes('array') && items !== undefined ? namedValues(api, items) : [];
}

/** Whether a shown value is another one of those that the document names. */
function isKnownOther(shown: unknown, wanted: Json, named: readonly Json[]): boolean {
  const values = [shown].flat();
  return values.length > 0 && values.every((one) => one !== wanted && named.includes(one as Json));
}
