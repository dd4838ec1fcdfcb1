import { check } from '../../scenarios/check.ts';
import { isSuccess, member } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { FRAMINGS, framed } from '../../explore/framing.ts';
import { operation } from '../../explore/model.ts';
import type { ModelOperation } from '../../explore/model.ts';
import type { Fixtures } from '../../target/fixtures.ts';
import { BrokenFixture } from '../../scenarios/scenario.ts';
import type { Check, SendOptions, Session } from '../../scenarios/scenario.ts';
import { sketch, sketchAnswer } from '../../exchanges/sketch.ts';
import type { Visitor } from './explore-access.ts';
import { noteJobs, unlessBusy } from './explore-state.ts';
import { isReuse } from './probes/keys.ts';
import type { KnownJobs, SentKey } from './explore-state.ts';
import { bodyOf, codeOf, keyed, sketchRefusal, withSibling } from './probes/job.ts';
import { isNodeErrors } from './wire/job.ts';

type Name = 'submit jobOwner' | 'submit none' | 'submit unusable';
type Sends = Readonly<Partial<Record<Name, number>>>;
type SubmitOperation = ModelOperation<KnownJobs, Name>;

const REUSE = 'status 422, code idempotency_key_reuse';

/** Document 3, POST /api/v2/jobs: valid graphs. */
export function submitting(bodies: readonly string[]): SubmitOperation {
  return operation({
    factors: {
      body: bodies,
      key: ['fresh', 'none'],
      framing: FRAMINGS,
      together: ['one', 'two'],
    },
    sends: ({ together }): Sends => ({ 'submit jobOwner': together === 'two' ? 2 : 1 }),
    perform: async function* ({ state, session, choices: { body: name, key, framing, together } }) {
      const body = bodyOf(session.fixtures, name);
      const own = key === 'fresh' ? session.freshKey() : undefined;
      const answers = await sendAll(session, own, body, framing, together);
      const made = answers.filter(isSuccess);
      const [first] = answers;
      if (first === undefined) return;
      if (made.length === 0 && !answers.some(isReuse))
        throw new BrokenFixture(`job.${name}`, sketchAnswer(first), [first.id]);
      if (own !== undefined && answers.length > 1 && answers.every(({ answer }) => answer !== undefined))
        yield check(
          'jobs.idem.concurrent-one-201',
          answers,
          made.length === 1 && answers.filter(isReuse).length === answers.length - 1,
          `one job, and ${REUSE} for the other`,
          answers.map(sketchRefusal).join(', '),
        );
      if (own === undefined || answers.length === 1)
        for (const answer of answers)
          yield check('jobs.submit.201', answer, answer.status === 201, 'status 201', sketchRefusal(answer));
      const [answer] = made;
      yield* noteJobs(state, own === undefined ? made : made.slice(0, 1), name);
      if (own !== undefined)
        state.keys.push({
          ...{ key: own, body, answer: answer ?? first, freedBy: undefined },
          state: answer === undefined ? 'open' : 'claimed',
        });
    },
  });
}

/** The same place, and Submit request: submissions that never become jobs. */
export function submittingBadly(fixtures: Fixtures, visitors: readonly Visitor[]): SubmitOperation {
  const possible = DEFECTS.filter(
    ({ caller, body }) =>
      (caller === 'jobOwner' || visitors.includes(caller)) && body(fixtures) !== undefined,
  );
  return operation({
    factors: {
      defect: possible.map(({ name }) => name),
      key: ['fresh', 'none'],
      framing: FRAMINGS,
    },
    sends: ({ defect }): Sends => ({ [`submit ${callerOf(defect)}`]: 1 }),
    perform: async function* ({ state, session, choices: { defect: name, key, framing } }) {
      const defect = DEFECTS.find((one) => one.name === name);
      if (defect === undefined) return;
      const body = defect.body(session.fixtures);
      const own = key === 'fresh' ? session.freshKey() : undefined;
      const { caller } = defect;
      const answer = await session.send(`submit ${caller}`, {
        ...(own === undefined ? { body } : keyed(body, own)),
        ...framed(framing),
        ...(caller === 'unusable' ? { credential: ['Authorization', 'Bearer tallystick-wrong-token'] } : {}),
      });
      unlessBusy([answer]);
      yield check(defect.rule, answer, !isSuccess(answer), `no job, ${name}`, sketchRefusal(answer));
      // Error body, row error.details: of the graph that a probe sends without a key.
      if (name === INVALID && codeOf(answer) === 'invalid_workflow') {
        const nodes = member(member(member(answer.json, 'error'), 'details'), 'node_errors');
        const expected = 'details.node_errors: lists of field and reason by node';
        yield check('jobs.submit.node-errors', answer, isNodeErrors(nodes), expected, sketch(nodes));
      }
      if (own === undefined) return;
      // The effect of a refused caller on a key is open.
      const isFreed = !isSuccess(answer) && ![401, 403, 404].includes(answer.status) && !isReuse(answer);
      state.keys.push({
        ...{ key: own, body, answer, freedBy: defect.freedBy },
        state: isFreed && defect.freedBy !== undefined ? 'freed' : 'open',
      });
    },
  });
}

