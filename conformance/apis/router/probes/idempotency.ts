import { check, observed, undecided } from '../../../scenarios/check.ts';
import { isSuccess, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import type { Check, Observation, SendOptions } from '../../../scenarios/scenario.ts';
import { cut, sketch } from '../../../exchanges/sketch.ts';
import { bucketOf, sketchRefusal } from './answers.ts';
import { LIKE, MOST_LIKENESSES, RICH, likenesses } from './likenesses.ts';
import { canonical } from '../../../../contract/canonical-json.ts';

/** Document 1, Idempotency key handling, row 2: the header of a replay. */
export function isReplayed(answer: Exchange): boolean {
  return answer.header('Idempotent-Replayed')?.toLowerCase() === 'true';
}

/** @param name of the header, in any case (RFC 9110, section 5.1) */
export function keyed(id: string, body: unknown, key: string, name = 'Idempotency-Key'): SendOptions {
  return { fill: { id }, body, headers: [[name, key]] };
}

export function sketchRun(answer: Exchange): string {
  const end = isSuccess(answer) ? String(answer.status) : sketchRefusal(answer);
  return `${end}${isReplayed(answer) ? ', replayed' : ''}`;
}

export const replay = scenario({
  id: 'router.idem.replay',
  api: 'router',
  title: 'a key after its call has ended',
  permissions: ['billed'],
  needs: ['model.ok'],
  judges: [
    'router.run.ok',
    'router.run.output-object',
    'router.run.no-202',
    'router.idem.first-not-replayed',
    'router.idem.replay',
    'router.idem.mismatch-409',
    'router.idem.mismatch-no-overwrite',
    'router.idem.409-error-type',
    'router.idem.consumed-retry-after',
  ],
  severalCases: [
    'router.idem.first-not-replayed',
    'router.idem.replay',
    'router.idem.mismatch-409',
    'router.idem.409-error-type',
  ],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 6 + MOST_LIKENESSES },
    anonymous: { method: 'POST', target: '/v1/models/{id}', as: 'none', times: 1 },
  },
  run: async function* ({ send, fixtures, freshKey }) {
    const { id, input } = declared(fixtures.model?.ok, 'model.ok');
    const key = freshKey();
    const first = await send('run', keyed(id, input, key));
    refuseBroken('model.ok', first);

    // Document 1, POST /v1/models/{provider}/{model}, responses, 200.
    yield check('router.run.ok', first, first.status === 200, 'status 200', sketchRun(first));
    // Document 1, What the service does, deliberate properties: no status route, nothing to poll.
    const polled = first.status === 202 || (first.header('Location') !== undefined && first.status !== 200);
    yield check('router.run.no-202', first, !polled, 'no 202 and no URL to poll', sketchRun(first));
    // Document 1, RouterModelInput and RouterModelOutput: a JSON object.
    if (isSuccess(first)) {
      const object = typeof first.json === 'object' && first.json !== null && !Array.isArray(first.json);
      yield check('router.run.output-object', first, object, 'a JSON object');
    }
    // Document 1, Idempotency key handling, row 2 (inference): the first answer is not a replay.
    yield check(
      'router.idem.first-not-replayed',
      first,
      !isReplayed(first),
      'no replay header',
      sketchRun(first),
    );
    if (!isSuccess(first)) return;

    // The same row: the same key and body get the recorded answer, marked as a replay.
    const second = await send('run', keyed(id, input, key));
    yield judgeReplay('router.idem.replay', first, second);

    // The same table, row 6: another body with the key gets a 409, and the record stays the same.
    for (const body of [withAnotherMember(input), ...likenesses(input)]) {
      const other = await send('run', keyed(id, body, key));
      yield judgeMismatch(first, other);
      if (other.status === 409) yield* judgeConflict(other);
    }
    const third = await send('run', keyed(id, input, key));
    yield judgeReplay('router.idem.mismatch-no-overwrite', first, third);
    // For any number of repetitions, any spelling of the header's name, any client, any framing of the body (RFC 9112,
    // section 7.1), and not for another key.
    const { headers = [], ...spelled } = keyed(id, input, key, 'idempotency-key');
    const again = await send('run', {
      ...spelled,
      headers: [...headers, ['User-Agent', 'tallystick again']],
      isChunked: true,
    });
    yield judgeReplay('router.idem.replay', first, again);
    const sibling = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const fresh = await send('run', keyed(id, input, sibling));
    yield check(
      'router.idem.first-not-replayed',
      [first, fresh],
      !isReplayed(fresh) && fresh.status !== 409,
      'neither a replay nor a 409 under a new key',
      sketchRun(fresh),
    );
    // A recorded answer requires a credential: an oracle judges the answer.
    await send('anonymous', keyed(id, input, key));
  },
});

