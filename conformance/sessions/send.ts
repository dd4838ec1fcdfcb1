import { failsAgain } from '../http/connection-failure.ts';
import { READ_TIMEOUT_MS, complete } from '../http/receive.ts';
import type { Start } from '../http/receive.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { mayBill } from '../scenarios/billing.ts';
import type { RequestPlan, SendOptions } from '../scenarios/scenario.ts';
import type { RequestSender } from './request-sender.ts';

/** Sends one request, and repeats it after a 429, a 503 or a lost response if that can have no effect. */
export async function send(
  sender: RequestSender,
  name: string,
  options: SendOptions = {},
): Promise<Exchange> {
  const { host, owner, signal, clock } = sender;
  const plan = sender.take(name);
  const transport = host.transportTo(owner.api);
  const attempts: Exchange[] = [];
  let isFresh = false;
  for (;;) {
    const [token] = await sender.ready([plan]);
    const seen = await exchangeOnce(sender, plan, options, (request) => transport(request));
    if (isFresh && seen.status === 401) host.target.bearer?.notAboutAge();
    else if (await sender.isRenewedAfter(seen, token)) {
      isFresh = true;
      continue;
    }
    await sender.examine(seen, plan);
    if (options.signal?.aborted === true) return seen;
    const obstacle = sender.obstacleIn(seen, plan);
    if (obstacle === undefined) return seen;
    signal.throwIfAborted();
    attempts.push(seen);
    if (host.stocks?.isFull(plan, attempts) === true) sender.giveUp(attempts, plan, FULL, 'full');
    if (host.stocks?.concernsOthers(plan, seen) !== false) host.waits.note(seen, clock.now());
    const mayRepeat = !mayBill(sender.asSent(plan, seen)) || isRefusedUnrun(plan, seen);
    if (!mayRepeat || attempts.length >= mostAttempts(seen)) sender.giveUp(attempts, plan, obstacle);
    if (seen.answer === undefined) await clock.sleep(PAUSE_MS * (2 ** attempts.length - 1));
    else await host.waits.after(seen, clock, owner.extend);
  }
}

/** One request and its whole answer, within the time that a read or a run may take. */
export async function exchangeOnce(
  sender: RequestSender,
  plan: RequestPlan,
  options: SendOptions,
  start: Start,
): Promise<Exchange> {
  const { target, readTimeoutMs } = sender.host;
  const timeoutMs =
    options.timeoutMs ??
    (mayBill(plan) ? target.deadlineMs + runMarginMs(target.deadlineMs) : (readTimeoutMs ?? READ_TIMEOUT_MS));
  const { exchange } = await sender.exchange(plan, options, (request, bounds) =>
    complete(start, request, { ...bounds, timeoutMs }),
  );
  return exchange;
}

// --- internal ---

const FULL = 'the server has as many of these things as it may have, and only a removal makes room';

/**
 * A client must wait longer than the server, so that it receives the typed answer instead of timing out. For
 * a server with a short deadline, the margin is small.
 */
function runMarginMs(deadlineMs: number): number {
  return Math.min(30_000, Math.max(2000, deadlineMs));
}

/**
 * A lost response already takes long, so it is repeated only once. A 404 or an invalid certificate does not
 * change.
 */
function mostAttempts({ fault, status, failure = '' }: Exchange): number {
  if (status === 429) return MOST_REFUSALS;
  return status === 404 || failsAgain(failure) ? 1 : fault === 'silent' ? 2 : 3;
}

/** A rate that other requests share may refuse a request several times. */
const MOST_REFUSALS = 10;

/** Whether a change of an API of a user's own was refused before it was made: then it can be sent again. */
function isRefusedUnrun({ operation }: RequestPlan, { status }: Exchange): boolean {
  return operation !== undefined && status === 429;
}

/** The pause before a request without a response is repeated; it grows, so that a server can restart. */
const PAUSE_MS = 500;
