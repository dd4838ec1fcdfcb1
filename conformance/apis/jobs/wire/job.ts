import type { StreamEvent } from '../../../http/event-stream.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { isObject, member, parseJson } from '../../../exchanges/exchange.ts';

/** Document 3, States and transitions. */
export const STATUSES = ['queued', 'running', 'succeeded', 'canceling', 'canceled', 'failed', 'expired'];
export const TERMINAL = ['succeeded', 'canceled', 'failed', 'expired'];

/** Document 3, Job: the members that are required, null or not. */
export const REQUIRED = [
  'id',
  'status',
  'created_at',
  'started_at',
  'completed_at',
  'expires_at',
  'queue_position',
  'progress',
  'outputs',
  'error',
  'urls',
] as const;

/** The job in the data of an event: the data itself or one of its members. */
export function jobIn(event: StreamEvent, id?: string): Readonly<Record<string, unknown>> | undefined {
  const data = parseJson(event.data);
  const candidates = [data, ...(isObject(data) ? Object.values(data) : [])];
  return candidates.filter(isObject).find((one) => 'status' in one && (id === undefined || one['id'] === id));
}

/** Whether it is the job with this id. Another rule judges whether the id is a UUID. */
export function isNamed(job: unknown, id: string): boolean {
  const told = member(job, 'id');
  return typeof told !== 'string' || told.length !== id.length || told.toLowerCase() === id.toLowerCase();
}

/** All strings within a value, whose depth the limits for JSON bound. */
export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/**
 * Whether it looks like a job: most of its required members are present. A separate rule covers missing ones.
 */
export function isWholeJob(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && REQUIRED.filter((name) => name in value).length >= REQUIRED.length - 3;
}

/**
 * The same row: by the IDs of nodes, so that one of the names at least is in the graph that was sent. A body that
 * is no JSON, or is not known completely, shows nothing.
 */
export function namesNodes(errors: unknown, { request }: Pick<Exchange, 'request'>): boolean {
  const body = parseJson(new TextDecoder().decode(request.body));
  const sent = JSON.stringify(body);
  if (body === undefined) return true;
  return isObject(errors) && Object.keys(errors).some((id) => sent.includes(JSON.stringify(id)));
}

/** Document 3, Error body, row error.details: lists of field and reason by node. */
export function isNodeErrors(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.values(value).every(
      (list) =>
        Array.isArray(list) &&
        list.every(
          (one) => typeof member(one, 'field') === 'string' && typeof member(one, 'reason') === 'string',
        ),
    )
  );
}
