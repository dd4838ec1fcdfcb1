import { check } from '../../scenarios/check.ts';
import { isSuccess, member } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { Hindered } from '../../scenarios/scenario.ts';
import type { Check } from '../../scenarios/scenario.ts';
import { sketchRefusal } from './probes/job.ts';

/** A job that a submission created. */
export interface MadeJob {
  readonly id: string;
  readonly made: Exchange;
  /** The fixture that it was created from; `undefined` if its end is not known. */
  readonly fixture: string | undefined;
  /** The last read of it. */
  read: Exchange | undefined;
  isCancelled: boolean;
  /** The refused caller of a cancellation: the rule for it, and the refusal. */
  refused: { readonly rule: string; readonly answer: Exchange } | undefined;
}

/** A key that a submission had. */
export interface SentKey {
  readonly key: string;
  readonly body: unknown;
  /** `claimed`: it created a job; `freed`: it certainly created none; `open`: unknown. */
  state: 'claimed' | 'freed' | 'open';
  readonly answer: Exchange;
  /** The rule by which it is free. */
  readonly freedBy: string | undefined;
}

export interface KnownJobs {
  readonly jobs: MadeJob[];
  readonly keys: SentKey[];
}

/**
 * Records the jobs that submissions created.
 *
 * @param fixture that they were created from
 */
export function* noteJobs(
  state: KnownJobs,
  answers: readonly Exchange[],
  fixture: string | undefined,
): Generator<Check> {
  for (const made of answers.filter(isSuccess)) {
    const id = member(made.json, 'id');
    if (typeof id !== 'string') continue;
    const known = state.jobs.find((job) => job.id === id);
    // Document 3, POST /api/v2/jobs: each one creates a job, with its own key or without one.
    yield check(
      'jobs.idem.no-key-ok',
      known === undefined ? made : [known.made, made],
      known === undefined,
      'a separate job',
      `the job ${id}`,
    );
    if (known === undefined)
      state.jobs.push({ id, made, fixture, read: undefined, isCancelled: false, refused: undefined });
  }
}

/** @throws {Hindered} when the server has no capacity, or fails */
export function unlessBusy(answers: readonly Exchange[]): void {
  for (const answer of answers)
    if (answer.status === 429 || answer.status >= 500)
      throw new Hindered(`the server returned ${sketchRefusal(answer)}`, [answer.id]);
}
