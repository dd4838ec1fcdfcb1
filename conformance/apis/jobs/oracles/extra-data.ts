import { check, unlessUnreadable } from '../../../scenarios/check.ts';
import { isObject, isSuccess, member, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Look, Oracle } from '../../../oracle.ts';
import type { Check, Observation } from '../../../scenarios/scenario.ts';
import { jobsIn } from '../wire/course.ts';
import { placeOf } from '../wire/place.ts';

const RULE = 'jobs.submit.extra-data-not-kept';

type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Document 3, Submit request, row extra_data: passed on to the worker, and never persisted. So no answer about a
 * job that has left the queue contains it.
 */
function follow(): Look {
  const sent = new Map<string, Sent>();
  return (exchange): Iterable<Check | Observation> =>
    unlessUnreadable(exchange, [RULE], look(exchange, sent));
}

interface Sent {
  /** The submission. */
  readonly id: string;
  readonly extra: JsonRecord;
}

function* look(exchange: Exchange, sent: Map<string, Sent>): Generator<Check> {
  const place = placeOf(exchange);
  if (place === undefined || !isSuccess(exchange) || exchange.answer?.truncated !== undefined) return;
  if (place.is === 'submit') {
    const [extra, id] = [extraDataIn(exchange), member(exchange.json, 'id')];
    if (extra !== undefined && typeof id === 'string' && sent.size < MOST_JOBS)
      sent.set(id.toLowerCase(), { id: exchange.id, extra });
    return;
  }
  const known = sent.get((place.id ?? '').toLowerCase());
  if (known === undefined) return;
  for (const job of jobsIn(exchange, place))
    if (job['status'] !== 'queued') yield judged(exchange, known.id, placeIn(job, known.extra));
}

function judged(exchange: Exchange, submission: string, found: string | undefined): Check {
  const got = found === undefined ? 'no trace of it' : `the member ${found}`;
  const made = check(
    RULE,
    exchange,
    found === undefined,
    'a job without the extra_data of its submission',
    got,
  );
  return { ...made, exchanges: [...made.exchanges, submission] };
}

export const extraData: Oracle = { api: 'jobs', judges: [RULE], follow };

// --- internal ---

const MOST_JOBS = 20_000;
const NAME = 'extra_data';

/** Native results, and texts that the run printed, may repeat anything. */
const OF_THE_RUN: ReadonlySet<string> = new Set(['outputs', 'logs', 'error']);

/** Beside the graph or around it: its place is not documented. */
function extraDataIn({ request }: Exchange): JsonRecord | undefined {
  const body = request.body === undefined ? undefined : parseJson(new TextDecoder().decode(request.body));
  if (!isObject(body)) return undefined;
  const extra = [body, ...Object.values(body)].map((one) => member(one, NAME)).find(isObject);
  return extra !== undefined && Object.keys(extra).length > 0 ? extra : undefined;
}

/** The path of a member with the name of the extra data, or with the name and the value of a part of it. */
function placeIn(job: JsonRecord, extra: JsonRecord): string | undefined {
  const own = Object.entries(job).filter(([name]) => !OF_THE_RUN.has(name));
  return pathIn(Object.fromEntries(own), (name, value) =>
    name === NAME
      ? isObject(value) && Object.keys(value).length > 0
      : typeof value === 'string' && value !== '' && Object.hasOwn(extra, name) && extra[name] === value,
  );
}

/** Limits for JSON bound the depth. */
function pathIn(value: unknown, is: (name: string, value: unknown) => boolean): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, item] of Object.entries(value) as [string, unknown][]) {
    if (!Array.isArray(value) && is(name, item)) return name;
    const inner = pathIn(item, is);
    if (inner !== undefined) return `${name}.${inner}`;
  }
  return undefined;
}
