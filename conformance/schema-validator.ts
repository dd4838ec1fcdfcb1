import { Ajv2020 } from 'ajv/dist/2020.js';
import { boundedPattern } from '../contract/index.ts';
import { isObject, member } from './exchange.ts';
import { resolve } from './schema-document.ts';

/** `undefined` for a schema, or a value, that cannot be judged. */
export function validatorOf(
  document: unknown,
  schema: unknown,
): ((value: unknown) => boolean | undefined) | undefined {
  const target = resolve(document, schema);
  if (!isObject(target)) return undefined;
  const whole = { ...target, components: member(document, 'components') };
  if (JSON.stringify(whole).length > LARGEST_SCHEMA) return undefined;
  const ajv = new Ajv2020({
    ...OPTIONS,
    validateSchema: false,
    // Only needed by validators that are written to a file, which does not happen here.
    code: { regExp: Object.assign(boundedPattern, { code: 'boundedPattern' }) },
  });
  try {
    if ((judge ??= new Ajv2020(OPTIONS)).validateSchema(whole) !== true) return undefined;
    const validate = ajv.compile(whole);
    let givenUp = 0;
    return (value) => {
      if (givenUp > MOST_GIVEN_UP) return undefined;
      try {
        return validate(value);
      } catch {
        givenUp += 1;
        return undefined;
      }
    };
  } catch {
    return undefined;
  }
}

// --- internal ---

const OPTIONS = { strict: false, logger: false, validateFormats: false } as const;

/** Judges schemas: its compiled meta-schema serves all of them. Each schema is compiled by an instance that goes with it. */
let judge: Ajv2020 | undefined;

/** So many values may be too hard to judge before none is judged any more. */
const MOST_GIVEN_UP = 20;

/** Characters of JSON; compiling a larger schema takes longer than a run should. */
const LARGEST_SCHEMA = 500_000;
