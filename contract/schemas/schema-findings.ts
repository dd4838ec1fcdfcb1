import { isRecord } from '../record.ts';
import { joinPointer, parsePointer, valueAt } from '../pointer.ts';
import { suggest } from '../diagnostics/suggest.ts';
import {
  allowedBy,
  type IsLegal,
  type KnownNames,
  type ValidatorError,
  withoutNoise,
} from '../document/validator-errors.ts';

export type { ValidatorError } from '../document/validator-errors.ts';

/** One fault of a value, for people. */
export interface SchemaFinding {
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
  readonly help?: string;
  /** For a missing member: the pointer of the member that is probably its misspelling. */
  readonly misspelt?: string;
}

/**
 * Turns the errors of a validator into findings for people. If a value fits none of several alternatives, the
 * validator reports errors for each of them and for every enclosing object; only the errors of the closest
 * alternative are kept.
 *
 * @param options.known the names that an unknown member may be a misspelling of, by the pointer of its object
 * @param options.isLegal whether a discriminating value is one of the allowed ones
 * @param options.at the pointer of the value in its document; the pointers of findings begin with it
 */
export function findingsFrom(
  errors: readonly ValidatorError[],
  root: unknown,
  options: { readonly known?: KnownNames; readonly isLegal?: IsLegal; readonly at?: string } = {},
): SchemaFinding[] {
  const { known = () => [], isLegal = () => false, at = '' } = options;
  const findings = new Map<string, SchemaFinding>();
  for (const error of withoutNoise(errors.slice(0, MOST_ERRORS), root, known, isLegal)) {
    const finding = say(error, root, known, at);
    findings.set(`${finding.pointer} ${finding.message}`, finding);
  }
  // One misspelt member is one mistake, not an unknown member plus a missing one.
  const all = [...findings.values()];
  const unknown = new Set(all.filter(({ keyword }) => UNKNOWN.has(keyword)).map(({ pointer }) => pointer));
  return all.filter(({ misspelt }) => misspelt === undefined || !unknown.has(misspelt));
}

/** The fix for a member whose intention is obvious. */
export const REMOVE = 'remove it';

const MOVE = 'OpenAPI has it in another place: move it there, or remove it';

/**
 * Names that OpenAPI uses for transmitted data. A member with such a name was intended, even in a wrong
 * place.
 */
const MEANS_SOMETHING: ReadonlySet<string> = new Set(
  (
    'schema content parameters requestBody responses headers required type format enum items properties allOf anyOf oneOf not ' +
    '$ref nullable minimum maximum minLength maxLength pattern in style explode security servers paths components get put post ' +
    'delete options head patch trace'
  ).split(' '),
);

/** Whether a finding concerns the name of a member, not its value. */
export function isAboutName({ keyword }: SchemaFinding): boolean {
  return UNKNOWN.has(keyword);
}

// --- internal ---

/** The limit for comparing errors with each other; a document with more already has a long list. */
const MOST_ERRORS = 2000;

/** Keywords whose errors concern the name of a member. */
const UNKNOWN = new Set(['additionalProperties', 'unevaluatedProperties']);

