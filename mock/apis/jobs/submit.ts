import { createHash } from 'node:crypto';
import {
  claimSingleUseKey,
  settleSingleUseKey,
  type SingleUsePolicy,
  type SubmissionEnd,
} from '../../../contract/policies/idempotency-single-use.ts';
import { cutAnswer, type Answer } from '../../call/answer.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { keyId } from '../../state/store.ts';
import { refusedCaller } from './access.ts';
import { effectOf, jobAnswer, refuseJob, scopeOf, type JobRefusal, type Jobs } from './context.ts';
import type { GraphNode } from './graph.ts';
import type { Job } from './job.ts';
import { checkSubmission } from './submission-checks.ts';
import { workFor } from './work.ts';

/**
 * Makes a job of a workflow (document 3, "POST /api/v2/jobs"), for each key once ("Idempotency-Key rules on submit").
 * What becomes of the key is decided by how the submission ended, whether or not the caller hears of it. Nothing waits
 * between looking at the key and the end, so that of two submissions at the same time one comes second.
 */
export function submit(jobs: Jobs): Behaviour {
  return async (call) => {
    const policy = deviantPolicy(jobs.facts.idempotency, call);
    const key = call.request.header(policy.requestHeader.toLowerCase());
    if (key === undefined || key === '' || call.switches.keysIgnored === true)
      return perform(jobs, call).answer;
    call.facts.idempotencyKey = key;
    const { keys } = jobs.state;
    const id = keyId(scopeOf(call), key);
    const record = keys.get(id);
    if (call.switches.claimRace === true) await jobs.clock.sleep(1);
    const decision = claimSingleUseKey(policy, record, { fence: call.id, now: jobs.clock.now() });
    if (decision.action === 'refuse') return usedKey(jobs, call, id);
    keys.set(id, decision.record, jobs.clock.now());
    call.note('key', 'claimed');
    // Whatever goes wrong in here, a job may exist.
    let end: SubmissionEnd = 'unknown';
    try {
      const submission = perform(jobs, call);
      end = keyFate(call, submission);
      if (submission.job !== undefined) rememberFirstUse(jobs, call, id, submission.job);
      return submission.answer;
    } finally {
      const settled = settleSingleUseKey(keys.get(id), call.id, end);
      keys.set(id, settled, jobs.clock.now());
      call.note('key', settled?.state ?? 'released', end === 'refused' ? 'A-87' : undefined);
    }
  };
}

// --- internal ---

interface Performed {
  readonly answer: Answer;
  readonly end: SubmissionEnd;
  readonly refusal?: JobRefusal;
  readonly job?: Job;
}

function perform(jobs: Jobs, call: Call): Performed {
  const checked = checkSubmission(jobs, call);
  if (checked.kind === 'refused' && !isTakenAllTheSame(call, checked.refusal))
    return refused(jobs, call, checked.refusal);
  const refusal = turnedDown(jobs, call);
  if (refusal !== undefined) return refused(jobs, call, refusal);
  const job = create(jobs, call, checked.kind === 'good' ? checked.nodes : undefined);
  call.note('submit', `job ${job.id}`);
  const unanswered = answerInstead(jobs, call);
  return unanswered === undefined
    ? { answer: jobAnswer(jobs, call, CREATED, job), end: 'created', job }
    : { answer: unanswered, end: 'unknown', job };
}

const CREATED = 201;

function refused(jobs: Jobs, call: Call, refusal: JobRefusal): Performed {
  return { answer: refuseJob(jobs, call, refusal), end: 'refused', refusal };
}

/** Good submissions that come at the wrong time, or from callers who cannot pay (rule 3). */
function turnedDown(jobs: Jobs, call: Call): JobRefusal | undefined {
  const caller = refusedCaller(call);
  if (caller !== undefined) return caller;
  const effect = effectOf(call, 'submit');
  if (effect?.kind === 'refused') return { role: effect.role, message: effect.message };
  if (jobs.state.board.waiting(scopeOf(call)) < jobs.settings.queueLimit) return undefined;
  return { role: 'queueFull', message: 'The queue is full: wait, then submit it again.' };
}

