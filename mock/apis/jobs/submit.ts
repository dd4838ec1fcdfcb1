import { cutAnswer, type Answer } from '../../call/answer.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { callerRefusal } from './access.ts';
import { effectOf, jobAnswer, refuseJob, scopeOf, type JobRefusal, type Jobs } from './context.ts';
import type { GraphNode } from './graph.ts';
import type { Job } from './job.ts';
import { workFor } from './work.ts';

/** The result of a submission. */
export interface SubmissionOutcome {
  readonly answer: Answer;
  /** Certainly no job was created. */
  readonly hadNoEffect: boolean;
  readonly job?: Job;
  readonly refusal?: JobRefusal;
}

/**
 * Creates a job from a workflow (document 3, "POST /api/v2/jobs"). Its key, if it has one, has been handled
 * before.
 */
export function submit(jobs: Jobs): Behaviour {
  return (call) => {
    const { answer, hadNoEffect } = jobs.mechanisms.submission(jobs, call);
    call.facts.hadNoEffect = hadNoEffect;
    return answer;
  };
}

export function submission(jobs: Jobs, call: Call): SubmissionOutcome {
  const checked = jobs.mechanisms.checkSubmission(jobs, call);
  if (checked.kind === 'refused') return refused(jobs, call, checked.refusal);
  const refusal = refusalOfValid(jobs, call);
  if (refusal !== undefined) return refused(jobs, call, refusal);
  const job = create(jobs, call, checked.nodes);
  call.note('submit', `job ${job.id}`);
  const answer = answerInstead(jobs, call) ?? jobAnswer(jobs, call, CREATED, job);
  return { answer, hadNoEffect: false, job };
}

/** Document 3, "POST /api/v2/jobs": a job was created. */
export const CREATED = 201;

// --- internal ---

function refused(jobs: Jobs, call: Call, refusal: JobRefusal): SubmissionOutcome {
  return { answer: refuseJob(jobs, call, refusal), hadNoEffect: true, refusal };
}

/** Refuses a valid submission if the queue is full, or if its caller has no credits (rule 3). */
function refusalOfValid(jobs: Jobs, call: Call): JobRefusal | undefined {
  const caller = callerRefusal(call);
  if (caller !== undefined) return caller;
  const effect = effectOf(call, 'submit');
  if (effect?.kind === 'refused') return { role: effect.role, message: effect.message };
  if (jobs.state.board.waiting(scopeOf(call)) < jobs.settings.queueLimit) return undefined;
  return { role: 'queueFull', message: 'The queue is full: wait, then submit it again.' };
}

function create(jobs: Jobs, call: Call, nodes: readonly GraphNode[]): Job {
  const effect = effectOf(call, 'submit');
  const wished = effect?.kind === 'work' ? effect : undefined;
  const tickMs = 1_000 / jobs.assume('A-72').perSecond;
  return jobs.state.board.submit({
    scope: scopeOf(call),
    work: workFor(nodes, tickMs, wished?.changes),
    ...(wished?.ahead === undefined ? {} : { ahead: wished.ahead }),
    ...(wished?.keptMs === undefined ? {} : { keptMs: wished.keptMs }),
  });
}

/** The answer instead of the job, if a scenario asks for one (rule 4). */
function answerInstead(jobs: Jobs, call: Call): Answer | undefined {
  const effect = effectOf(call, 'submit');
  if (effect?.kind !== 'unanswered') return undefined;
  if (effect.how === 'cut') return cutAnswer();
  const message = 'The server did not answer in time: a job may have been created.';
  return refuseJob(jobs, call, { role: 'upstream', message });
}
