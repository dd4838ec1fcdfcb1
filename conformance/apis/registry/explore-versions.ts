import { check } from '../../scenarios/check.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { FRAMINGS, framed } from '../../explore/framing.ts';
import { operation } from '../../explore/model.ts';
import type { ModelOperation } from '../../explore/model.ts';
import { BrokenFixture } from '../../scenarios/scenario.ts';
import type { Check, SendOptions, Session } from '../../scenarios/scenario.ts';
import { WRONG_TOKEN, place, publication } from './probes/publication.ts';
import type { Publication, VersionNumbers } from './probes/publication.ts';
import { isPublished } from './probes/publish.ts';
import { refusedBody } from './probes/bad-bodies.ts';

/** A version number that was sent. */
interface Sent {
  readonly body: Publication;
  /** `published`: in use; `refused`: still free; `open`: unknown. */
  state: 'published' | 'refused' | 'open';
  readonly answer: Exchange;
}

export interface Versions {
  readonly sent: Sent[];
  /** Whether the other node may have the version already. */
  readonly elsewhere: Set<string>;
}

export type Name = 'publish publisher' | 'publish none' | 'publish unusable';
type Sends = Readonly<Partial<Record<Name, number>>>;
type PublishOperation = ModelOperation<Versions, Name>;

export const versionRules = [
  'registry.publish.201',
  'registry.publish.version-unique',
  'registry.publish.version-unique-race',
  'registry.publish.node-required',
  'registry.publish.node-version-required',
  'registry.publish.pat-required',
  'registry.publish.pat-checked',
  'registry.publish.wrong-types',
  'registry.publish.malformed-json',
  'registry.publish.semver',
  'registry.publish.auth-required',
];

/** Document 2, POST …/versions: a version that does not exist. */
export function publishing(numbers: VersionNumbers): PublishOperation {
  return operation({
    factors: {
      form: ['plain', 'pre-release', 'build'],
      changelog: ['none', 'multibyte', 'long'],
      framing: FRAMINGS,
      together: ['one', 'two'],
    },
    sends: (): Sends => ({ 'publish publisher': 3 }),
    perform: async function* ({ state, session, choices: { form, changelog, framing, together } }) {
      const fresh = (): Publication =>
        withChangelog(publication(session.fixtures, versionOf(numbers.next(), form)), changelog);
      const options = (body: Publication): SendOptions => ({
        fill: place(session.fixtures),
        body,
        ...framed(framing),
      });
      let body = fresh();
      if (together === 'two') {
        const answers = await session.race('publish publisher', [options(body), options(body)]);
        const won = answers.filter(isPublished);
        if (won.length > 1) yield* judgeRace(won, answers.length);
        const [answer = answers[0]] = won;
        if (answer !== undefined)
          state.sent.push({ body, answer, state: won.length > 0 ? 'published' : 'open' });
        return;
      }
      let answer = await session.send('publish publisher', options(body));
      if (!isPublished(answer)) {
        // The number may be in use: earlier runs may have counted from the same start.
        numbers.skip();
        body = fresh();
        answer = await session.send('publish publisher', options(body));
      }
      if (!isPublished(answer)) {
        yield* judgeFraming(session, numbers, answer, framing);
        throw new BrokenFixture('publish', `it returned ${answer.status}`, [answer.id]);
      }
      state.sent.push({ body, answer, state: 'published' });
    },
  });
}

/** The same place: invalid publications, regardless of the version. */
export function publishingBadly(numbers: VersionNumbers): PublishOperation {
  return operation({
    factors: {
      defect: [
        'no node',
        'no version',
        'no token',
        'wrong token',
        'wrong type',
        'wrong type deep inside',
        'letter before version',
        'blank after version',
        'cut short',
        'no credential',
        'useless credential',
      ],
      framing: FRAMINGS,
    },
    sends: ({ defect }): Sends => ({ [`publish ${callerOf(defect)}`]: 1 }),
    perform: async function* ({ state, session, choices: { defect, framing } }) {
      const body = publication(session.fixtures, numbers.next());
      const caller = callerOf(defect);
      const answer = await session.send(`publish ${caller}`, {
        fill: place(session.fixtures),
        body: spoilt(body, defect),
        ...framed(framing),
        ...(caller === 'unusable' ? { credential: ['Authorization', 'Bearer tallystick.no.token'] } : {}),
      });
      const rule = RULES[defect];
      if (LISTED.has(defect)) yield refusedBody(rule, answer, defect);
      else yield check(rule, answer, !isPublished(answer), `no success, ${defect}`, String(answer.status));
      state.sent.push({
        body,
        answer,
        state: isPublished(answer) || answer.status >= 500 ? 'open' : 'refused',
      });
    },
  });
}

