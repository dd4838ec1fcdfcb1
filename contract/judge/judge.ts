import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Checks, Fault, Judged } from '../../engine/judge.ts';
import { boundedPattern, type Matcher } from './bounded-pattern.ts';
import { TookTooLong } from './bounded-run.ts';
import type { Contract, Json, Schema } from '../model.ts';
import { withoutAddresses } from '../references/addresses.ts';
import { mayBeCostly } from './pattern-cost.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { ofSide } from '../schemas/schema-side.ts';
import { servedSchemas } from '../served/served-schemas.ts';
import { wordingOf } from '../diagnostics/wording.ts';

/**
 * Judges the values of requests by the schemas of a contract, which are named as in its `ServedApi`. A member
 * that is `readOnly` is not required. A schema is compiled on first use. Formats are checked too, as in
 * generated guards. If a schema cannot be compiled, every value fails, with the reason as its fault.
 */
export function checksOf(contract: Contract): Checks {
  const { root } = contract.document;
  const inline = servedSchemas(contract);
  const named = new Map(contract.schemas.map(({ name, schema }) => [name, schema]));
  const { judge } = compilerOf(contract, inline, named, { as: (schema) => ofSide(schema, 'request', root) });
  const check =
    (name: string) =>
    (value: unknown): Judged => {
      const found = judge(name, value);
      return found.length === 0
        ? { ok: true }
        : { ok: false, errors: found.map(({ pointer, message }) => ({ pointer, message })) };
    };
  return Object.fromEntries([...inline.keys()].map((name) => [name, check(name)]));
}

/** A fault of a value, with the keyword that it violates. */
export interface Misfit extends Fault {
  readonly keyword: string;
}

/** The validator for the schemas of one document. */
export interface Compiler {
  readonly judge: (name: string, value: unknown) => readonly Misfit[];
  /** Why a schema cannot be used; `undefined` if it can. Compiles the schema. */
  readonly faultOf: (name: string) => string | undefined;
}

/**
 * @param inline schemas by any names
 * @param named the schemas for `#/components/schemas/…`
 * @param options.all report every fault, not only the first
 * @param options.as how the schemas are read, when they are first needed
 */
export function compilerOf(
  { document }: Pick<Contract, 'document'>,
  inline: ReadonlyMap<string, Schema>,
  named: ReadonlyMap<string, Schema>,
  {
    all = false,
    as = (schema) => schema,
  }: { readonly all?: boolean; readonly as?: (schema: Schema) => Schema } = {},
): Compiler {
  const ajv = new Ajv2020({
    allErrors: all,
    // Makes members of `Object.prototype`, such as toString, count as absent.
    ownProperties: true,
    // Decimal fractions are not exact in binary. With a tolerance, 0.29 counts as a multiple of 0.01, as in
    // generated guards.
    multipleOfPrecision: 8,
    strict: false,
    validateSchema: false,
    verbose: true,
    logger: false,
    inlineRefs: false,
    code: { regExp: compilePattern },
  });
  addFormats.default(ajv);
  const { $id: _address, openapi, components, ...others } = document.root;
  const parts = (object: object | undefined): [string, () => unknown][] =>
    Object.entries(object ?? {}).map(([name, part]) => [name, () => withoutAddresses(part as unknown)]);
  const schemas = (given: ReadonlyMap<string, Schema>): object =>
    whenRead([...given].map(([name, schema]) => [name, () => withoutAddresses(as(schema))]));
  const whole = whenRead([
    ...parts(others),
    [
      'components',
      () => whenRead([...parts(components as object | undefined), ['schemas', () => schemas(named)]]),
    ],
    [INLINE, () => schemas(inline)],
  ]);
  // ajv takes an object without members that it can list for an empty schema.
  ajv.addSchema(Object.assign(whole, { openapi }), DOCUMENT);
  const compiled = new Map<string, ValidateFunction | string>();
  const validatorOf = (name: string): ValidateFunction | string => {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const pointer = joinPointer('', INLINE, name);
    let made: ValidateFunction | string;
    try {
      made = ajv.compile({ $ref: `${DOCUMENT}#${encodeURI(pointer).replaceAll('#', '%23')}` });
    } catch (error) {
      made = reasonOf(error);
    }
    compiled.set(name, made);
    return made;
  };
  return {
    judge: (name, value) => {
      const validate = validatorOf(name);
      if (typeof validate === 'string')
        return [misfit(`cannot be judged by the schema ${name}: ${validate}`)];
      try {
        if (validate(withoutBlobs(value))) return [];
      } catch (error) {
        const reason = reasonOf(error);
        return [
          misfit(error instanceof TookTooLong ? reason : `cannot be judged by the schema ${name}: ${reason}`),
        ];
      }
      return (validate.errors ?? []).slice(0, MOST_TOLD).map(misfitOf);
    },
    faultOf: (name) => {
      const validate = validatorOf(name);
      return typeof validate === 'string' ? validate : undefined;
    },
  };
}

