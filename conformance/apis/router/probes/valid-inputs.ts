import { check } from '../../../scenarios/check.ts';
import { isObject, isSuccess, member } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import { bodySchemas, resolve } from '../../../schemas/schema-document.ts';
import { validatorOf } from '../../../schemas/schema-validator.ts';
import { smallestValue } from '../../../schemas/smallest-value.ts';
import { bucketOf, sketchRefusal } from './answers.ts';
import { declared, refuseBroken } from './idempotency.ts';

const RULE = 'router.run.schema-valid-not-invalid-input';
const MOST_INPUTS = 4;

export const validInputs = scenario({
  id: 'router.run.valid-inputs',
  api: 'router',
  title: 'inputs at the limits of the served schema, and with its optional members',
  permissions: ['billed'],
  needs: ['model.ok'],
  judges: [RULE],
  severalCases: [RULE],
  requests: {
    document: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'valid', times: 1 },
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: MOST_INPUTS },
    control: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 1 },
  },
  run: async function* ({ send, fixtures }) {
    const { id, input } = declared(fixtures.model?.ok, 'model.ok');
    const document = await send('document', { fill: { id } });
    const valid = isObject(input) ? candidates(document.json, input) : [];
    for (const { body, says } of valid.slice(0, MOST_INPUTS)) {
      const answer = await send('run', { fill: { id }, body });
      // Document 1, GET …/openapi.json (inference): the model may still refuse, but not the router.
      const isTaken = isSuccess(answer) || bucketOf(answer) !== 'invalid_input' || answer.status === 422;
      if (!isTaken) refuseBroken('model.ok', await send('control', { fill: { id }, body: input }));
      yield check(RULE, answer, isTaken, `no refusal of ${says}`, sketchRefusal(answer));
      if (!isTaken) return;
    }
  },
});

// --- internal ---

type JsonRecord = Readonly<Record<string, unknown>>;

interface Candidate {
  readonly body: JsonRecord;
  readonly says: string;
}

/** A longer text need not be possible for a gateway. */
const LONGEST_TEXT = 10_000;
const LONGEST_LIST = 50;
/** A schema without a bound accepts each integer. */
const BEYOND_32_BITS = 5_000_000_000;

/**
 * The valid input with one member changed. A schema is taken at its word: only what it accepts as a whole is
 * a candidate.
 */
function candidates(document: unknown, valid: JsonRecord): readonly Candidate[] {
  const [schema] = bodySchemas(document);
  const isValid = validatorOf(document, schema);
  const properties = member(resolve(document, schema), 'properties');
  if (isValid === undefined || !isObject(properties)) return [];
  return Object.entries(properties)
    .flatMap(([name, raw]) => valuesOf(document, raw).map((one) => ({ name, ...one })))
    .sort((a, b) => a.order - b.order)
    .map(({ name, value, says }) => ({ body: { ...valid, [name]: value }, says: `${says} in ${name}` }))
    .filter(({ body }) => isValid(body) === true);
}

function valuesOf(
  document: unknown,
  raw: unknown,
): readonly { readonly order: number; readonly value: unknown; readonly says: string }[] {
  const schema = resolve(document, raw);
  if (!isObject(schema)) return [];
  const { type, maxLength, maxItems, items, enum: values, format, pattern, contentEncoding } = schema;
  const isFree = [values, format, pattern, contentEncoding].every((keyword) => keyword === undefined);
  // JSON Schema, Validation, section 6.3.1: a length is counted in characters, of RFC 8259.
  if (type === 'string' && typeof maxLength === 'number' && maxLength <= LONGEST_TEXT && isFree)
    return [{ order: 0, value: '\u{1f58b}'.repeat(maxLength), says: `${maxLength} characters` }];
  if (type === 'string' && maxLength === undefined && schema['minLength'] === undefined && isFree)
    return [{ order: 4, value: '', says: 'an empty text' }];
  if (type === 'array' && isObject(items)) {
    const item = smallestValue(document, items);
    const isBounded = typeof maxItems === 'number' && maxItems <= LONGEST_LIST;
    const count = isBounded ? maxItems : 1;
    return [{ order: 1, value: Array.from({ length: count }, () => item), says: `a list of ${count}` }];
  }
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (type === 'integer' && isFree)
    return [
      ...([maximum, exclusiveMaximum].every((bound) => bound === undefined) ? [BEYOND_32_BITS] : []),
      ...([minimum, exclusiveMinimum].every((bound) => bound === undefined) ? [-BEYOND_32_BITS] : []),
    ].map((value) => ({ order: 3, value, says: `the integer ${value}` }));
  return type === 'object' ? [{ order: 2, value: smallestValue(document, raw), says: 'a small object' }] : [];
}
