import { check, observed } from '../../../scenarios/check.ts';
import { isSuccess, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import type { Check, Observation, SendOptions } from '../../../scenarios/scenario.ts';
import { cut, sketch } from '../../../exchanges/sketch.ts';
import { bucketOf, sketchRefusal } from './answers.ts';
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
  title: 'a run with a key, and the key with another body and without a credential',
  permissions: ['billed'],
  needs: ['model.ok'],
  judges: [
    'router.run.ok',
    'router.run.output-object',
    'router.run.no-202',
    'router.idem.409-error-type',
    'router.idem.consumed-retry-after',
    'router.auth.required',
  ],
  searches: ['router.auth.required'],
  severalCases: ['router.run.output-object'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 3 },
    anonymous: { method: 'POST', target: '/v1/models/{id}', as: 'none', times: 1 },
  },
  run: async function* ({ send, fixtures, freshKey }) {
    const { id, input } = declared(fixtures.model?.ok, 'model.ok');
    const key = freshKey();
    const first = await send('run', keyed(id, input, key));
    refuseBroken('model.ok', first);
    const large = fixtures.model?.hugeOutput;
    const plain = await send('run', { fill: { id: large?.id ?? id }, body: large?.input ?? input });

    // Document 1, POST /v1/models/{provider}/{model}, responses, 200.
    yield check('router.run.ok', first, first.status === 200, 'status 200', sketchRun(first));
    // Document 1, What the service does, deliberate properties: no status route, nothing to poll.
    const polled = first.status === 202 || (first.header('Location') !== undefined && first.status !== 200);
    yield check('router.run.no-202', first, !polled, 'no 202 and no URL to poll', sketchRun(first));
    // Document 1, RouterModelInput and RouterModelOutput: a JSON object.
    for (const seen of [first, plain].filter(isSuccess)) {
      const object = typeof seen.json === 'object' && seen.json !== null && !Array.isArray(seen.json);
      yield check('router.run.output-object', seen, object, 'a JSON object');
    }
    if (!isSuccess(first)) return;
    // Document 1, Idempotency key handling, row 6: another body with the key gets a 409.
    const other = await send('run', keyed(id, withAnotherMember(input), key));
    if (other.status === 409) yield* judgeConflict(other);
    // A recorded answer requires a credential: an oracle judges the answer.
    await send('anonymous', keyed(id, input, key));
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
