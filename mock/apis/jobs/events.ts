import type { Answer } from '../../call/answer.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { effectOf, refuseJob, scopeOf, type Jobs } from './context.ts';
import { eventStream } from './stream.ts';

/**
 * The live events of a job (document 3, "GET /api/v2/jobs/{id}/events"), regardless of `Accept` (open point A-79).
 */
export function events(jobs: Jobs): Behaviour {
  return (call) => {
    const effect = effectOf(call, 'watch');
    if (effect?.kind === 'refused') return refuseJob(jobs, call, effect);
    const found = jobs.mechanisms.findJob(jobs, call);
    if ('refusal' in found) return found.refusal;
    if (!countStream(jobs, call)) {
      const message = 'Too many event streams are open.';
      return refuseJob(jobs, call, { role: 'tooManyStreams', message });
    }
    call.note('events', `from ${found.job.state.status}`, 'A-79');
    const texts = eventStream(jobs, call, found.job, {
      board: jobs.state.board,
      signal: cuttable(jobs, call, found.job.id),
      cutAfter: effect?.kind === 'cut' ? effect.afterEvents : undefined,
    });
    return streamAnswer(texts);
  };
}

/** An answer that is a stream of events. */
export function streamAnswer(texts: AsyncIterable<string>): Answer {
  return {
    status: 200,
    headers: [['Content-Type', 'text/event-stream']],
    body: { kind: 'stream', chunks: encoded(texts) },
  };
}

// --- internal ---

/** Counts the stream until it is closed; returns false if the caller has reached the limit. */
function countStream({ state: { streams }, settings }: Jobs, call: Call): boolean {
  const scope = scopeOf(call);
  const open = streams.get(scope) ?? 0;
  if (open >= settings.streamLimit) return false;
  streams.set(scope, open + 1);
  call.afterDelivery(() => {
    const left = (streams.get(scope) ?? 1) - 1;
    if (left > 0) streams.set(scope, left);
    else streams.delete(scope);
  });
  return true;
}

/** The signal of the call, which the control API can abort too. */
function cuttable({ state: { watchers } }: Jobs, call: Call, jobId: string): AbortSignal {
  const controller = new AbortController();
  const cut = (): void => {
    controller.abort(new Error('the control API cut the stream'));
  };
  const others = watchers.get(jobId) ?? new Set();
  watchers.set(jobId, others.add(cut));
  const { signal } = call;
  const leave = (): void => {
    controller.abort(signal.reason);
  };
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  call.afterDelivery(() => {
    signal.removeEventListener('abort', leave);
    others.delete(cut);
    if (others.size === 0) watchers.delete(jobId);
  });
  return controller.signal;
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}
