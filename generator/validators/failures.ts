import type { Json, Schema } from '../../contract/index.ts';
import { parsePointer } from '../../contract/index.ts';
import { isObject } from '../schemas/read-schema.ts';

/** One error as ajv describes it in emitted code, with what can be known before it happens. */
export interface AjvError {
  readonly keyword: string;
  /** Pointer to the keyword, from the schema of the function. */
  readonly schemaPath: string;
  /** Its text; parts that are not known yet are left out. */
  readonly message: string;
}

/** What our code says in its place. */
export interface Wording {
  readonly message: string;
  readonly allowed: readonly Json[] | undefined;
  /** A member that the pointer goes on to, below the value that was judged. */
  readonly member: 'key' | { readonly name: string } | undefined;
}

/** Says an error of ajv so that a person sees what would be right. */
export function wordingOf({ keyword, schemaPath, message }: AjvError, schema: Schema): Wording {
  const plain = { message, allowed: undefined, member: undefined };
  const at = (suffix = ''): Json | undefined => valueAt(schema, schemaPath, suffix);
  switch (keyword) {
    case 'type':
      return { ...plain, message: message.replaceAll(',', ' or ') };
    case 'enum': {
      const values = at();
      return {
        ...plain,
        message: 'must be one of the allowed values',
        allowed: Array.isArray(values) ? (values as Json[]) : [],
      };
    }
    case 'const':
      return { ...plain, message: 'must be the allowed value', allowed: [at() ?? null] };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return { ...plain, message: 'is not allowed here', member: 'key' };
    case 'false schema':
      return { ...plain, message: 'is not allowed here' };
    case 'required':
      return {
        ...plain,
        message: message.replace(/^must have required property '(.*)'$/s, 'must have the property "$1"'),
      };
    case 'propertyNames':
      return { ...plain, message: 'has a name that is not allowed', member: 'key' };
    case 'if':
      return { ...plain, message: 'must match the schema that its other members call for' };
    case 'not':
      return { ...plain, message: 'must NOT match the schema that is excluded here' };
    case 'oneOf':
    case 'anyOf': {
      const branches = at();
      const count = Array.isArray(branches) ? branches.length : 0;
      return {
        ...plain,
        message: `must match ${keyword === 'oneOf' ? 'exactly one' : 'one'} of ${count} alternatives`,
      };
    }
    case 'discriminator':
      return discriminated(at(), at('/../oneOf'), message);
    default:
      return plain;
  }
}

// --- internal ---

function discriminated(
  discriminator: Json | undefined,
  branches: Json | undefined,
  message: string,
): Wording {
  const name = isObject(discriminator) ? String(discriminator['propertyName']) : '';
  const tags = (Array.isArray(branches) ? (branches as Json[]) : []).flatMap((branch) =>
    tagsOf(branch, name),
  );
  const isText = message.endsWith('must be string');
  return {
    message: isText ? 'must be string' : 'must be one of the allowed values',
    allowed: tags,
    member: { name },
  };
}

function tagsOf(branch: Json, name: string): Json[] {
  const properties = isObject(branch) ? branch['properties'] : undefined;
  const tag = isObject(properties) ? properties[name] : undefined;
  if (!isObject(tag)) return [];
  return Array.isArray(tag['enum'])
    ? (tag['enum'] as Json[])
    : tag['const'] === undefined
      ? []
      : [tag['const']];
}

/** The value at a path such as `#/properties/x/enum`; `/..` at its end goes up. Steps through inlined references stop. */
function valueAt(schema: Schema, schemaPath: string, suffix: string): Json | undefined {
  const tokens = parsePointer(decodeURIComponent(schemaPath.slice(1))) ?? [];
  for (const step of suffix.split('/').filter((part) => part !== '')) {
    if (step === '..') tokens.pop();
    else tokens.push(step);
  }
  let value: Json | undefined = schema;
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
    value = (value as Readonly<Record<string, Json>>)[token];
  }
  return value;
}
