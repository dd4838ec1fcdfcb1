import { check, undecided } from '../../../scenarios/check.ts';
import { isObject } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import type { Check, SendOptions } from '../../../scenarios/scenario.ts';
import { MOST_FORGED, forgeries } from '../../../target/forged-token.ts';
import { isTurnedAway } from './bad-bodies.ts';
import { WRONG_TOKEN, once, place, publication, versionNumbers } from './publication.ts';
import { isPublished } from './publish.ts';
import { withOtherEnd } from '../../../target/altered-key.ts';
import { MOST_SPOILT, UNUSABLE, sketchCredential, spoilt } from './unusable.ts';

/**
 * semver.org 2.0.0: texts that differ from a semantic version in one character. Each is made from a free
 * number, so that it is not refused for being in use.
 */
const BAD_VERSIONS: readonly ((version: string) => unknown)[] = [
  () => '',
  () => 'latest',
  (version) => version.split('.')[0] ?? '',
  (version) => version.split('.').slice(0, 2).join('.'),
  (version) => `v${version}`,
  (version) => `${version}.0`,
  (version) => `0${version}`,
  (version) => version.replace('.', '.0'),
  (version) => `${version.split('.').slice(0, 2).join('.')}.x`,
  (version) =>
    version
      .split('.')
      .with(-1, `0${version.split('.').at(-1) ?? ''}`)
      .join('.'),
  (version) => ` ${version}`,
  (version) => `${version} `,
  (version) => `${version}-`,
  (version) => `${version}+`,
  (version) => `${version}-01`,
  (version) => `${version}-a..b`,
  (version) => `${version}+a..b`,
  (version) => `${version}-rc_1`,
  (version) => `${version}+a+b`,
  (version) => `=${version}`,
  (version) => `^${version}`,
  (version) => `~${version}`,
  (version) => `-${version}`,
  (version) => `v${version}-rc.1`,
  (version) => `V${version}`,
  (version) => `"${version}"`,
  (version) => version.replaceAll('.', ','),
  (version) => `${version}\n`,
  (version) => `${version}-rc.1.`,
  // Only ASCII digits and letters are allowed.
  ...[0xff10, 0x660].map(
    (zero) => (version: string) =>
      version.replace(/\d$/, (digit) => String.fromCharCode(zero + Number(digit))),
  ),
  (version) => `${version}-\u00e9`,
  (version) => [version],
];

export const badVersions = scenario({
  id: 'registry.publish.bad-versions',
  api: 'registry',
  title: 'versions that are not semantic versions',
  permissions: ['negatives'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.semver'],
  severalCases: ['registry.publish.semver'],
  uses: [versionNumbers],
  requests: { bad: { ...once, times: BAD_VERSIONS.length + 1 } },
  run: async function* (session) {
    const { send, fixtures } = session;
    const numbers = await session.obtain(versionNumbers);
    for (const change of BAD_VERSIONS) {
      const version = change(numbers.next());
      // Document 2, POST …/versions, last sentence; Versioning, item 4. The status is open.
      const whole = publication(fixtures, '');
      const body = { ...whole, node_version: { ...whole.node_version, version } };
      const answer = await send('bad', { fill: place(fixtures), body });
      yield check(
        'registry.publish.semver',
        answer,
        !isPublished(answer),
        `no success for ${JSON.stringify(version)}`,
        String(answer.status),
      );
    }
    const { node_version: whole, ...rest } = publication(fixtures, '');
    const { version: _, ...without } = whole;
    const answer = await send('bad', { fill: place(fixtures), body: { ...rest, node_version: without } });
    const expected = 'no success without a version';
    yield check('registry.publish.semver', answer, !isPublished(answer), expected, String(answer.status));
  },
});

export const withoutRight = scenario({
  id: 'registry.publish.without-right',
  api: 'registry',
  title: 'a version under the publisher of another user',
  permissions: ['negatives'],
  needs: ['publish', 'publish.foreign'],
  judges: ['registry.publish.403'],
  severalCases: ['registry.publish.403'],
  uses: [versionNumbers],
  requests: { foreign: { ...once, times: 2 } },
  run: async function* (session) {
    const { fixtures } = session;
    const { publisherId = '', nodeId = '' } = fixtures.publish?.foreign ?? {};
    const fill = { publisher: encodeURIComponent(publisherId), node: encodeURIComponent(nodeId) };
    const numbers = await session.obtain(versionNumbers);
    const body = publication(fixtures, numbers.next());
    const node = isObject(body.node) && 'id' in body.node ? { ...body.node, id: nodeId } : body.node;
    // Document 2, POST …/versions, responses, 403: however often it is tried.
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const answer = await session.send('foreign', { fill, body: { ...body, node } });
      yield check('registry.publish.403', answer, answer.status === 403, 'status 403', String(answer.status));
    }
  },
});

