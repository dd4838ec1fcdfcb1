import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { canonical } from '../../../contract/canonical-json.ts';
import { at, isObject, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { bringsDownLimits } from '../../../contract/sheet/policy-rules.ts';
import type { Check } from '../../scenarios/scenario.ts';
import { sketch } from '../../exchanges/sketch.ts';
import { idMemberOf, idOf } from '../document/ids.ts';
import type { OwnApi } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';

export type PagedPolicy = PolicyOf<'pagination'> | PolicyOf<'numbered-pages'>;

/** The parameters for the page after this one; `undefined` if this is the last page, or if the next one has no address. */
export function nextPlace(
  policy: PagedPolicy,
  seen: Exchange,
  so: { readonly pages: number; readonly items: number },
): Readonly<Record<string, Json>> | undefined {
  const { more, next } = namesOf(policy);
  if (more !== undefined && at(seen.json, more) !== true) return undefined;
  if (policy.kind === 'pagination') {
    const cursor =
      (next === undefined ? undefined : at(seen.json, next)) ?? linkedCursor(seen, policy.cursorParameter);
    return typeof cursor === 'string' && cursor !== '' ? { [policy.cursorParameter]: cursor } : undefined;
  }
  const { pageParameter, offsetParameter, firstPage = 1 } = policy;
  if (pageParameter !== undefined) return { [pageParameter]: firstPage + so.pages };
  return offsetParameter === undefined ? undefined : { [offsetParameter]: so.items };
}

/** The items of a page: a member of the body, or the whole body. */
export function itemsOf({ json }: Exchange, policy: PagedPolicy): readonly unknown[] | undefined {
  const { items } = namesOf(policy);
  const list = items === undefined ? json : at(json, items);
  return Array.isArray(list) ? (list as unknown[]) : undefined;
}

/** What distinguishes the items of a list: the id that the sheet names, else a usual one, or all of their content. */
export function keyReader(api: OwnApi, operation: Operation): (item: unknown) => string {
  const member = idMemberOf(api, operation)?.member;
  return (item) => {
    const own = member === undefined ? undefined : at(item, member);
    const id = own ?? (isObject(item) ? idOf(item, 'id') : undefined);
    return canonical(id ?? item) ?? '';
  };
}

/** The query of the address of the next page (RFC 8288, section 3). */
export function linkedQuery(seen: Exchange): URLSearchParams | undefined {
  const [, target] = /<([^<>]*)>\s*(?:;[^,<]*)?;\s*rel="?next\b/i.exec(seen.header('link') ?? '') ?? [];
  if (target === undefined || !URL.canParse(target, 'http://localhost')) return undefined;
  return new URL(target, 'http://localhost').searchParams;
}

export function namesOf({ page }: PagedPolicy): Names {
  return page ?? {};
}

/** Whether the document allows a limit, or the sheet says that the server brings it down. */
export function takesLimit(
  {
    api,
    operation,
    policy,
  }: { readonly api: OwnApi; readonly operation: Operation; readonly policy: PagedPolicy },
  limit: number,
): boolean {
  const declared = operation.parameters.find(({ name }) => name === policy.limitParameter);
  const isBroughtDown = limit > policy.maximumLimit && bringsDownLimits(api.contract, operation);
  return declared === undefined || isBroughtDown || api.misfits(declared, limit).length === 0;
}

/** A page of cursors has a cursor exactly if it says that there is more. */
export function* judgeEnd(facts: OperationFacts<PagedPolicy>, seen: Exchange): Generator<Check> {
  const { more: moreName, next: nextName } = namesOf(facts.policy);
  if (moreName === undefined || nextName === undefined || !isSuccess(seen)) return;
  const [more, next] = [at(seen.json, moreName), at(seen.json, nextName)];
  const isTold =
    more === true
      ? typeof next === 'string' && next !== ''
      : more === false && (next === undefined || next === null);
  const expected = `${nextName} exactly where ${moreName} is true`;
  yield* facts.judge('more', seen, isTold, expected, told(seen, facts.policy));
}

/** A page in words, for reports. */
export function told(seen: Exchange, policy: PagedPolicy): string {
  const names = namesOf(policy);
  const count = itemsOf(seen, policy)?.length;
  const list = count === undefined ? `no list ${names.items ?? ''}`.trim() : `${count} items`;
  const members = [names.limit, names.more, names.next].flatMap((name) =>
    name === undefined ? [] : [`${name} ${sketch(at(seen.json, name), 40)}`],
  );
  return `${seen.status} with ${[list, ...members].join(', ')}`;
}

// --- internal ---

interface Names {
  readonly items?: string | undefined;
  readonly more?: string | undefined;
  readonly limit?: string | undefined;
  readonly next?: string | undefined;
  readonly place?: string | undefined;
}

/** The cursor in the address of the next page. */
function linkedCursor(seen: Exchange, parameter: string): string | null | undefined {
  return linkedQuery(seen)?.get(parameter);
}
