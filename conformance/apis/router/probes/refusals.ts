import { check } from '../../../check.ts';
import { isObject, member } from '../../../exchange.ts';
import type { Exchange } from '../../../exchange.ts';
import { BrokenFixture, scenario } from '../../../scenario.ts';
import type { Check } from '../../../scenario.ts';
import { sketch } from '../../../sketch.ts';
import { declared } from './idempotency.ts';

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
  requests: { run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2 } },
  run: async function* ({ send, fixtures }) {
    const { id, input, single, expectedFailures } = declared(fixtures.model?.reject422, 'model.reject422');
    const answer = await send('run', { fill: { id }, body: input });
    if (answer.status !== 422)
      throw new BrokenFixture('model.reject422', `it returned ${answer.status}`, [answer.id]);
    yield* judgeRefusal(answer, input);

    // Document 1, RouterValidationErrorResponse, RouterValidationErrorDetail, row loc: an integer indexes
    // into an array. An input whose bad fields are all outside arrays shows nothing about it.
    const entries = entriesOf(answer);
    const locs = entries.map((entry) => member(entry, 'loc')).filter((loc) => Array.isArray(loc));
    const indexed = locs.map((loc) => wayInto(input, loc)).filter((way) => way !== 'no array');
    if (indexed.length > 0) {
      yield check(
        'router.run.422-loc-index-integer',
        answer,
        indexed.every((way) => way === 'by integer'),
        'integers for positions in arrays',
        sketch(locs),
      );
    }
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
        yield* judgeRefusal(alone, single);
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

function* judgeRefusal(answer: Exchange, input: unknown): Generator<Check> {
  const { json } = answer;
  // Document 1, RouterValidationErrorResponse, table.
  yield check('router.run.422-shape', answer, Array.isArray(member(json, 'detail')), 'an array detail');
  // The sentence below the table: no error_type in the body; the bucket is on the header.
  const silent = !(isObject(json) && 'error_type' in json);
  yield check('router.run.422-no-error-type', answer, silent, 'no error_type in the body');
  const bucket = answer.header('X-Service-Error-Type');
  yield check(
    'router.run.422-bucket-header',
    answer,
    bucket !== undefined && bucket !== '',
    'a bucket on X-Service-Error-Type',
    `header ${sketch(bucket)}`,
  );

  for (const entry of entriesOf(answer)) {
    const { loc, msg, type, ctx } = entry;
    // Document 1, RouterValidationErrorResponse, RouterValidationErrorDetail: loc, msg and type required.
    const complete = Array.isArray(loc) && typeof msg === 'string' && typeof type === 'string';
    yield check(
      'router.run.422-entry-required',
      answer,
      complete,
      'an array loc, strings msg and type',
      sketch(entry),
    );
    // Row loc: outermost first. Judged only if the path matches the input in exactly one direction.
    const way = Array.isArray(loc) ? loc : [];
    if (way.length > 1 && !valueAt(input, way).found && valueAt(input, way.toReversed()).found)
      yield check(
        'router.run.422-entry-required',
        answer,
        false,
        'a loc that begins with the outermost',
        `loc ${sketch(loc)}`,
      );
    // The same row: an index on the way refers to an item that was sent.
    const beyond = Array.isArray(loc) && leadsBeyond(input, loc);
    if (beyond)
      yield check(
        'router.run.422-loc-index-integer',
        answer,
        false,
        'an index of the array that was sent',
        `loc ${sketch(loc)}`,
      );
    // Row ctx: an open object, absent when the type has no bound.
    const absent = !('ctx' in entry) || isObject(ctx);
    yield check('router.run.422-ctx-absent', answer, absent, 'an object ctx, or none', `ctx ${sketch(ctx)}`);
    // Row input: the offending value verbatim, or absent. Null may be the value.
    if ('input' in entry && Array.isArray(loc)) {
      const sent = valueAt(input, loc);
      if (sent.found) {
        const verbatim = JSON.stringify(entry['input']) === JSON.stringify(sent.value);
        yield check(
          'router.run.422-input-any',
          answer,
          verbatim,
          `input ${sketch(sent.value)}, as it was sent`,
          `input ${sketch(entry['input'])}`,
        );
      }
    }
  }
}

// --- internal ---

function entriesOf(answer: Exchange): readonly Readonly<Record<string, unknown>>[] {
  const detail = member(answer.json, 'detail');
  return Array.isArray(detail) ? detail.filter(isObject) : [];
}

/** The value of the input at a `loc`; some providers begin their path with the part of the request. */
function valueAt(
  input: unknown,
  loc: readonly unknown[],
): { readonly found: boolean; readonly value: unknown } {
  const follow = (path: readonly unknown[]): { found: boolean; value: unknown } => {
    let value: unknown = input;
    for (const step of path) {
      const within = Array.isArray(value)
        ? Number.isInteger(Number(step)) && Number(step) < value.length
        : isObject(value) && Object.hasOwn(value, String(step));
      if (!within) return { found: false, value: undefined };
      value = (value as Record<string, unknown>)[String(step)];
    }
    return { found: true, value };
  };
  const direct = follow(loc);
  return direct.found || loc[0] !== 'body' ? direct : follow(loc.slice(1));
}

/** How a `loc` refers to items in the arrays of the input: by integers, in another way, or not at all. */
function wayInto(input: unknown, loc: readonly unknown[]): 'by integer' | 'otherwise' | 'no array' {
  let value: unknown = input;
  let way: 'by integer' | 'no array' = 'no array';
  const path = loc[0] === 'body' && !(isObject(input) && 'body' in input) ? loc.slice(1) : loc;
  for (const step of path) {
    if (Array.isArray(value)) {
      if (!Number.isInteger(step)) return 'otherwise';
      way = 'by integer';
    }
    if (typeof value !== 'object' || value === null) return way;
    if (typeof step === 'string' && isPositionInText(value, step)) return 'otherwise';
    value = (value as Record<string, unknown>)[String(step)];
  }
  return way;
}

/**
 * Whether a path passes through an item that an array of the input does not have. A path that ends at such an
 * item may name a missing one.
 */
function leadsBeyond(input: unknown, loc: readonly unknown[]): boolean {
  let value: unknown = input;
  const path = loc[0] === 'body' && !(isObject(input) && 'body' in input) ? loc.slice(1) : loc;
  for (const [index, step] of path.entries()) {
    if (Array.isArray(value) && Number.isInteger(step) && Number(step) >= value.length)
      return index < path.length - 1;
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<string, unknown>)[String(step)];
  }
  return false;
}

/**
 * Whether a step combines the name of an array and an index in one text, such as `layers[1]` or
 * `layers.1.opacity`.
 */
function isPositionInText(value: object, step: string): boolean {
  const [name = ''] = step.split(/[.[]/, 1);
  const isName = name !== step && !Object.hasOwn(value, step) && Object.hasOwn(value, name);
  return isName && /^[.[]\d/.test(step.slice(name.length)) && Array.isArray((value as never)[name]);
}