export const likeBodies = scenario({
  id: 'router.idem.like-bodies',
  api: 'router',
  title: 'a key with long bodies that differ in one value',
  permissions: ['billed'],
  needs: ['model.ok'],
  judges: ['router.idem.mismatch-409', 'router.idem.mismatch-no-overwrite'],
  severalCases: ['router.idem.mismatch-409'],
  requests: { run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2 + LIKE.length } },
  run: async function* ({ send, fixtures, freshKey }) {
    const { id, input } = declared(fixtures.model?.ok, 'model.ok');
    const key = freshKey();
    const withExtra = (extra: unknown): unknown => ({ ...(input as object), tallystick_extra: extra });
    const whole = withExtra(RICH);
    const first = await send('run', keyed(id, whole, key));
    // A model may refuse members beyond its schema.
    if (!isSuccess(first)) return;
    for (const change of LIKE) {
      const other = await send('run', keyed(id, withExtra(change(RICH)), key));
      // Document 1, Idempotency key handling, row 6.
      yield judgeMismatch(first, other);
    }
    yield judgeReplay('router.idem.mismatch-no-overwrite', first, await send('run', keyed(id, whole, key)));
  },
});

/** The number of calls in between. */
const MOST_RECORDS = 10;

export const undisturbed = scenario({
  id: 'router.idem.undisturbed',
  api: 'router',
  title: 'a key that others used in between, with a body that is not JSON, and after calls with other keys',
  permissions: ['billed'],
  needs: ['model.ok', 'model.echo'],
  judges: ['router.idem.replay'],
  severalCases: ['router.idem.replay'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 9 },
    anonymous: { method: 'POST', target: '/v1/models/{id}', as: 'none', times: 1 },
    failing: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 1, judgesRefusal: true },
    unknown: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: MOST_RECORDS },
    stranger: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'secondAccount',
      times: 1,
      isOptional: true,
      judgesRefusal: true,
    },
  },
  run: async function* ({ send, fixtures, freshKey, knows }) {
    const { id, input } = declared(fixtures.model?.ok, 'model.ok');
    const failing = fixtures.model?.['5xx'];
    const unknown = fixtures.model?.unknown ?? 'tallystick/no-such-model';
    const other = declared(fixtures.model?.echo, 'model.echo');
    const key = freshKey();
    const first = await send('run', keyed(id, input, key));
    refuseBroken('model.ok', first);
    if (!isSuccess(first)) return;
    // The answers to these are open, or judged elsewhere. Document 1, Idempotency key handling, row 2: the
    // record lasts for 24 hours, and nothing replaces it.
    for (const disturb of [
      () => send('run', keyed(other.id, other.input, key)),
      () => send('anonymous', keyed(id, input, key)),
      () => send('run', keyed(id, '{"a":', key)),
      ...(knows('secondAccount') ? [() => send('stranger', keyed(id, input, key))] : []),
      ...(failing === undefined ? [] : [() => send('failing', keyed(failing.id, failing.input, freshKey()))]),
      // A refusal has a record too, and their number is not limited.
      async () => {
        for (let count = 0; count < MOST_RECORDS; count += 1)
          await send('unknown', keyed(unknown, {}, freshKey()));
      },
    ]) {
      await disturb();
      yield judgeReplay('router.idem.replay', first, await send('run', keyed(id, input, key)));
    }
  },
});

