import { check, unlessUnreadable } from '../../../scenarios/check.ts';
import { readEvents } from '../../../http/event-stream.ts';
import type { StreamEvent } from '../../../http/event-stream.ts';
import { isObject, isSuccess, member, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Oracle } from '../../../oracle.ts';
import type { Check, Observation } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { behindTheEnd } from '../wire/course.ts';
import { STATUSES, TERMINAL, isNamed, isWholeJob, jobIn } from '../wire/job.ts';
import { placeOf } from '../wire/place.ts';

const CARRIES = 'jobs.sse.status-carries-job';
const NOTHING_AFTER = 'jobs.sse.nothing-after-terminal';
const BEFORE_END = 'jobs.sse.terminal-before-end';
const RULES = [CARRIES, NOTHING_AFTER, BEFORE_END];

/** An event that contains a whole job. */
interface Told {
  readonly event: StreamEvent;
  readonly job: Readonly<Record<string, unknown>>;
}

function* look(exchange: Exchange): Generator<Check | Observation> {
  const place = placeOf(exchange);
  const type = exchange.header('Content-Type') ?? '';
  if (place?.is === 'stream' && isSuccess(exchange) && /event-stream/i.test(type))
    yield* unlessUnreadable(exchange, RULES, lookAtStream(exchange, place.id ?? ''));
}

/** Document 3, GET …/events, items 2 and 5: it contains this job, and ends with its terminal status. */
function* lookAtStream(exchange: Exchange, id: string): Generator<Check> {
  const events = readEvents(new TextDecoder().decode(exchange.bytes), 0);
  const told = events.flatMap((event): readonly Told[] => {
    const job = jobIn(event);
    return isWholeJob(job) ? [{ event, job }] : [];
  });
  for (const { job } of told)
    yield check(CARRIES, exchange, isNamed(job, id), `the job ${id}`, `id ${sketch(job['id'])}`);
  const [first] = told;
  if (first !== undefined) yield* lookAtLikeness(exchange, events, told, first);
  const last = told.find(({ job }) => TERMINAL.includes(String(job['status'])));
  // If no event contains a job, another rule is violated, or the status is sent in an unusual way.
  const isReadable = events.length === 0 || first !== undefined;
  if (last === undefined) {
    if (exchange.ended === 'end' && isReadable)
      yield check(BEFORE_END, exchange, false, 'a terminal status before the end', statusesOf(told));
    return;
  }
  const [next] = behindTheEnd(events, last.event);
  const got = next?.name ?? 'nothing';
  yield check(NOTHING_AFTER, exchange, next === undefined, 'no event after the terminal status', got);
}

/**
 * The event's name and the place of the job in it are not documented, but a client that can parse one status
 * event can parse the others: they share a name and a place.
 */
function* lookAtLikeness(
  exchange: Exchange,
  events: readonly StreamEvent[],
  told: readonly Told[],
  first: Told,
): Generator<Check> {
  const { name } = first.event;
  const poor = events.find((event) => event.name === name && isStatusAlone(event));
  const got = `an event ${name} with ${sketch(poor?.data)}`;
  yield check(CARRIES, exchange, poor === undefined, 'the job in every status event', got);
  const where = memberWithJob(first);
  const odd = told.find((one) => one.event.name === name && memberWithJob(one) !== where);
  const place = (one: string): string => (one === '' ? 'the data itself' : `the member ${one} of the data`);
  const found = odd === undefined ? 'the same' : place(memberWithJob(odd));
  yield check(CARRIES, exchange, odd === undefined, `the job as ${place(where)} in each of them`, found);
  const strange = told.find(
    ({ event, job }) => event.name !== name && TERMINAL.includes(String(job['status'])),
  );
  if (strange !== undefined)
    yield check(
      BEFORE_END,
      exchange,
      false,
      `the terminal status in an event ${name}`,
      `in an event ${strange.event.name}`,
    );
}

/** A status without the job around it, or a text in place of the job. */
function isStatusAlone(event: StreamEvent): boolean {
  const data = parseJson(event.data);
  if (typeof data === 'string' && isWholeJob(parseJson(data))) return true;
  const part = jobIn(event);
  const status = typeof data === 'string' ? data : member(part, 'status');
  return typeof status === 'string' && STATUSES.includes(status) && !isWholeJob(part);
}

/** The member of the data that contains the job; empty if the data are the job. */
function memberWithJob({ event, job }: Told): string {
  const data = parseJson(event.data);
  if (!isObject(data) || isWholeJob(data)) return '';
  return Object.keys(data).find((name) => member(data[name], 'id') === job['id']) ?? '';
}

function statusesOf(told: readonly Told[]): string {
  return told.map(({ job }) => String(job['status'])).join(', ') || 'no event';
}

export const streams: Oracle = { api: 'jobs', judges: RULES, look };
