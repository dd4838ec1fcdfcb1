import type { ServerObject } from '../model.ts';
import { joinPointer } from '../pointer.ts';
import type { ChangeCollector } from './change-collector.ts';

/** Compares the addresses of an API, or of one operation with addresses of its own. */
export function compareServers(
  ledger: ChangeCollector,
  old: { readonly servers: readonly ServerObject[] },
  next: { readonly servers: readonly ServerObject[] },
  { id, before, after }: { readonly id?: string; readonly before: string; readonly after: string },
): void {
  const whose = id === undefined ? 'the API' : id;
  const operations = id === undefined ? [] : [id];
  const places = { before: joinPointer(before, 'servers'), after: joinPointer(after, 'servers'), operations };
  const reason = 'the document does not say whether an address answers';
  const [had, has] = [byUrl(old.servers), byUrl(next.servers)];
  for (const [url, server] of had) {
    const found = has.get(url);
    if (found !== undefined) compareVariables(ledger, server, found, places);
    else
      ledger.add({
        ...{ kind: 'server-removed', callers: 'unknown', servers: 'unknown', reason },
        says: `${whose} is no longer declared to be served at ${url}`,
        ...places,
      });
  }
  for (const url of has.keys())
    if (!had.has(url))
      ledger.add({ kind: 'server-added', says: `${whose} is also served at ${url}`, ...places });
  const [first, second] = [old.servers[0]?.url, next.servers[0]?.url];
  if (first === undefined || second === undefined || first === second || !has.has(first)) return;
  const says = `a client of ${whose} calls ${second} where it is given no address, and called ${first}`;
  ledger.add({ kind: 'server-first', callers: 'unknown', says, reason, ...places });
}

// --- internal ---

function byUrl(servers: readonly ServerObject[]): ReadonlyMap<string, ServerObject> {
  return new Map(servers.map((server) => [server.url, server]));
}

function compareVariables(
  ledger: ChangeCollector,
  old: ServerObject,
  next: ServerObject,
  places: { readonly before: string; readonly after: string; readonly operations: readonly string[] },
): void {
  for (const before of old.variables) {
    const after = next.variables.find(({ name }) => name === before.name);
    if (after === undefined) continue;
    const gone = before.values.filter((value) => !after.values.includes(value));
    const isClosed = after.values.length > 0 && (before.values.length === 0 || gone.length > 0);
    const name = `the variable ${before.name} of ${old.url}`;
    if (isClosed) {
      const says =
        gone.length > 0
          ? `${name} no longer takes ${gone.join(', ')}`
          : `${name} takes only ${after.values.join(', ')}`;
      ledger.add({ kind: 'server-variable-changed', callers: 'code', says, ...places });
    }
    if (before.default === after.default) continue;
    const says = `${name} was ${before.default} by default and is ${after.default}`;
    const reason = 'the document does not say whether both addresses answer';
    ledger.add({ kind: 'server-variable-changed', callers: 'unknown', says, reason, ...places });
  }
}
