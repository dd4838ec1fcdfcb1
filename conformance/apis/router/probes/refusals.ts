import { check } from '../../../scenarios/check.ts';
import { member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { entriesOf, judgeEntries } from '../oracles/model-refusals.ts';
import { declared, keyed } from './idempotency.ts';

export const modelRefusal = scenario({
  id: 'router.run.model-refusal',
  api: 'router',
  title: 'an input that the model refuses',
  permissions: ['negatives'],
  needs: ['model.reject422'],
  judges: [
    'router.run.422-shape',
    'router.run.422-no-error-type',
    'router.run.422-bucket-header',
    'router.run.422-entry-required',
    'router.run.422-loc-index-integer',
    'router.run.422-one-per-field',
    'router.run.422-ctx-absent',
    'router.run.422-input-any',
  ],
  severalCases: [
    'router.run.422-shape',
    'router.run.422-no-error-type',
    'router.run.422-bucket-header',
    'router.run.422-entry-required',
    'router.run.422-ctx-absent',
    'router.run.422-input-any',
    'router.run.422-one-per-field',
  ],
  requests: { run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 3 } },
  run: async function* ({ send, fixtures, freshKey }) {
    const { id, input, single, expectedFailures } = declared(fixtures.model?.reject422, 'model.reject422');
    const answer = await send('run', { fill: { id }, body: input });
    if (answer.status !== 422)
      throw new BrokenFixture('model.reject422', `it returned ${answer.status}`, [answer.id]);
    yield* judgeShape(answer, input);
    // With a key as well: an oracle judges the answer.
    await send('run', keyed(id, input, freshKey()));

    const locs = entriesOf(answer)
      .map((entry) => member(entry, 'loc'))
      .filter((loc) => Array.isArray(loc));
    // Document 1, RouterValidationErrorResponse, row detail: one entry per offending field.
    if (expectedFailures !== undefined && Array.isArray(member(answer.json, 'detail'))) {
      const fields = new Set(locs.map((loc) => JSON.stringify(loc)));
      const holds = fields.size === expectedFailures && locs.length === expectedFailures;
      yield check(
        'router.run.422-one-per-field',
        answer,
        holds,
        `${expectedFailures} entries, one per field`,
        `${locs.length} entries, ${fields.size} fields: ${sketch(locs)}`,
      );
    }
    if (single !== undefined) {
      const alone = await send('run', { fill: { id }, body: single });
      if (alone.status === 422) {
        yield* judgeShape(alone, single);
        const detail = member(alone.json, 'detail');
        if (Array.isArray(detail)) {
          yield check(
            'router.run.422-one-per-field',
            alone,
            detail.length === 1,
            'one entry for one bad field',
            `${detail.length} entries`,
          );
        }
      }
    }
  },
});

function* judgeShape(answer: Exchange, input: unknown): Generator<Check> {
  // Document 1, RouterValidationErrorResponse, table.
  const isList = Array.isArray(member(answer.json, 'detail'));
  yield check('router.run.422-shape', answer, isList, 'an array detail');
  yield* judgeEntries(answer, input);
}
