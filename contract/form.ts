import { inspect } from 'node:util';
import { joinPointer } from './pointer.ts';
import { isRecord } from './record.ts';
import { suggest } from './diagnostics/suggest.ts';

/**
 * The form of a value from outside: from a file or a request. Members of a record may be missing unless they
 * are required.
 */
export type Form =
  | 'string'
  | 'number'
  | 'boolean'
  | 'anything'
  | { readonly oneOf: readonly string[] }
  | { readonly nullOr: Form }
  /** `orWord`: this word is accepted instead of a list. */
  | { readonly listOf: Form; readonly orWord?: string }
  | { readonly mapOf: Form }
  | { readonly members: Readonly<Record<string, Form>>; readonly required?: readonly string[] }
  /** An object whose form depends on the value of one member. */
  | { readonly by: string; readonly cases: Readonly<Record<string, Form>> };

/** The values that have a form. */
export type Formed<Shape> = Shape extends 'string'
  ? string
  : Shape extends 'number'
    ? number
    : Shape extends 'boolean'
      ? boolean
      : Shape extends { readonly oneOf: readonly (infer Word)[] }
        ? Word
        : Shape extends { readonly nullOr: infer Inner }
          ? Formed<Inner> | null
          : Shape extends { readonly listOf: infer Item }
            ? readonly Formed<Item>[]
            : Shape extends { readonly mapOf: infer Item }
              ? Readonly<Record<string, Formed<Item>>>
              : Shape extends { readonly members: infer Members }
                ? { [Member in keyof Members & Required<Shape>]: Formed<Members[Member]> } & {
                    [Member in Exclude<keyof Members, Required<Shape>>]?: Formed<Members[Member]>;
                  }
                : Shape extends { readonly by: infer By extends string; readonly cases: infer Cases }
                  ? { [Case in keyof Cases]: Readonly<Record<By, Case>> & Formed<Cases[Case]> }[keyof Cases]
                  : unknown;

type Required<Shape> = Shape extends { readonly required: readonly (infer Name)[] } ? Name : never;

/** The first place at which a value differs from its form. */
export interface FormMisfit {
  /** A JSON pointer; empty for the value itself. */
  readonly pointer: string;
  readonly message: string;
  /** The known members of the object, if the fault is an unknown member. */
  readonly known?: readonly string[];
}

/** The place and kind of the first difference from a form; `undefined` if there is none. */
export function misfitOf(value: unknown, form: Form): FormMisfit | undefined {
  return check(value, form, '');
}

// --- internal ---

function check(value: unknown, form: Form, pointer: string): FormMisfit | undefined {
  if (form === 'anything') return undefined;
  if (typeof form === 'string') {
    const isRight = form === 'number' ? Number.isFinite(value) : typeof value === form;
    return isRight ? undefined : expected(pointer, `a ${form}`, value);
  }
  if ('oneOf' in form) {
    if (typeof value === 'string' && form.oneOf.includes(value)) return undefined;
    return expected(pointer, form.oneOf.join(', '), value, nearest(value, form.oneOf));
  }
  if ('nullOr' in form) return value === null ? undefined : check(value, form.nullOr, pointer);
  if ('listOf' in form) return checkList(value, form, pointer);
  if (!isRecord(value)) return expected(pointer, 'an object', value);
  if ('by' in form) {
    const given = value[form.by];
    const found =
      typeof given === 'string' && Object.hasOwn(form.cases, given) ? form.cases[given] : undefined;
    if (found !== undefined) return check(value, found, pointer);
    const names = Object.keys(form.cases);
    return expected(joinPointer(pointer, form.by), names.join(', '), given, nearest(given, names));
  }
  if ('members' in form) return checkMembers(value, form, pointer);
  for (const [name, member] of Object.entries(value)) {
    const misfit = check(member, form.mapOf, joinPointer(pointer, name));
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

function checkList(
  value: unknown,
  form: Extract<Form, { readonly listOf: Form }>,
  pointer: string,
): FormMisfit | undefined {
  const { listOf, orWord } = form;
  if (orWord !== undefined && value === orWord) return undefined;
  if (!Array.isArray(value))
    return expected(pointer, `a list${orWord === undefined ? '' : ` or ${orWord}`}`, value);
  for (const [index, item] of value.entries()) {
    const misfit = check(item, listOf, joinPointer(pointer, index));
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

function checkMembers(
  value: Readonly<Record<string, unknown>>,
  form: Extract<Form, { readonly members: object }>,
  pointer: string,
): FormMisfit | undefined {
  const { members, required = [] } = form;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const inner = Object.hasOwn(members, name) ? members[name] : undefined;
    if (inner === undefined) return unknownMember(pointer, name, members);
    const misfit = check(member, inner, joinPointer(pointer, name));
    if (misfit !== undefined) return misfit;
  }
  const missing = required.find((name) => !Object.hasOwn(value, name) || value[name] === undefined);
  return missing === undefined ? undefined : { pointer, message: `${missing} is missing` };
}

function unknownMember(parent: string, name: string, members: Readonly<Record<string, Form>>): FormMisfit {
  const known = Object.keys(members);
  const near = suggest(name, known);
  const message = `unknown member${near === undefined ? '' : `. Did you mean ${near}?`}`;
  return { pointer: joinPointer(parent, name), message, known };
}

function expected(pointer: string, what: string, value: unknown, near?: string): FormMisfit {
  // `JSON.stringify` would fail here: a value read from YAML can contain itself.
  const got =
    typeof value === 'string'
      ? JSON.stringify(value)
      : inspect(value, { depth: 0, maxArrayLength: 3, breakLength: Infinity });
  const short = got.length > LONGEST_SHOWN ? `${got.slice(0, LONGEST_SHOWN)}…` : got;
  const meant = near === undefined ? '' : `. Did you mean ${near}?`;
  return { pointer, message: `expected ${what}, got ${short}${meant}` };
}

function nearest(value: unknown, names: readonly string[]): string | undefined {
  return typeof value === 'string' ? suggest(value, names) : undefined;
}

const LONGEST_SHOWN = 60;
