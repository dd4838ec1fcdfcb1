import { check, undecided } from '../../../scenarios/check.ts';
import { isSuccess } from '../../../exchanges/exchange.ts';
import { BrokenFixture, NotExercised, scenario } from '../../../scenarios/scenario.ts';
import { sketchAnswer } from '../../../exchanges/sketch.ts';
import type { Fixtures } from '../../../target/fixtures.ts';
import { bodyOf, codeOf, keyed, sketchRefusal, submit, withSibling } from './job.ts';
import { isReuse, REUSE, DUPLICATE } from './keys.ts';
import { NODE_ERRORS, judgeNodeErrors } from './refusals.ts';

/** Document 3, Idempotency-Key rules on submit, item 3: a refusal without a job releases the key. */
const releases = [
  {
    id: 'malformed',
    needs: [],
    refusal: 'jobs.submit.malformed-json',
    rule: 'jobs.idem.release-on-validation',
    what: 'a body that is not JSON',
  },
  {
    id: 'validation',
    needs: ['job.invalid'],
    refusal: 'jobs.submit.sync-validation',
    rule: 'jobs.idem.release-on-validation',
    what: 'an invalid graph',
  },
  {
    id: 'editor-format',
    needs: ['job.uiFormat'],
    refusal: 'jobs.submit.ui-format',
    rule: 'jobs.idem.release-on-ui-format',
    what: 'an export of the interface',
  },
  {
    id: 'unknown-class',
    needs: ['job.unknownClass'],
    refusal: 'jobs.submit.unknown-class',
    rule: 'jobs.idem.release-on-validation',
    what: 'an unknown node class',
  },
  {
    id: 'unknown-asset',
    needs: ['job.unknownAsset'],
    refusal: 'jobs.submit.asset-exists',
    rule: 'jobs.idem.release-on-validation',
    what: 'an asset that does not exist',
  },
  {
    id: 'foreign-asset',
    needs: ['job.foreignAsset'],
    refusal: 'jobs.submit.asset-owned',
    rule: 'jobs.idem.release-on-validation',
    what: "another account's asset",
  },
  {
    id: 'extra-data',
    needs: [],
    refusal: 'jobs.submit.extra-data-closed',
    rule: 'jobs.idem.release-on-validation',
    what: 'an unknown key in extra_data',
  },
  {
    id: 'reserved',
    needs: [],
    refusal: 'jobs.submit.inputs-rejected',
    rule: 'jobs.idem.release-on-reserved',
    what: 'a reserved member',
  },
] as const;

export const releasedKeys = releases.map(({ id, needs, refusal, rule, what }) =>
  scenario({
    id: `jobs.idem.released-${id}`,
    api: 'jobs',
    title: `a key after the refusal of ${what}`,
    permissions: ['jobs'],
    needs: ['job.ok', ...needs],
    judges: [rule, refusal, DUPLICATE, ...(id === 'validation' ? [NODE_ERRORS] : [])],
    severalCases: [rule],
    searches: [refusal],
    requests: { refused: { ...submit, times: 2 }, again: submit, third: submit, control: submit },
    run: async function* ({ send, fixtures, freshKey }) {
      const key = freshKey();
      const ok = bodyOf(fixtures, 'ok');
      const first = await send('refused', keyed(refusedBody(fixtures, id), key));
      if (id === 'validation' && codeOf(first) === 'invalid_workflow') yield judgeNodeErrors(first);
      // What is refused without a key is refused with one.
      if (isSuccess(first))
        yield check(refusal, first, false, `a refusal of ${what}, also with a key`, sketchRefusal(first));
      if (isSuccess(first) && ALIKE.has(id)) throw new NotExercised('job.ok', `${what} was not refused`);
      // The same item, and item 4: after a server error the key may stay claimed, and a refusal of the caller
      // is not one of the body. The refusal of an asset is not documented: it may be forbidden or not found,
      // too.
      if (
        isSuccess(first) ||
        first.status >= 500 ||
        (id.endsWith('-asset') ? [401] : [401, 403, 404]).includes(first.status) ||
        isReuse(first)
      ) {
        yield undecided(rule, first, `${what} was not refused for itself: ${sketchRefusal(first)}`);
        return;
      }
      // Nor does a second refusal claim it.
      const twice = await send('refused', keyed(refusedBody(fixtures, id, 'again'), key));
      yield check(rule, [first, twice], !isReuse(twice), 'no refusal of the key', sketchRefusal(twice));
      if (isReuse(twice) || isSuccess(twice) || twice.status >= 500) return;
      const second = await send('again', keyed(ok, key));
      if (!isSuccess(second) && !isReuse(second)) {
        // The control shows whether the server refuses the key or the job.
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
      // Item 2: now it has created a job, like any other key.
      const third = await send('third', keyed(ok, key));
      yield check(DUPLICATE, [second, third], isReuse(third), REUSE, sketchRefusal(third));
    },
  }),
);

/** Refusals of the validation like the first one. */
const ALIKE: ReadonlySet<string> = new Set(['unknown-class', 'unknown-asset', 'foreign-asset', 'extra-data']);

function refusedBody(fixtures: Fixtures, id: (typeof releases)[number]['id'], time = 'first'): unknown {
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
      return time === 'first' ? '{' : '[]';
    case 'reserved':
      return time === 'first'
        ? withSibling(fixtures, ok, 'inputs', {})
        : withSibling(fixtures, ok, 'webhook_url', 'https://tallystick.invalid/callback');
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
    // Whether the jobs require credits is not documented: the account may concern only the other APIs.
    if (isSuccess(first) || first.status === 401)
      throw new NotExercised('account.noCredits', 'needs an account that is refused for lack of credits');
    // The refusal for lack of credits is not documented. It is neither a refusal of the graph or of the key,
    // nor one that a fresh key does not get as well.
    const fresh = await send('submit', keyed(ok, freshKey()));
    const isOther = first.status >= 500 || OTHER_REFUSALS.includes(codeOf(first) ?? '');
    if (isOther || sketchRefusal(fresh) !== sketchRefusal(first)) {
      const got = `${sketchRefusal(first)}, and ${sketchRefusal(fresh)} to a fresh key`;
      yield undecided(rule, [first, fresh], `the refusal is not about credits: ${got}`);
      return;
    }
    const second = await send('submit', call);
    // Document 3, Idempotency-Key rules on submit, item 3: refused for the same reason again, not because of
    // the key.
    if (isSuccess(second) || isReuse(second) || sketchRefusal(second) === sketchRefusal(first))
      yield check(rule, [first, second], !isReuse(second), 'no refusal of the key', sketchRefusal(second));
    else yield undecided(rule, [first, second], `${sketchRefusal(first)}, and then ${sketchRefusal(second)}`);
  },
});

/** Refusals that have nothing to do with the credits of the account. */
const OTHER_REFUSALS = ['invalid_workflow', 'workflow_format_ui', 'idempotency_key_reuse'];
