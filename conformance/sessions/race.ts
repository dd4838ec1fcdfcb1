import type { Exchange } from '../exchanges/exchange.ts';
import { Hindered } from '../scenarios/scenario.ts';
import type { NamedRequest, RequestPlan, SendOptions } from '../scenarios/scenario.ts';
import type { RequestSender } from './request-sender.ts';
import { exchangeOnce } from './send.ts';

/** Sends several requests so that they arrive at the same time; none is repeated. */
export async function race(
  sender: RequestSender,
  requests: readonly NamedRequest[],
): Promise<readonly Exchange[]> {
  const { host } = sender;
  const racers = requests.map(({ name, options }) => ({ option: options, plan: sender.take(name) }));
  const tokens = await sender.ready(racers.map(({ plan }) => plan));
  const seen = await released(sender, racers);
  for (const [index, exchange] of seen.entries()) {
    const { plan } = racers[index] as Racer;
    if (await sender.isRenewedAfter(exchange, tokens[index]))
      throw new Hindered('the bearer token expired in the middle of simultaneous requests', [exchange.id]);
    await sender.examine(exchange, plan);
    const isLimit = plan.judgesRefusal !== true && host.stocks?.concernsOthers(plan, exchange) !== false;
    if (isLimit) host.waits.note(exchange, sender.clock.now());
    const isLost = exchange.fault !== undefined && exchange.fault !== 'dropped';
    if (isLost || host.health?.strangerIn(exchange) !== undefined)
      host.health?.giveUp(
        [exchange],
        sender.nameOf(plan),
        host.stocks?.isFull(plan, [exchange]) === true ? 'full' : undefined,
      );
  }
  return seen;
}

// --- internal ---

interface Racer {
  readonly option: SendOptions;
  readonly plan: RequestPlan;
}

/** Each connection is opened first; then all requests are written at once. */
async function released(sender: RequestSender, racers: readonly Racer[]): Promise<readonly Exchange[]> {
  const transport = sender.host.transportTo(sender.owner.api);
  const { prepare } = transport;
  let release: () => void = () => undefined;
  const start = new Promise<void>((resolve) => (release = resolve));
  const ready: Promise<unknown>[] = [];
  const running = racers.map(({ option, plan }) =>
    exchangeOnce(sender, plan, option, async (request) => {
      if (prepare === undefined) return transport(request);
      const prepared = prepare(request);
      ready.push(prepared.catch(() => undefined));
      const go = await prepared;
      await start;
      return go();
    }),
  );
  await Promise.all(ready);
  release();
  return Promise.all(running);
}
