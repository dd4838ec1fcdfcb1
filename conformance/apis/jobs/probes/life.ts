import { check, observed, undecided } from '../../../scenarios/check.ts';
import { isObject, isSuccess, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import type { Check, Session, Watched } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { REQUIRED, TERMINAL } from '../wire/job.ts';
import { REUSE, isReuse } from './keys.ts';
import {
  CANCEL,
  LIFE_MS,
  MOST_READS,
  bodyOf,
  endGrace,
  eventNames,
  events,
  isOver,
  keyed,
  read,
  readUntil,
  sketchRefusal,
  statusOf,
  submit,
  submitted,
} from './job.ts';
import { judgeLinks } from './links.ts';
import { judgeLastProgress } from './progress.ts';
import { judgeAuthority, judgePath, judgeStream, sketchStream } from './stream-end.ts';

/** So many that a status which comes back for a moment is seen. */
const LATER_READS = 15;

export const wholeLife = scenario({
  id: 'jobs.life.success',
  api: 'jobs',
  title: 'a successful job from its submission to its end',
  permissions: ['jobs'],
  needs: ['job.ok'],
  budgetMs: 2 * LIFE_MS,
  judges: [
    'jobs.submit.201',
    'jobs.submit.queued',
    'jobs.submit.durable',
    'jobs.read.ok',
    'jobs.read.same-id',
    'jobs.read.authoritative',
    'jobs.state.legal-path',
    'jobs.state.terminal-final',
    'jobs.state.success',
    'jobs.urls.resolvable',
    'jobs.sse.ends-after-terminal',
    'jobs.sse.nothing-after-terminal',
    'jobs.sse.terminal-before-end',
    'jobs.sse.status-carries-job',
    'jobs.sse.connect-terminal',
    'jobs.sse.known-kinds',
    'jobs.job.completed-at',
    'jobs.job.expires-at-stable',
    'jobs.read.unknown',
    'jobs.job.progress-same-data',
  ],
  searches: ['jobs.job.progress-same-data'],
  severalCases: [
    'jobs.sse.connect-terminal',
    'jobs.state.terminal-final',
    'jobs.urls.resolvable',
    'jobs.read.unknown',
  ],
  requests: {
    submit,
    read: { ...read, times: MOST_READS + 8 + LATER_READS },
    events: { ...events, times: 5 },
    cancel: { method: 'POST', target: CANCEL, as: 'jobOwner', times: 1 },
    link: { method: 'GET', target: '{path}', as: 'jobOwner', times: 6, fromOrigin: true },
  },
  run: async function* (session) {
    const { send, fixtures, clock } = session;
    const names = eventNames(fixtures);
    const { exchange: made, id } = await submitted(session, 'submit', 'ok', session.freshKey());
    const fill = { id };
    // Document 3, States and transitions, row 1, and POST /api/v2/jobs: 201, queued, durably recorded.
    yield check('jobs.submit.201', made, made.status === 201, 'status 201', String(made.status));
    const first = statusOf(made.json);
    if (first === 'running') yield undecided('jobs.submit.queued', made, 'it was running already');
    else
      yield check('jobs.submit.queued', made, first === 'queued', 'status queued', `status ${sketch(first)}`);

    const at = await send('read', { fill });
    yield check(
      'jobs.submit.durable',
      [made, at],
      isSuccess(at),
      'a job that can be read at once',
      sketchRefusal(at),
    );

    if (isSuccess(at)) yield* judgeRead(at, id);

    const watched = await session.watch('events', { fill, timeoutMs: LIFE_MS, grace: endGrace(names) });
    const after = await readUntil(session, 'read', id, {
      holds: (job) => TERMINAL.includes(statusOf(job)),
      times: MOST_READS,
      pauseMs: 500,
    });
    const { last } = after;
    const isJob = looksLikeJob(last);
    yield* judgeRead(last, id);
    const end = statusOf(last.json);
    if (after.reached) {
      // Document 3, States and transitions, row 3.
      yield check('jobs.state.success', last, end === 'succeeded', 'status succeeded', `status ${end}`);
    } else if (isJob) {
      yield end !== '' && !['queued', 'running', 'canceling'].includes(end)
        ? check('jobs.state.success', last, false, 'status succeeded', `status ${end}`)
        : undecided('jobs.state.success', last, `still ${end} after ${LIFE_MS / 1000} s`);
    }
    yield* judgeStream(watched, names, id);
    yield* judgeAuthority(watched, names, last);
    yield judgePath([made, ...after.seen], watched, names);
    yield observed(
      'jobs.job.completed-at',
      last,
      `${end}: completed_at ${member(last.json, 'completed_at') === null ? 'null' : 'set'}`,
    );
    const stable = member(made.json, 'expires_at') === member(last.json, 'expires_at');
    yield observed('jobs.job.expires-at-stable', [made, last], stable ? 'the same at the end' : 'changed');
    if (!TERMINAL.includes(end)) return;

    // Document 3, States and transitions, terminal states: a terminal state does not change.
    const later: Exchange[] = [];
    for (let count = 0; count < LATER_READS; count += 1) {
      later.push(await send('read', { fill }));
      await clock.sleep(1500 / LATER_READS);
    }
    const readable = later.filter(isSuccess);
    const latest = readable.at(-1);
    if (latest !== undefined && watched.ended === 'end') yield* judgeLastProgress(watched, latest, names);
    const final = readable.every(({ json }) => statusOf(json) === end);
    if (isJob && readable.length > 0)
      yield check(
        'jobs.state.terminal-final',
        [last, ...readable],
        final,
        `${end} for good`,
        readable.map(({ json }) => statusOf(json)).join(', '),
      );

    yield* judgeConnects(session, id);
    yield* judgeLinks(session, last, id);
    // Similar ids address nothing.
    for (const near of [`${id}0`, id.slice(0, -1)]) {
      const answer = await send('read', { fill: { id: near } });
      yield check('jobs.read.unknown', answer, !isSuccess(answer), 'no success', sketchRefusal(answer));
    }
    if (end !== 'succeeded') return;
    yield* judgeLateCancel(session, id, end);
  },
});

export const failure = scenario({
  id: 'jobs.life.failure',
  api: 'jobs',
  title: 'a job that fails',
  permissions: ['jobs'],
  needs: ['job.fail'],
  budgetMs: LIFE_MS,
  judges: [
    'jobs.state.failure',
    'jobs.job.error-on-failed',
    'jobs.job.failed-not-http-error',
    'jobs.sse.ends-after-terminal',
    'jobs.sse.terminal-before-end',
    'jobs.sse.connect-terminal',
    'jobs.idem.duplicate-422',
    'jobs.state.terminal-final',
  ],
  severalCases: ['jobs.job.error-on-failed', 'jobs.sse.connect-terminal'],
  requests: {
    submit,
    again: submit,
    read: { ...read, times: MOST_READS + 2 },
    events: { ...events, times: 5 },
    cancel: { method: 'POST', target: CANCEL, as: 'jobOwner', times: 1 },
  },
  run: async function* (session) {
    const key = session.freshKey();
    const { exchange: made, id } = await submitted(session, 'submit', 'fail', key);
    const names = eventNames(session.fixtures);
    const watched = await session.watch('events', {
      fill: { id },
      timeoutMs: LIFE_MS,
      grace: endGrace(names),
    });
    for (const one of judgeStream(watched, names, id))
      if (one.kind === 'check' && STREAM_END.has(one.rule)) yield one;
    let last: Exchange | undefined;
    for (let count = 0; count < MOST_READS; count += 1) {
      last = await session.send('read', { fill: { id } });
      // A job that cannot be found yet violates another rule.
      if (last.status !== 404 && (!isSuccess(last) || TERMINAL.includes(statusOf(last.json)))) break;
      await session.clock.sleep(500);
    }
    if (last === undefined) return;
    // Document 3, Errors, item 1: reported in the job, not as an error of HTTP.
    yield check(
      'jobs.job.failed-not-http-error',
      last,
      isSuccess(last),
      'a success, with the failed job',
      sketchRefusal(last),
    );
    if (!isSuccess(last)) return;
    const status = statusOf(last.json);
    if (!TERMINAL.includes(status)) {
      yield undecided('jobs.state.failure', last, `still ${status}`);
      return;
    }
    // Document 3, States and transitions, row 4.
    yield check('jobs.state.failure', last, status === 'failed', 'status failed', `status ${status}`);
    // Again: the final content does not change.
    const later = await session.send('read', { fill: { id } });
    if (status === 'failed')
      for (const answer of [last, later].filter(isSuccess)) {
        const error = member(answer.json, 'error');
        yield check(
          'jobs.job.error-on-failed',
          answer,
          isObject(error),
          'an object error',
          `error ${sketch(error)}`,
        );
      }
    yield* judgeConnects(session, id);
    // Document 3, Idempotency-Key rules on submit, item 2: the failure of a job does not release its key.
    const again = await session.send('again', keyed(bodyOf(session.fixtures, 'fail'), key));
    yield check('jobs.idem.duplicate-422', [made, again], isReuse(again), REUSE, sketchRefusal(again));
    yield* judgeLateCancel(session, id, status);
  },
});

/** The effect of cancelling a job that has ended is not documented, but its status stays. */
async function* judgeLateCancel(
  { send }: Pick<Session<'cancel' | 'read'>, 'send'>,
  id: string,
  end: string,
): AsyncGenerator<Check, void> {
  const cancelled = await send('cancel', { fill: { id } });
  const behind = await send('read', { fill: { id } });
  if (isSuccess(behind))
    yield check(
      'jobs.state.terminal-final',
      [cancelled, behind],
      statusOf(behind.json) === end,
      `${end} permanently, even after a cancellation`,
      statusOf(behind.json),
    );
}

/**
 * Document 3, GET …/events, items 1 to 3: a client that connects to a job that has ended gets the snapshot,
 * which ends the stream. An old event id changes nothing.
 */
export async function* judgeConnects(
  session: Session<'events' | 'read'>,
  id: string,
): AsyncGenerator<Check, void> {
  const names = eventNames(session.fixtures);
  for (const headers of [[], [['Last-Event-ID', '1']] as const]) {
    const watched = (): Promise<Watched> =>
      session.watch('events', { fill: { id }, headers, timeoutMs: 10_000, mayBeSilent: true });
    let late = await watched();
    if (late.exchange.answer === undefined) {
      // Twice silent is no lost response, as long as the server answers a read in between.
      await session.send('read', { fill: { id } });
      late = await watched();
    }
    yield check(
      'jobs.sse.connect-terminal',
      late.exchange,
      isOver(late.events, names) && late.ended === 'end',
      `the terminal status, and the end of the stream${headers.length > 0 ? ', also with Last-Event-ID' : ''}`,
      sketchStream(late, names),
    );
    // Item 3: earlier events are not repeated; only the latest progress is sent.
    const pushed = new Set(late.events.filter(({ name }) => name === names.progress).map(({ data }) => data));
    yield check(
      'jobs.sse.connect-terminal',
      late.exchange,
      pushed.size < 2,
      'the latest progress at most',
      `${pushed.size} events ${names.progress}`,
    );
  }
}

// --- internal ---

const STREAM_END: ReadonlySet<string> = new Set([
  'jobs.sse.ends-after-terminal',
  'jobs.sse.terminal-before-end',
]);

function looksLikeJob({ json }: Exchange): boolean {
  return isObject(json) && REQUIRED.some((name) => name in json);
}

/** Document 3, GET /api/v2/jobs/{id}: the requested Job. The status code is not documented. */
function* judgeRead(answer: Exchange, id: string): Generator<Check> {
  yield check('jobs.read.ok', answer, looksLikeJob(answer), 'a job');
  if (!looksLikeJob(answer)) return;
  const told = member(answer.json, 'id');
  yield check('jobs.read.same-id', answer, told === id, `id ${id}`, `id ${sketch(told)}`);
}