export const likeKeys = scenario({
  id: 'router.idem.like-keys',
  api: 'router',
  title:
    'long keys that differ in their first or last letter, and keys that are short or have a blank in them',
  permissions: ['billed'],
  needs: ['model.ok'],
  judges: ['router.idem.first-not-replayed', 'router.idem.replay'],
  severalCases: ['router.idem.first-not-replayed', 'router.idem.replay'],
  requests: { run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 9 } },
  run: async function* ({ send, fixtures, freshKey, random }) {
    const { id, input } = declared(fixtures.model?.ok, 'model.ok');
    const stem = Array.from({ length: 5 }, freshKey).join('');
    const first = await send('run', keyed(id, input, `${stem}a`));
    // The maximum length of a key is not documented.
    if (!isSuccess(first)) return;
    for (const like of [`${stem}b`, `${stem}A`, `.${stem}a`]) {
      const other = await send('run', keyed(id, input, like));
      // Document 1, Idempotency key handling, introduction: a key is a logical call, and another key is
      // another call.
      yield check(
        'router.idem.first-not-replayed',
        [first, other],
        !isReplayed(other) && other.status !== 409,
        'neither a replay nor a 409 under a key that differs in one letter',
        sketchRun(other),
      );
    }
    yield judgeReplay('router.idem.replay', first, await send('run', keyed(id, input, `${stem}a`)));
    // The contract does not state which keys are refused (A-09). An accepted one has the semantics of a key.
    const short = Math.floor(random() * 36 ** 3).toString(36);
    for (const key of [short, `${freshKey()} ${short}`]) {
      const one = await send('run', keyed(id, input, key));
      // A short one may have been used in an earlier run.
      if (isSuccess(one) && !isReplayed(one))
        yield judgeReplay('router.idem.replay', one, await send('run', keyed(id, input, key)));
    }
  },
});

export const withoutKey = scenario({
  id: 'router.idem.without-key',
  api: 'router',
  title: 'equal calls without a key',
  permissions: ['billed'],
  needs: ['model.ok'],
  judges: ['router.idem.no-key-no-replay'],
  requests: { run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2 } },
  run: async function* ({ send, fixtures }) {
    const { id, input } = declared(fixtures.model?.ok, 'model.ok');
    const first = await send('run', { fill: { id }, body: input });
    refuseBroken('model.ok', first);
    const second = await send('run', { fill: { id }, body: input });
    if (!isSuccess(first) || !isSuccess(second)) {
      const why = `no two runs: ${sketchRun(first)}, ${sketchRun(second)}`;
      yield undecided('router.idem.no-key-no-replay', [first, second], why);
      return;
    }
    // Document 1, Idempotency key handling, table: all of it concerns calls with a key.
    const fresh = !isReplayed(first) && !isReplayed(second);
    yield check(
      'router.idem.no-key-no-replay',
      [first, second],
      fresh,
      'no replay header',
      sketchRun(second),
    );
  },
});

export const replayOfRefusal = scenario({
  id: 'router.idem.replay-of-refusal',
  api: 'router',
  title: "a key after the model's refusal",
  permissions: ['negatives'],
  needs: ['model.reject422'],
  judges: ['router.idem.replay-errors-too', 'router.idem.mismatch-409', 'router.run.422-no-error-type'],
  severalCases: ['router.idem.replay-errors-too'],
  searches: ['router.idem.mismatch-409', 'router.run.422-no-error-type'],
  requests: { run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 4 } },
  run: async function* ({ send, fixtures, freshKey }) {
    const { id, input } = declared(fixtures.model?.reject422, 'model.reject422');
    const key = freshKey();
    const first = await send('run', keyed(id, input, key));
    if (first.status !== 422)
      throw new BrokenFixture('model.reject422', `it returned ${first.status}`, [first.id]);
    // Document 1, Idempotency key handling, rows 2 and 3: every answer but the released statuses is recorded.
    const second = await send('run', keyed(id, input, key));
    yield judgeReplay('router.idem.replay-errors-too', first, second);
    if (!isReplayed(second)) return;
    // Row 6, of a recorded refusal like of any other record, which stays as it is.
    yield judgeMismatch(first, await send('run', keyed(id, withAnotherMember(input), key)));
    const third = await send('run', keyed(id, input, key));
    yield judgeReplay('router.idem.replay-errors-too', first, third);
  },
});

