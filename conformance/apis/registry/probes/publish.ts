import { check, undecided } from '../../../check.ts';
import { isObject, member } from '../../../exchange.ts';
import type { Exchange } from '../../../exchange.ts';
import { BrokenFixture, scenario } from '../../../scenario.ts';
import type { SendOptions } from '../../../scenario.ts';
import { sketch } from '../../../sketch.ts';
import { STATUSES } from '../wire/statuses.ts';
import { RACE_TIMES, rounds, sketchLost } from '../../../race.ts';
import type { Round } from '../../../race.ts';
import { allMembers, withMember } from './members.ts';
import { VERSIONS, freshTimes, place, publication, publishFresh, versionNumbers } from './publication.ts';
import type { Publication } from './publication.ts';

const MARKER = 'https://tallystick.invalid/not-a-download';

export const published = scenario({
  id: 'registry.publish.version',
  api: 'registry',
  title: 'a new version, and the same version again',
  permissions: ['publish'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: [
    'registry.publish.201',
    'registry.publish.201-shape',
    'registry.publish.signed-url',
    'registry.publish.echo-version',
    'registry.publish.version-unique',
    'registry.node-version.download-url-output-only',
  ],
  severalCases: ['registry.publish.version-unique'],
  uses: [versionNumbers],
  requests: {
    fresh: { method: 'POST', target: VERSIONS, as: 'publisher', times: freshTimes },
    again: { method: 'POST', target: VERSIONS, as: 'publisher', times: 3 },
    marked: { method: 'POST', target: VERSIONS, as: 'publisher', times: freshTimes },
  },
  run: async function* (session) {
    const { answer, body } = await publishFresh(session, 'fresh');
    const { json } = answer;
    // Document 2, POST …/versions, responses, 201.
    yield check('registry.publish.201', answer, answer.status === 201, 'status 201', String(answer.status));
    const version = member(json, 'node_version');
    const url = member(json, 'signedUrl');
    const shaped = isObject(version) && typeof url === 'string';
    yield check(
      'registry.publish.201-shape',
      answer,
      shaped,
      'an object node_version and a string signedUrl',
    );
    // The same place (inference): an upload needs a whole address. Its scheme is not shown.
    if (typeof url === 'string') {
      const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) && URL.canParse(url);
      yield check(
        'registry.publish.signed-url',
        answer,
        absolute,
        'an absolute URL',
        sketch(url.split('?')[0]),
      );
    }
    // The same place (inference): what was submitted was published.
    const told = member(version, 'version');
    if (told !== undefined) {
      const same = told === body.node_version['version'];
      yield check(
        'registry.publish.echo-version',
        answer,
        same,
        `version ${sketch(body.node_version['version'])}`,
        sketch(told),
      );
    }

    // Document 2, Limits, item 2, and POST …/versions, last sentence: unique for the node. The status is not shown.
    // Nor is it where anything else in the body differs, and however often it is tried.
    const changed = { ...body, node_version: { ...body.node_version, changelog: 'Another changelog.' } };
    for (const sent of [body, changed, body]) {
      const again = await session.send('again', { fill: place(session.fixtures), body: sent });
      yield check(
        'registry.publish.version-unique',
        [answer, again],
        !isPublished(again),
        'no second success',
        String(again.status),
      );
    }

    // Document 2, NodeVersion, row downloadUrl: output only. A server may also refuse it.
    const marked = await publishFresh(session, 'marked', (fresh) => ({
      ...fresh,
      node_version: { ...fresh.node_version, downloadUrl: MARKER },
    })).catch((error: unknown) => {
      if (error instanceof BrokenFixture) return undefined;
      throw error;
    });
    if (marked === undefined) return;
    const taken = JSON.stringify(marked.answer.json ?? '').includes(MARKER);
    yield check(
      'registry.node-version.download-url-output-only',
      marked.answer,
      !taken,
      'another downloadUrl than the submitted one, or none',
    );
  },
});

