import type { Exchange } from '../exchanges/exchange.ts';
import type { SendOptions, Session } from '../scenarios/scenario.ts';

/**
 * Makes calls whose first requests arrive at the same time. Each gets a session of its own, in which a first request waits for
 * those of the others.
 *
 * @returns what became of each call, in their order
 */
export async function sentAtOnce<Made>(
  session: Session,
  calls: readonly ((own: Session) => Promise<Made>)[],
): Promise<readonly PromiseSettledResult<Made>[]> {
  const waiting: { readonly name: string; readonly options: SendOptions; readonly at: number }[] = [];
  let left = calls.length;
  let release: () => void = () => undefined;
  const isReady = new Promise<void>((resolve) => (release = resolve));
  const arrive = (): void => {
    left -= 1;
    if (left === 0) release();
  };
  const sent = isReady.then(async () => {
    const seen = await session.together(waiting);
    return new Map(waiting.map(({ at }, index) => [at, seen[index] as Exchange]));
  });
  // The calls that wait for it reject; there may be no such call.
  sent.catch(() => undefined);
  return Promise.allSettled(
    calls.map(async (call, at) => {
      let isFirst = true;
      const send: Session['send'] = async (name, options = {}) => {
        if (!isFirst) return session.send(name, options);
        isFirst = false;
        waiting.push({ name, options, at });
        arrive();
        return (await sent).get(at) as Exchange;
      };
      try {
        return await call({ ...session, send });
      } finally {
        // A call that ended without a request holds up no other.
        if (isFirst) arrive();
      }
    }),
  );
}