export const replayOfUnknownModel = scenario({
  id: 'router.idem.replay-of-unknown-model',
  api: 'router',
  title: 'a key after the 404 for an unknown model',
  permissions: ['negatives'],
  judges: ['router.idem.replay-404'],
  requests: { run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2 } },
  run: async function* ({ send, fixtures, freshKey, random }) {
    const id = fixtures.model?.unknown ?? `tallystick/no-such-model-${Math.floor(random() * 1e9)}`;
    const key = freshKey();
    const first = await send('run', keyed(id, {}, key));
    const second = await send('run', keyed(id, {}, key));
    if (first.status !== 404) {
      yield undecided('router.idem.replay-404', first, `no 404 to replay: ${sketchRun(first)}`);
      return;
    }
    // Document 1, Idempotency key handling, rows 2 and 3 (inference): a 404 does not release the key.
    const same = second.status === 404 && isReplayed(second);
    yield check(
      'router.idem.replay-404',
      [first, second],
      same,
      'the 404 again, marked as a replay',
      sketchRun(second),
    );
  },
});

/** A call whose outcome is declared; `needs` of the scenario ensures that. */
export function declared<Fixture>(fixture: Fixture | undefined, name: string): Fixture {
  if (fixture === undefined) throw new Error(`${name} is used by a scenario that does not need it`);
  return fixture;
}

/** An unreachable or unaffordable model is not a violation: the fixtures promised otherwise. */
export function refuseBroken(fixture: string, answer: Exchange): void {
  if ([401, 402, 403, 404, 400, 422].includes(answer.status)) {
    throw new BrokenFixture(fixture, `it returned ${sketchRefusal(answer)}`, [answer.id]);
  }
}

export function judgeReplay(rule: string, first: Exchange, again: Exchange): Check {
  const sameBody = bytesOf(again) === bytesOf(first) || sameJson(first, again);
  const sameBucket = again.header('X-Service-Error-Type') === first.header('X-Service-Error-Type');
  // Exactly this value is stated, and callers compare with it.
  const isMarked = again.header('Idempotent-Replayed')?.trim() === 'true';
  const holds = isMarked && again.status === first.status && sameBody && sameBucket;
  const got = `${sketchRun(again)}${sameBody ? '' : `, another body: ${cut(sketch(again.json), 120)}`}`;
  return check(
    rule,
    [first, again],
    holds,
    `${first.status} with the same body and bucket, marked Idempotent-Replayed: true`,
    got,
  );
}

/** Document 1, Idempotency key handling, row 6. */
function judgeMismatch(first: Exchange, other: Exchange): Check {
  return check(
    'router.idem.mismatch-409',
    [first, other],
    other.status === 409,
    'status 409',
    sketchRun(other),
  );
}

/** Document 1, Endpoints, first paragraph: a 409 has both headers, regardless of its bucket and body. */
export function* judgeConflict(conflict: Exchange): Generator<Check | Observation> {
  const bucket = conflict.header('X-Service-Error-Type');
  const named =
    bucket !== undefined && bucket !== '' && (conflict.header('X-Service-Request-Id') ?? '') !== '';
  yield check(
    'router.idem.409-error-type',
    conflict,
    named,
    'X-Service-Error-Type and X-Service-Request-Id on the 409',
    `409 ${sketch(bucketOf(conflict))}`,
  );
  const retryAfter = conflict.header('Retry-After');
  yield observed(
    'router.idem.consumed-retry-after',
    conflict,
    retryAfter === undefined ? '409 without Retry-After' : '409 with Retry-After',
  );
}

/**
 * Another valid body: with an additional member, or with a different value if the number of members is
 * limited.
 */
export function withAnotherMember(input: unknown): unknown {
  return typeof input === 'object' && input !== null
    ? { ...input, tallystick_other: true }
    : { tallystick_other: true };
}

// --- internal ---

function bytesOf({ bytes }: Exchange): string {
  return new TextDecoder('latin1').decode(bytes);
}

function sameJson(first: Exchange, again: Exchange): boolean {
  const [a, b] = [bytesOf(first), bytesOf(again)].map(parseJson);
  return a !== undefined && canonical(a) === canonical(b);
}