export const forms = scenario({
  id: 'registry.publish.forms',
  api: 'registry',
  title: 'a pre-release with a build number',
  permissions: ['publish'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.semver-forms'],
  uses: [versionNumbers],
  requests: {
    form: { method: 'POST', target: VERSIONS, as: 'publisher', times: 2 },
    fresh: { method: 'POST', target: VERSIONS, as: 'publisher', times: freshTimes },
  },
  run: async function* (session) {
    const numbers = await session.obtain(versionNumbers);
    const publish = async (): Promise<{ version: string; answer: Exchange }> => {
      const version = `${numbers.next()}-rc.1+b5`;
      const body = publication(session.fixtures, version);
      return { version, answer: await session.send('form', { fill: place(session.fixtures), body }) };
    };
    let { version, answer } = await publish();
    if (!isPublished(answer)) {
      // Whether it is the form that is refused, or any version, or a number that is taken.
      await publishFresh(session, 'fresh');
      ({ version, answer } = await publish());
    }
    // Document 2, Versioning, item 4 (inference).
    yield check(
      'registry.publish.semver-forms',
      answer,
      isPublished(answer),
      `a success for ${version}`,
      String(answer.status),
    );
  },
});

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
    enumerated: { method: 'POST', target: VERSIONS, as: 'publisher', times: 10 },
    fresh: { method: 'POST', target: VERSIONS, as: 'publisher', times: 5 * freshTimes },
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
        // Whether it is a status that is refused, or any version, or a number that is taken.
        await publishFresh(session, 'fresh');
        answer = await publish();
      }
      // Document 2, States and transitions (inference): what is enumerated is no invalid input. Who may set a status is open.
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

export const documentedMembers = scenario({
  id: 'registry.publish.documented-members',
  api: 'registry',
  title: 'a publication with every member that the tables list',
  permissions: ['publish'],
  needs: ['publish'],
  lock: 'registry.node',
  judges: ['registry.publish.members-accepted'],
  uses: [versionNumbers],
  requests: {
    full: { method: 'POST', target: VERSIONS, as: 'publisher', times: 2 },
    fresh: { method: 'POST', target: VERSIONS, as: 'publisher', times: freshTimes },
  },
  run: async function* (session) {
    const { fixtures } = session;
    const numbers = await session.obtain(versionNumbers);
    const publish = (): Promise<Exchange> => {
      const body: unknown = publication(fixtures, numbers.next());
      const full = allMembers.reduce((whole, { path, value }) => withMember(whole, path, value), body);
      return session.send('full', { fill: place(fixtures), body: full });
    };
    let answer = await publish();
    if (answer.status === 400) {
      // Whether it is a member that is refused, or any version, or a number that is taken.
      await publishFresh(session, 'fresh');
      answer = await publish();
    }
    // Document 2, Node, NodeVersion and Publisher, tables (inference): what is listed is no invalid input. Who may set a
    // member is open.
    yield check(
      'registry.publish.members-accepted',
      answer,
      answer.status !== 400,
      'no refusal of documented members as invalid input',
      String(answer.status),
    );
  },
});

export const race = scenario({
  id: 'registry.publish.race',
  api: 'registry',
  title: 'concurrent publications of one version',
  permissions: ['publish'],
  needs: ['publish'],
  lock: 'registry.node',
  sensitive: true,
  judges: ['registry.publish.version-unique-race'],
  uses: [versionNumbers],
  requests: {
    publish: { method: 'POST', target: VERSIONS, as: 'publisher', times: RACE_TIMES },
    fresh: { method: 'POST', target: VERSIONS, as: 'publisher', times: freshTimes },
  },
  run: async function* (session) {
    const { fixtures } = session;
    const numbers = await session.obtain(versionNumbers);
    const call = (): SendOptions => ({ fill: place(fixtures), body: publication(fixtures, numbers.next()) });
    let open: Round | undefined;
    let decided = false;
    for await (const round of rounds(session, 'publish', call)) {
      const { answers, answered, lost } = round;
      const won = answered.filter(isPublished);
      // The number may be taken. Where nothing can be published at all, there is no race.
      if (won.length === 0 && lost.length === 0 && open === undefined) await publishFresh(session, 'fresh');
      // Document 2, Limits, item 2. Two that succeeded decide, whatever became of the rest.
      if (won.length === 0 || (lost.length > 0 && won.length < 2)) {
        open = round;
        continue;
      }
      const got = `${won.length} of ${answers.length} succeeded`;
      yield check('registry.publish.version-unique-race', won, won.length === 1, 'one success', got);
      if (won.length !== 1) return;
      decided = true;
    }
    if (decided || open === undefined) return;
    const why = open.lost.length > 0 ? sketchLost(open) : `none of ${open.answers.length} was published`;
    yield undecided('registry.publish.version-unique-race', open.answers, why);
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
    fresh: { method: 'POST', target: VERSIONS, as: 'publisher', times: freshTimes },
    second: { method: 'POST', target: VERSIONS, as: 'publisher', times: 2 },
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
      // Whether it is the version that is refused, or any version for this node.
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

export function isPublished({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}

// --- internal ---

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
    node_version: { ...version, status: status.version },
  };
}
