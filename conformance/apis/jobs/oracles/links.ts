import { check } from '../../../scenarios/check.ts';
import { isSuccess, member } from '../../../exchanges/exchange.ts';
import type { Look, Oracle } from '../../../oracle.ts';
import { jobsIn } from '../wire/course.ts';
import { stringsIn } from '../wire/job.ts';
import { placeOf } from '../wire/place.ts';

const RULE = 'jobs.urls.mount-prefix';

/**
 * Document 3, Job, rules for urls, item 1: a link that begins with a slash includes the mount prefix of the
 * surface. A fixture states the prefix; without it, all links of a run must still have the same one.
 */
function follow(): Look {
  let first: { readonly id: string; readonly prefix: string } | undefined;
  return function* look(exchange) {
    const place = placeOf(exchange);
    if (place === undefined || !isSuccess(exchange) || exchange.answer?.truncated !== undefined) return;
    for (const job of jobsIn(exchange, place))
      for (const link of stringsIn(member(job, 'urls')).slice(0, MOST_LINKS)) {
        const prefix = RELATIVE.exec(link)?.[1];
        if (prefix === undefined) continue;
        first ??= { id: exchange.id, prefix };
        if (prefix === first.prefix) continue;
        const expected = `the prefix ${first.prefix || '(none)'} as in ${first.id}`;
        yield check(RULE, exchange, false, expected, link);
        return;
      }
  };
}

export const links: Oracle = { api: 'jobs', judges: [RULE], follow };

// --- internal ---

const MOST_LINKS = 1000;
const RELATIVE = /^((?:\/(?!\/)[^/?#]+)*)\/api\/v2\/jobs\//;
