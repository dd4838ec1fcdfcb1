import { check, undecided } from '../../../check.ts';
import { isSuccess, member } from '../../../exchange.ts';
import type { Exchange } from '../../../exchange.ts';
import { BrokenFixture, NotExercised, scenario } from '../../../scenario.ts';
import { sketchAnswer } from '../../../sketch.ts';
import { RACE_TIMES, rounds, sketchLost } from '../../../race.ts';
import type { Round } from '../../../race.ts';
import type { Fixtures } from '../../../fixtures.ts';
import type { Check } from '../../../scenario.ts';
import { TERMINAL, isWholeJob } from '../wire/job.ts';
import {
  LIFE_MS,
  MOST_READS,
  bodyOf,
  codeOf,
  keyed,
  read,
  readUntil,
  sketchRefusal,
  statusOf,
  submit,
  submitted,
  withSibling,
} from './job.ts';

/** Document 3, Idempotency-Key rules on submit, item 2: 422 with this code, whatever the body. */
export function isReuse(answer: Exchange): boolean {
  return answer.status === 422 && codeOf(answer) === 'idempotency_key_reuse';
}

/** Whether a job is anywhere in an answer. */
function holdsJob(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isWholeJob(value) || Object.values(value).some(holdsJob);
}

export const REUSE = 'status 422, code idempotency_key_reuse';
const DUPLICATE = 'jobs.idem.duplicate-422';

export const usedKey = scenario({
  id: 'jobs.idem.used-key',
  api: 'jobs',
  title: 'a key that has created a job',
  permissions: ['jobs'],
  needs: ['job.ok'],
  budgetMs: LIFE_MS,
  judges: [
    'jobs.idem.duplicate-422',
    'jobs.idem.different-body-422',
    'jobs.idem.never-reexecuted',
    'jobs.submit.201',
  ],
  severalCases: ['jobs.idem.duplicate-422', 'jobs.idem.different-body-422', 'jobs.idem.never-reexecuted'],
  requests: {
    first: submit,
    again: { ...submit, times: 6 },
    sibling: submit,
    read: { ...read, times: MOST_READS },
  },
  run: async function* (session) {
    const { fixtures, send } = session;
    const key = session.freshKey();
    const { exchange, id } = await submitted(session, 'first', 'ok', key);
    const ok = bodyOf(fixtures, 'ok');
    // Document 3, Idempotency-Key rules on submit, item 2: never executed again, nothing replayed.
    const judge = function* (rule: string, again: Exchange): Generator<Check> {
      yield check(rule, [exchange, again], isReuse(again), REUSE, sketchRefusal(again));
      const hasJob = isSuccess(again) || typeof member(again.json, 'id') === 'string' || holdsJob(again.json);
      yield check('jobs.idem.never-reexecuted', [exchange, again], !hasJob, 'an answer without a job');
    };
    yield* judge('jobs.idem.duplicate-422', await send('again', keyed(ok, key)));
    const allowed = fixtures.job?.['allowedExtraData'] ?? {};
    const others = [withSibling(fixtures, ok, 'extra_data', allowed), bodyOf(fixtures, 'tiny')];
    for (const other of others)
      if (other !== undefined)
        yield* judge('jobs.idem.different-body-422', await send('again', keyed(other, key)));
    yield* judge('jobs.idem.duplicate-422', await send('again', keyed(ok, key)));
    // However the name of the header is spelled (RFC 9110, section 5.1).
    const spelled = { body: ok, headers: [['idempotency-key', key]] as const };
    yield* judge('jobs.idem.duplicate-422', await send('again', spelled));
    // The same rules, item 1: a key that differs in its last character is another one.
    const sibling = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const other = await send('sibling', keyed(ok, sibling));
    yield check(
      'jobs.submit.201',
      [exchange, other],
      !isReuse(other),
      'no refusal of a new key as used',
      sketchRefusal(other),
    );
    // Any later request: the end of the job does not free its key.
    const { reached } = await readUntil(session, 'read', id, {
      holds: (job) => TERMINAL.includes(statusOf(job)),
      times: MOST_READS,
      pauseMs: 500,
    });
    if (reached) yield* judge('jobs.idem.duplicate-422', await send('again', keyed(ok, key)));
  },
});

