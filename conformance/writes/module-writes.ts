import type { Exchange } from '../exchanges/exchange.ts';
import type { Identity, RequestPlan, SendOptions } from '../scenarios/scenario.ts';
import type { CallEffect } from './effect.ts';
import { filledTarget } from './made-thing.ts';
import type { ApiWrites, LedgerCall, Fill, MadeThing } from './made-thing.ts';

/** A call of a built-in API that makes or changes something, or shows what became of it. */
export interface ModuleCall {
  /** Its id in the document. */
  readonly operation: string;
  readonly method: string;
  /** As in the document. A prefix may come before it, such as that of a mount. */
  readonly path: string;
  readonly effect: CallEffect['kind'] & ('reads' | 'creates' | 'changes');
  /** The last segment of the address of what an answer with success shows to be made; `undefined` if it shows none. */
  readonly idMade?: (exchange: Exchange) => string | undefined;
}

/** How what an API makes is taken back: the operation that ends it, and the read that shows whether it has ended. */
export interface ModuleRemoval {
  readonly removes: { readonly method: string; readonly target: string; readonly as: Identity };
  /** Sent only if the removal is refused. */
  readonly shows: string;
}

/** What the requests of a built-in API make and change. Its plans name no operations: they are recognised by their paths. */
export function moduleWrites(
  api: string,
  calls: readonly ModuleCall[],
  parts: Pick<ApiWrites, 'given' | 'isOver' | 'mayExistAfter'> & { readonly removal?: ModuleRemoval },
): ApiWrites {
  const { removal, ...own } = parts;
  const known = calls.map((call) => ({ call, pattern: patternOf(call.path) }));
  const callOf = (plan: RequestPlan, fill: Fill): LedgerCall | undefined => {
    if (plan.operation !== undefined) return { plan, fill };
    const [path = ''] = filledTarget(plan.target, fill).split(/[?#]/);
    const found = known.find(({ call, pattern }) => call.method === plan.method && pattern.test(path));
    if (found === undefined) return undefined;
    const { operation, path: target, effect: kind } = found.call;
    return {
      plan: { ...plan, operation, target, effect: { kind } },
      fill: found.pattern.exec(path)?.groups ?? {},
    };
  };
  const removals = removal && removalsOf(removal);
  return {
    ...own,
    callOf,
    madeBy: ({ operation = '', as }, fill, exchange) => {
      const call = calls.find((one) => one.operation === operation);
      if (call?.effect !== 'creates') return [];
      const id = call.idMade?.(exchange);
      const thing = { api, operation, as, exchange: exchange.id };
      if (id === undefined || id === '') return [{ ...thing, addresses: [] }];
      const addresses = [`${filledTarget(call.path, fill, 'decoded')}/${id}`];
      return [{ ...thing, addresses, ...(removals === undefined ? {} : { removal: withId(removals, id) }) }];
    },
    isRemoval: ({ method, target }) =>
      removal?.removes.method === method && patternOf(removal.removes.target).test(target),
    removalsOf: (operation) =>
      calls.some((call) => call.operation === operation && call.effect === 'creates')
        ? Object.values(removals ?? {})
        : [],
    bodyOf: () => undefined,
    isDocumented: () => false,
  };
}

// --- internal ---

/** Matches the end of a path. */
function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/, '(?<$1>[^/]+)').replace(/\./g, '\\.'))
    .join('/');
  return new RegExp(`${source}$`);
}

type Removals = Readonly<Record<'plan' | 'shows', RequestPlan>>;

function removalsOf({ removes, shows }: ModuleRemoval): Removals {
  const plan: RequestPlan = { ...removes, times: 1 };
  return { plan, shows: { ...plan, method: 'GET', target: shows } };
}

function withId({ plan, shows }: Removals, id: string): NonNullable<MadeThing['removal']> {
  const options = (): SendOptions => ({ fill: { id: encodeURIComponent(id) } });
  return { plan, options, isDeletion: plan.method === 'DELETE', shows: { plan: shows, options } };
}
