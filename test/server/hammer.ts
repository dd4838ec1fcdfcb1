import { randomUUID } from 'node:crypto';
import { keys } from '../../examples/reference-server/accounts.ts';
import { pause } from '../until.ts';

export interface Hammered {
  /** Keys whose call was answered with a result, and how many of their sendings failed before. */
  readonly answered: readonly { readonly key: string; readonly failures: number }[];
  readonly replays: number;
  /** Keys whose recorded answer did not come back. */
  readonly lost: readonly string[];
  /** Errors of the server without a bucket. */
  readonly unnamed: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** Longer than the lease of a key whose replica died, because a retry meets that call until then. */
const PATIENCE_MS = 90_000;

/** Callers who send keyed runs, again where the contract says so, and again after the answer to see it replayed. */
export async function hammer(
  url: string,
  { ms, callers }: { readonly ms: number; readonly callers: number },
): Promise<Hammered> {
  const until = Date.now() + ms;
  const answered: { key: string; failures: number }[] = [];
  const lost: string[] = [];
  const statuses: Record<string, number> = {};
  let replays = 0;
  let unnamed = 0;

  const send = async (key: string): Promise<{ status: number; text: string; replayed: boolean }> => {
    try {
      const answer = await fetch(`${url}/v1/models/acme/picture-2.1`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': keys.main, 'Idempotency-Key': key },
        body: '{"prompt":"a tally stick"}',
      });
      const text = await answer.text();
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status >= 500 && answer.headers.get('x-service-error-type') === null) unnamed += 1;
      return { status: answer.status, text, replayed: answer.headers.get('idempotent-replayed') === 'true' };
    } catch {
      statuses['cut'] = (statuses['cut'] ?? 0) + 1;
      return { status: 0, text: '', replayed: false };
    }
  };
  /** Sends until there is a result; gives up only when nothing can be expected any more. */
  const persist = async (
    key: string,
  ): Promise<{ text: string; replayed: boolean; failures: number } | undefined> => {
    const patience = Date.now() + PATIENCE_MS;
    for (let failures = 0; Date.now() < patience; failures += 1) {
      const { status, text, replayed } = await send(key);
      if (status === 200) return { text, replayed, failures };
      await pause(100);
    }
    return undefined;
  };
  const caller = async (): Promise<void> => {
    while (Date.now() < until) {
      const key = randomUUID();
      const first = await persist(key);
      if (first === undefined) {
        lost.push(`${key} was never answered`);
        continue;
      }
      answered.push({ key, failures: first.failures });
      const second = await persist(key);
      if (second === undefined || second.text !== first.text || !second.replayed) lost.push(key);
      else replays += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { answered, replays, lost, unnamed, statuses };
}
