import { check } from '../../../scenarios/check.ts';
import { isObject } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import { STATUSES } from '../wire/statuses.ts';
import { allMembers, largeMembers, smallMembers, withMembers } from './members.ts';
import { freshTimes, once, place, publication, publishFresh, versionNumbers } from './publication.ts';
import type { Publication } from './publication.ts';

export const statuses = scenario({
  id: 'registry.publish.statuses',
  api: 'registry',
  title: 'publications with each status that the tables enumerate',
  permissions: ['publish'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.enum-values'],
  severalCases: ['registry.publish.enum-values'],
  uses: [versionNumbers],
  requests: {
    enumerated: { ...once, times: 10 },
    fresh: { ...once, times: 5 * freshTimes },
  },
  run: async function* (session) {
    const { fixtures } = session;
    const numbers = await session.obtain(versionNumbers);
    for (const [index, status] of STATUSES.version.entries()) {
      const node = STATUSES.node[index % STATUSES.node.length];
      const publisher = STATUSES.publisher[index % STATUSES.publisher.length];
      const publish = (): Promise<Exchange> =>
        session.send('enumerated', {
          fill: place(fixtures),
          body: withStatuses(publication(fixtures, numbers.next()), { node, publisher, version: status }),
        });
      let answer = await publish();
      if (answer.status === 400) {
        // Whether a status is refused, or every version, or a number that is in use.
        await publishFresh(session, 'fresh');
        answer = await publish();
      }
      // Document 2, States and transitions (inference): an enumerated status is not invalid input. Who may
      // set a status is open.
      yield check(
        'registry.publish.enum-values',
        answer,
        answer.status !== 400,
        `no refusal of ${node}, ${publisher} and ${status} as invalid input`,
        String(answer.status),
      );
    }
  },
});

/** Publications that contain only what the tables of document 2 allow, in different ways. */
const LEGAL = [
  {
    rule: 'registry.publish.members-accepted',
    what: 'documented members',
    body: (whole: Publication) => withMembers(whole, allMembers),
  },
  {
    rule: 'registry.publish.members-accepted',
    what: 'documented members that are empty or zero',
    body: (whole: Publication) => withMembers(whole, smallMembers),
  },
  {
    rule: 'registry.publish.members-accepted',
    what: 'documented members that are long, and lists of one',
    body: (whole: Publication) => withMembers(whole, largeMembers),
  },
  {
    // RFC 8259, section 2: whitespace between tokens has no meaning.
    rule: 'registry.publish.members-accepted',
    what: 'a publication over many lines',
    body: (whole: Publication) => `\n\t${JSON.stringify(whole, null, 2)}\n`,
  },
  {
    // Document 2, Node, sentence above the table: no member is required.
    rule: 'registry.node.nothing-required',
    what: 'a node without members and a version with its number alone',
    body: (whole: Publication) => ({
      ...whole,
      node: {},
      node_version: { version: whole.node_version['version'] },
    }),
  },
] as const;

export const documentedMembers = scenario({
  id: 'registry.publish.documented-members',
  api: 'registry',
  title: 'publications with every member that the tables list, with small values, and without any',
  permissions: ['publish'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.members-accepted', 'registry.node.nothing-required'],
  severalCases: ['registry.publish.members-accepted'],
  uses: [versionNumbers],
  requests: {
    full: { ...once, times: 2 * LEGAL.length },
    odd: once,
    fresh: { ...once, times: LEGAL.length * freshTimes },
  },
  run: async function* (session) {
    const { fixtures } = session;
    const numbers = await session.obtain(versionNumbers);
    for (const { rule, what, body } of LEGAL) {
      const publish = (): Promise<Exchange> =>
        session.send('full', { fill: place(fixtures), body: body(publication(fixtures, numbers.next())) });
      let answer = await publish();
      if (answer.status === 400) {
        // Whether a member is refused, or every version, or a number that is in use.
        await publishFresh(session, 'fresh');
        answer = await publish();
      }
      // Document 2, Node, NodeVersion and Publisher, tables (inference): a listed member is not invalid
      // input. Who may set a member is open.
      yield check(
        rule,
        answer,
        answer.status !== 400,
        `no refusal of ${what} as invalid input`,
        String(answer.status),
      );
    }
    // For the shape of its errors: a server need not be able to store such a text.
    const texts = [
      { path: ['node', 'description'], value: ODD_TEXT },
      { path: ['node_version', 'changelog'], value: ODD_TEXT },
    ];
    const body = withMembers(publication(fixtures, numbers.next()), texts);
    await session.send('odd', { fill: place(fixtures), body });
  },
});

// --- internal ---

/** Strings of JSON that some databases and encodings do not have: NUL, and half of a pair. */
const ODD_TEXT = 'tally\u0000stick \ud83d';

function withStatuses(
  { node, node_version: version, ...rest }: Publication,
  status: { readonly node: unknown; readonly publisher: unknown; readonly version: unknown },
): unknown {
  const members = isObject(node) ? node : {};
  const publisher = {
    ...(isObject(members['publisher']) ? members['publisher'] : {}),
    status: status.publisher,
  };
  return {
    ...rest,
    node: { ...members, status: status.node, publisher },
    // The opposite value of the flag in the other publications.
    node_version: { ...version, status: status.version, deprecated: true },
  };
}
