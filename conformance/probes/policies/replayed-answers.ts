import type { Exchange } from '../../exchanges/exchange.ts';
import type { OwnApi } from '../own-api.ts';

/** Whether an answer is a replay: it is marked, or its key was used before if replays have no mark. */
export function replayReader(api: OwnApi): (seen: Exchange) => boolean {
  const policies = new Map(
    (api.contract.sheet?.policies ?? []).flatMap((policy) =>
      policy.kind === 'idempotency' && policy.mode === 'replay'
        ? policy.operations.map((operation) => [operation, policy] as const)
        : [],
    ),
  );
  const used = new Set<string>();
  return (seen) => {
    const policy = policies.get(seen.operation ?? '');
    if (policy === undefined) return false;
    const { replayHeader: mark, requestHeader } = policy;
    if (mark !== undefined) return seen.header(mark.name) === mark.value;
    const key = seen.request.headers.find(
      ([name]) => name.toLowerCase() === requestHeader.toLowerCase(),
    )?.[1];
    if (key === undefined) return false;
    const place = `${seen.operation ?? ''} ${key}`;
    const isUsed = used.has(place);
    used.add(place);
    return isUsed;
  };
}
