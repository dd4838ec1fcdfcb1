import fc from 'fast-check';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { ValidateFunction } from 'ajv';
import type { validatorOf as ValidatorOf } from '../../contract/built-validators.ts';
import { fixedSchemas, type FixedSchemaName } from '../../contract/judge/fixed-schemas.ts';
import type { Json, JsonObject } from '../../contract/model.ts';
import { parseText } from '../../contract/text/parse.ts';
import { errorsBySwaggerParser } from '../../contract/document/swagger-parser-errors.ts';
import { root } from './command.ts';

const built = join(root, 'dist/contract/validators');

/** A value of which parts are replaced, for each of the schemas. */
const starts: Readonly<Record<FixedSchemaName, string>> = {
  'OpenAPI 3.0': 'test/fixtures/documents/library.yaml',
  'OpenAPI 3.1': 'specs/jobs.openapi.yaml',
  'OpenAPI 3.0, every error': 'test/fixtures/documents/library.yaml',
  'OpenAPI 3.1, every error': 'specs/jobs.openapi.yaml',
  'JSON Schema': 'specs/behaviour.schema.json',
  'JSON Schema, with formats': 'specs/behaviour.schema.json',
  'behaviour sheet': 'specs/jobs.behaviour.yaml',
};

let validatorOf: typeof ValidatorOf;
beforeAll(async () => {
  const module = pathToFileURL(join(root, 'dist/contract/built-validators.js')).href;
  ({ validatorOf } = (await import(module)) as { readonly validatorOf: typeof ValidatorOf });
});

test('each schema has a built validator, and no validator is left of an older one', () => {
  expect(readdirSync(built)).toHaveLength(Object.keys(fixedSchemas).length);
});

test.each(Object.keys(starts) as FixedSchemaName[])(
  'the built validator of %s finds the same faults as one that is compiled at run time',
  async (name) => {
    const [shipped, compiled] = [await validatorOf(name), await compile(name)];
    const value = valueIn(starts[name]);
    expect(resultOf(shipped, value)).toStrictEqual({ ...resultOf(compiled, value), isValid: true });
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const changed = structuredClone(value);
        for (const one of changes) apply(one, changed);
        const expected = resultOf(compiled, changed);
        seen.add(expected.isValid);
        expect(resultOf(shipped, changed)).toStrictEqual(expected);
      }),
    );
    expect([...seen].sort()).toStrictEqual([false, true]);
  },
);

test.each(['OpenAPI 3.0, every error', 'OpenAPI 3.1, every error'] as const)(
  'the built validator of %s finds the same errors as swagger-parser',
  async (name) => {
    const shipped = await validatorOf(name);
    const value = valueIn(starts[name]);
    let faulty = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const changed = structuredClone(value);
        for (const one of changes) apply(one, changed);
        // swagger-parser throws for a document without these before it validates anything.
        changed['openapi'] = value['openapi'] ?? '';
        changed['info'] = value['info'] ?? {};
        changed['paths'] ??= {};
        const { errors } = resultOf(shipped, changed);
        if (errors.length > 1) faulty += 1;
        expect(errors).toStrictEqual(structuredClone(await errorsBySwaggerParser(structuredClone(changed))));
      }),
      // swagger-parser compiles its schema each time.
      { numRuns: 25 },
    );
    expect(faulty).toBeGreaterThan(0);
  },
);

function valueIn(file: string): Record<string, Json> {
  const parsed = parseText(file, readFileSync(join(root, file), 'utf8'));
  if (!parsed.ok) throw new Error(`${file} cannot be read`);
  return parsed.value as Record<string, Json>;
}

async function compile(name: FixedSchemaName): Promise<ValidateFunction> {
  const { schema, ajv } = fixedSchemas[name];
  return (await ajv()).compile(await schema());
}

/** The value too: a validator can fill in defaults. */
function resultOf(
  validate: ValidateFunction,
  given: JsonObject,
): { readonly isValid: boolean; readonly errors: readonly object[]; readonly value: JsonObject } {
  const value = structuredClone(given);
  const isValid = validate(value);
  return { isValid, errors: structuredClone(validate.errors ?? []), value };
}

const change = fc.record({
  at: fc.nat(100_000),
  value: fc.constantFrom<Json>(null, true, -1, '', 'x', [], {}, { $ref: '#/x' }, [{}], { type: 'object' }),
  isRemoved: fc.boolean(),
});

type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

function apply({ at, value, isRemoved }: Change, root: JsonObject): void {
  const places = placesIn(root);
  const place = places[at % places.length];
  if (place === undefined) return;
  if (isRemoved && !Array.isArray(place.parent)) Reflect.deleteProperty(place.parent, place.key);
  else place.parent[place.key] = structuredClone(value);
}

function placesIn(
  value: unknown,
): readonly { readonly parent: Record<string, unknown>; readonly key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesIn(parent[key])]);
}
