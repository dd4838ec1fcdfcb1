import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../state/clock.ts';
import { randomIds, type Ids } from '../../state/ids.ts';
import type { Job } from './job.ts';
import { Lane, nextDeparture, type LaneRules, type Advance } from './lane.ts';
import type { BoardEvent, JobOrder } from './stored-forms.ts';
import { Watch } from './watch.ts';
import { START } from './work.ts';

export interface BoardRules extends LaneRules {
  /** The minimum time of a job in the queue, in milliseconds. */
  readonly queueMs: number;
  /** How long a job is kept, and how much longer it can be read, in milliseconds. */
  readonly keptMs: number;
  readonly readableMs: number;
  /** The keep-alive interval of a silent stream, in milliseconds. */
  readonly stillAliveMs: number;
}

/** All jobs, in one lane per caller. Every read first applies the events that are due. */
export class Board {
  readonly #rules: BoardRules;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #jobs = new Map<string, Job>();
  readonly #lanes = new Map<string, { readonly lane: Lane; readonly watch: Watch }>();
  #submissions = 0;
  #sweptAt = 0;
  #events: BoardEvent[] = [];
  #tell: ((event: BoardEvent) => void) | undefined;

  constructor(rules: BoardRules, clock: Clock, ids: Ids = randomIds) {
    this.#rules = { ...rules };
    this.#clock = clock;
    this.#ids = ids;
  }

  submit(order: JobOrder): Job {
    const event = {
      kind: 'submit',
      at: this.#clock.now(),
      id: this.#ids.uuid('job', (id) => this.#jobs.has(id)),
      order,
    } as const;
    const job = this.#enter(event);
    this.#record(event);
    return job;
  }

  #enter({ at: now, id, order }: Extract<BoardEvent, { kind: 'submit' }>): Job {
    const { scope, work, ahead = NOBODY, keptMs = this.#rules.keptMs } = order;
    this.#submissions += 1;
    if (this.#submissions % SWEEP_EVERY === 0 || now - this.#sweptAt >= SWEEP_AFTER_MS) this.#sweep(now);
    const { states, queueMs } = this.#rules;
    const fresh = {
      id,
      scope,
      createdAt: now,
      expiresAt: now + keptMs,
      readyAt: now + Math.max(queueMs, ahead.jobs * ahead.eachMs),
      ahead,
      work,
      statuses: [],
      progressCount: 0,
      previewCount: 0,
      place: START,
      comingStates: [],
    };
    const job: Job = {
      ...fresh,
      due: nextDeparture(fresh, now),
      state: {
        stage: 'waiting',
        status: states.initial,
        startedAt: null,
        completedAt: null,
        queuePosition: null,
        progress: null,
        preview: null,
        outputs: [],
        breakdown: null,
        printed: null,
      },
    };
    this.#jobs.set(job.id, job);
    this.#laneOf(scope).lane.submit(job, now);
    return job;
  }

  /** The current state of a job; `undefined` if it does not exist or has expired. */
  find(id: string): Job | undefined {
    const job = this.#jobs.get(id);
    if (job === undefined) return undefined;
    const now = this.#clock.now();
    if (this.#isGone(job, now)) {
      this.#jobs.delete(id);
      return undefined;
    }
    this.#laneOf(job.scope).lane.catchUp(now);
    return job;
  }

  cancel(job: Job, how?: 'properly' | 'at-once' | 'stuck'): void {
    const at = this.#clock.now();
    this.#laneOf(job.scope).lane.cancel(job, at, how);
    this.#record({ kind: 'cancel', at, id: job.id, ...(how === undefined ? {} : { how }) });
  }

  /** Advances or ends a job now, regardless of its schedule. */
  push(job: Job, how: Advance): void {
    const at = this.#clock.now();
    this.#laneOf(job.scope).lane.push(job, at, how);
    this.#record({ kind: 'push', at, id: job.id, how });
  }

  /** The external actions on the existing jobs, in their order. */
  history(): readonly BoardEvent[] {
    this.#sweep(this.#clock.now());
    return this.#events;
  }

  /** Repeats recorded actions; a job that no longer exists is skipped. */
  repeat(event: BoardEvent): void {
    if (event.kind === 'submit') this.#enter(event);
    const job = this.#jobs.get(event.id);
    if (job === undefined) return;
    const { lane } = this.#laneOf(job.scope);
    if (event.kind === 'cancel') lane.cancel(job, event.at, event.how);
    if (event.kind === 'push') lane.push(job, event.at, event.how);
    this.#events.push(event);
  }

  /** Calls back with each further action. */
  observe(tell: (event: BoardEvent) => void): void {
    this.#tell = tell;
  }

  /** The number of a caller's jobs in the queue. */
  waiting(scope: string): number {
    const { lane } = this.#laneOf(scope);
    lane.catchUp(this.#clock.now());
    return lane.waiting;
  }

  watch(job: Job): Watch {
    return this.#laneOf(job.scope).watch;
  }

  /** The current state of all jobs, in the order of submission. */
  all(): readonly Job[] {
    return [...this.#jobs.keys()].flatMap((id) => this.find(id) ?? []);
  }

  /**
   * Adopts the rules of another board. Returns `false`, without a change, if jobs would have other states
   * under these.
   */
  follow(other: Board): boolean {
    if (!isDeepStrictEqual(this.#rules.states, other.#rules.states)) return false;
    // In place, because every lane reads them here.
    Object.assign(this.#rules, other.#rules);
    return true;
  }

  /** Ends the streams that still watch. */
  close(why: Error): void {
    for (const { watch } of this.#lanes.values()) watch.close(why);
  }

  #laneOf(scope: string): { readonly lane: Lane; readonly watch: Watch } {
    const known = this.#lanes.get(scope);
    if (known !== undefined) return known;
    const lane: Lane = new Lane(this.#rules, () => {
      watch.wake();
    });
    const watch = new Watch(lane, this.#clock, this.#rules.stillAliveMs);
    const made = { lane, watch };
    this.#lanes.set(scope, made);
    return made;
  }

  #isGone(job: Job, now: number): boolean {
    return now >= job.expiresAt + this.#rules.readableMs;
  }

  #record(event: BoardEvent): void {
    this.#events.push(event);
    this.#tell?.(event);
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [id, job] of this.#jobs) if (this.#isGone(job, now)) this.#jobs.delete(id);
    const scopes = new Set([...this.#jobs.values()].map(({ scope }) => scope));
    for (const scope of this.#lanes.keys()) if (!scopes.has(scope)) this.#lanes.delete(scope);
    this.#events = this.#events.filter(({ id }) => this.#jobs.has(id));
  }
}

// --- internal ---

const NOBODY = { jobs: 0, eachMs: 0 } as const;
const SWEEP_EVERY = 1_000;
const SWEEP_AFTER_MS = 3_600_000;
