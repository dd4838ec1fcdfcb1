import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { isGone, isSuccess } from '../../exchanges/exchange.ts';
import type { Check, RequestPlan, RequestPlans, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { requiredValues } from '../document/input.ts';
import { serialisedParameters } from '../document/serialised-parameters.ts';
import type { Facts, OperationFacts } from './facts.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** The address in `Location` is requested if it belongs to the server. */
export function addressOf({ api }: Facts<Resource>, things: Things): RequestPlans {
  const read = things.operation('read');
  const { operation: _, ...plan } = read === undefined ? {} : api.plan(read, { times: 2 });
  return read === undefined
    ? {}
    : { address: { ...(plan as RequestPlan), target: '{address}', fromOrigin: true } };
}

/** The resource in the `Location` of a creation exists, and is the created one (RFC 9110, sections 10.2.2 and 15.3.2). */
export async function* judgeAddress(
  facts: OperationFacts<Resource>,
  name: 'created' | 'upsert',
  session: Session,
  { things, thing: { id, values, made } }: { readonly things: Things; readonly thing: Thing },
): AsyncGenerator<Check> {
  const location = made.header('location');
  if (location === undefined) return;
  const { target, headers } = made.request;
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? 'localhost';
  const own = new URL(target, `http://${host}`);
  const named = URL.canParse(location, own.href) ? new URL(location, own) : undefined;
  // Behind a gateway a server may use another name for itself.
  if (named === undefined || named.host !== own.host) return;
  const list = things.operation('list');
  if (list !== undefined && named.pathname === own.pathname && list.path === facts.operation.path)
    yield* facts.judge(
      name,
      made,
      false,
      `the address of ${String(id)} in Location`,
      `${location}, that of the list`,
    );
  const read = things.operation('read');
  const { headers: needed = [] } =
    read === undefined ? {} : serialisedParameters(read, requiredValues(facts.api, read, session, values));
  const seen = await session.send('address', {
    headers: needed,
    fill: { address: `${named.pathname}${named.search}` },
  });
  yield* facts.judge(
    name,
    [made, seen],
    !isGone(seen),
    `a resource at the address ${location}, which Location names`,
    sketchAnswer(seen),
  );
  // The address may also be that of something else, such as the progress of the creation.
  const shown =
    isSuccess(seen) && isPathOf(read, named.pathname) ? things.idIn(things.shownIn(seen)) : undefined;
  if (shown !== undefined)
    yield* facts.judge(
      name,
      [made, seen],
      String(shown) === String(id),
      `${String(id)} at the address ${location}, which Location names`,
      String(shown),
    );
}

// --- internal ---

/** Whether a path ends like that of an operation; a server can be below a path. */
function isPathOf(operation: Operation | undefined, path: string): boolean {
  if (operation === undefined) return false;
  const wanted = operation.path.split('/').slice(1);
  const segments = path.split('/').slice(-wanted.length);
  return (
    segments.length === wanted.length &&
    wanted.every((part, index) => part === segments[index] || /^\{[^}]*\}$/.test(part))
  );
}
