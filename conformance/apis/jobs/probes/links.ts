import { check } from '../../../scenarios/check.ts';
import { isStream, isSuccess, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { NotExercised, scenario } from '../../../scenarios/scenario.ts';
import type { Check, Session } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { jobIn, stringsIn } from '../wire/job.ts';
import { CANCEL, LIFE_MS, events, read, sketchRefusal, submit, submitted } from './job.ts';

/**
 * Document 3, Job, rules for urls: a reference is resolved against the origin of the request. Only links to
 * the job itself are followed, and never to another origin, which this run does not test.
 */
export async function* judgeLinks(
  session: Session<'link'>,
  last: Exchange,
  id: string,
): AsyncGenerator<Check> {
  const host = last.request.headers.find(([name]) => name.toLowerCase() === 'host')?.[1];
  const links = stringsIn(member(last.json, 'urls')).filter(({ length }) => length <= LONGEST_LINK);
  const paths = links.map(pathOf(host)).filter((path) => path !== undefined && JOB_PATH.test(path));
  for (const path of [...new Set(paths)].slice(0, MOST_LINKS)) {
    const answer = await session.send('link', { fill: { path: path ?? '' } });
    const found = isSuccess(answer) ? member(answer.json, 'id') : undefined;
    yield check(
      'jobs.urls.resolvable',
      [last, answer],
      found === id,
      `the job at ${path}`,
      found === undefined ? sketchRefusal(answer) : `the job ${sketch(found)}`,
    );
  }
  const streams = links.map(pathOf(host)).filter((path) => path !== undefined && STREAM_PATH.test(path));
  for (const path of [...new Set(streams)].slice(0, 2)) {
    const { exchange } = await session.watch('link', { fill: { path: path ?? '' }, timeoutMs: 10_000 });
    yield check(
      'jobs.urls.resolvable',
      [last, exchange],
      isSuccess(exchange) && isStream(exchange),
      `the events at ${path}`,
      sketchRefusal(exchange),
    );
  }
}

export const mountedLinks = scenario({
  id: 'jobs.urls.mounted',
  api: 'jobs',
  title: 'links of a job below a mount prefix, in every answer that shows the job',
  permissions: ['jobs'],
  needs: ['job.ok', 'job.mountPrefix'],
  budgetMs: LIFE_MS,
  judges: ['jobs.urls.mount-prefix'],
  severalCases: ['jobs.urls.mount-prefix'],
  requests: { submit, read, events, cancel: { ...submit, target: CANCEL } },
  run: async function* (session) {
    const { send, fixtures } = session;
    const { exchange, id } = await submitted(session, 'submit', 'ok', session.freshKey());
    const fill = { id };
    const read = await send('read', { fill });
    const { exchange: stream, events } = await session.watch('events', {
      fill,
      timeoutMs: 10_000,
      until: (seen) => seen.some((event) => jobIn(event, id) !== undefined),
    });
    const cancelled = await send('cancel', { fill });
    const shown: readonly (readonly [Exchange, unknown])[] = [
      [exchange, exchange.json],
      [read, read.json],
      ...events.map((event) => [stream, jobIn(event, id)] as const),
      [cancelled, cancelled.json],
    ];
    const prefix = String(fixtures.job?.['mountPrefix']);
    const links = shown.flatMap(([seen, job]) =>
      stringsIn(member(job, 'urls')).map((link) => ({ seen, link })),
    );
    const relative = links.filter(({ link }) => link.startsWith('/') && !link.startsWith('//'));
    if (relative.length === 0)
      throw new NotExercised('job.mountPrefix', 'the job has no link that begins with a slash');
    for (const { seen, link } of relative) {
      // Document 3, Job, rules for urls, item 1: it includes the prefix already.
      yield check(
        'jobs.urls.mount-prefix',
        seen,
        link.startsWith(`${prefix}/`),
        `a link that begins with ${prefix}/`,
        link,
      );
    }
  },
});

// --- internal ---

const MOST_LINKS = 4;

/** Longer links are not followed. */
const LONGEST_LINK = 4096;

/** The path of a link to this host; `undefined` for another one. */
function pathOf(host: string | undefined): (link: string) => string | undefined {
  return (link) => {
    const [, authority = host, path = link] = /^https?:\/\/([^/]+)(\/.*)$/i.exec(link) ?? [];
    const isElsewhere = authority?.toLowerCase() !== host?.toLowerCase();
    return isElsewhere || !path.startsWith('/') ? undefined : path;
  };
}

const STREAM_PATH = /\/api\/v2\/jobs\/[^?#]+\/events(?:[?#].*)?$/;

const JOB_PATH = /\/api\/v2\/jobs\/[^/?#]+(?:[?#].*)?$/;
