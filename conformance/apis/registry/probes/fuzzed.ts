import { check } from '../../../scenarios/check.ts';
import { isObject, isSuccess } from '../../../exchanges/exchange.ts';
import { sweep } from '../../../fuzz/sweep.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import type { Check, Session } from '../../../scenarios/scenario.ts';
import { VERSIONS, WRONG_TOKEN, place, publication, versionNumbers } from './publication.ts';
import { ROUTE, partner, whole } from './proxy.ts';
import { refusedBody } from './bad-bodies.ts';

const fuzzed = { method: 'POST', target: VERSIONS, as: 'publisher', times: 1, perFuzz: true } as const;

export const fuzzedPublications = scenario({
  id: 'registry.publish.fuzz',
  api: 'registry',
  title: 'members of the wrong type, each place and then random ones, with a token without rights',
  permissions: ['negatives'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.wrong-types'],
  uses: [versionNumbers],
  budgetMs: 600_000,
  requests: { publish: fuzzed },
  run: async function* (session) {
    yield* wrongTypes(session, WRONG_TOKEN);
  },
});

export const fuzzedPublicationsByToken = scenario({
  id: 'registry.publish.fuzz-by-token',
  api: 'registry',
  title: 'the same with a valid token, where a wrong one is refused before the types are checked',
  permissions: ['negatives', 'publish'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.wrong-types'],
  uses: [versionNumbers],
  budgetMs: 600_000,
  requests: { first: { ...fuzzed, perFuzz: false }, publish: fuzzed },
  run: async function* (session) {
    const { fixtures } = session;
    const numbers = await session.obtain(versionNumbers);
    const body = {
      ...publication(fixtures, numbers.next()),
      node: 'text',
      personal_access_token: WRONG_TOKEN,
    };
    const first = await session.send('first', { fill: place(fixtures), body });
    if (first.status === 403) yield* wrongTypes(session, publication(fixtures, '').personal_access_token);
  },
});

/** Document 2, Limits, item 1, by member. */
const ranges: Readonly<Record<string, string>> = {
  '/sharpen': 'proxy.skin.sharpen-range',
  '/smart_grain': 'proxy.skin.grain-range',
};

export const fuzzedIntensities = scenario({
  id: 'proxy.skin.fuzz',
  api: 'registry',
  title: 'random intensities out of range',
  permissions: ['negatives'],
  needs: ['proxy.partner'],
  judges: Object.values(ranges),
  budgetMs: 600_000,
  requests: { run: { method: 'POST', target: ROUTE, as: 'valid', times: 1, perFuzz: true } },
  run: async function* (session) {
    yield* sweep(session, {
      ...session.requestBody('startSkinEnhancement'),
      valid: whole(session.fixtures),
      needs: 'proxy.partner',
      // The contract does not say that anything else of this body is refused; the status is open.
      isAbout: ({ pointer, keyword }) => pointer in ranges && ['minimum', 'maximum'].includes(keyword),
      send: ({ body }) => session.send('run', { fill: partner(session.fixtures), body }),
      judge: (answer, { pointer }) =>
        check(ranges[pointer] ?? '', answer, !isSuccess(answer), 'no success', String(answer.status)),
    });
  },
});

// --- internal ---

async function* wrongTypes(session: Session<'publish'>, token: string): AsyncGenerator<Check, void> {
  const { fixtures } = session;
  const numbers = await session.obtain(versionNumbers);
  yield* sweep(session, {
    ...session.requestBody('publishNodeVersion'),
    valid: { ...publication(fixtures, '0.0.0'), personal_access_token: token },
    needs: 'publish',
    // Document 2, Node and NodeVersion, tables, define types. Enumerated members are left alone: the contract
    // does not say that a server validates a status that it sets itself.
    isAbout: ({ pointer, keyword }) => keyword === 'type' && pointer.startsWith('/node'),
    send: ({ body, pointer }) =>
      session.send('publish', {
        fill: place(fixtures),
        body: pointer === '/node_version/version' ? body : numbered(body, numbers.next()),
      }),
    judge: (answer, { says }) => refusedBody('registry.publish.wrong-types', answer, says),
  });
}

/**
 * A separate number each: a version that a faulty server accepted must not be the reason for the next
 * refusal.
 */
function numbered(body: unknown, version: string): unknown {
  if (!isObject(body) || !isObject(body['node_version'])) return body;
  return { ...body, node_version: { ...body['node_version'], version } };
}
