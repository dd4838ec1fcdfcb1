import { check, undecided } from '../../../scenarios/check.ts';
import { isObject } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, NotExercised, scenario } from '../../../scenarios/scenario.ts';
import type { Check, Session } from '../../../scenarios/scenario.ts';
import { misfits, withMember } from './members.ts';
import type { WrongMember } from './members.ts';
import { isPublished } from './publish.ts';
import {
  WRONG_TOKEN,
  freshTimes,
  once,
  place,
  publication,
  publishFresh,
  versionNumbers,
} from './publication.ts';
import type { Publication } from './publication.ts';

/**
 * Document 2, POST …/versions, responses, 400. The order of checks is open: the access token may be
 * checked first. The status for that is open too.
 */
export function refusedBody(rule: string, answer: Exchange, what: string): Check {
  if (isTurnedAway(answer))
    return undecided(rule, answer, `${answer.status} was returned before ${what} was checked`);
  return check(rule, answer, answer.status === 400, `status 400 for ${what}`, String(answer.status));
}

/** Refused because of the access token or the bearer token: the status is open. */
export function isTurnedAway({ status }: Exchange): boolean {
  return status === 401 || status === 403;
}

/**
 * Bodies that are almost JSON, which some parsers accept. Each is made from a complete publication, so that
 * it has no other fault.
 */
const SLIPS: readonly ((json: string) => string)[] = [
  () => '{',
  () => '{"node":}',
  (json) => `${json.slice(0, -1)},}`,
  (json) => `${json} text`,
  (json) => `${json}${json}`,
  (json) => json.replaceAll('"', "'"),
  (json) => json.slice(0, -1),
];

const WRAPPED = [
  ['a list with a publication in it', (json: string) => `[${json}]`],
  ['a publication in a text', (json: string) => JSON.stringify(json)],
  ['a publication in a member', (json: string) => `{"body":${json}}`],
  ['null', () => 'null'],
] as const;

const REQUIRED_MEMBERS = 3;

