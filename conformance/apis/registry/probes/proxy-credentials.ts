import { check, undecided } from '../../../scenarios/check.ts';
import { isSuccess } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { MOST_FORGED, forgeries } from '../../../target/forged-token.ts';
import { partner, ROUTE, whole } from './proxy.ts';
import { MOST_SPOILT, UNUSABLE, sketchCredential, spoilt } from './unusable.ts';

export const proxyWithoutCredential = scenario({
  id: 'proxy.auth.without-credential',
  api: 'registry',
  title: 'an enhancement without a credential',
  needs: ['proxy.partner'],
  judges: ['proxy.auth.required'],
  severalCases: ['proxy.auth.required'],
  requests: {
    run: { method: 'POST', target: ROUTE, as: 'none', times: 2 },
    unusable: { method: 'POST', target: ROUTE, as: 'unusable', times: UNUSABLE.length },
  },
  run: async function* ({ send, fixtures }) {
    const fill = partner(fixtures);
    const { webhook_url: _, ...plain } = whole(fixtures);
    for (const body of [whole(fixtures), { ...plain, image: fixtures.proxy?.image?.url ?? plain.image }])
      yield judgeRefusal(await send('run', { fill, body }), 'without a credential');
    for (const credential of UNUSABLE) {
      const answer = await send('unusable', { fill, body: whole(fixtures), credential });
      yield judgeRefusal(answer, `with ${sketchCredential(credential)}`);
    }
  },
});

export const spoiltCredentials = scenario({
  id: 'proxy.auth.spoilt-credentials',
  api: 'registry',
  title: 'an enhancement with real secrets that are not valid credentials there',
  // A server that accepts one of them enhances the image, and charges for it.
  permissions: ['billed'],
  needs: ['proxy.partner'],
  judges: ['proxy.auth.required'],
  severalCases: ['proxy.auth.required'],
  requests: {
    run: { method: 'POST', target: ROUTE, as: 'unusable', bodyOpens: true, times: MOST_SPOILT + MOST_FORGED },
  },
  run: async function* ({ send, fixtures }) {
    const call = { fill: partner(fixtures), body: whole(fixtures) };
    for (const credential of spoilt(fixtures)) {
      const answer = await send('run', { ...call, credential });
      yield judgeRefusal(answer, `with ${sketchCredential(credential)}`);
    }
    const forged = await forgeries(fixtures.cred?.jwt, (credential) => send('run', { ...call, credential }));
    for (const answer of forged) yield judgeRefusal(answer, 'with a token that has another signature');
  },
});

export const bothCredentials = scenario({
  id: 'proxy.auth.both-credentials',
  api: 'registry',
  title: 'a bearer and a key with the same bad body',
  permissions: ['negatives'],
  needs: ['proxy.partner'],
  judges: ['proxy.auth.bearer-and-key'],
  requests: {
    bearer: { method: 'POST', target: ROUTE, as: 'jwt', times: 1 },
    key: { method: 'POST', target: ROUTE, as: 'apiKey', times: 1 },
    keyAsBearer: { method: 'POST', target: ROUTE, as: 'apiKeyAsBearer', times: 1 },
  },
  run: async function* ({ send, fixtures }) {
    const call = { fill: partner(fixtures), body: { sharpen: -1 } };
    const isRefused = ({ status }: Exchange): boolean => status === 401 || status === 403;
    const bearer = await send('bearer', call);
    const inHeader = await send('key', call);
    // Both schemes are named, but only the bearer header is: keys may be accepted only there.
    const key = isRefused(inHeader) ? await send('keyAsBearer', call) : inHeader;
    const refused = [bearer, key].filter(isRefused);
    if (refused.length === 2) {
      yield undecided(
        'proxy.auth.bearer-and-key',
        [bearer, key],
        'both were refused: the body may have been the reason',
      );
      return;
    }
    // Document 2, Authentication, item 3: both schemes.
    const alike = refused.length === 0 && bearer.status === key.status;
    yield check(
      'proxy.auth.bearer-and-key',
      [bearer, key],
      alike,
      'the same answer to both',
      `${bearer.status} to the bearer, ${key.status} to the key`,
    );
  },
});

// --- internal ---

/** Document 2, Authentication, item 3. The status is not shown. */
function judgeRefusal(answer: Exchange, what: string): Check {
  return check(
    'proxy.auth.required',
    answer,
    !isSuccess(answer),
    `no success ${what}`,
    String(answer.status),
  );
}
