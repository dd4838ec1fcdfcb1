import { check, undecided } from '../../../scenarios/check.ts';
import { isSuccess } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import { sketchAnswer } from '../../../exchanges/sketch.ts';
import { bodyOf, keyed, sketchRefusal, submit } from './job.ts';
import { isReuse, REUSE, DUPLICATE } from './keys.ts';

const RULE = 'jobs.idem.release-on-ui-format';

/** Document 3, Idempotency-Key rules on submit, item 3: a refusal without a job releases the key. */
export const releasedByEditorFormat = scenario({
  id: 'jobs.idem.released-editor-format',
  api: 'jobs',
  title: 'a key after the refusal of an export of the interface',
  permissions: ['jobs'],
  needs: ['job.ok', 'job.uiFormat'],
  judges: [RULE, 'jobs.submit.ui-format', DUPLICATE],
  severalCases: [RULE],
  searches: ['jobs.submit.ui-format'],
  requests: { refused: { ...submit, times: 2 }, again: submit, third: submit, control: submit },
  run: async function* ({ send, fixtures, freshKey }) {
    const key = freshKey();
    const ok = bodyOf(fixtures, 'ok');
    const refused = keyed(bodyOf(fixtures, 'uiFormat'), key);
    const first = await send('refused', refused);
    // What is refused without a key is refused with one.
    if (isSuccess(first))
      yield check(
        'jobs.submit.ui-format',
        first,
        false,
        'a refusal of an export of the interface, also with a key',
        sketchRefusal(first),
      );
    // The same item, and item 4: after a server error the key may stay claimed, and a refusal of the caller is not one of the
    // body.
    if (isSuccess(first) || first.status >= 500 || [401, 403, 404].includes(first.status) || isReuse(first)) {
      yield undecided(RULE, first, `the export was not refused for itself: ${sketchRefusal(first)}`);
      return;
    }
    // Nor does a second refusal claim it.
    const twice = await send('refused', refused);
    yield check(RULE, [first, twice], !isReuse(twice), 'no refusal of the key', sketchRefusal(twice));
    if (isReuse(twice) || isSuccess(twice) || twice.status >= 500) return;
    const second = await send('again', keyed(ok, key));
    if (!isSuccess(second) && !isReuse(second)) {
      // The control shows whether the server refuses the key or the job.
      const control = await send('control', keyed(ok, freshKey()));
      if (!isSuccess(control)) throw new BrokenFixture('job.ok', sketchAnswer(control), [control.id]);
    }
    yield check(RULE, [first, second], isSuccess(second), 'a job under the same key', sketchRefusal(second));
    if (!isSuccess(second)) return;
    // Item 2: now it has created a job, like any other key.
    const third = await send('third', keyed(ok, key));
    yield check(DUPLICATE, [second, third], isReuse(third), REUSE, sketchRefusal(third));
  },
});

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