/** Idempotency-Key rules on submit, item 2: a key that created a job. */
export const submittingAgain: SubmitOperation = operation({
  factors: {
    which: ['last', 'first'],
    body: ['same', 'another', 'invalid'],
    framing: FRAMINGS,
    together: ['one', 'two'],
  },
  sends: ({ together }): Sends => ({ 'submit jobOwner': together === 'two' ? 2 : 1 }),
  isPossible: ({ keys }, { which }) => keyBefore(keys, which) !== undefined,
  perform: async function* ({ state, session, choices: { which, body: kind, framing, together } }) {
    const before = keyBefore(state.keys, which);
    if (before === undefined) return;
    const { fixtures } = session;
    const body =
      kind === 'same'
        ? before.body
        : (bodyOf(fixtures, kind === 'invalid' ? 'invalid' : 'tiny') ?? bodyOf(fixtures, 'ok'));
    const answers = await sendAll(session, before.key, body, framing, together);
    if (before.state !== 'claimed') return;
    const rule =
      kind === 'same'
        ? 'jobs.idem.duplicate-422'
        : kind === 'another'
          ? 'jobs.idem.different-body-422'
          : 'jobs.idem.invalid-second-422';
    for (const answer of answers) {
      yield check(rule, [before.answer, answer], isReuse(answer), REUSE, sketchRefusal(answer));
      const expected = 'no job under a used key';
      yield check('jobs.idem.never-reexecuted', [before.answer, answer], !isSuccess(answer), expected);
    }
  },
});

/** The same place, item 3: a key whose submission created none. */
export const submittingFreed: SubmitOperation = operation({
  factors: { framing: FRAMINGS },
  sends: (): Sends => ({ 'submit jobOwner': 2 }),
  isPossible: ({ keys }) => keyBefore(keys, 'freed') !== undefined,
  perform: async function* ({ state, session, choices: { framing } }) {
    const before = keyBefore(state.keys, 'freed');
    if (before !== undefined) yield* judgeFreed(state, session, before, framing);
  },
});

export const submissionRules = [
  'jobs.submit.201',
  'jobs.idem.no-key-ok',
  'jobs.idem.concurrent-one-201',
  'jobs.idem.duplicate-422',
  'jobs.idem.different-body-422',
  'jobs.idem.invalid-second-422',
  'jobs.idem.never-reexecuted',
  'jobs.idem.release-on-validation',
  'jobs.idem.release-on-ui-format',
  'jobs.idem.release-on-reserved',
  'jobs.submit.sync-validation',
  'jobs.submit.node-errors',
  'jobs.submit.unknown-class',
  'jobs.submit.ui-format',
  'jobs.submit.webhook-url-rejected',
  'jobs.submit.inputs-rejected',
  'jobs.submit.extra-data-closed',
  'jobs.submit.malformed-json',
  'jobs.auth.required',
  'jobs.auth.self-hosted-static',
];

// --- internal ---

interface Defect {
  readonly name: string;
  readonly rule: string;
  /** The rule by which its key is free; `undefined` if that is open. */
  readonly freedBy: string | undefined;
  readonly caller: 'jobOwner' | 'none' | 'unusable';
  readonly body: (fixtures: Fixtures) => unknown;
}

const INVALID = 'invalid graph';
const VALIDATION = 'jobs.idem.release-on-validation';
const RESERVED = 'jobs.idem.release-on-reserved';

const beside =
  (name: string, value: unknown) =>
  (fixtures: Fixtures): unknown =>
    withSibling(fixtures, bodyOf(fixtures, 'ok'), name, value);