export const usedKeyBadGraph = scenario({
  id: 'jobs.idem.used-key-bad-graph',
  api: 'jobs',
  title: 'a used key with an invalid graph',
  permissions: ['jobs'],
  needs: ['job.ok', 'job.invalid'],
  judges: ['jobs.idem.invalid-second-422'],
  requests: { first: submit, again: submit },
  run: async function* (session) {
    const key = session.freshKey();
    const { exchange } = await submitted(session, 'first', 'ok', key);
    // Document 3, Idempotency-Key rules on submit, item 2 (inference): any later request. The order of checks is not stated.
    const again = await session.send('again', keyed(bodyOf(session.fixtures, 'invalid'), key));
    yield check(
      'jobs.idem.invalid-second-422',
      [exchange, again],
      isReuse(again),
      REUSE,
      sketchRefusal(again),
    );
  },
});

export const race = scenario({
  id: 'jobs.idem.race',
  api: 'jobs',
  title: 'concurrent submissions with one key',
  permissions: ['jobs'],
  needs: ['job.ok'],
  fillsCapacity: true,
  sensitive: true,
  judges: ['jobs.idem.concurrent-one-201'],
  requests: { submit: { ...submit, times: RACE_TIMES, judgesRefusal: true } },
  run: async function* (session) {
    const body = bodyOf(session.fixtures, 'tiny') ?? bodyOf(session.fixtures, 'ok');
    let open: Round | undefined;
    let decided = false;
    for await (const round of rounds(session, 'submit', () => keyed(body, session.freshKey()))) {
      const { answers, answered, lost } = round;
      // Document 3, Idempotency-Key rules on submit, item 2: a concurrent duplicate is a later request too. Two that made
      // a job decide, whatever became of the rest.
      const made = answered.filter(isSuccess);
      const others = answered.filter((answer) => !isSuccess(answer));
      const [first] = others;
      if (made.length === 0 && first !== undefined && !others.some(isReuse))
        throw new BrokenFixture('job.ok', sketchAnswer(first), [first.id]);
      if (lost.length > 0 && made.length < 2) {
        open = round;
        continue;
      }
      const exact = made.length === 1 && others.every(isReuse);
      const got = `${made.length} of ${answers.length} made a job, ${others.filter(isReuse).length} were refused as reuse`;
      yield check(
        'jobs.idem.concurrent-one-201',
        made.length > 0 ? made : answers,
        exact,
        `one job, and ${REUSE} for the others`,
        got,
      );
      if (!exact) return;
      decided = true;
    }
    if (!decided && open !== undefined)
      yield undecided('jobs.idem.concurrent-one-201', open.lost, sketchLost(open));
  },
});

/** Document 3, Idempotency-Key rules on submit, item 3: a refusal without a job frees the key. */
const releases = [
  {
    id: 'malformed',
    needs: [],
    rule: 'jobs.idem.release-on-validation',
    what: 'a body that is not JSON',
  },
  {
    id: 'validation',
    needs: ['job.invalid'],
    rule: 'jobs.idem.release-on-validation',
    what: 'an invalid graph',
  },
  {
    id: 'editor-format',
    needs: ['job.uiFormat'],
    rule: 'jobs.idem.release-on-ui-format',
    what: 'an export of the interface',
  },
  {
    id: 'unknown-class',
    needs: ['job.unknownClass'],
    rule: 'jobs.idem.release-on-validation',
    what: 'an unknown node class',
  },
  {
    id: 'unknown-asset',
    needs: ['job.unknownAsset'],
    rule: 'jobs.idem.release-on-validation',
    what: 'an asset that does not exist',
  },
  {
    id: 'foreign-asset',
    needs: ['job.foreignAsset'],
    rule: 'jobs.idem.release-on-validation',
    what: "another account's asset",
  },
  {
    id: 'extra-data',
    needs: [],
    rule: 'jobs.idem.release-on-validation',
    what: 'an unknown key in extra_data',
  },
  { id: 'reserved', needs: [], rule: 'jobs.idem.release-on-reserved', what: 'a reserved member' },
] as const;