/** Limits, item 2: a version that was sent before, unchanged or slightly different. */
export function publishingAgain(numbers: VersionNumbers): PublishOperation {
  return operation({
    factors: {
      which: ['last', 'first', 'refused'],
      change: ['nothing', 'changelog', 'dependencies'],
      framing: FRAMINGS,
      together: ['one', 'two'],
    },
    sends: ({ which }): Sends => ({ 'publish publisher': which === 'refused' ? 4 : 2 }),
    isPossible: ({ sent }, { which }) => sentBefore(sent, which) !== undefined,
    perform: async function* ({ state, session, choices: { which, change, framing, together } }) {
      const before = sentBefore(state.sent, which);
      if (before === undefined) return;
      const body = changed(before.body, change);
      const options = { fill: place(session.fixtures), body, ...framed(framing) };
      const answers =
        together === 'two'
          ? await session.race('publish publisher', [options, options])
          : [await session.send('publish publisher', options)];
      const won = answers.filter(isPublished);
      if (before.state === 'published') {
        const holds = won.length === 0;
        const got = answers.map(({ status }) => status).join(', ');
        yield check(
          'registry.publish.version-unique',
          [before.answer, ...answers],
          holds,
          'no second success',
          got,
        );
      } else if (won.length > 1) yield* judgeRace(won, answers.length);
      else if (before.state === 'refused' && won.length === 0)
        yield* judgeLeftover(session, numbers, before, answers);
      if (won.length > 0) before.state = 'published';
      else if (before.state === 'refused') before.state = 'open';
    },
  });
}

/** The same item (inference): unique for its node, and so free for another. */
export const publishingElsewhere: PublishOperation = operation({
  factors: { which: ['last', 'first'], framing: FRAMINGS },
  sends: (): Sends => ({ 'publish publisher': 1 }),
  isPossible: ({ sent }, { which }) => sentBefore(sent, which)?.state === 'published',
  perform: async function* ({ state, session, choices: { which, framing } }) {
    const { publisherId, nodeId } = session.fixtures.publish?.second ?? {};
    const before = sentBefore(state.sent, which);
    if (publisherId === undefined || nodeId === undefined || before === undefined) return;
    const version = String(before.body.node_version['version']);
    const fill = { publisher: encodeURIComponent(publisherId), node: encodeURIComponent(nodeId) };
    const node = { ...(before.body.node as object), id: nodeId };
    const answer = await session.send('publish publisher', {
      fill,
      body: { ...before.body, node },
      ...framed(framing),
    });
    if (state.elsewhere.has(version)) {
      const expected = 'no second success for the other node';
      yield check(
        'registry.publish.version-unique',
        answer,
        !isPublished(answer),
        expected,
        String(answer.status),
      );
    }
    if (isPublished(answer)) state.elsewhere.add(version);
  },
});

// --- internal ---

type Defect =
  | 'no node'
  | 'no version'
  | 'no token'
  | 'wrong token'
  | 'wrong type'
  | 'wrong type deep inside'
  | 'letter before version'
  | 'blank after version'
  | 'cut short'
  | 'no credential'
  | 'useless credential';

const RULES: Readonly<Record<Defect, string>> = {
  'no node': 'registry.publish.node-required',
  'no version': 'registry.publish.node-version-required',
  'no token': 'registry.publish.pat-required',
  'wrong token': 'registry.publish.pat-checked',
  'wrong type': 'registry.publish.wrong-types',
  'wrong type deep inside': 'registry.publish.wrong-types',
  'letter before version': 'registry.publish.semver',
  'blank after version': 'registry.publish.semver',
  'cut short': 'registry.publish.malformed-json',
  'no credential': 'registry.publish.auth-required',
  'useless credential': 'registry.publish.auth-required',
};

/** Versions with each status that the contract lists. */
const LISTED: ReadonlySet<Defect> = new Set([
  'no node',
  'no version',
  'no token',
  'wrong type',
  'wrong type deep inside',
  'cut short',
]);

