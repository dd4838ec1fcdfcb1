import type { Json, JsonObject, Unspecified } from '../model.ts';
import type { FormMisfit } from '../form.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { typed } from '../diagnostics/typed-command.ts';

/** One member of an open point, set to another legal value. */
export interface Turn {
  readonly point: string;
  /** Names of nested members, outermost first. */
  readonly path: readonly string[];
  readonly value: Json;
}

/** The legal variants of an open point: all values of a closed set, and the examples of an open one. */
export function turnsOf({ id, mockUses, canBe = {} }: Unspecified): readonly Turn[] {
  return leavesOf(canBe, []).flatMap(({ path, schema }) => {
    const usual = JSON.stringify(path.reduce<unknown>((value, name) => memberOf(value, name), mockUses));
    return valuesOf(schema)
      .filter((value) => JSON.stringify(value) !== usual)
      .map((value) => ({ point: id, path, value }));
  });
}

/** Overrides for these variants. If two concern the same member, the later one counts. */
export function overridesOf(turns: readonly Turn[]): Readonly<Record<string, unknown>> {
  const overrides: Record<string, unknown> = {};
  for (const { point, path, value } of turns) {
    let inner = overrides;
    for (const name of [point, ...path.slice(0, -1)]) inner = (inner[name] ??= {}) as Record<string, unknown>;
    inner[path.at(-1) ?? ''] = value;
  }
  return overrides;
}

/**
 * The first invalid override: an unknown point or member, a fixed member, or a value that the contract
 * excludes.
 *
 * @param overrides by the ids of points; `undefined` counts as no override
 */
export async function overrideMisfit(
  points: readonly Unspecified[],
  overrides: Readonly<Record<string, unknown>>,
): Promise<FormMisfit | undefined> {
  const given = Object.entries(overrides).filter(([, over]) => over !== undefined);
  if (given.length === 0) return undefined;
  const fits = await validator();
  for (const [id, over] of given) {
    const point = points.find((known) => known.id === id);
    const ids = points.map((known) => known.id);
    if (point === undefined) return unknown('open point', id, '', ids);
    const { mockUses, canBe = {} } = point;
    const misfit = memberMisfit({ over, mockUses, canBe, pointer: joinPointer('', id) }, fits);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

// --- internal ---

type Fits = (value: unknown, schema: JsonObject, pointer: string) => string | undefined;

interface Place {
  readonly over: unknown;
  readonly mockUses: Json;
  readonly canBe: JsonObject;
  readonly pointer: string;
}

function memberMisfit({ over, mockUses, canBe, pointer }: Place, fits: Fits): FormMisfit | undefined {
  if (Object.keys(canBe).length === 0) return { pointer, message: `it is fixed. ${LISTED}` };
  if (!isRecord(over))
    return { pointer, message: `write an object with one or more of ${Object.keys(canBe).join(', ')}` };
  for (const [name, value] of Object.entries(over)) {
    const at = joinPointer(pointer, name);
    const schema = memberOf(canBe, name);
    const usual = memberOf(mockUses, name);
    if (!isRecord(schema)) {
      if (usual !== undefined) return { pointer: at, message: `it is fixed. ${LISTED}` };
      return unknown('member', name, pointer, Object.keys(canBe));
    }
    const { properties } = schema;
    const misfit = isRecord(properties)
      ? memberMisfit(
          { over: value, mockUses: usual as Json, canBe: properties as JsonObject, pointer: at },
          fits,
        )
      : messageMisfit(at, fits(value, schema as JsonObject, at));
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

function messageMisfit(pointer: string, message: string | undefined): FormMisfit | undefined {
  return message === undefined ? undefined : { pointer, message };
}

function unknown(noun: string, name: string, parent: string, known: readonly string[]): FormMisfit {
  const near = suggest(name, known);
  const help = near === undefined ? LISTED : `Did you mean ${near}?`;
  return { pointer: joinPointer(parent, name), message: `unknown ${noun}. ${help}`, known };
}

const LISTED = `What can be changed is listed by ${typed('assumptions')}`;

async function validator(): Promise<Fits> {
  // Loaded with the first override, because most mocks have none.
  const [{ Ajv2020 }, { findingsFrom }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('../schemas/schema-findings.ts'),
  ]);
  const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false });
  return (value, schema, pointer) => {
    const validate = ajv.compile(schema);
    if (validate(value)) return undefined;
    const [finding] = findingsFrom(validate.errors ?? [], value, { at: pointer });
    const { message = 'it is not a legal value', help } = finding ?? {};
    return help === undefined ? message : `${message}; ${help}`;
  };
}

function leavesOf(
  canBe: JsonObject,
  path: readonly string[],
): readonly { readonly path: readonly string[]; readonly schema: JsonObject }[] {
  return Object.entries(canBe).flatMap(([name, schema]) => {
    if (!isRecord(schema)) return [];
    const { properties } = schema;
    const here = [...path, name];
    return isRecord(properties)
      ? leavesOf(properties as JsonObject, here)
      : [{ path: here, schema: schema as JsonObject }];
  });
}

function valuesOf({ type, enum: closed, examples }: JsonObject): readonly Json[] {
  if (type === 'boolean') return [false, true];
  const values = closed ?? examples;
  return Array.isArray(values) ? (values as readonly Json[]) : [];
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