const ok = (fixtures: Fixtures): unknown => bodyOf(fixtures, 'ok');

const DEFECTS: readonly Defect[] = [
  {
    ...{
      name: INVALID,
      rule: 'jobs.submit.sync-validation',
      freedBy: VALIDATION,
      caller: 'jobOwner',
    },
    body: (fixtures) => bodyOf(fixtures, 'invalid'),
  },
  {
    ...{ name: 'unknown class', rule: 'jobs.submit.unknown-class', freedBy: VALIDATION, caller: 'jobOwner' },
    body: (fixtures) => bodyOf(fixtures, 'unknownClass'),
  },
  {
    ...{ name: 'export of the editor', rule: 'jobs.submit.ui-format', caller: 'jobOwner' },
    freedBy: 'jobs.idem.release-on-ui-format',
    body: (fixtures) => bodyOf(fixtures, 'uiFormat'),
  },
  {
    ...{
      name: 'webhook_url',
      rule: 'jobs.submit.webhook-url-rejected',
      freedBy: RESERVED,
      caller: 'jobOwner',
    },
    body: beside('webhook_url', 'https://tallystick.invalid/callback'),
  },
  {
    ...{ name: 'inputs', rule: 'jobs.submit.inputs-rejected', freedBy: RESERVED, caller: 'jobOwner' },
    body: beside('inputs', {}),
  },
  {
    ...{
      name: 'unknown extra data',
      rule: 'jobs.submit.extra-data-closed',
      freedBy: VALIDATION,
      caller: 'jobOwner',
    },
    body: beside('extra_data', { tallystick_unknown: 1 }),
  },
  {
    ...{ name: 'cut short', rule: 'jobs.submit.malformed-json', freedBy: undefined, caller: 'jobOwner' },
    body: (fixtures) => JSON.stringify(ok(fixtures)).slice(0, -1),
  },
  { name: 'no credential', rule: 'jobs.auth.required', freedBy: undefined, caller: 'none', body: ok },
  {
    ...{ name: 'wrong token', rule: 'jobs.auth.self-hosted-static', freedBy: undefined, caller: 'unusable' },
    body: ok,
  },
];

function callerOf(defect: string): Defect['caller'] {
  return DEFECTS.find(({ name }) => name === defect)?.caller ?? 'jobOwner';
}

function keyBefore(keys: readonly SentKey[], which: 'last' | 'first' | 'freed'): SentKey | undefined {
  if (which === 'freed') return keys.findLast(({ state }) => state === 'freed');
  const claimed = keys.filter(({ state }) => state === 'claimed');
  return which === 'first' ? claimed[0] : claimed.at(-1);
}

async function sendAll(
  session: Pick<Session<Name>, 'send' | 'race'>,
  key: string | undefined,
  body: unknown,
  framing: string,
  together: 'one' | 'two',
): Promise<readonly Exchange[]> {
  const options: SendOptions = { ...(key === undefined ? { body } : keyed(body, key)), ...framed(framing) };
  const answers =
    together === 'two'
      ? await session.race('submit jobOwner', [options, options])
      : [await session.send('submit jobOwner', options)];
  unlessBusy(answers);
  return answers;
}

/** Item 3: a submission that created no job leaves its key free. */
async function* judgeFreed(
  state: KnownJobs,
  session: Session<Name>,
  before: SentKey,
  framing: string,
): AsyncGenerator<Check> {
  const body = bodyOf(session.fixtures, 'ok');
  const [answer] = await sendAll(session, before.key, body, framing, 'one');
  if (answer === undefined) return;
  if (!isSuccess(answer) && !isReuse(answer)) {
    // The control shows whether the server refuses the key or the job.
    const [control] = await sendAll(session, session.freshKey(), body, 'length', 'one');
    if (control === undefined || !isSuccess(control))
      throw new BrokenFixture('job.ok', sketchAnswer(control ?? answer), [answer.id]);
    yield* noteJobs(state, [control], 'ok');
  }
  const rule = before.freedBy ?? VALIDATION;
  yield check(
    rule,
    [before.answer, answer],
    isSuccess(answer),
    'a job under the same key',
    sketchRefusal(answer),
  );
  before.state = 'open';
  yield* noteJobs(state, [answer], 'ok');
  if (isSuccess(answer))
    state.keys.push({ key: before.key, body, state: 'claimed', answer, freedBy: undefined });
}
