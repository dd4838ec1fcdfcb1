import { Unreadable } from '../exchanges/exchange.ts';
import { follow } from '../http/receive.ts';
import { Hindered } from '../scenarios/scenario.ts';
import type { WatchOptions, Watched } from '../scenarios/scenario.ts';
import type { RequestSender } from './request-sender.ts';

/** Reads an event stream until its end, or until the options say that enough was seen. */
export async function watch(
  sender: RequestSender,
  name: string,
  options: WatchOptions = {},
): Promise<Watched> {
  const { host, owner, signal } = sender;
  const plan = sender.take(name);
  const headMs = options.mayBeSilent === true ? undefined : host.readTimeoutMs;
  const [token] = await sender.ready([plan]);
  const {
    exchange,
    outcome: { events, ended },
  } = await sender.exchange(plan, options, (request, bounds) =>
    follow(host.transportTo(owner.api), request, options, { ...bounds, headMs }),
  );
  const { id, answer } = exchange;
  if (await sender.isRenewedAfter(exchange, token))
    throw new Hindered('the bearer token had expired when the stream was opened', [id]);
  await sender.examine(exchange, plan);
  signal.throwIfAborted();
  const isSilent = answer === undefined && options.mayBeSilent === true && exchange.fault === 'dropped';
  if (isSilent) {
    host.health?.seeUnheard(exchange, sender.nameOf(plan));
    return { exchange, events, ended };
  }
  const obstacle = sender.obstacleIn(exchange, plan);
  if (obstacle !== undefined) sender.giveUp([exchange], plan, obstacle);
  if (answer?.truncated !== undefined)
    throw new Unreadable(`the event stream of ${id} ${answer.truncated}`, [id]);
  return { exchange, events, ended };
}
