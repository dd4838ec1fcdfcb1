import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import { builtMetaSchema } from '../../contract/built-validators.ts';
import { META_SCHEMA } from '../../contract/judge/fixed-schemas.ts';
import { boundedPattern } from '../../contract/index.ts';
import { isObject, member } from '../exchanges/exchange.ts';
import { resolve } from './schema-document.ts';

/** `undefined` for a schema, or a value, that cannot be validated. */
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
    // Only needed for validators that are written to a file, which does not happen here.
    code: { regExp: Object.assign(boundedPattern, { code: 'boundedPattern' }) },
  });
  try {
    // A schema of another dialect is not judged.
    if ((member(target, '$schema') ?? META_SCHEMA.$ref) !== META_SCHEMA.$ref) return undefined;
    if (isSchema(whole) !== true) return undefined;
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

/**
 * The validator of schemas is shared. Each schema is compiled by an instance that is released with it.
 */
let metaSchema: ValidateFunction | undefined;

function isSchema(value: object): boolean | Promise<unknown> {
  return (metaSchema ??= builtMetaSchema() ?? new Ajv2020(OPTIONS).compile(META_SCHEMA))(value);
}

/** After this many values that took too long, none is validated any more. */
const MOST_GIVEN_UP = 20;

/** Characters of JSON; compiling a larger schema takes longer than a run should. */
const LARGEST_SCHEMA = 500_000;
