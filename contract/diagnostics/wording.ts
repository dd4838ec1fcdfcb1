import { singular } from '../text/singular.ts';
import type { Json, JsonObject } from '../model.ts';

/** The facts that ajv has about a violation. */
export interface Violation {
  readonly keyword: string;
  /** The value of the keyword. */
  readonly schema: Json;
  readonly parentSchema: Json;
  /** Other facts from ajv, as values or as code; depending on the keyword. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** The wording of a violation, either for emitted code or for immediate use. */
export interface Wording {
  /** Text, and values or code between pieces of text. */
  readonly message: readonly (string | { readonly code: unknown })[];
  /** The valid values, if they can be listed. */
  readonly allowed?: readonly Json[];
  /** The suffix of the pointer below the judged value: the name of a member. */
  readonly member?: string | { readonly code: unknown };
}

/** Words a violation so that the correct value is obvious. */
export function wordingOf({ keyword, schema, parentSchema, params }: Violation): Wording {
  const count = (bound: string, noun: string): Wording => {
    const many = schema === 1 ? singular(noun) : noun;
    return { message: [`must have at ${bound} ${String(schema)} ${many}`] };
  };
  switch (keyword) {
    case 'type':
      return { message: [`must be ${Array.isArray(schema) ? schema.join(' or ') : String(schema)}`] };
    case 'enum':
      return {
        message: ['must be one of the allowed values'],
        allowed: Array.isArray(schema) ? (schema as Json[]) : [],
      };
    case 'const':
      return { message: ['must be the allowed value'], allowed: [schema] };
    case 'required':
      return { message: ['must have the property "', { code: params['missingProperty'] }, '"'] };
    case 'dependentRequired':
      return {
        message: [
          'must have the property "',
          { code: params['missingProperty'] },
          '" because it has "',
          { code: params['property'] },
          '"',
        ],
      };
    case 'additionalProperties':
      return {
        message: ['is not allowed here'],
        member: { code: params['additionalProperty'] },
        ...membersOf(parentSchema),
      };
    case 'unevaluatedProperties':
      return { message: ['is not allowed here'], member: { code: params['unevaluatedProperty'] } };
    case 'false schema':
      return { message: ['is not allowed here'] };
    case 'propertyNames':
      return { message: ['has a name that is not allowed'], member: { code: params['propertyName'] } };
    case 'unevaluatedItems':
      return { message: ['must have no further items'] };
    case 'maxLength':
      return count('most', 'characters');
    case 'minLength':
      return count('least', 'characters');
    case 'maxItems':
      return count('most', 'items');
    case 'minItems':
      return count('least', 'items');
    case 'items':
      return { message: ['must have no further items'] };
    case 'maxProperties':
      return count('most', 'properties');
    case 'minProperties':
      return count('least', 'properties');
    case 'uniqueItems':
      return { message: ['must have no item twice'] };
    case 'contains':
      return { message: [containing(parentSchema)] };
    case 'pattern':
      return { message: [`must match the pattern ${String(schema)}`] };
    case 'format':
      return { message: [`must be in the format ${String(schema)}`] };
    case 'maximum':
      return { message: [`must be at most ${String(schema)}`] };
    case 'minimum':
      return { message: [`must be at least ${String(schema)}`] };
    case 'exclusiveMaximum':
      return { message: [`must be less than ${String(schema)}`] };
    case 'exclusiveMinimum':
      return { message: [`must be more than ${String(schema)}`] };
    case 'multipleOf':
      return { message: [`must be a multiple of ${String(schema)}`] };
    case 'not':
      return { message: ['must not match the excluded schema'] };
    case 'if':
      return { message: ['must be what its other members call for'] };
    case 'oneOf':
    case 'anyOf':
      return {
        message: [
          `must be ${keyword === 'oneOf' ? 'exactly one' : 'one'} of ${Array.isArray(schema) ? schema.length : 0} alternatives`,
        ],
      };
    case 'discriminator':
      return tagged(schema, parentSchema);
    default:
      return { message: [`must comply with "${keyword}"`] };
  }
}

// --- internal ---

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The names that a closed object allows, to help with a typing error. */
function membersOf(parentSchema: Json): Pick<Wording, 'allowed'> {
  const properties = isObject(parentSchema) ? parentSchema['properties'] : undefined;
  const names = isObject(properties) ? Object.keys(properties) : [];
  return names.length === 0 || names.length > 50 ? {} : { allowed: names };
}

function containing(schema: Json): string {
  const { minContains = 1, maxContains } = isObject(schema) ? schema : {};
  const least = `at least ${String(minContains)}`;
  return `must contain ${maxContains === undefined ? least : `${least} and at most ${String(maxContains)}`} matching items`;
}

function tagged(discriminator: Json, parentSchema: Json): Wording {
  const name = isObject(discriminator) ? String(discriminator['propertyName']) : '';
  const branches =
    isObject(parentSchema) && Array.isArray(parentSchema['oneOf']) ? (parentSchema['oneOf'] as Json[]) : [];
  return {
    message: ['must be one of the allowed values'],
    allowed: branches.flatMap((branch) => tagsOf(branch, name)),
    member: name,
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