function say(error: ValidatorError, root: unknown, known: KnownNames, prefix: string): SchemaFinding {
  const { instancePath: pointer, keyword, params } = error;
  const value = valueAt(root, pointer);
  const name = nameOf(prefix + pointer);
  const finding = (message: string, help?: string, at = pointer): SchemaFinding => ({
    pointer: prefix + at,
    keyword,
    message,
    ...(help === undefined ? {} : { help }),
  });
  // A parameter needs a schema or a content: OpenAPI 3.0 expresses that with `not`, 3.1 with `oneOf`.
  if (/^(?:not|oneOf)$/.test(keyword) && isRecord(value) && 'schema' in value && 'content' in value)
    return finding(`${name} has both schema and content`, 'keep one of the two');
  switch (keyword) {
    case 'required':
      return sayMissing(error, value, name, prefix);
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const member = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
      const meant = suggest(
        member,
        known(pointer).filter((other) => other !== member),
      );
      const help =
        meant === undefined
          ? (NAMES.get(name) ?? (MEANS_SOMETHING.has(member) ? MOVE : REMOVE))
          : `did you mean ${meant}?`;
      return finding(`unknown property ${quote(member)} in ${name}`, help, joinPointer(pointer, member));
    }
    case 'type': {
      const wanted = [params['type']].flat().map((type) => TYPES[String(type)] ?? String(type));
      const help = params['type'] === 'string' && typeof value !== 'object' ? 'put it in quotes' : undefined;
      return finding(`${name} must be ${wanted.join(' or ')}, not ${describe(value)}`, help);
    }
    case 'enum':
    case 'const': {
      const allowed = allowedBy(error).map(String);
      const meant = typeof value === 'string' ? suggest(value, allowed) : undefined;
      const shown = allowed.length > 20 ? [...allowed.slice(0, 20), '…'] : allowed;
      const help = allowed.length === 1 ? `write ${shown.join('')}` : `write one of ${shown.join(', ')}`;
      return finding(
        `${name} cannot be ${describe(value)}`,
        meant === undefined ? help : `did you mean ${meant}?`,
      );
    }
    case 'pattern':
      return params['propertyName'] === undefined && typeof value === 'string'
        ? finding(`${name} ${quote(value)} does not match the pattern ${String(params['pattern'])}`)
        : finding(`a property name in ${name} does not match the pattern ${String(params['pattern'])}`);
    case 'format':
      return finding(`${name} is not a valid ${String(params['format'])}: ${describe(value)}`);
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return finding(
        params['limit'] === 1
          ? `${name} is empty`
          : `${name} has fewer than ${String(params['limit'])} ${COUNTED[keyword]}`,
      );
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return finding(`${name} has more than ${String(params['limit'])} ${COUNTED[keyword]}`);
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return finding(`${name} must be ${BOUNDS[keyword]} ${String(params['limit'])}, not ${describe(value)}`);
    case 'uniqueItems':
      return finding(
        `${name} contains the same item twice`,
        `remove the item at index ${String(params['i'])}`,
      );
    case 'oneOf':
    case 'anyOf':
      return finding(`${name} does not match any of the allowed forms`);
    case 'openapi':
      return finding('the document does not pass the OpenAPI validator', error.message);
    case 'not':
    case 'false schema':
      return finding(`${name} is not allowed here`);
    default:
      return finding(`${name} does not satisfy ${quote(keyword)}`);
  }
}

function sayMissing(
  { instancePath, params }: ValidatorError,
  value: unknown,
  name: string,
  prefix: string,
): SchemaFinding {
  const { alternatives, together } = params as {
    alternatives?: readonly string[];
    together?: readonly string[];
  };
  const conjunction = alternatives === undefined ? 'and' : 'or';
  const names = alternatives ?? together ?? [String(params['missingProperty'])];
  const [first = '', ...others] = names;
  const misspelt = others.length === 0 ? misspeltAs(first, value) : undefined;
  return {
    pointer: prefix + instancePath,
    keyword: 'required',
    message: `missing ${names.length > 1 && conjunction === 'and' ? 'properties' : 'property'} ${inWords(names.map(quote), conjunction)} in ${name}`,
    help: misspelt === undefined ? `add ${inWords(names, conjunction)}` : `rename ${misspelt} to ${first}`,
    ...(misspelt === undefined ? {} : { misspelt: joinPointer(prefix + instancePath, misspelt) }),
  };
}

function inWords(words: readonly string[], conjunction: string): string {
  return [words.slice(0, -1).join(', '), words.at(-1) ?? '']
    .filter((part) => part !== '')
    .join(` ${conjunction} `);
}

/** The fix for a name that these objects do not allow. */
const NAMES = new Map([
  ['paths', 'a path must begin with /'],
  ['responses', 'use a status such as 200, a range such as 2XX, or default'],
]);

const COUNTED = {
  minLength: 'characters',
  maxLength: 'characters',
  minItems: 'items',
  maxItems: 'items',
  minProperties: 'properties',
  maxProperties: 'properties',
} as const;

const BOUNDS = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'greater than',
  exclusiveMaximum: 'less than',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'an object',
  array: 'an array',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (value === undefined) return 'nothing';
  return typeof value === 'object' && value !== null ? 'an object' : quote(value);
}

function quote(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The last words of a pointer, enough to recognise the place. */
function nameOf(pointer: string): string {
  const tokens = parsePointer(pointer) ?? [];
  if (tokens.length === 0) return 'the file';
  const last = tokens.at(-1) ?? '';
  return /^\d+$/.test(last) && tokens.length > 1 ? `${tokens.at(-2) ?? ''}[${last}]` : last;
}

function misspeltAs(wanted: string, value: unknown): string | undefined {
  return suggest(wanted, typeof value === 'object' && value !== null ? Object.keys(value) : []);
}