function callerOf(defect: Defect): 'publisher' | 'none' | 'unusable' {
  if (defect === 'no credential') return 'none';
  return defect === 'useless credential' ? 'unusable' : 'publisher';
}

function spoilt(body: Publication, defect: Defect): unknown {
  const { node, node_version: version, personal_access_token: token } = body;
  const named = String(version['version']);
  switch (defect) {
    case 'no node':
      return { node_version: version, personal_access_token: token };
    case 'no version':
      return { node, personal_access_token: token };
    case 'no token':
      return { node, node_version: version };
    case 'wrong token':
      return { ...body, personal_access_token: WRONG_TOKEN };
    case 'wrong type':
      return { ...body, node_version: { ...version, deprecated: 'yes' } };
    case 'wrong type deep inside':
      return { ...body, node_version: { ...version, dependencies: ['numpy', 7] } };
    case 'letter before version':
      return { ...body, node_version: { ...version, version: `v${named}` } };
    case 'blank after version':
      return { ...body, node_version: { ...version, version: `${named} ` } };
    case 'cut short':
      return JSON.stringify(body).slice(0, -1);
    case 'no credential':
    case 'useless credential':
      return body;
  }
}

function sentBefore(sent: readonly Sent[], which: 'last' | 'first' | 'refused'): Sent | undefined {
  // It is open whether versions must increase, so the refused one has to be the newest.
  if (which === 'refused') return sent.at(-1)?.state === 'refused' ? sent.at(-1) : undefined;
  const taken = sent.filter(({ state }) => state === 'published');
  return which === 'first' ? taken[0] : taken.at(-1);
}

/** semver.org 2.0.0. */
function versionOf(number: string, form: 'plain' | 'pre-release' | 'build'): string {
  if (form === 'plain') return number;
  return form === 'build' ? `${number}+b.5` : `${number}-rc.1`;
}

function withChangelog(body: Publication, changelog: 'none' | 'multibyte' | 'long'): Publication {
  if (changelog === 'none') return body;
  const text = changelog === 'long' ? 'é7'.repeat(4000) : 'é💥 ключ "\\"';
  return { ...body, node_version: { ...body.node_version, changelog: text } };
}

function changed(body: Publication, change: 'nothing' | 'changelog' | 'dependencies'): Publication {
  if (change === 'nothing') return body;
  const more = change === 'changelog' ? { changelog: 'Another one.' } : { dependencies: ['numpy'] };
  return { ...body, node_version: { ...body.node_version, ...more } };
}

/**
 * RFC 9112, section 7.1: a recipient reads chunks. A server may demand a length with 411. A control with a
 * length shows whether the framing was the reason.
 */
async function* judgeFraming(
  session: Session<Name>,
  numbers: VersionNumbers,
  answer: Exchange,
  framing: (typeof FRAMINGS)[number],
): AsyncGenerator<Check> {
  if (framing === 'length' || answer.status === 411) return;
  const body = publication(session.fixtures, numbers.next());
  const control = await session.send('publish publisher', { fill: place(session.fixtures), body });
  if (!isPublished(control)) return;
  const what = framing === 'chunked' ? 'in chunks' : 'with a charset';
  yield check('registry.publish.201', [answer, control], false, `a success ${what}`, String(answer.status));
}

function* judgeRace(won: readonly Exchange[], all: number): Generator<Check> {
  const got = `${won.length} of ${all} succeeded`;
  yield check('registry.publish.version-unique-race', won, false, 'one success', got);
}

/**
 * A refused publication leaves its number free. A second, untried number shows whether the first one was
 * already in use by others.
 */
async function* judgeLeftover(
  session: Session<Name>,
  numbers: VersionNumbers,
  { body, answer: refused }: Sent,
  answers: readonly Exchange[],
): AsyncGenerator<Check> {
  const next = { ...body, node_version: { ...body.node_version, version: numbers.next() } };
  const control = await session.send('publish publisher', { fill: place(session.fixtures), body: next });
  const earlier = Number(answers[0]?.status) >= 400 && isPublished(control);
  if (!earlier) return;
  yield check(
    'registry.publish.201',
    [refused, ...answers, control],
    false,
    `a success for a version that was refused before with ${refused.status}, as for ${String(next.node_version['version'])}`,
    answers.map(({ status }) => status).join(', '),
  );
}
