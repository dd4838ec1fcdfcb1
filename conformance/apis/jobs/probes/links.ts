import { check } from '../../../check.ts';
import { isSuccess, member } from '../../../exchange.ts';
import type { Exchange } from '../../../exchange.ts';
import { NotExercised, scenario } from '../../../scenario.ts';
import type { Check, Session } from '../../../scenario.ts';
import { sketch } from '../../../sketch.ts';
import { stringsIn } from '../wire/job.ts';
import { sketchRefusal, submit, submitted } from './job.ts';

/**
 * Document 3, Job, rules for urls: a reference is resolved against the origin of the request. Only links to the job
 * itself are followed, and none to another origin, which is no business of this run.
 */
export async function* judgeLinks(
  session: Session<'link'>,
  last: Exchange,
  id: string,
): AsyncGenerator<Check> {
  const host = last.request.headers.find(([name]) => name.toLowerCase() === 'host')?.[1];
  const links = stringsIn(member(last.json, 'urls')).filter(({ length }) => length <= LONGEST_LINK);
  const paths = links.flatMap((link) => {
    const [, authority = host, path = link] = /^https?:\/\/([^/]+)(\/.*)$/i.exec(link) ?? [];
    const isElsewhere = authority?.toLowerCase() !== host?.toLowerCase();
    return !isElsewhere && path.startsWith('/') && JOB_PATH.test(path) ? [path] : [];
  });
  for (const path of [...new Set(paths)].slice(0, MOST_LINKS)) {
    const answer = await session.send('link', { fill: { path } });
    const found = isSuccess(answer) ? member(answer.json, 'id') : undefined;
    yield check(
      'jobs.urls.resolvable',
      [last, answer],
      found === id,
      `the job behind ${path}`,
      found === undefined ? sketchRefusal(answer) : `the job ${sketch(found)}`,
    );
  }
}

export const mountedLinks = scenario({
  id: 'jobs.urls.mounted',
  api: 'jobs',
  title: 'links of a job below a mount prefix',
  permissions: ['jobs'],
  needs: ['job.ok', 'job.mountPrefix'],
  judges: ['jobs.urls.mount-prefix'],
  requests: { submit },
  run: async function* (session) {
    const { exchange } = await submitted(session, 'submit', 'ok', session.freshKey());
    const prefix = String(session.fixtures.job?.['mountPrefix']);
    const links = stringsIn(member(exchange.json, 'urls'));
    const relative = links.filter((one) => one.startsWith('/') && !one.startsWith('//'));
    if (relative.length === 0)
      throw new NotExercised('job.mountPrefix', 'the job has no link that begins with a slash');
    for (const link of relative) {
      // Document 3, Job, rules for urls, item 1: it includes the prefix already.
      yield check(
        'jobs.urls.mount-prefix',
        exchange,
        link.startsWith(`${prefix}/`),
        `a link that begins with ${prefix}/`,
        link,
      );
    }
  },
});

// --- internal ---

const MOST_LINKS = 4;

/** What is longer is a link that nobody follows. */
const LONGEST_LINK = 4096;

const JOB_PATH = /\/api\/v2\/jobs\/[^/?#]+(?:[?#].*)?$/;
