import { isObject, isSuccess, member, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { StreamEvent } from '../../../http/event-stream.ts';
import type { Fixtures } from '../../../target/fixtures.ts';
import { BrokenFixture, Hindered } from '../../../scenarios/scenario.ts';
import type { SendOptions, Session, WatchOptions } from '../../../scenarios/scenario.ts';
import { sketchAnswer } from '../../../exchanges/sketch.ts';
import { TERMINAL, jobIn } from '../wire/job.ts';

export const SUBMIT = '/api/v2/jobs';
export const READ = '/api/v2/jobs/{id}';
export const CANCEL = '/api/v2/jobs/{id}/cancel';
export const EVENTS = '/api/v2/jobs/{id}/events';

/** The requests of a scenario with one job, each once; a scenario that sends more overrides the number. */
export const submit = { method: 'POST', target: SUBMIT, as: 'jobOwner', times: 1 } as const;
export const read = { ...submit, method: 'GET', target: READ } as const;
export const events = { ...read, target: EVENTS } as const;

/** The time limit for a job of the fixtures, in milliseconds; these are cheap. */
export const LIFE_MS = 120_000;
/** How often such a job is read until it reaches the expected state. */
export const MOST_READS = 120;

/** The code of an error body; `undefined` if it has none. */
export function codeOf(exchange: Exchange): string | undefined {
  const code = member(member(exchange.json, 'error'), 'code');
  return typeof code === 'string' ? code : undefined;
}

export function sketchRefusal(exchange: Exchange): string {
  return isSuccess(exchange)
    ? String(exchange.status)
    : `${exchange.status} ${codeOf(exchange) ?? 'without a code'}`;
}

export function statusOf(job: unknown): string {
  const status = member(job, 'status');
  return typeof status === 'string' ? status : '';
}

/** The body of a job fixture. */
export function bodyOf(fixtures: Fixtures, name: string): unknown {
  return fixtures.job?.[name];
}

/** The body with a member beside the graph; the contract does not document its place. */
export function withSibling(fixtures: Fixtures, body: unknown, name: string, value: unknown): unknown {
  return put(body, [...stepsOf(fixtures.job?.['siblingPointer']), name], () => value);
}

/** The body with null in place of each input of the first node of its graph. */
export function withEmptyNode(fixtures: Fixtures, body: unknown): unknown {
  return put(body, stepsOf(fixtures.job?.['graphPointer']), (graph) => {
    const [[id, node] = []] = Object.entries(isObject(graph) ? graph : {});
    const emptied = Object.keys(isObject(node) ? node : {}).map((name) => [name, null]);
    return id === undefined ? graph : { ...(graph as object), [id]: Object.fromEntries(emptied) as unknown };
  });
}

/** The body with another graph, or with another value in its place. */
export function withGraph(fixtures: Fixtures, body: unknown, change: (graph: unknown) => unknown): unknown {
  return put(body, stepsOf(fixtures.job?.['graphPointer']), change);
}

/**
 * The graph of a body combined with that of the fixture `job.ok`: its nodes last, first, or after many
 * others; nothing if they have no nodes.
 */
export function besideGoodNodes(fixtures: Fixtures, body: unknown): readonly unknown[] {
  const steps = stepsOf(fixtures.job?.['graphPointer']);
  const graphIn = (whole: unknown): unknown => steps.reduce((at, step) => member(at, step), whole);
  const [good, bad] = [graphIn(bodyOf(fixtures, 'ok')), graphIn(body)];
  if (!isObject(good) || !isObject(bad)) return [];
  // In JavaScript objects, numeric names come first, in numeric order; other names keep their order.
  const last = Object.keys(good).every((id) => /^\d+$/.test(id)) ? LAST_NODE : 'tallystick_';
  const named = (prefix: string | number): object =>
    Object.fromEntries(Object.values(bad).map((node, index) => [`${prefix}${index}`, node]));
  const many = Object.fromEntries(
    Array.from({ length: MOST_NODES }, (_, number) =>
      Object.entries(good).map(([id, node]) => [`${id}${MANY + number}`, node] as const),
    ).flat(),
  );
  return [
    // Also with a name that some databases cannot store, for the shape of its errors.
    ...[last, '', 'tallystick \u{1f58b}'].map((prefix) =>
      put(body, steps, () => ({ ...good, ...named(prefix) })),
    ),
    put(body, steps, () => ({ ...good, ...many, ...named(last === LAST_NODE ? `${LAST_NODE}00` : last) })),
  ];
}

/** The graph of a body with each of its nodes twice, under another name; the body itself if it has none. */
export function twiceOver(fixtures: Fixtures, body: unknown): unknown {
  return withGraph(fixtures, body, (graph) => {
    if (!isObject(graph)) return graph;
    const others = Object.values(graph).map((node, index) => [`tallystick_${index}`, node] as const);
    return { ...graph, ...Object.fromEntries(others) };
  });
}

/** A number that no node in a graph of the fixtures has. */
const LAST_NODE = 900_000;
/** How often the valid graph occurs in the large one; its nodes refer only to each other. */
const MOST_NODES = 60;
const MANY = 100;

function stepsOf(pointer: unknown): readonly string[] {
  return typeof pointer === 'string' ? pointer.split('/').slice(1) : [];
}

/** The value with another one at a path. */
function put(at: unknown, [step, ...rest]: readonly string[], change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(at);
  const record = isObject(at) ? at : {};
  return { ...record, [step]: put(record[step], rest, change) };
}

export function keyed(body: unknown, key: string): SendOptions {
  return { body, headers: [['Idempotency-Key', key]] };
}

/** Submits a job that the fixtures declare as valid. */
export async function submitted<Name extends string>(
  session: Session<Name>,
  name: Name,
  fixture: string,
  key?: string,
): Promise<{ readonly exchange: Exchange; readonly id: string }> {
  const body = bodyOf(session.fixtures, fixture);
  const exchange = await session.send(name, key === undefined ? { body } : keyed(body, key));
  const id = member(exchange.json, 'id');
  if (!isSuccess(exchange) || typeof id !== 'string') {
    throw new BrokenFixture(`job.${fixture}`, sketchAnswer(exchange), [exchange.id]);
  }
  return { exchange, id };
}

/** Reads a job until the condition holds, with pauses; otherwise returns the last answer. */
export async function readUntil<Name extends string>(
  session: Session<Name>,
  name: Name,
  id: string,
  options: { readonly holds: (job: unknown) => boolean; readonly times: number; readonly pauseMs: number },
): Promise<{ readonly last: Exchange; readonly seen: readonly Exchange[]; readonly reached: boolean }> {
  const seen: Exchange[] = [];
  const startedAt = session.clock.now();
  for (let attempt = 0; attempt < options.times; attempt += 1) {
    const answer = await session.send(name, { fill: { id } });
    // A job that cannot be read at once violates a separate rule.
    const mayAppear = seen.length === 0 && session.clock.now() - startedAt < APPEARS_MS;
    if (!isSuccess(answer) && !mayAppear)
      throw new Hindered(`the job could not be read: ${sketchRefusal(answer)}`, [answer.id]);
    if (isSuccess(answer)) seen.push(answer);
    if (options.holds(answer.json)) return { last: answer, seen, reached: true };
    await session.clock.sleep(options.pauseMs);
  }
  const last = seen.at(-1);
  if (last === undefined) throw new Hindered('the job could not be read');
  return { last, seen, reached: false };
}

/** How long a job may take to be found, in milliseconds. */
const APPEARS_MS = 5000;

export interface EventNames {
  readonly status: string;
  readonly progress: string;
  readonly preview: string;
}

/** The event names are not documented: the fixtures state them. */
export function eventNames(fixtures: Fixtures): EventNames {
  return { status: 'status', progress: 'progress', preview: 'preview', ...fixtures.sse?.eventNames };
}

/** The statuses of a stream, in order. */
export function statusesIn(events: readonly StreamEvent[], names: EventNames): readonly string[] {
  return events.filter(({ name }) => name === names.status).map(statusIn);
}

export function isOver(events: readonly StreamEvent[], names: EventNames): boolean {
  return statusesIn(events, names).some((status) => TERMINAL.includes(status));
}

/** The time for a stream to end after the terminal status. */
export function endGrace(names: EventNames): NonNullable<WatchOptions['grace']> {
  return { when: (events) => isOver(events, names), ms: 10_000 };
}

/** A UUID that is not the id of a job. */
export function randomId(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

// --- internal ---

/** A stream is examined after each chunk, and each event is parsed once. */
const statusOfEvent = new WeakMap<StreamEvent, string>();

function statusIn(event: StreamEvent): string {
  let status = statusOfEvent.get(event);
  if (status === undefined) {
    const data = parseJson(event.data);
    status = typeof data === 'string' ? data : statusOf(jobIn(event) ?? data);
    statusOfEvent.set(event, status);
  }
  return status;
}
