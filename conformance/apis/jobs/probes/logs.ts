import { check, undecided } from '../../../scenarios/check.ts';
import { isObject, isSuccess, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { TERMINAL } from '../wire/job.ts';
import { CANCEL, LIFE_MS, MOST_READS, bodyOf, read, readUntil, statusOf, submit, submitted } from './job.ts';

/** Document 3, Job, rules for logs, items 1 and 3: absent in every read of every job, in any status. */
const nowhere = [
  { rule: 'jobs.logs.surface', surfaces: ['cloud', 'self-hosted'], of: 'never', where: 'this surface' },
  { rule: 'jobs.logs.demo-withheld', surfaces: ['demo'], of: 'demo', where: 'a demo' },
] as const;

export const finishedWithoutLogs = nowhere.map(({ rule, surfaces, of, where }) =>
  scenario({
    id: `jobs.logs.${of}-finished`,
    api: 'jobs',
    title: `logs of jobs that succeed and fail on ${where}`,
    permissions: ['jobs'],
    needs: ['surface', 'job.ok'],
    budgetMs: 2 * LIFE_MS,
    judges: [rule],
    surfaces,
    severalCases: [rule],
    requests: { submit: { ...submit, times: 2 }, read: { ...read, times: 2 * MOST_READS } },
    run: async function* (session) {
      for (const fixture of ['ok', 'fail'])
        if (bodyOf(session.fixtures, fixture) !== undefined)
          yield* judgeAbsence(await finished(session, fixture), rule, where);
    },
  }),
);

export const unfinishedWithoutLogs = nowhere.map(({ rule, surfaces, of, where }) =>
  scenario({
    id: `jobs.logs.${of}-running`,
    api: 'jobs',
    title: `logs of a job that runs and is cancelled on ${where}`,
    permissions: ['jobs', 'slow'],
    needs: ['surface', 'job.slow'],
    budgetMs: LIFE_MS,
    judges: [rule],
    surfaces,
    severalCases: [rule],
    requests: {
      submit,
      read: { ...read, times: 2 * MOST_READS },
      cancel: { ...submit, target: CANCEL },
    },
    run: async function* (session) {
      const { id } = await submitted(session, 'submit', 'slow', session.freshKey());
      const seen = await readUntil(session, 'read', id, {
        holds: (job) => statusOf(job) !== 'queued',
        times: MOST_READS,
        pauseMs: 100,
      });
      yield* judgeAbsence(seen, rule, where);
      await session.send('cancel', { fill: { id } });
      const ended = await readUntil(session, 'read', id, {
        holds: (job) => TERMINAL.includes(statusOf(job)),
        times: MOST_READS,
        pauseMs: 200,
      });
      yield* judgeAbsence(ended, rule, where);
    },
  }),
);

export const beforeTheEnd = scenario({
  id: 'jobs.logs.before-the-end',
  api: 'jobs',
  title: 'logs of unfinished jobs',
  permissions: ['jobs', 'slow'],
  needs: ['surface', 'job.slow'],
  budgetMs: LIFE_MS,
  judges: ['jobs.logs.not-before-finish'],
  surfaces: ['serverless'],
  severalCases: ['jobs.logs.not-before-finish'],
  requests: { submit, read: { ...read, times: MOST_READS } },
  run: async function* (session) {
    const { seen } = await finished(session, 'slow');
    for (const answer of seen.filter(({ json }) => !TERMINAL.includes(statusOf(json)))) {
      const absent = !(isObject(answer.json) && 'logs' in answer.json);
      yield check(
        'jobs.logs.not-before-finish',
        answer,
        absent,
        'no logs before the end',
        `${statusOf(answer.json)} with logs`,
      );
    }
  },
});

export const successAndFailure = scenario({
  id: 'jobs.logs.success-and-failure',
  api: 'jobs',
  title: 'logs of a successful and a failed job',
  permissions: ['jobs'],
  needs: ['surface', 'job.ok', 'job.fail'],
  budgetMs: 2 * LIFE_MS,
  judges: ['jobs.logs.success-and-failure'],
  surfaces: ['serverless'],
  requests: {
    submit: { ...submit, times: 2 },
    read: { ...read, times: 2 * MOST_READS },
  },
  run: async function* (session) {
    const good = await finished(session, 'ok');
    const bad = await finished(session, 'fail');
    const has = ({ last }: typeof good): boolean => isObject(member(last.json, 'logs'));
    // Document 3, Job, rules for logs, item 2: if present, then for success and failure alike.
    if (!has(good))
      yield undecided('jobs.logs.success-and-failure', good.last, 'the successful job has no logs');
    else
      yield check(
        'jobs.logs.success-and-failure',
        [good.last, bad.last],
        has(bad),
        'logs on the failed job as well',
        `${statusOf(bad.last.json)} without logs`,
      );
  },
});

const LONGEST_LIFE_MS = 30 * 24 * 3_600_000;

/** Reads a finished job a minute before it expires; `undefined` if that is too far in the future. */
async function shortlyBeforeExpiry(
  session: Parameters<typeof readUntil<'read' | 'submit'>>[0],
): Promise<{ readonly last: Exchange; readonly late: Exchange | undefined }> {
  const { last } = await finished(session, 'ok');
  const wait = Date.parse(String(member(last.json, 'expires_at'))) - session.clock.now() - 60_000;
  if (!Number.isFinite(wait) || wait > LONGEST_LIFE_MS) return { last, late: undefined };
  await session.clock.sleep(Math.max(0, wait));
  return { last, late: await session.send('read', { fill: { id: String(member(last.json, 'id')) } }) };
}

export const readableToTheEnd = scenario({
  id: 'jobs.read.until-expiry',
  api: 'jobs',
  title: 'a job shortly before it expires',
  permissions: ['jobs', 'long'],
  needs: ['job.ok'],
  budgetMs: 2 * LONGEST_LIFE_MS,
  judges: ['jobs.read.until-expiry'],
  requests: { submit, read: { ...read, times: MOST_READS + 1 } },
  run: async function* (session) {
    const { last, late } = await shortlyBeforeExpiry(session);
    if (late === undefined) {
      yield undecided('jobs.read.until-expiry', last, 'it expires in more than thirty days');
      return;
    }
    // Document 3, Job, introduction: durable until expires_at.
    yield check(
      'jobs.read.until-expiry',
      [last, late],
      isSuccess(late),
      'the job until expires_at',
      String(late.status),
    );
  },
});

export const logsToTheEnd = scenario({
  id: 'jobs.logs.until-expiry',
  api: 'jobs',
  title: 'the logs of a job shortly before it expires',
  permissions: ['jobs', 'long'],
  surfaces: ['serverless'],
  needs: ['job.ok'],
  budgetMs: 2 * LONGEST_LIFE_MS,
  judges: ['jobs.logs.lifetime'],
  requests: { submit, read: { ...read, times: MOST_READS + 1 } },
  run: async function* (session) {
    const { last, late } = await shortlyBeforeExpiry(session);
    if (late === undefined || !isSuccess(late) || !isObject(member(last.json, 'logs'))) return;
    // Document 3, Job, rules for logs, item 2: they live as long as the job.
    yield check(
      'jobs.logs.lifetime',
      [last, late],
      isObject(member(late.json, 'logs')),
      'the logs for as long as the job',
      `logs ${sketch(member(late.json, 'logs'))}`,
    );
  },
});

// --- internal ---

type Finished = Awaited<ReturnType<typeof readUntil>>;

async function finished(
  session: Parameters<typeof readUntil<'read' | 'submit'>>[0],
  fixture: string,
): Promise<Finished> {
  const { id } = await submitted(session, 'submit', fixture, session.freshKey());
  return readUntil(session, 'read', id, {
    holds: (job) => TERMINAL.includes(statusOf(job)),
    times: MOST_READS,
    pauseMs: 500,
  });
}

/** `jobs.logs.absent-not-null` covers null. */
function* judgeAbsence({ seen }: Finished, rule: string, where: string): Generator<Check> {
  for (const answer of seen) {
    const logs = member(answer.json, 'logs');
    const got = `${statusOf(answer.json)}: logs ${sketch(logs)}`;
    yield check(rule, answer, logs === undefined || logs === null, `no member logs on ${where}`, got);
  }
}
