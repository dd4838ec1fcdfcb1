import { createParser, type EventSourceMessage } from 'eventsource-parser';
import {
  createMock,
  virtualClock,
  type Mock,
  type MockOptions,
  type SteerableClock,
} from '../../../../mock/index.ts';

/** A job as it comes over the wire. */
export interface JobBody {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly expires_at: string;
  readonly queue_position: number | null;
  readonly progress: Readonly<Record<string, unknown>> | null;
  readonly outputs: readonly Readonly<Record<string, unknown>>[];
  readonly error: Readonly<Record<string, unknown>> | null;
  readonly urls: Readonly<Record<string, string>>;
  readonly logs?: unknown;
  readonly metrics?: Readonly<Record<string, number | null>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly job: JobBody;
  /** The code of an error body. */
  readonly code: string | undefined;
}

export interface CallOptions {
  /** The key of the caller; none for `null`. */
  readonly as?: string | null;
  readonly key?: string;
  readonly prefer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ALICE = 'service-mock-ok';

export const writeText = (text = 'a tally stick'): object => ({ class_type: 'WriteText', inputs: { text } });
export const waiting = (seconds: number): object => ({ class_type: 'Wait', inputs: { seconds } });
export const workflow = (...nodes: readonly object[]): object => ({
  workflow: Object.fromEntries(nodes.map((node, index) => [String(index + 1), node])),
});

/** The jobs of a mock, as a caller sees them. By default, its clock is stopped. */
export interface JobsMock {
  readonly mock: Mock;
  readonly clock: SteerableClock;
  readonly send: (
    method: string,
    target: string,
    options?: CallOptions & { body?: string },
  ) => Promise<Answered>;
  readonly submit: (body: unknown, options?: CallOptions) => Promise<Answered>;
  readonly read: (id: string, options?: CallOptions) => Promise<Answered>;
  readonly cancel: (id: string, options?: CallOptions) => Promise<Answered>;
  readonly watch: (id: string, options?: CallOptions) => Promise<Response>;
  /** Every Prism finding about an answer so far. */
  readonly findings: () => readonly unknown[];
}

/** A mock that remembers nothing; loading one takes a while, so tests without options of their own share theirs. */
export async function jobsMock(options: JobsMockOptions = {}): Promise<JobsMock> {
  const { auto = false, ...rest } = options;
  if (Object.keys(rest).length > 0) return startJobsMock(options);
  const ready = shared.get(auto) ?? startJobsMock({ auto });
  shared.set(auto, ready);
  (await ready).mock.reset();
  return ready;
}

export interface JobsMockOptions extends MockOptions {
  /** Whether the clock moves by itself when everybody waits. */
  readonly auto?: boolean;
  readonly mount?: string;
}

const shared = new Map<boolean, Promise<JobsMock>>();

async function startJobsMock(options: JobsMockOptions): Promise<JobsMock> {
  const { auto = false, mount = '', ...rest } = options;
  const clock = virtualClock({ auto });
  const mock = createMock({ apis: ['jobs'], clock, ...rest });
  await mock.ready();
  const fetch = (method: string, target: string, options: CallOptions & { body?: string } = {}) => {
    const { as = ALICE, key, prefer, headers = {}, body } = options;
    return mock.fetch(
      new Request(`http://mock.localhost:4710${target}`, {
        method,
        headers: {
          ...(as === null ? {} : { Authorization: `Bearer ${as}` }),
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
          ...(prefer === undefined ? {} : { Prefer: prefer }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      }),
    );
  };
  const send: JobsMock['send'] = async (method, target, options) => {
    const response = await fetch(method, target, options);
    const text = await response.text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const { error } = (body ?? {}) as { error?: { code?: string } | null };
    return {
      status: response.status,
      headers: response.headers,
      body,
      job: body as JobBody,
      code: error?.code,
    };
  };
  const root = `${mount}/api/v2/jobs`;
  return {
    mock,
    clock,
    send,
    submit: (body, options) => send('POST', root, { ...options, body: JSON.stringify(body) }),
    read: (id, options) => send('GET', `${root}/${id}`, options),
    cancel: (id, options) => send('POST', `${root}/${id}/cancel`, options),
    watch: (id, options) => fetch('GET', `${root}/${id}/events`, options),
    findings: () => mock.journal.entries().flatMap(({ responseFindings }) => responseFindings),
  };
}

/** All events of a stream that ends. */
export async function eventsOf(response: Response): Promise<readonly EventSourceMessage[]> {
  return parseEvents(await response.text());
}

export function parseEvents(text: string): readonly EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  parser.feed(text);
  return events;
}

/** The statuses that a stream tells, one after the other, repetitions left out. */
export function statusesIn(events: readonly EventSourceMessage[]): readonly string[] {
  const statuses = events
    .filter(({ event }) => event === 'status')
    .map(({ data }) => (JSON.parse(data) as JobBody).status);
  return statuses.filter((status, index) => status !== statuses[index - 1]);
}
