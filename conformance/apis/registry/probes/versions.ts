import { check } from '../../../scenarios/check.ts';
import { isObject } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import type { Check, Session } from '../../../scenarios/scenario.ts';
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
import { early, isPublished } from './publish.ts';

/** semver.org 2.0.0, items 9 and 10: valid versions that are easily mistaken for invalid ones. */
const FORMS: readonly ((version: string) => string)[] = [
  (version) => `${version}-rc.1+b5`,
  (version) => `${version}-x-y--z.-`,
  (version) => `${version}-0`,
  (version) => `${version}-0a.0.1+-.001`,
  (version) => `${version}+007.${'build.'.repeat(10)}20240229`,
];

export const forms = scenario({
  id: 'registry.publish.forms',
  api: 'registry',
  title: 'pre-releases and build numbers of all forms',
  permissions: ['publish'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.semver-forms', 'registry.publish.version-unique'],
  severalCases: ['registry.publish.semver-forms'],
  searches: ['registry.publish.version-unique'],
  uses: [versionNumbers],
  requests: {
    form: { ...once, times: 3 * FORMS.length },
    fresh: { ...once, times: FORMS.length * freshTimes },
  },
  run: async function* (session) {
    const numbers = await session.obtain(versionNumbers);
    for (const form of FORMS) {
      const publish = async (): Promise<{ version: string; body: Publication; answer: Exchange }> => {
        const version = form(numbers.next());
        const body = publication(session.fixtures, version);
        return { version, body, answer: await session.send('form', { fill: place(session.fixtures), body }) };
      };
      let { version, body, answer } = await publish();
      if (!isPublished(answer)) {
        // Whether the form is refused, or every version, or a number that is in use.
        await publishFresh(session, 'fresh');
        ({ version, body, answer } = await publish());
      }
      // Document 2, Versioning, item 4 (inference).
      yield check(
        'registry.publish.semver-forms',
        answer,
        isPublished(answer),
        `a success for ${version}`,
        String(answer.status),
      );
      if (!isPublished(answer)) continue;
      // Document 2, Limits, item 2: unique for the node, in every form.
      const again = await session.send('form', { fill: place(session.fixtures), body });
      yield check(
        'registry.publish.version-unique',
        [answer, again],
        !isPublished(again),
        `no second success for ${version}`,
        String(again.status),
      );
    }
  },
});

/** Versions that are easily confused, each later than the previous one (semver.org 2.0.0, item 11). */
const ALIKE: readonly ((version: string) => string)[] = [
  (version) => `${version}-RC.1`,
  (version) => `${version}-rc.1`,
  (version) => `${version}-rc.10`,
  (version) => version,
  (version) => `${version}0`,
  // Numbers are unbounded (item 2).
  (version) => `${version}00000000`,
];

/**
 * Two versions beyond 2^53, which some libraries round to the same number. Some support no such number: a
 * refusal of the first is not judged. If it is published, it is a version of its own, and so is the second.
 */
const LONGEST = ['0000000000000000001', '0000000000000000002'] as const;

export const alike = scenario({
  id: 'registry.publish.alike',
  api: 'registry',
  title: 'versions that begin alike',
  permissions: ['publish'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.other-version-free'],
  severalCases: ['registry.publish.other-version-free'],
  uses: [versionNumbers],
  requests: {
    alike: { ...once, times: 2 * ALIKE.length + LONGEST.length },
    fresh: { ...once, times: freshTimes },
  },
  run: async function* (session) {
    const publishAll = async (version: string): Promise<readonly Exchange[]> => {
      const seen: Exchange[] = [];
      for (const change of ALIKE) {
        const body = publication(session.fixtures, change(version));
        seen.push(await session.send('alike', { fill: place(session.fixtures), body }));
      }
      return seen;
    };
    const numbers = await session.obtain(versionNumbers);
    let version = numbers.next();
    let answers = await publishAll(version);
    if (!answers.every(isPublished)) {
      // An earlier run may have used some of them.
      await publishFresh(session, 'fresh');
      answers = await publishAll((version = numbers.next()));
    }
    // Document 2, Limits, item 2 (inference): a version that a node does not have is free. Whether an earlier
    // version may follow a later one is open.
    for (const [index, answer] of answers.entries())
      yield check(
        'registry.publish.other-version-free',
        [...answers.slice(0, index), answer],
        isPublished(answer),
        `a success for ${ALIKE[index]?.(version) ?? ''}`,
        String(answer.status),
      );
    const [first, second] = LONGEST.map((digits) => publication(session.fixtures, `${version}${digits}`));
    const fill = place(session.fixtures);
    const one = await session.send('alike', { fill, body: first });
    if (!isPublished(one)) return;
    const other = await session.send('alike', { fill, body: second });
    yield check(
      'registry.publish.other-version-free',
      [one, other],
      isPublished(other),
      `a success for ${String(second?.node_version['version'])}`,
      String(other.status),
    );
  },
});

export const stillTaken = scenario({
  id: 'registry.publish.still-taken',
  api: 'registry',
  title: 'the first version again, after many others',
  permissions: ['publish'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.version-unique'],
  searches: ['registry.publish.version-unique'],
  uses: [early],
  requests: { again: once },
  run: async function* (session) {
    const first = (await session.obtain(early)).get('first');
    if (first === undefined) return;
    const again = await session.send('again', { fill: place(session.fixtures), body: first.body });
    // Document 2, Limits, item 2: unique for the node, whatever was published since.
    yield check(
      'registry.publish.version-unique',
      [first.answer, again],
      !isPublished(again),
      'no second success',
      String(again.status),
    );
  },
});

export const perNode = scenario({
  id: 'registry.publish.per-node',
  api: 'registry',
  title: 'the same version for another node',
  permissions: ['publish'],
  needs: ['publish', 'publish.second'],
  lock: 'registry.node',
  judges: ['registry.publish.version-unique-per-node'],
  uses: [versionNumbers],
  requests: {
    fresh: { ...once, times: freshTimes },
    second: { ...once, times: 2 },
  },
  run: async function* (session) {
    const { answer, body } = await publishFresh(session, 'fresh');
    const { publisherId = '', nodeId = '' } = session.fixtures.publish?.second ?? {};
    const fill = { publisher: encodeURIComponent(publisherId), node: encodeURIComponent(nodeId) };
    const toSecond = (sent: Publication): Promise<Exchange> => {
      const node = isObject(sent.node) && 'id' in sent.node ? { ...sent.node, id: nodeId } : sent.node;
      return session.send('second', { fill, body: { ...sent, node } });
    };
    const other = await toSecond(body);
    if (!isPublished(other)) {
      // Whether the version is refused, or every version for this node.
      const numbers = await session.obtain(versionNumbers);
      const control = await toSecond(publication(session.fixtures, numbers.next()));
      if (!isPublished(control))
        throw new BrokenFixture('publish.second', `it returned ${control.status}`, [other.id, control.id]);
    }
    // Document 2, Limits, item 2 (inference): unique per node, and so free for others.
    yield check(
      'registry.publish.version-unique-per-node',
      [answer, other],
      isPublished(other),
      'a success',
      String(other.status),
    );
  },
});

/** Attempts that publish nothing, each on a version that is free, of a node that has versions. */
const REFUSED = [
  {
    what: 'a wrong access token',
    name: 'refused',
    change: (body) => ({ ...body, personal_access_token: WRONG_TOKEN }),
  },
  {
    what: 'a member of the wrong type',
    name: 'refused',
    change: ({ node_version: version, ...rest }) => ({ ...rest, node_version: { ...version, tags: 7 } }),
  },
  { what: 'no node', name: 'refused', change: ({ node: _, ...rest }) => rest },
  {
    what: 'no access token',
    name: 'refused',
    change: ({ personal_access_token: _, ...rest }) => rest,
  },
  { what: 'no credential', name: 'anonymous', change: (body) => body },
] as const satisfies readonly {
  readonly what: string;
  readonly name: 'refused' | 'anonymous';
  readonly change: (body: Publication) => unknown;
}[];

/** Rules that an oracle judges by what was published although it should be refused. */
const SPOILT = [
  'registry.publish.node-required',
  'registry.publish.pat-required',
  'registry.publish.wrong-types',
] as const;

export const afterRefusal = scenario({
  id: 'registry.publish.after-refusal',
  api: 'registry',
  title: 'a version whose publication was refused before',
  permissions: ['negatives', 'publish'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.refused-not-taken', ...SPOILT],
  severalCases: ['registry.publish.refused-not-taken'],
  searches: SPOILT,
  uses: [versionNumbers],
  requests: {
    refused: { ...once, times: 2 * REFUSED.length },
    anonymous: { ...once, as: 'none', bodyOpens: true, times: 2 },
    again: { ...once, times: 2 * REFUSED.length },
    fresh: { ...once, times: REFUSED.length * freshTimes },
  },
  run: async function* (session) {
    for (const one of REFUSED) {
      const [refused, again] = await refusedThenPublished(session, one);
      // A request that was accepted although it should be refused violates another rule.
      if (isPublished(refused)) continue;
      if (isPublished(again)) yield judgeFree(refused, again, one.what);
      else {
        // An earlier run may have used the number.
        await publishFresh(session, 'fresh');
        const [first, second] = await refusedThenPublished(session, one);
        if (!isPublished(first)) yield judgeFree(first, second, one.what);
      }
    }
  },
});

// --- internal ---

async function refusedThenPublished(
  session: Session<'refused' | 'anonymous' | 'again'>,
  { name, change }: (typeof REFUSED)[number],
): Promise<readonly [Exchange, Exchange]> {
  const numbers = await session.obtain(versionNumbers);
  const body = publication(session.fixtures, numbers.next());
  const fill = place(session.fixtures);
  const refused = await session.send(name, { fill, body: change(body) });
  return [refused, await session.send('again', { fill, body })];
}

/** Document 2, POST …/versions, last sentence (inference): an unpublished version does not exist. */
function judgeFree(refused: Exchange, again: Exchange, what: string): Check {
  return check(
    'registry.publish.refused-not-taken',
    [refused, again],
    isPublished(again),
    `a success for a version that was refused for ${what}`,
    String(again.status),
  );
}
