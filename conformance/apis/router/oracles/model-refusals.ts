import { canonical } from '../../../../contract/canonical-json.ts';
import { check, unlessUnreadable } from '../../../scenarios/check.ts';
import { isObject, member, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Oracle } from '../../../oracle.ts';
import type { Check, Observation } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { isNameless, leadsBeyond, valueAt, wayInto } from '../wire/input-path.ts';
import { operationOf } from '../wire/operation.ts';

const RULES = [
  'router.run.422-no-error-type',
  'router.run.422-bucket-header',
  'router.run.422-entry-required',
  'router.run.422-loc-index-integer',
  'router.run.422-ctx-absent',
  'router.run.422-input-any',
] as const;

/** Every 422 of a run that lists what the model refused; another body is the router's own refusal. */
function* look(exchange: Exchange): Generator<Check | Observation> {
  if (exchange.status !== 422 || operationOf(exchange)?.is !== 'run') return;
  const input = parseJson(new TextDecoder().decode(exchange.request.body));
  yield* unlessUnreadable(exchange, RULES, lookAtList(exchange, input));
}

function* lookAtList(exchange: Exchange, input: unknown): Generator<Check> {
  if (Array.isArray(member(exchange.json, 'detail'))) yield* judgeEntries(exchange, input);
}

export const modelRefusals: Oracle = { api: 'router', judges: RULES, look };

/** Document 1, RouterValidationErrorResponse and RouterValidationErrorDetail: a refusal of an input by its model. */
export function* judgeEntries(answer: Exchange, input: unknown): Generator<Check> {
  const { json } = answer;
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

  // Row loc: an integer indexes into an array. An input whose bad fields are all outside arrays shows nothing
  // about it.
  const locs = entriesOf(answer)
    .map((entry) => member(entry, 'loc'))
    .filter((loc) => Array.isArray(loc));
  const indexed = locs.map((loc) => wayInto(input, loc)).filter((way) => way !== 'no array');
  if (indexed.length > 0)
    yield check(
      'router.run.422-loc-index-integer',
      answer,
      indexed.every((way) => way === 'by integer'),
      'integers for positions in arrays',
      sketch(locs),
    );

  // The same row: a path to the field. Each step of it has a name, unless the input has a member without one.
  const nameless = locs.find((loc) => isNameless(input, loc));
  if (nameless !== undefined)
    yield check(
      'router.run.422-entry-required',
      answer,
      false,
      'a path to the field that was sent',
      `loc ${sketch(nameless)}`,
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
    const isLegal = !('ctx' in entry) || isObject(ctx);
    yield check('router.run.422-ctx-absent', answer, isLegal, 'an object ctx, or none', `ctx ${sketch(ctx)}`);
    // Row input: the offending value verbatim, or absent. Null may be the value.
    if ('input' in entry && Array.isArray(loc)) {
      const sent = valueAt(input, loc);
      if (sent.found) {
        const verbatim = canonical(entry['input']) === canonical(sent.value);
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

export function entriesOf(answer: Exchange): readonly Readonly<Record<string, unknown>>[] {
  const detail = member(answer.json, 'detail');
  return Array.isArray(detail) ? detail.filter(isObject) : [];
}