export const releasedKeys = releases.map(({ id, needs, rule, what }) =>
  scenario({
    id: `jobs.idem.released-${id}`,
    api: 'jobs',
    title: `a key after the refusal of ${what}`,
    permissions: ['jobs'],
    needs: ['job.ok', ...needs],
    judges: [rule, DUPLICATE],
    requests: { refused: submit, again: submit, third: submit, control: submit },
    run: async function* ({ send, fixtures, freshKey }) {
      const key = freshKey();
      const ok = bodyOf(fixtures, 'ok');
      const first = await send('refused', keyed(refusedBody(fixtures, id), key));
      // Each of these refusals has a rule of its own.
      if (isSuccess(first) && ALIKE.has(id)) throw new NotExercised('job.ok', `${what} was not refused`);
      // The same item, and item 4: after a failure of the server the key may stay claimed, and a refusal of the caller is
      // none of the body. How an asset is refused is not shown: as forbidden or not found, too.
      if (
        isSuccess(first) ||
        first.status >= 500 ||
        (id.endsWith('-asset') ? [401] : [401, 403, 404]).includes(first.status) ||
        isReuse(first)
      ) {
        yield undecided(rule, first, `${what} was not refused for itself: ${sketchRefusal(first)}`);
        return;
      }
      const second = await send('again', keyed(ok, key));
      if (!isSuccess(second) && !isReuse(second)) {
        // Whether it is the key that is refused, or the job.
        const control = await send('control', keyed(ok, freshKey()));
        if (!isSuccess(control)) throw new BrokenFixture('job.ok', sketchAnswer(control), [control.id]);
      }
      yield check(
        rule,
        [first, second],
        isSuccess(second),
        'a job under the same key',
        sketchRefusal(second),
      );
      if (!isSuccess(second)) return;
      // Item 2: now it has made a job, like any other key.
      const third = await send('third', keyed(ok, key));
      yield check(DUPLICATE, [second, third], isReuse(third), REUSE, sketchRefusal(third));
    },
  }),
);

/** Refusals of the validation like the first one. */
const ALIKE: ReadonlySet<string> = new Set(['unknown-class', 'unknown-asset', 'foreign-asset', 'extra-data']);

function refusedBody(fixtures: Fixtures, id: (typeof releases)[number]['id']): unknown {
  const ok = bodyOf(fixtures, 'ok');
  switch (id) {
    case 'validation':
      return bodyOf(fixtures, 'invalid');
    case 'editor-format':
      return bodyOf(fixtures, 'uiFormat');
    case 'unknown-class':
      return bodyOf(fixtures, 'unknownClass');
    case 'unknown-asset':
      return bodyOf(fixtures, 'unknownAsset');
    case 'foreign-asset':
      return bodyOf(fixtures, 'foreignAsset');
    case 'extra-data':
      return withSibling(fixtures, ok, 'extra_data', { tallystick_unknown: 1 });
    case 'malformed':
      return '{';
    case 'reserved':
      return withSibling(fixtures, ok, 'inputs', {});
  }
}

export const refusedCaller = scenario({
  id: 'jobs.idem.released-caller',
  api: 'jobs',
  title: 'a key after the refusal of a caller without a credential',
  permissions: ['jobs'],
  needs: ['job.ok'],
  surfaces: ['cloud', 'serverless'],
  judges: ['jobs.submit.201'],
  requests: { anonymous: { ...submit, as: 'none' }, again: submit },
  run: async function* ({ send, fixtures, freshKey }) {
    const call = keyed(bodyOf(fixtures, 'ok'), freshKey());
    const refused = await send('anonymous', call);
    if (isSuccess(refused)) return;
    const again = await send('again', call);
    // Document 3, Idempotency-Key rules on submit, item 3: claimed only for a request that reaches submission.
    yield check(
      'jobs.submit.201',
      [refused, again],
      !isReuse(again),
      'no refusal of the key as used',
      sketchRefusal(again),
    );
  },
});

