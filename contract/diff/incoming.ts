import type { Incoming } from '../model.ts';
import type { ChangeCollector } from './change-collector.ts';
import { compareOperation } from './operations.ts';

/** Compares webhooks and callbacks, for which the server sends the request and a caller answers. */
export function compareIncoming(ledger: ChangeCollector): void {
  const [before, after] = [ledger.old, ledger.new].map(({ incoming }) => byName(incoming)) as [Named, Named];
  for (const [key, { kind, name, operation }] of before) {
    const found = after.get(key);
    if (found !== undefined) {
      compareOperation(ledger, { old: operation, new: found.operation, sender: 'servers' });
      continue;
    }
    const reason = 'the document does not say whether callers rely on it';
    ledger.add({
      ...{ kind: 'incoming-removed', callers: 'unknown', servers: 'code', reason },
      says: `the ${kind} ${name} is gone`,
      ...{ before: operation.pointer, after: kind === 'webhook' ? '/webhooks' : '/paths' },
    });
  }
  for (const [key, { kind, name, operation }] of after)
    if (!before.has(key))
      ledger.add({
        ...{ kind: 'incoming-added', servers: 'wire' },
        says: `the ${kind} ${name} is new`,
        ...{ before: kind === 'webhook' ? '/webhooks' : '/paths', after: operation.pointer },
      });
}

// --- internal ---

type Named = ReadonlyMap<string, Incoming>;

function byName(incoming: readonly Incoming[]): Named {
  const found = new Map<string, Incoming>();
  for (const each of incoming) {
    const { kind, name, operation } = each;
    // Several operations may have a callback with the same name.
    for (let count = 0; ; count += 1) {
      const key = [kind, name, operation.method, operation.path, count].join(' ');
      if (found.has(key)) continue;
      found.set(key, each);
      break;
    }
  }
  return found;
}