/** @param nodes `undefined` for a graph that cannot run, which a deviation takes all the same */
function create(jobs: Jobs, call: Call, nodes: readonly GraphNode[] | undefined): Job {
  const effect = effectOf(call, 'submit');
  const wished = effect?.kind === 'work' ? effect : undefined;
  const tickMs = 1_000 / jobs.assume('A-72').perSecond;
  const runnable = nodes ?? [{ id: '', nodeClass: { name: '', fails: true }, inputs: {} }];
  return jobs.state.board.submit({
    scope: scopeOf(call),
    work: workFor(runnable, tickMs, wished?.wish),
    ...(wished?.ahead === undefined ? {} : { ahead: wished.ahead }),
    ...(wished?.keptMs === undefined ? {} : { keptMs: wished.keptMs }),
  });
}

/** What the caller hears instead of its job, where a scenario says so (rule 4). */
function answerInstead(jobs: Jobs, call: Call): Answer | undefined {
  const effect = effectOf(call, 'submit');
  if (effect?.kind !== 'unanswered') return undefined;
  if (effect.how === 'cut') return cutAnswer();
  const message = 'Nobody answered in time: a job may have been created.';
  return refuseJob(jobs, call, { role: 'upstream', message });
}

function usedKey(jobs: Jobs, call: Call, id: string): Answer {
  call.note('key', 'used before', 'jobs.idem.duplicate-422');
  const message = 'This key was used before. Look for the job of its first use, or take a new key.';
  return deviantReuse(jobs, call, id) ?? refuseJob(jobs, call, { role: 'usedKey', message });
}

// --- deviations ---

function isTakenAllTheSame({ switches }: Call, { role }: JobRefusal): boolean {
  return switches.faultsBecomeJobs === true && role === 'invalidGraph';
}

function keyFate({ switches }: Call, { end, refusal }: Performed): SubmissionEnd {
  if (end === 'refused' && refusal !== undefined && switches.keyKeptAfter?.includes(refusal.role) === true)
    return 'unknown';
  return end === 'unknown' && switches.keyFreedWhenUnknown === true ? 'refused' : end;
}

function deviantReuse(jobs: Jobs, call: Call, id: string): Answer | undefined {
  const { usedKey: wanted, checksBeforeKey } = call.switches;
  if (checksBeforeKey === true) {
    const checked = checkSubmission(jobs, call);
    if (checked.kind === 'refused') return refuseJob(jobs, call, checked.refusal);
  }
  const first = jobs.state.firstUses.get(id);
  if (wanted === undefined || first === undefined) return undefined;
  const body = first.body === hashOf(call) ? 'same' : 'other';
  if (wanted.body !== 'any' && wanted.body !== body) return undefined;
  if (wanted.gets === 'second-job') return perform(jobs, call).answer;
  if (wanted.gets === 'conflict')
    return refuseJob(jobs, call, { role: 'usedKey', message: 'Conflict.', status: CONFLICT });
  const job = jobs.state.board.find(first.jobId);
  return job === undefined ? undefined : jobAnswer(jobs, call, CREATED, job);
}

const CONFLICT = 409;

function rememberFirstUse(jobs: Jobs, call: Call, id: string, job: Job): void {
  if (call.switches.usedKey === undefined) return;
  jobs.state.firstUses.set(id, { jobId: job.id, body: hashOf(call) });
}

function hashOf({ request }: Call): string {
  return createHash('sha256').update(request.raw.body).digest('base64');
}

function deviantPolicy(policy: SingleUsePolicy, { switches }: Call): SingleUsePolicy {
  return switches.recordWindow === undefined ? policy : { ...policy, window: switches.recordWindow };
}