export const withoutCredential = scenario({
  id: 'registry.publish.without-credential',
  api: 'registry',
  title: 'a publication without a credential',
  // Some servers accept the token of the body alone: on such a server this would publish.
  permissions: ['negatives'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.auth-required'],
  severalCases: ['registry.publish.auth-required'],
  uses: [versionNumbers],
  requests: {
    anonymous: { ...once, as: 'none', bodyOpens: true },
    unusable: {
      ...once,
      as: 'unusable',
      bodyOpens: true,
      times: UNUSABLE.length + MOST_SPOILT + MOST_FORGED,
    },
  },
  run: async function* (session) {
    const { fixtures, send } = session;
    const numbers = await session.obtain(versionNumbers);
    const call = (): SendOptions => ({ fill: place(fixtures), body: publication(fixtures, numbers.next()) });
    // Document 2, Authentication, item 1: the bearer token is required. A 401 is not listed, so the status is
    // not judged.
    const judge = (answer: Exchange, what: string): Check =>
      check(
        'registry.publish.auth-required',
        answer,
        !isPublished(answer),
        `no success ${what}`,
        String(answer.status),
      );
    yield judge(await send('anonymous', call()), 'without a credential');
    for (const credential of [...UNUSABLE, ...spoilt(fixtures)]) {
      const answer = await send('unusable', { ...call(), credential });
      yield judge(answer, `with ${sketchCredential(credential)}`);
    }
    const forged = await forgeries(fixtures.cred?.jwt, (credential) =>
      send('unusable', { ...call(), credential }),
    );
    for (const answer of forged) yield judge(answer, 'with a token that has another signature');
  },
});

export const keyAsBearer = scenario({
  id: 'registry.publish.key-as-bearer',
  api: 'registry',
  title: 'an API key as bearer',
  permissions: ['negatives'],
  needs: ['publish', 'capabilities.keyAsBearer'],
  judges: ['registry.publish.key-as-bearer'],
  requests: { keyed: { ...once, as: 'apiKeyAsBearer' }, usual: once },
  run: async function* ({ send, fixtures }) {
    const rule = 'registry.publish.key-as-bearer';
    // Document 2, Authentication, item 1. An empty body shows whether the caller was authenticated.
    const call = { fill: place(fixtures), body: {} };
    const answer = await send('keyed', call);
    if (!isTurnedAway(answer)) {
      yield check(rule, answer, true, 'no refusal of the credential', String(answer.status));
      return;
    }
    // The missing access token or the permission may be the reason: then the usual bearer token is
    // also refused.
    const usual = await send('usual', call);
    const isCompared = bearerOf(usual) !== bearerOf(answer);
    if (!isCompared || isTurnedAway(usual)) {
      const why = isCompared ? `${usual.status} to a JWT as well` : 'there is no JWT to compare it with';
      yield undecided(rule, [usual, answer], `${answer.status} to the key, and ${why}`);
      return;
    }
    yield check(
      rule,
      [usual, answer],
      false,
      'the same answer to a key as to a JWT',
      `${answer.status} to the key, ${usual.status} to the JWT`,
    );
  },
});

function bearerOf({ request }: Exchange): string | undefined {
  return request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
}

/**
 * Texts similar to the real access token, and without its parts. A server may check only the first characters
 * (A-41).
 */
const NEAR_TOKENS: readonly ((token: string) => unknown)[] = [
  () => WRONG_TOKEN,
  (token) => token.slice(0, Math.ceil(token.length / 2)),
  (token) => (token.toUpperCase() === token ? WRONG_TOKEN : token.toUpperCase()),
  () => '',
  (token) => ` ${token} `,
  (token) => [token],
];

/** Texts that only differ from the real one in their length. */
const LONGER_OR_SHORTER: readonly ((token: string) => string)[] = [
  (token) => `${token}0`,
  (token) => token.slice(0, -1),
];

export const wrongToken = scenario({
  id: 'registry.publish.wrong-token',
  api: 'registry',
  title: 'a valid bearer token with a wrong access token',
  permissions: ['negatives'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.pat-checked'],
  severalCases: ['registry.publish.pat-checked'],
  uses: [versionNumbers],
  requests: { wrong: { ...once, times: NEAR_TOKENS.length + 1 + LONGER_OR_SHORTER.length } },
  run: async function* (session) {
    const numbers = await session.obtain(versionNumbers);
    const publish = (change: (token: string) => unknown): Promise<Exchange> => {
      const whole = publication(session.fixtures, numbers.next());
      const body = { ...whole, personal_access_token: change(whole.personal_access_token) };
      return session.send('wrong', { fill: place(session.fixtures), body });
    };
    // Document 2, Authentication, item 2 (inference): a required token is checked.
    const judge = (answer: Exchange): Check =>
      check(
        'registry.publish.pat-checked',
        answer,
        !isPublished(answer),
        'no success',
        String(answer.status),
      );
    for (const change of NEAR_TOKENS) yield judge(await publish(change));
    // The set of tokens is open: a server may accept all with the same beginning. If it refuses one
    // with another end, it must refuse a longer and a shorter one too. A version that is taken is no such refusal.
    if (!isTurnedAway(await publish(withOtherEnd))) return;
    for (const change of LONGER_OR_SHORTER) yield judge(await publish(change));
  },
});
