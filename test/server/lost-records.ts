import fc from 'fast-check';
import { createServer, refuse, type RunModelReply, type Server } from '../../generated/router/server.ts';
import type { Exchange } from '../../generated/server-runtime/exchange.ts';
import type { Store } from '../../generated/server-runtime/index.ts';

/** A store of several processes, and what can happen to a record in it. */
export interface LosingStore {
  /** Of each process. */
  readonly replicas: readonly [Store, Store];
  /** Removes the record of a key, as an engine that evicts does. The charge stays. */
  readonly lose: (scope: string, key: string) => Promise<unknown>;
  /** Ends the lease of the call that runs with a key, as a long pause of its process does. */
  readonly expire: (scope: string, key: string) => Promise<unknown>;
}

interface Call {
  readonly kind: 'call';
  readonly effect: 'result' | 'charged-failure' | 'failure';
  readonly replica: 0 | 1;
  /** Where the call pauses until it is resumed. */
  readonly pause: 'before charge' | 'after charge' | 'before delivery' | undefined;
  readonly delivery: 'delivered' | 'short' | 'dropped';
}

interface Event {
  readonly kind: 'resume' | 'lose' | 'expire';
}

type Step = Call | Event;

/** Calls with one key, with pauses and losses between and during them. */
export type Course = readonly Step[];

export const courses: fc.Arbitrary<Course> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record<Call>({
        kind: fc.constant('call'),
        effect: fc.constantFrom('result', 'result', 'result', 'charged-failure', 'failure'),
        replica: fc.constantFrom(0, 1),
        pause: fc.constantFrom(undefined, undefined, 'before charge', 'after charge', 'before delivery'),
        delivery: fc.constantFrom('delivered', 'delivered', 'delivered', 'short', 'dropped'),
      }),
    },
    { weight: 2, arbitrary: fc.record<Event>({ kind: fc.constantFrom('resume', 'lose', 'lose', 'expire') }) },
  ),
  { minLength: 3, maxLength: 9 },
);

/** What happened in many courses. */
export interface Seen {
  charged: number;
  replayed: number;
  usedUp: number;
  keyLost: number;
}

/** Two servers on one store, on which courses run, each with a key of its own. */
export function replicasOn(
  store: LosingStore,
): (key: string, course: Course, seen: Seen) => Promise<string[]> {
  const running = new Map<string, Running>();
  const servers = store.replicas.map((each) => serverOn(each, running));
  return async (key, course, seen) => {
    const open: { readonly resume: () => void; readonly ended: Promise<void> }[] = [];
    const charges: string[] = [];
    const heard = new Set<string>();
    let count = 0;
    for (const step of course) {
      if (step.kind === 'resume') {
        const paused = open.shift();
        paused?.resume();
        await paused?.ended;
      } else if (step.kind !== 'call') await store[step.kind](SCOPE, key);
      else {
        const id = `${key}/${String((count += 1))}`;
        const call = paused(step.pause);
        running.set(id, { ...call, effect: step.effect, charge: () => charges.push(id) });
        const ended = (async () => {
          const server = servers[step.replica] as Server;
          const answer = await send(server, key, id);
          if (step.pause === 'before delivery') await call.at('before delivery');
          await answer.settle(step.delivery);
          const text = answer.body instanceof Uint8Array ? new TextDecoder().decode(answer.body) : '';
          if (step.delivery !== 'dropped' && answer.status === 200) heard.add(text);
          if (answer.headers.has('idempotent-replayed')) seen.replayed += 1;
          if (answer.status === 409 && text.includes('used up')) seen.usedUp += 1;
          if (answer.status === 503 && text.includes('lost its claim')) seen.keyLost += 1;
        })().finally(() => running.delete(id));
        if (step.pause === undefined) await ended;
        else {
          open.push({ resume: call.resume, ended });
          await Promise.race([call.reached, ended]);
        }
      }
    }
    for (const { resume, ended } of open) {
      resume();
      await ended;
    }
    seen.charged += charges.length;
    return [
      ...(charges.length > 1 ? [`${key} was charged by ${charges.join(', ')}`] : []),
      ...(heard.size > 1 ? [`${key} has the answers ${[...heard].join(', ')}`] : []),
    ];
  };
}

/**
 * Runs courses, several at once.
 *
 * @returns the broken laws, each with its course
 */
export async function runCourses(
  store: LosingStore,
  {
    numRuns,
    seed,
    atOnce = 40,
  }: { readonly numRuns: number; readonly seed: number; readonly atOnce?: number },
): Promise<{ readonly broken: readonly string[]; readonly seen: Seen }> {
  const run = replicasOn(store);
  const seen: Seen = { charged: 0, replayed: 0, usedUp: 0, keyLost: 0 };
  const broken: string[] = [];
  const waiting = fc.sample(courses, { numRuns, seed }).entries();
  const worker = async (): Promise<void> => {
    for (const [index, course] of waiting)
      for (const says of await run(`${String(seed)}-${String(index)}`, course, seen))
        broken.push(`${says}: ${JSON.stringify(course)}`);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { broken, seen };
}

// --- internal ---

/** As the engine names it. */
const SCOPE = JSON.stringify(['router', 'runModel', 'caller']);

type Place = 'before charge' | 'after charge' | 'before delivery';

interface Running {
  readonly at: (place: Place) => Promise<void>;
  readonly effect: 'result' | 'charged-failure' | 'failure';
  readonly charge: () => void;
}

function paused(where: Place | undefined): {
  readonly at: Running['at'];
  readonly reached: Promise<void>;
  readonly resume: () => void;
} {
  let reach = (): void => undefined;
  let resume = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const resumed = new Promise<void>((resolve) => (resume = resolve));
  return {
    reached,
    resume,
    at: async (place) => {
      if (place !== where) return;
      reach();
      await resumed;
    },
  };
}

function serverOn(store: Store, running: ReadonlyMap<string, Running>): Server {
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  return createServer(
    {
      ...{ listModels: unused, getModel: unused, getModelInputSchema: unused },
      async runModel(_input, call): Promise<RunModelReply> {
        const id = call.request.headers.get('x-call') ?? '';
        const { at, effect, charge } = running.get(id) as Running;
        await at('before charge');
        if (effect === 'failure') throw refuse('service_unavailable', 'The partner is closed.');
        if (await call.charge()) charge();
        await at('after charge');
        if (effect === 'charged-failure') throw refuse('provider_timeout', 'The partner did not answer.');
        return { status: 200, headers: {}, body: { picture: id } };
      },
    },
    { authenticate: () => ({ id: 'caller' }), store, onFinding: () => undefined },
  );
}

function send(server: Server, key: string, id: string): Promise<Exchange> {
  return server.exchange({
    method: 'POST',
    target: '/v1/models/acme/painter',
    headers: new Headers({
      ...{ 'Content-Type': 'application/json', 'X-API-Key': 'service-x', 'X-Call': id },
      'Idempotency-Key': key,
    }),
    body: () => Promise.resolve(new TextEncoder().encode('{}')),
    signal: new AbortController().signal,
  });
}
