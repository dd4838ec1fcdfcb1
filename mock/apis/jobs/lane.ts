import { recordStatus, type Job, type JobState } from './job.ts';
import type { JobStates } from './job-states.ts';
import type { Work } from './stored-forms.ts';
import { progressAt, stepFrom, START, tickAt, type Breakdown, type WorkPosition } from './work.ts';

/** The limits for the jobs of one caller. */
export interface LaneRules {
  readonly states: JobStates;
  /** How many run at the same time. */
  readonly slots: number;
  /** How long a cancelled job takes to stop, in milliseconds. */
  readonly cancelMs: number;
}

/**
 * The jobs of one caller: which wait, which run, and when each event happens. It has no clock and no timers.
 * A reader passes the current time, and all events that are due by then are applied in order, each with its
 * own timestamp. So an idle mock costs nothing, and a late read does not change timestamps.
 */
export class Lane {
  readonly #rules: LaneRules;
  readonly #changed: () => void;
  #waiting: Job[] = [];
  readonly #active = new Set<Job>();
  readonly #holdsSlot = new Set<Job>();
  /** No event happens before the latest one. */
  #time = Number.NEGATIVE_INFINITY;

  /** @param changed called after each change, at most once for each call of a method */
  constructor(rules: LaneRules, changed: () => void = () => undefined) {
    this.#rules = rules;
    this.#changed = changed;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The time of the next scheduled event. */
  nextAt(): number | undefined {
    return this.#next()?.at;
  }

  /** Applies all due events. */
  catchUp(now: number): void {
    let happened = false;
    for (let event = this.#next(); event !== undefined && event.at <= now; event = this.#next()) {
      this.#time = Math.max(this.#time, event.at);
      event.happen(this.#time);
      happened = true;
    }
    this.#time = Math.max(this.#time, now);
    if (happened) this.#changed();
  }

  /** Puts a new job at the end of the queue. */
  submit(job: Job, now: number): void {
    this.catchUp(now);
    this.#waiting.push(job);
    this.#renumber(this.#time);
    this.#changed();
  }

  /**
   * Cancels a job; one that is stopping or has ended does not change (open point A-82). `at-once`: it skips
   * canceling; `stuck` breaks the contract, for deviations.
   */
  cancel(job: Job, now: number, how: 'properly' | 'at-once' | 'stuck' = 'properly'): void {
    this.catchUp(now);
    const { stage } = job.state;
    if (stage === 'stopping' || stage === 'over') return;
    const { cancelWaiting, cancelRunning } = this.#rules.states;
    const path = stage === 'waiting' ? cancelWaiting : cancelRunning;
    this.#waiting = this.#waiting.filter((other) => other !== job);
    this.#active.add(job);
    job.comingStates = how === 'at-once' ? path.slice(-1) : path;
    this.#pass(job, this.#time);
    if (how === 'stuck') job.due = undefined;
    this.#renumber(this.#time);
    this.#changed();
  }

  /** Advances or ends a job now, regardless of its schedule. A job that has ended does not change. */
  push(job: Job, now: number, how: Advance): void {
    this.catchUp(now);
    if (job.state.stage === 'over') return;
    const at = this.#time;
    if (how === 'expire') this.#end(job, at, this.#rules.states.retention);
    else if (job.state.stage === 'stopping') this.#pass(job, at);
    else {
      const wasWaiting = job.state.stage === 'waiting';
      if (wasWaiting) this.#start(job, at);
      if (how === 'fail') this.#end(job, at, this.#rules.states.failure, { breakdown: breakdownAt(job) });
      else if (how === 'succeed') this.#finish(job, at);
      else if (!wasWaiting) this.#step(job, at);
    }
    this.#waiting = this.#waiting.filter((other) => other !== job);
    this.#renumber(at);
    this.#changed();
  }

  /** Makes the remaining outputs, and ends with success. */
  #finish(job: Job, at: number): void {
    const { work } = job;
    for (let node = job.place.node; work !== undefined && node < work.nodes.length; node += 1) {
      const { output, progress } = stepFrom(wellMade(work), lastTickOf(work, node), job.id);
      const outputs = output === undefined ? job.state.outputs : [...job.state.outputs, output];
      job.state = { ...job.state, progress, outputs };
    }
    job.progressCount += 1;
    this.#end(job, at, this.#rules.states.success);
  }

  // --- scheduled events ---

  #next(): { at: number; happen: (at: number) => void } | undefined {
    let next: { at: number; happen: (at: number) => void } | undefined;
    const offer = (at: number | undefined, happen: (at: number) => void): void => {
      if (at !== undefined && (next === undefined || at < next.at)) next = { at, happen };
    };
    for (const job of this.#active) {
      offer(job.due, (at) => {
        this.#act(job, at);
      });
      offer(job.expiresAt, (at) => {
        this.#end(job, at, this.#rules.states.retention);
      });
    }
    const [head] = this.#waiting;
    if (head !== undefined && this.#holdsSlot.size < this.#rules.slots) {
      offer(Math.max(head.readyAt, this.#time), (at) => {
        this.#start(head, at);
      });
    }
    for (const job of this.#waiting) {
      offer(job.due, (at) => {
        job.due = nextDeparture(job, at);
        this.#renumber(at);
      });
      offer(job.expiresAt, (at) => {
        this.#waiting = this.#waiting.filter((other) => other !== job);
        this.#end(job, at, this.#rules.states.retention);
        this.#renumber(at);
      });
    }
    return next;
  }

