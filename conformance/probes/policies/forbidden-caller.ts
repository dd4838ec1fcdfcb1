import { pagesPolicyOf } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { BrokenFixture } from '../../scenarios/scenario.ts';
import type { Scenario, SendOptions, Session } from '../../scenarios/scenario.ts';
import { isRead, pathParameters } from '../own-api.ts';
import type { Values } from '../own-api.ts';
import { kindsOf } from './accepted-credentials.ts';
import { withNewKey } from '../document/input.ts';
import type { Facts } from './facts.ts';
import type { HarmlessCall } from './harmless-calls.ts';
import { itemsOf, nextPlace } from './pages.ts';

/** A caller that is known and has no access, at the operations that declare that they refuse such a one. */
export function forbiddenScenarios(
  facts: Facts<PolicyOf<'credentials'>>,
  calls: readonly HarmlessCall[],
): readonly Scenario[] {
  // The fixture is a key where there are keys, and no credential at all for an operation that takes none.
  const kind = calls.some(({ operation }) => kindsOf(facts, operation).includes('apiKey')) ? 'apiKey' : 'jwt';
  const declared = calls.filter(
    ({ operation }) =>
      kindsOf(facts, operation).includes(kind) && operation.responses.some(({ status }) => status === '403'),
  );
  const reads = declared.filter(({ operation }) => isRead(operation));
  const writes = declared.filter(({ operation }) => !isRead(operation));
  return [
    ...scenarioOf(facts, reads, 'reads'),
    // One that is withheld must not hold up the others.
    ...writes.flatMap((one) => scenarioOf(facts, [one, ...reads.slice(0, 1)], one.operation.id)),
  ];
}

// --- internal ---

function scenarioOf(
  facts: Facts<PolicyOf<'credentials'>>,
  calls: readonly HarmlessCall[],
  of: string,
): readonly Scenario[] {
  if (calls.length === 0) return [];
  const lists = calls.filter(({ operation }) => pagesPolicyOf(operation) !== undefined);
  return facts.scenario(['forbidden'], {
    id: `credentials.forbidden.${of}`,
    title: `a caller without access, for ${of}`,
    permissions: calls.every(({ operation }) => isRead(operation)) ? [] : ['negatives', 'writes'],
    needs: ['cred.forbidden'],
    severalCases: facts.ids('forbidden'),
    uses: calls.flatMap(({ found }) => found ?? []),
    requests: Object.fromEntries(
      calls.flatMap((call) => {
        const { operation } = call;
        const plan = { as: 'forbidden', times: 2, isInvalid: true, judgesCredential: true } as const;
        return [
          [operation.id, facts.api.plan(operation, plan)] as const,
          ...(lists.includes(call) ? [[firstPage(operation), facts.api.plan(operation)] as const] : []),
          ...(isRead(operation)
            ? [[asBearer(operation), facts.api.plan(operation, { ...plan, as: 'unusable' })] as const]
            : []),
        ];
      }),
    ),
    async *run(session: Session) {
      const seen: (readonly [HarmlessCall, Exchange])[] = [];
      for (const call of calls) {
        const options = await call.forms[0]?.(session);
        if (options === undefined) continue;
        for (const sent of [options, withNewKey(call.operation, options, session)])
          if (sent !== undefined) seen.push([call, await session.send(call.operation.id, sent)]);
      }
      for (const call of lists) {
        const next = await laterPage(call, session);
        if (next !== undefined) seen.push([call, await session.send(call.operation.id, next)]);
      }
      const credential = bearerOf(facts, session);
      const refused = seen.filter(([{ operation }, { status }]) => isRead(operation) && status === 403);
      if (credential !== undefined)
        for (const call of new Set(refused.map(([one]) => one))) {
          const sent = await call.forms[0]?.(session);
          seen.push([call, await session.send(asBearer(call.operation), { ...sent, credential })]);
        }
      const open = seen.filter(([, exchange]) => isSuccess(exchange));
      if (open.length === seen.length)
        throw new BrokenFixture(
          'cred.forbidden',
          'it has access to all operations that were tried',
          seen.map(([, { id }]) => id),
        );
      for (const [{ operation }, exchange] of seen) {
        const { status } = exchange;
        // Some servers hide what a caller must not see, and some read a body first. No caller may make a server fail.
        const isHidden = status === 404 && pathParameters(operation).length > 0;
        const isOther = !isSuccess(exchange) && ![401, 403, 404, 500].includes(status);
        if (isHidden || isOther) continue;
        yield* facts.judge('forbidden', exchange, status === 403, '403 for a caller without access');
      }
    },
  });
}

function firstPage({ id }: Operation): string {
  return `${id}, the first page`;
}

function asBearer({ id }: Operation): string {
  return `${id}, the key as a bearer token`;
}

/** The key of the caller without access as a bearer token, if the server reads keys there. */
function bearerOf(
  { policy: { keyPrefix } }: Facts<PolicyOf<'credentials'>>,
  { fixtures: { cred, capabilities } }: Session,
): SendOptions['credential'] {
  const key = cred?.forbidden;
  const isTaken = capabilities?.keyAsBearer === true && keyPrefix !== undefined;
  return isTaken && key?.startsWith(keyPrefix) === true ? ['Authorization', `Bearer ${key}`] : undefined;
}

/** The request for the second page; `undefined` if there is none. */
async function laterPage(
  { operation, forms }: HarmlessCall,
  session: Session,
): Promise<SendOptions | undefined> {
  const pages = pagesPolicyOf(operation);
  const sent = await forms[0]?.(session);
  if (pages === undefined || sent === undefined) return undefined;
  const size = { [pages.limitParameter]: 1 };
  const first = await session.send(firstPage(operation), withQuery(sent, size));
  const items = itemsOf(first, pages)?.length ?? 0;
  const next = isSuccess(first) && items > 0 ? nextPlace(pages, first, { pages: 1, items }) : undefined;
  return next && withQuery(sent, { ...size, ...next });
}

function withQuery(sent: SendOptions, values: Values): SendOptions {
  const given = sent.fill?.['?query'] ?? '';
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const query = `${given === '' ? '?' : `${given}&`}${pairs.join('&')}`;
  return { ...sent, fill: { ...sent.fill, '?query': query } };
}