// --- internal ---

/**
 * An object whose members are made when they are read. They are not listed, because ajv walks over all listed ones
 * when it is given a schema, and few parts of a large document are needed.
 */
function whenRead(members: readonly (readonly [name: string, make: () => unknown])[]): object {
  const object = {};
  for (const [name, make] of members)
    Object.defineProperty(object, name, {
      configurable: true,
      get: () => {
        const value = make();
        Object.defineProperty(object, name, { value });
        return value;
      },
    });
  return object;
}

/** Uses the messages of generated guards. */
function misfitOf({ instancePath, keyword, schema, parentSchema, params }: ErrorObject): Misfit {
  const { message, member } = wordingOf({
    keyword,
    schema: schema as Json,
    parentSchema: parentSchema as Json,
    params: params as Readonly<Record<string, unknown>>,
  });
  const text = (part: string | { readonly code: unknown }): string =>
    typeof part === 'string' ? part : String(part.code);
  return {
    pointer: member === undefined ? instancePath : joinPointer(instancePath, text(member)),
    message: message.map(text).join(''),
    keyword,
  };
}

/** JSON Schema has no bytes, so a file in a form is judged as a string of its length. */
function withoutBlobs(value: unknown): unknown {
  if (isBlob(value)) return ' '.repeat(Math.min(value.size, LONGEST_BLOB));
  if (!hasBlob(value)) return value;
  if (Array.isArray(value)) return value.map(withoutBlobs);
  return Object.fromEntries(
    Object.entries(value as object).map(([name, member]) => [name, withoutBlobs(member)]),
  );
}

/** Files are members or items of members, also in a list of objects. Bodies of JSON are not searched deeper. */
function hasBlob(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value)
    ? value.some((item) => isBlob(item) || (!Array.isArray(item) && hasBlob(item)))
    : Object.values(value).some((member) => (Array.isArray(member) ? member.some(isBlob) : isBlob(member)));
}

const LONGEST_BLOB = 65_536;

/** Not `instanceof`: in jsdom and happy-dom, the class of a file can differ from the global one. */
function isBlob(value: unknown): value is Blob {
  return isRecord(value) && typeof value['arrayBuffer'] === 'function' && typeof value['size'] === 'number';
}

function misfit(message: string): Misfit {
  return { pointer: '', message, keyword: 'unjudgeable' };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const DOCUMENT = 'tallystick:document';
const INLINE = 'x-tallystick-inline';
const MOST_TOLD = 100;

/** Potentially slow patterns are matched with a time limit, because a slow match would block the process. */
const compilePattern = Object.assign(
  (pattern: string, flags: string): Matcher => {
    const own = isValid(pattern, flags) ? flags : flags.replace('u', '');
    return mayBeCostly(pattern) ? boundedPattern(pattern, own) : new RegExp(pattern, own);
  },
  { code: 'new RegExp' },
);

/** Many documents contain escapes that the flag `u` does not allow. */
function isValid(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags).source.length >= 0;
  } catch {
    return false;
  }
}
