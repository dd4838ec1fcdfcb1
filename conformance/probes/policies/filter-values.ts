import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Parameter } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertyAt } from '../../../contract/schemas/schema-parts.ts';
import { at, isObject, isSuccess } from '../../exchanges/exchange.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import { sketch } from '../../exchanges/sketch.ts';
import { isScalar } from '../own-api.ts';
import type { OwnApi, Values } from '../own-api.ts';
import type { Facts, OperationFacts } from './facts.ts';
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
  const { shown, others } = otherNamedValues(facts, things, { parameter, name }, known);
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

/** A filter with a value that the list accepts, and the member by which it selects things. */
export interface FilterValue {
  readonly parameter: string;
  readonly name: string;
  readonly value: string | number | boolean;
}

/** The filters of a list, each with the value that a thing shows. */
export function filterValuesOf(
  { api, policy }: Facts<PolicyOf<'resource'>>,
  things: Things,
  shown: unknown,
): readonly FilterValue[] {
  const list = things.operation('list');
  return Object.entries(policy.filters ?? {})
    .slice(0, MOST_FILTERS)
    .flatMap(([parameter, name]) => {
      const value = at(shown, name);
      const declared = list?.parameters.find((one) => one.in === 'query' && one.name === parameter);
      const isTaken = isScalar(value) && declared !== undefined && api.misfits(declared, value).length === 0;
      return isTaken ? [{ parameter, name, value }] : [];
    });
}

/** The parameters of a list with these filters. */
export function sentFilters(conditions: readonly FilterValue[]): Values {
  return Object.fromEntries(conditions.map(({ parameter, value }) => [parameter, value]));
}

/** Filters as they are sent, in words. */
export function saidOf(conditions: readonly FilterValue[]): string {
  return conditions.map(({ parameter, value }) => `${parameter}=${sketch(value, 40)}`).join(' and ');
}

/** The first member of an item that a filter does not select. */
export function unselected(item: unknown, conditions: readonly FilterValue[]): string | undefined {
  return conditions.find(({ name, value }) => isOther(at(item, name), value))?.name;
}

/**
 * Pages with one filter each, after something that a list may no longer have, or for someone who may not see it.
 *
 * @param judge receives the filters and the ids of their pages; lists that were refused are left out
 */
export async function* eachFiltered<Judged>(
  things: Things,
  session: Session,
  within: Values,
  { conditions, as }: { readonly conditions: readonly FilterValue[]; readonly as?: string },
  judge: (said: string, list: Awaited<ReturnType<typeof listThings>>) => Iterable<Judged>,
): AsyncGenerator<Judged> {
  for (const one of conditions) {
    const list = await listThings(things, session, within, {
      query: sentFilters([one]),
      mostPages: MOST_PAGES,
      ...(as === undefined ? {} : { as }),
    });
    if (list.pages.every(isSuccess)) yield* judge(saidOf([one]), list);
  }
}

/** How many filters of a list are tried. */
export const MOST_FILTERS = 4;

/** How many pages `eachFiltered` reads of each list. */
export const MOST_PAGES = 3;

/** Values of a filter that the document names for the member as well, without those that are known. */
export function otherNamedValues(
  facts: OperationFacts<PolicyOf<'resource'>>,
  things: Things,
  { parameter, name }: { readonly parameter: Parameter; readonly name: string },
  known: readonly unknown[],
): { readonly shown: readonly Json[]; readonly others: readonly Json[] } {
  const shown = propertyAt(itemSchema(facts, things), name, facts.api.root).flatMap((schema) =>
    namedValues(facts.api, schema),
  );
  const others = namedValues(facts.api, parameter.schema).filter(
    (value) =>
      shown.includes(value) && !known.includes(value) && facts.api.misfits(parameter, value).length === 0,
  );
  return { shown, others };
}

// --- internal ---

/** Whether a value is another one than a filter asks for; one of several values is enough. */
function isOther(shown: unknown, wanted: FilterValue['value']): boolean {
  if (shown === undefined) return false;
  return ![shown].flat().some((each) => String(each) === String(wanted));
}

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