  #act(job: Job, at: number): void {
    if (job.state.stage === 'stopping') this.#pass(job, at);
    else this.#step(job, at);
  }

  #start(job: Job, at: number): void {
    this.#waiting = this.#waiting.filter((other) => other !== job);
    this.#active.add(job);
    this.#holdsSlot.add(job);
    const { work } = job;
    job.place = START;
    job.due = at + (work === undefined ? 0 : tickAt(work, START));
    job.progressCount += 1;
    this.#become(job, at, {
      stage: 'working',
      status: this.#rules.states.start,
      startedAt: at,
      queuePosition: null,
      progress: work === undefined ? null : progressAt(work, START),
    });
    this.#renumber(at);
  }

  #step(job: Job, at: number): void {
    const { work } = job;
    if (work === undefined) return this.#end(job, at, this.#rules.states.failure);
    if (work.isStopped) {
      job.comingStates = this.#rules.states.cancelRunning;
      return this.#pass(job, at);
    }
    const { next, progress, preview, output, breakdown } = stepFrom(work, job.place, job.id);
    job.progressCount += 1;
    if (preview !== undefined) job.previewCount += 1;
    job.state = { ...job.state, progress, preview: preview ?? job.state.preview };
    if (output !== undefined) this.#become(job, at, { outputs: [...job.state.outputs, output] });
    if (breakdown !== undefined) return this.#end(job, at, this.#rules.states.failure, { breakdown });
    if (next === undefined) return this.#end(job, at, this.#rules.states.success);
    job.place = next;
    job.due = at + tickAt(work, next);
  }

  /** Moves a cancelled job to its next state. */
  #pass(job: Job, at: number): void {
    const [status, ...rest] = job.comingStates;
    if (status === undefined || rest.length === 0) return this.#end(job, at, status ?? job.state.status);
    job.comingStates = rest;
    job.due = at + this.#rules.cancelMs;
    this.#become(job, at, { stage: 'stopping', status, queuePosition: null });
  }

  #end(job: Job, at: number, status: string, more: Partial<JobState> = {}): void {
    const printed = printedBy(job, status === this.#rules.states.success, more.breakdown ?? null);
    this.#active.delete(job);
    this.#holdsSlot.delete(job);
    job.due = undefined;
    job.work = undefined;
    this.#become(job, at, { ...more, stage: 'over', status, completedAt: at, queuePosition: null, printed });
  }

  #become(job: Job, at: number, change: Partial<JobState>): void {
    job.state = { ...job.state, ...change };
    recordStatus(job, at);
  }

  #renumber(at: number): void {
    let ahead = 0;
    for (const [index, job] of this.#waiting.entries()) {
      ahead = Math.max(ahead, strangersAhead(job, at));
      const queuePosition = index + 1 + ahead;
      if (job.state.queuePosition !== queuePosition) this.#become(job, at, { queuePosition });
    }
  }
}

/** How an external action advances a job: to its next event, or to one of its ends. */
export type Advance = 'step' | 'succeed' | 'fail' | 'expire';

/** When the next fictitious job before a waiting one leaves the queue. */
export function nextDeparture(job: Pick<Job, 'createdAt' | 'ahead'>, now: number): number | undefined {
  const { jobs, eachMs } = job.ahead;
  const left = strangersAhead(job, now);
  return left === 0 ? undefined : job.createdAt + (jobs - left + 1) * eachMs;
}

// --- internal ---

function strangersAhead({ createdAt, ahead }: Pick<Job, 'createdAt' | 'ahead'>, now: number): number {
  if (ahead.jobs === 0) return 0;
  return Math.max(0, ahead.jobs - Math.floor((now - createdAt) / ahead.eachMs));
}

function breakdownAt({ work, place }: Job): Breakdown | null {
  const node = work?.nodes[place.node];
  return node === undefined ? null : { node_id: node.id, class_type: node.className };
}

function wellMade(work: Work): Work {
  return { ...work, nodes: work.nodes.map((node) => ({ ...node, fails: false })) };
}

function lastTickOf({ nodes }: Work, node: number): WorkPosition {
  return { node, tick: (nodes[node]?.ticks ?? 1) - 1 };
}

const LONGEST_LOG = 20;

function printedBy({ work, place }: Job, isThrough: boolean, breakdown: Breakdown | null): string {
  const nodes = work?.nodes ?? [];
  const lines = nodes
    .slice(0, isThrough ? nodes.length : place.node)
    .slice(-LONGEST_LOG)
    .map(({ id, className }) => `node ${id} (${className}) done`);
  if (breakdown !== null) lines.push(`node ${breakdown.node_id} (${breakdown.class_type}) failed`);
  return lines.join('\n');
}
