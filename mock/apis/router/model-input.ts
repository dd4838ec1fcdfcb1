import { createRequire } from 'node:module';
import type { Ajv as AjvClass, ErrorObject, ValidateFunction } from 'ajv';
import type { EngineFinding } from '../../call/engine.ts';
import type { Call } from '../../call/call.ts';
import type { Model } from './catalogue.ts';
import type { Router } from './context.ts';
import { schemaComponents } from './models.ts';
import { isRecord } from '../../../contract/index.ts';
import { parsePointer } from '../../../contract/pointer.ts';

/** One faulty field, in the provider's own terms; `ctx` and `input` are absent if they would be empty. */
export interface InputFailure {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
  readonly input?: unknown;
}

/** The faults of an input by the schema of a model; empty for a model without a schema. */
export function inputFailures(
  _router: Router,
  _call: Call,
  model: Model,
  input: unknown,
): readonly InputFailure[] {
  if (!isRecord(input) || model.inputSchema === undefined) return [];
  const validate = validatorOf(model.inputSchema);
  return validate(input) ? [] : (validate.errors ?? []).map((error) => failureOf(error, input));
}

/**
 * The refusals of the provider of `mock/invalid-image`: pictures without data, and layers with an opacity above 1. It
 * refuses every input, so that any call shows the answer.
 */
export function providerFailures(input: unknown): readonly InputFailure[] {
  const { image, layers } = isRecord(input) ? input : {};
  const failures: InputFailure[] = [];
  if (image === undefined) failures.push({ loc: ['image'], msg: 'Field required', type: 'missing' });
  else if (typeof image !== 'string' || !image.startsWith('data:image/')) {
    failures.push({
      loc: ['image'],
      msg: 'The picture cannot be read',
      type: 'image_unreadable',
      input: image,
    });
  }
  if (Array.isArray(layers)) {
    layers.forEach((layer: unknown, index) => {
      const opacity = isRecord(layer) ? layer['opacity'] : undefined;
      if (typeof opacity !== 'number' || opacity <= 1) return;
      const loc = ['layers', index, 'opacity'];
      failures.push({
        loc,
        msg: 'Must be at most 1',
        type: 'less_than_equal',
        ctx: { le: 1 },
        input: opacity,
      });
    });
  }
  if (failures.length > 0) return failures;
  return [
    {
      loc: ['image'],
      msg: 'The picture is too small',
      type: 'image_too_small',
      ctx: { min_width: 64 },
      input: image,
    },
  ];
}

/** The same faults for the journal: their places in the body, with a description. */
export function inputFindings(failures: readonly InputFailure[]): EngineFinding[] {
  return failures.map(({ loc, msg, type }) => ({
    at: ['body', ...loc].join('.'),
    keyword: type,
    message: msg,
  }));
}

// --- internal ---

const validators = new WeakMap<object, ValidateFunction>();

let ajv: AjvClass | undefined;

/**
 * The schema documents declare 3.0 and use only keywords with the same meaning in JSON Schema (open point
 *
 */
function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  if (ajv === undefined) {
    // Loaded with the first run, not with the mock.
    const { Ajv } = createRequire(import.meta.url)('ajv') as { Ajv: typeof AjvClass };
    ajv = new Ajv({ allErrors: true, strict: false, verbose: true });
  }
  const validate = ajv.compile({ ...schema, components: { schemas: schemaComponents } });
  validators.set(schema, validate);
  return validate;
}

function failureOf(error: ErrorObject, input: unknown): InputFailure {
  const path = parsePointer(error.instancePath) ?? [];
  const missing =
    error.keyword === 'required' ? [(error.params as { missingProperty: string }).missingProperty] : [];
  const loc = [...path, ...missing].map((part, i, whole) =>
    isIndex(input, whole.slice(0, i)) ? Number(part) : part,
  );
  const msg = error.message ?? 'is not accepted';
  return missing.length > 0
    ? { loc, msg, type: 'missing' }
    : { loc, msg, type: error.keyword, ctx: { ...error.params }, input: error.data };
}

function isIndex(input: unknown, parent: readonly string[]): boolean {
  let value = input;
  for (const part of parent)
    value = isRecord(value) || Array.isArray(value) ? (value as never)[part] : undefined;
  return Array.isArray(value);
}