export const incomplete = scenario({
  id: 'registry.publish.incomplete',
  api: 'registry',
  title: 'publications that lack something',
  permissions: ['negatives'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: [
    'registry.publish.node-required',
    'registry.publish.node-version-required',
    'registry.publish.pat-required',
    'registry.publish.body-required',
    'registry.publish.malformed-json',
  ],
  uses: [versionNumbers],
  severalCases: [
    'registry.publish.malformed-json',
    'registry.publish.node-required',
    'registry.publish.pat-required',
  ],
  requests: {
    lacking: { ...once, times: REQUIRED_MEMBERS + 1 + WRAPPED.length },
    empty: once,
    malformed: { ...once, times: SLIPS.length },
  },
  run: async function* (session) {
    const { send, fixtures } = session;
    const fill = place(fixtures);
    const numbers = await session.obtain(versionNumbers);
    // Document 2, POST …/versions, request body: all three members are required, and so is the body.
    for (const { rule, name } of REQUIRED) {
      const { [name]: _, ...body } = publication(fixtures, numbers.next());
      yield refusedBody(rule, await send('lacking', { fill, body }), `a body without ${name}`);
    }
    const body = { ...publication(fixtures, numbers.next()), personal_access_token: null };
    const rule = 'registry.publish.pat-required';
    yield refusedBody(
      rule,
      await send('lacking', { fill, body }),
      'a body whose personal_access_token is null',
    );
    // A complete publication, wrapped in another object, is not a publication.
    for (const [what, wrap] of WRAPPED)
      yield refusedBody(
        'registry.publish.node-required',
        await send('lacking', { fill, body: wrap(JSON.stringify(publication(fixtures, numbers.next()))) }),
        what,
      );
    const headers = [['Content-Type', 'application/json']] as const;
    yield refusedBody('registry.publish.body-required', await send('empty', { fill, headers }), 'no body');
    for (const slip of SLIPS) {
      const text = slip(JSON.stringify(publication(fixtures, numbers.next())));
      yield refusedBody(
        'registry.publish.malformed-json',
        await send('malformed', { fill, body: text }),
        'a body that is not JSON',
      );
    }
  },
});

/** Publications whose missing part could be taken from another one. */
const ELSEWHERE: readonly {
  readonly rule: string;
  readonly what: string;
  readonly body: (whole: Publication, nodeId: string | undefined) => unknown;
}[] = [
  {
    rule: 'registry.publish.node-required',
    what: 'a body without node, whose version names the node',
    body: ({ node: _, node_version: version, ...rest }, nodeId) => ({
      ...rest,
      node_version: { ...version, node_id: nodeId },
    }),
  },
  {
    rule: 'registry.publish.node-version-required',
    what: 'a body without node_version, whose node has a latest_version',
    body: ({ node, node_version: version, ...rest }) => ({
      ...rest,
      node: { ...(isObject(node) ? node : {}), latest_version: version },
    }),
  },
  {
    rule: 'registry.publish.pat-required',
    what: 'a body with its access token in the version',
    body: ({ personal_access_token: token, node_version: version, ...rest }) => ({
      ...rest,
      node_version: { ...version, personal_access_token: token },
    }),
  },
];

/**
 * Without them, neither an access token nor a bearer token can be the reason for refusing a permitted caller.
 */
const PARTS_OF_BODY = ['node', 'node_version'] as const;

export const incompleteByToken = scenario({
  id: 'registry.publish.incomplete-by-token',
  api: 'registry',
  title: 'publications that lack something, by a caller who can publish',
  permissions: ['negatives', 'publish'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: [
    'registry.publish.node-required',
    'registry.publish.node-version-required',
    'registry.publish.pat-required',
  ],
  severalCases: [
    'registry.publish.node-required',
    'registry.publish.node-version-required',
    'registry.publish.pat-required',
  ],
  uses: [versionNumbers],
  requests: {
    lacking: { ...once, times: PARTS_OF_BODY.length + ELSEWHERE.length },
    byKey: { ...once, as: 'apiKeyAsBearer', isOptional: true },
    control: { ...once, times: freshTimes },
  },
  run: async function* (session) {
    const { send, fixtures } = session;
    const numbers = await session.obtain(versionNumbers);
    const judge = byWhoCanPublish(session);
    for (const { rule, name } of REQUIRED.slice(0, PARTS_OF_BODY.length)) {
      const { [name]: _, ...body } = publication(fixtures, numbers.next());
      yield judge(rule, await send('lacking', { fill: place(fixtures), body }), `a body without ${name}`);
    }
    for (const { rule, what, body } of ELSEWHERE) {
      const whole = publication(fixtures, numbers.next());
      const nodeId = fixtures.publish?.nodeId;
      const answer = await send('lacking', { fill: place(fixtures), body: body(whole, nodeId) });
      // A caller without an access token may be turned away.
      if (rule === 'registry.publish.pat-required' && isTurnedAway(answer)) continue;
      yield judge(rule, answer, what);
    }
    // Document 2, Authentication, item 2: the body must also contain the access token, with any bearer token.
    if (fixtures.cred?.apiKey === undefined || fixtures.capabilities?.keyAsBearer !== true) return;
    const { personal_access_token: _, ...body } = publication(fixtures, numbers.next());
    const byKey = await send('byKey', { fill: place(fixtures), body });
    yield refusedBody('registry.publish.pat-required', byKey, 'a body without personal_access_token');
  },
});

/** Some members of each table: with a valid token, all of them are sent. */
const someMisfits = misfits.filter((_, index) => index % 17 === 0);

const MOST_PUBLISHED = 10;

/** Requests in which a part is not an object. */
const PARTS = 8;

export const wrongTypeMembers = scenario({
  id: 'registry.publish.wrong-types',
  api: 'registry',
  title: 'members of the wrong type, with a token without rights',
  permissions: ['negatives'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.wrong-types'],
  severalCases: ['registry.publish.wrong-types'],
  uses: [versionNumbers],
  requests: { wrong: { ...once, times: someMisfits.length + PARTS } },
  run: async function* (session) {
    for await (const { answer, what } of misfitting(session, WRONG_TOKEN, someMisfits)) {
      if (isTurnedAway(answer))
        throw new NotExercised(
          'permission publish',
          `needs the permission publish: ${answer.status} was returned before the types were checked`,
        );
      yield refusedBody('registry.publish.wrong-types', answer, what);
    }
  },
});

export const wrongTypeMembersByToken = scenario({
  id: 'registry.publish.wrong-types-by-token',
  api: 'registry',
  title: 'the same with a valid token',
  permissions: ['negatives', 'publish'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.wrong-types'],
  severalCases: ['registry.publish.wrong-types'],
  uses: [versionNumbers],
  requests: {
    wrong: { ...once, times: misfits.length + PARTS },
    control: { ...once, times: freshTimes },
  },
  run: async function* (session) {
    const { personal_access_token: token } = publication(session.fixtures, '');
    const judge = byWhoCanPublish(session);
    let published = 0;
    for await (const { answer, what } of misfitting(session, token, misfits)) {
      yield judge('registry.publish.wrong-types', answer, what);
      // Each accepted one leaves a version behind. This many show that types are not checked.
      if (isPublished(answer) && (published += 1) === MOST_PUBLISHED) return;
    }
  },
});

/** Publications with one member of the wrong type each, each with its own number. */
async function* misfitting(
  session: Pick<Session<'wrong'>, 'send' | 'fixtures' | 'obtain'>,
  token: string,
  members: readonly WrongMember[],
): AsyncGenerator<{ readonly answer: Exchange; readonly what: string }, void> {
  const { send, fixtures } = session;
  const numbers = await session.obtain(versionNumbers);
  const whole = (): Record<string, unknown> => ({
    ...publication(fixtures, numbers.next()),
    personal_access_token: token,
  });
  for (const { path, value } of members) {
    const answer = await send('wrong', { fill: place(fixtures), body: withMember(whole(), path, value) });
    yield { answer, what: `${path.join('.')} of the wrong type, ${JSON.stringify(value)}` };
  }
  for (const part of ['node', 'node_version'] as const) {
    for (const value of ['text', null, [], [whole()[part]]]) {
      const answer = await send('wrong', { fill: place(fixtures), body: { ...whole(), [part]: value } });
      yield { answer, what: `a ${part} that is ${value === null ? 'null' : 'no object'}` };
    }
  }
}

// --- internal ---

const REQUIRED = [
  { rule: 'registry.publish.node-required', name: 'node' },
  { rule: 'registry.publish.node-version-required', name: 'node_version' },
  { rule: 'registry.publish.pat-required', name: 'personal_access_token' },
] as const;

/**
 * Like `refusedBody`. If the same caller can publish, refusing the caller is the wrong answer to an invalid
 * body.
 */
function byWhoCanPublish(
  session: Session<'control'>,
): (rule: string, answer: Exchange, what: string) => Promise<Check> {
  let control: Promise<Exchange | undefined> | undefined;
  return async (rule, answer, what) => {
    if (!isTurnedAway(answer)) return refusedBody(rule, answer, what);
    control ??= publishFresh(session, 'control').then(
      (fresh) => fresh.answer,
      (error: unknown) => {
        if (error instanceof BrokenFixture) return undefined;
        throw error;
      },
    );
    const published = await control;
    if (published === undefined) return refusedBody(rule, answer, what);
    const got = `${answer.status}, and ${published.status} to the same caller with a whole body`;
    return check(rule, [published, answer], false, `status 400 for ${what}`, got);
  };
}