export const upstreamRefusal = scenario({
  id: 'jobs.idem.released-upstream',
  api: 'jobs',
  title: 'a key after a refusal for lack of credits',
  permissions: ['negatives'],
  needs: ['job.ok', 'account.noCredits'],
  judges: ['jobs.idem.release-on-upstream-reject'],
  requests: { submit: { ...submit, as: 'jobNoCredits', times: 3 } },
  run: async function* ({ send, fixtures, freshKey }) {
    const rule = 'jobs.idem.release-on-upstream-reject';
    const ok = bodyOf(fixtures, 'ok');
    const call = keyed(ok, freshKey());
    const first = await send('submit', call);
    // Whether the jobs ask for credits is not shown: the account may be one of the other APIs only.
    if (isSuccess(first) || first.status === 401)
      throw new NotExercised('account.noCredits', 'needs an account that is refused for lack of credits');
    // What the refusal for lack of credits looks like is not shown. One of the graph or of the key is another one, and so
    // is one that a fresh key does not meet as well.
    const fresh = await send('submit', keyed(ok, freshKey()));
    const isOther = first.status >= 500 || OTHER_REFUSALS.includes(codeOf(first) ?? '');
    if (isOther || sketchRefusal(fresh) !== sketchRefusal(first)) {
      const got = `${sketchRefusal(first)}, and ${sketchRefusal(fresh)} to a fresh key`;
      yield undecided(rule, [first, fresh], `the refusal is not about credits: ${got}`);
      return;
    }
    const second = await send('submit', call);
    // Document 3, Idempotency-Key rules on submit, item 3: refused for the same reason again, and not for the key.
    if (isSuccess(second) || isReuse(second) || sketchRefusal(second) === sketchRefusal(first))
      yield check(rule, [first, second], !isReuse(second), 'no refusal of the key', sketchRefusal(second));
    else yield undecided(rule, [first, second], `${sketchRefusal(first)}, and then ${sketchRefusal(second)}`);
  },
});

/** Refusals that have nothing to do with what the account may spend. */
const OTHER_REFUSALS = ['invalid_workflow', 'workflow_format_ui', 'idempotency_key_reuse'];

export const withoutKey = scenario({
  id: 'jobs.idem.without-key',
  api: 'jobs',
  title: 'equal submissions without a key',
  permissions: ['jobs'],
  needs: ['job.ok'],
  judges: ['jobs.idem.no-key-ok'],
  requests: { submit: { ...submit, times: 2 }, control: submit },
  run: async function* ({ send, fixtures, freshKey }) {
    const body = bodyOf(fixtures, 'tiny') ?? bodyOf(fixtures, 'ok');
    const [first, second] = [await send('submit', { body }), await send('submit', { body })];
    if (!isSuccess(first) || !isSuccess(second)) {
      // Whether it is the missing key that is refused, or the job.
      const control = await send('control', keyed(body, freshKey()));
      if (!isSuccess(control)) throw new BrokenFixture('job.ok', sketchAnswer(control), [control.id]);
    }
    // Document 3, Submit request, row Idempotency-Key: recommended, and so not required.
    const ids = [first, second].map((answer) => member(answer.json, 'id'));
    const two = isSuccess(first) && isSuccess(second) && ids[0] !== ids[1];
    yield check(
      'jobs.idem.no-key-ok',
      [first, second],
      two,
      'two jobs',
      `${sketchRefusal(first)}, ${sketchRefusal(second)}`,
    );
  },
});

const HOUR_MS = 3_600_000;

export const dayLongKey = scenario({
  id: 'jobs.idem.day-long-key',
  api: 'jobs',
  title: 'a key after more than a day',
  permissions: ['jobs', 'long'],
  needs: ['job.ok'],
  budgetMs: 27 * HOUR_MS,
  judges: ['jobs.idem.expires-24h'],
  severalCases: ['jobs.idem.expires-24h'],
  requests: { first: submit, again: { ...submit, times: 2 } },
  run: async function* (session) {
    const key = session.freshKey();
    const { exchange } = await submitted(session, 'first', 'ok', key);
    const call = keyed(bodyOf(session.fixtures, 'ok'), key);
    // Document 3, Idempotency-Key rules on submit, item 5, and Limits, item 1.
    await session.clock.sleep(23 * HOUR_MS);
    const before = await session.send('again', call);
    yield check(
      'jobs.idem.expires-24h',
      [exchange, before],
      isReuse(before),
      `${REUSE} after 23 hours`,
      sketchRefusal(before),
    );
    await session.clock.sleep(2 * HOUR_MS);
    const after = await session.send('again', call);
    yield check(
      'jobs.idem.expires-24h',
      [exchange, after],
      isSuccess(after),
      'a job after 25 hours',
      sketchRefusal(after),
    );
  },
});
