import { check, undecided } from '../../../scenarios/check.ts';
import { isObject, member } from '../../../exchanges/exchange.ts';
import type { Fixtures } from '../../../target/fixtures.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, resource, scenario } from '../../../scenarios/scenario.ts';
import type { Check, SendOptions, Session } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { RACE_TIMES, judgeLost, rounds } from '../../../scenarios/race.ts';
import type { Round } from '../../../scenarios/race.ts';
import { allMembers, withMembers } from './members.ts';
import { freshTimes, once, place, publication, publishFresh, versionNumbers } from './publication.ts';
import { isSignedUrl } from '../wire/signed-url.ts';

const MARKER = 'https://tallystick.invalid/not-a-download';

/** Published early in the run: if versions must increase, later ones would prevent it. */
export const early = resource<Map<'first', Awaited<ReturnType<typeof publishFresh>>>>({
  id: 'registry.early-version',
  api: 'registry',
  requests: {},
  obtain: () => Promise.resolve(new Map<'first', Awaited<ReturnType<typeof publishFresh>>>()),
});

const MOST_SPELLINGS = 3;

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
  uses: [versionNumbers, early],
  requests: {
    fresh: { ...once, times: freshTimes },
    again: { ...once, times: 4 + MOST_SPELLINGS },
    inChunks: { ...once, times: 2 },
    control: { ...once, times: freshTimes },
    marked: { ...once, times: freshTimes },
  },
  run: async function* (session) {
    const first = await publishFresh(session, 'fresh');
    (await session.obtain(early)).set('first', first);
    const { answer, body } = first;
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
    // The same place (inference): an upload needs an absolute address. Its scheme is not documented.
    if (typeof url === 'string') {
      const absolute = isSignedUrl(url);
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

    // Document 2, Limits, item 2, and POST …/versions, last sentence: unique for the node. The status is not
    // documented. It applies to any other content of the body, and to any number of attempts.
    const others = { changelog: 'Another changelog.', tags: ['another'], dependencies: ['another'] };
    const changed = { ...body, node_version: { ...body.node_version, ...others } };
    const whole = withMembers(body, allMembers);
    for (const [index, sent] of [body, changed, body, whole].entries()) {
      const fill = place(session.fixtures);
      // The third in chunks (RFC 9112, section 7.1): after two refusals with a length.
      const again = await session.send('again', { fill, body: sent, isChunked: index === 2 });
      yield check(
        'registry.publish.version-unique',
        [answer, again],
        !isPublished(again),
        'no second success',
        String(again.status),
      );
    }

    for (const fill of otherSpellings(session.fixtures)) {
      const again = await session.send('again', { fill, body });
      const expected = 'no second success under another spelling of its path';
      yield check(
        'registry.publish.version-unique',
        [answer, again],
        !isPublished(again),
        expected,
        String(again.status),
      );
    }

    yield* judgeChunks(session);

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

/**
 * Paths that name the same node or none: an escaped letter is that letter (RFC 3986, section 6.2.2.2), and a
 * publisher's id is in lower case (document 2, Publisher). Whether other nodes are made by a publication is open.
 */
function otherSpellings(fixtures: Fixtures): readonly Readonly<Record<string, string>>[] {
  const { publisher = '', node = '' } = place(fixtures);
  const escaped = (text: string): string =>
    text.replace(/[a-z]/i, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return [
    { publisher, node: escaped(node) },
    { publisher: escaped(publisher), node },
    { publisher: publisher.toUpperCase(), node },
  ].filter((one) => one.node !== node || one.publisher !== publisher);
}

/** RFC 9112, section 7.1: a recipient reads chunks. It may demand a length with 411 (RFC 9110, section 15.5.12). */
async function* judgeChunks(session: Session<'inChunks' | 'control'>): AsyncGenerator<Check> {
  const { fixtures } = session;
  const numbers = await session.obtain(versionNumbers);
  const send = (): Promise<Exchange> => {
    const whole = publication(fixtures, numbers.next());
    // Chunks split its characters. An oracle compares it with the published changelog.
    const body = { ...whole, node_version: { ...whole.node_version, changelog: 'é\u58a8💥'.repeat(9) } };
    return session.send('inChunks', { fill: place(fixtures), body, isChunked: true });
  };
  const first = await send();
  if (isPublished(first) || first.status === 411) return;
  // Whether chunks are refused, or every version, or a number that is in use.
  const { answer: control } = await publishFresh(session, 'control');
  const second = await send();
  const got = `${first.status} and ${second.status}`;
  const holds = isPublished(second);
  yield check('registry.publish.201', [control, second], holds, 'a success for a body in chunks', got);
}

export const takenForAll = scenario({
  id: 'registry.publish.taken-for-all',
  api: 'registry',
  title: 'the same version again with an API key as bearer',
  permissions: ['publish'],
  needs: ['publish', 'capabilities.keyAsBearer'],
  lock: 'registry.node',
  judges: ['registry.publish.version-unique'],
  uses: [versionNumbers],
  requests: {
    fresh: { ...once, times: freshTimes },
    again: { ...once, as: 'apiKeyAsBearer' },
  },
  run: async function* (session) {
    const { answer, body } = await publishFresh(session, 'fresh');
    const again = await session.send('again', { fill: place(session.fixtures), body });
    // Document 2, Limits, item 2: unique for the node, for any caller.
    yield check(
      'registry.publish.version-unique',
      [answer, again],
      !isPublished(again),
      'no second success',
      String(again.status),
    );
  },
});

const DAY_MS = 24 * 3_600_000;

export const dayLater = scenario({
  id: 'registry.publish.day-later',
  api: 'registry',
  title: 'the same version after more than a day',
  permissions: ['publish', 'long'],
  needs: ['publish'],
  budgetMs: DAY_MS * 1.2,
  judges: ['registry.publish.version-unique'],
  uses: [versionNumbers, early],
  requests: { fresh: { ...once, times: freshTimes }, again: once },
  run: async function* (session) {
    const before = (await session.obtain(early)).get('first') ?? (await publishFresh(session, 'fresh'));
    const { answer, body } = before;
    await session.clock.sleep(DAY_MS * 1.1);
    const again = await session.send('again', { fill: place(session.fixtures), body });
    // Document 2, Limits, item 2: unique for the node, without a time limit.
    yield check(
      'registry.publish.version-unique',
      [answer, again],
      !isPublished(again),
      'no second success a day later',
      String(again.status),
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
    publish: { ...once, times: RACE_TIMES },
    fresh: { ...once, times: freshTimes },
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
      // The number may be in use. If nothing can be published at all, there is no race.
      if (won.length === 0 && lost.length === 0 && open === undefined) await publishFresh(session, 'fresh');
      // Document 2, Limits, item 2. Two successes decide, regardless of the other answers.
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
    const rule = 'registry.publish.version-unique-race';
    yield open.lost.length > 0
      ? judgeLost(rule, open, 'one success, and a refusal of the others')
      : undecided(rule, open.answers, `none of ${open.answers.length} was published`);
  },
});

export function isPublished({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}
