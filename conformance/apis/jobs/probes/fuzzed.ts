import { member } from '../../../exchanges/exchange.ts';
import { sweep } from '../../../fuzz/sweep.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import { SUBMIT, bodyOf, withSibling } from './job.ts';
import { refused } from './refusals.ts';

/** Document 3, Submit request, rows webhook_url and inputs: refused if present, with any value. */
const reserved: Readonly<Record<string, string>> = {
  webhook_url: 'jobs.submit.webhook-url-rejected',
  inputs: 'jobs.submit.inputs-rejected',
};

export const fuzzedSubmissions = scenario({
  id: 'jobs.submit.fuzz',
  api: 'jobs',
  title: 'submissions with random values in reserved members',
  permissions: ['negatives'],
  needs: ['job.ok'],
  judges: Object.values(reserved),
  budgetMs: 600_000,
  requests: { submit: { method: 'POST', target: SUBMIT, as: 'jobOwner', times: 1, perFuzz: true } },
  run: async function* (session) {
    const { fixtures } = session;
    yield* sweep(session, {
      ...session.requestBody('submitJob'),
      // The fixtures determine the place of members beside the graph, so the graph is added afterwards.
      valid: {},
      needs: 'job.ok',
      isAbout: ({ pointer, keyword }) => keyword === 'false' && pointer.slice(1) in reserved,
      send: ({ body, pointer }) => {
        const name = pointer.slice(1);
        return session.send('submit', {
          body: withSibling(fixtures, bodyOf(fixtures, 'ok'), name, member(body, name)),
        });
      },
      judge: (answer, { pointer }) => refused(reserved[pointer.slice(1)] ?? '', answer, pointer),
    });
  },
});
