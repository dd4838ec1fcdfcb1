import { check } from '../../../scenarios/check.ts';
import { isSuccess, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import { sketchAnswer } from '../../../exchanges/sketch.ts';
import { RACE_TIMES, judgeLost, rounds } from '../../../scenarios/race.ts';
import type { Round } from '../../../scenarios/race.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { TERMINAL, isWholeJob } from '../wire/job.ts';
import {
  CANCEL,
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

/** Document 3, Idempotency-Key rules on submit, item 2: 422 with this code, for any body. */
export function isReuse(answer: Exchange): boolean {
  return answer.status === 422 && codeOf(answer) === 'idempotency_key_reuse';
}

/** Whether an answer contains a job anywhere. */
function holdsJob(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isWholeJob(value) || Object.values(value).some(holdsJob);
}

export const REUSE = 'status 422, code idempotency_key_reuse';
export const DUPLICATE = 'jobs.idem.duplicate-422';

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
    'jobs.state.legal-path',
  ],
  severalCases: [
    'jobs.submit.201',
    'jobs.idem.duplicate-422',
    'jobs.idem.different-body-422',
    'jobs.idem.never-reexecuted',
  ],
  requests: {
    first: submit,
    again: { ...submit, times: 6 },
    sibling: { ...submit, times: 2 },
    lateCancel: { method: 'POST', target: CANCEL, as: 'jobOwner', times: 1 },
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
    // However the name of the header is spelled (RFC 9110, section 5.1), and in chunks (RFC 9112, section 7.1).
    const spelled = { body: ok, headers: [['idempotency-key', key]] as const, isChunked: true };
    yield* judge('jobs.idem.duplicate-422', await send('again', spelled));
    // The same rules, item 1: a key that differs in its last character is another one.
    const sibling = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const judgeNew = (before: Exchange, other: Exchange): Check =>
      check(
        'jobs.submit.201',
        [before, other],
        !isReuse(other),
        'no refusal of a new key as used',
        sketchRefusal(other),
      );
    yield judgeNew(exchange, await send('sibling', keyed(ok, sibling)));
    // Any later request: the end of the job does not free its key.
    const { reached, last } = await readUntil(session, 'read', id, {
      holds: (job) => TERMINAL.includes(statusOf(job)),
      times: MOST_READS,
      pauseMs: 500,
    });
    if (!reached) return;
    yield* judge('jobs.idem.duplicate-422', await send('again', keyed(ok, key)));
    // Document 3, States and transitions, row 6: only its own cancellation makes a job canceling.
    yield check(
      'jobs.state.legal-path',
      [exchange, last],
      !['canceling', 'canceled'].includes(statusOf(last.json)),
      'no cancellation by a duplicate',
      statusOf(last.json),
    );
    // Rules on submit, item 3: claimed only by a request that reaches submission, which a cancellation is
    // not.
    const unclaimed = session.freshKey();
    const late = await send('lateCancel', { fill: { id }, headers: [['Idempotency-Key', unclaimed]] });
    yield judgeNew(late, await send('sibling', keyed(ok, unclaimed)));
  },
});

export const usedKeyBadGraph = scenario({
  id: 'jobs.idem.used-key-bad-graph',
  api: 'jobs',
  title: 'a used key with an invalid graph',
  permissions: ['jobs'],
  needs: ['job.ok', 'job.invalid'],
  judges: ['jobs.idem.invalid-second-422', DUPLICATE],
  requests: { first: submit, again: submit, odd: { ...submit, times: 3 }, third: submit },
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
    // A refusal does not release the key, whatever the reason. The reasons are judged elsewhere.
    const ok = bodyOf(session.fixtures, 'ok');
    const editor = bodyOf(session.fixtures, 'uiFormat');
    const odd = [
      '[]',
      withSibling(session.fixtures, ok, 'inputs', {}),
      ...(editor === undefined ? [] : [editor]),
    ];
    for (const body of odd) await session.send('odd', keyed(body, key));
    const third = await session.send('third', keyed(bodyOf(session.fixtures, 'ok'), key));
    yield check(DUPLICATE, [exchange, again, third], isReuse(third), REUSE, sketchRefusal(third));
  },
});

export const oddKeys = scenario({
  id: 'jobs.idem.odd-keys',
  api: 'jobs',
  title: 'keys that are short, and no UUIDs',
  permissions: ['jobs'],
  needs: ['job.ok'],
  judges: [DUPLICATE],
  severalCases: [DUPLICATE],
  requests: { submit: { ...submit, times: 4 } },
  run: async function* ({ send, fixtures, freshKey, random }) {
    const body = bodyOf(fixtures, 'tiny') ?? bodyOf(fixtures, 'ok');
    const short = Math.floor(random() * 36 ** 3).toString(36);
    for (const key of [short, `tallystick ${freshKey()}`]) {
      const first = await send('submit', keyed(body, key));
      // The contract does not state which keys are refused, and a short one may have been used before. An
      // accepted one has the semantics of a key.
      if (!isSuccess(first)) continue;
      const again = await send('submit', keyed(body, key));
      yield check(DUPLICATE, [first, again], isReuse(again), REUSE, sketchRefusal(again));
    }
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
  judges: ['jobs.idem.concurrent-one-201', DUPLICATE],
  searches: [DUPLICATE],
  requests: {
    submit: { ...submit, times: RACE_TIMES, judgesRefusal: true },
    held: { ...submit, times: 2, judgesRefusal: true },
  },
  run: async function* (session) {
    const body = bodyOf(session.fixtures, 'tiny') ?? bodyOf(session.fixtures, 'ok');
    const early = keyed(body, session.freshKey());
    const held = await session.send('held', early);
    let open: Round | undefined;
    let decided = false;
    for await (const round of rounds(session, 'submit', () => keyed(body, session.freshKey()))) {
      const { answers, answered, lost } = round;
      // Document 3, Idempotency-Key rules on submit, item 2: a concurrent duplicate is a later request too.
      // Two created jobs decide, regardless of the other answers.
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
      yield judgeLost('jobs.idem.concurrent-one-201', open, `one job, and ${REUSE} for the others`);
    // The same place: a key is used for 24 hours, regardless of the number of later ones.
    const late = isSuccess(held) ? await session.send('held', early) : undefined;
    if (late !== undefined && (isSuccess(late) || late.status < 429))
      yield check(DUPLICATE, [held, late], isReuse(late), REUSE, sketchRefusal(late));
  },
});
