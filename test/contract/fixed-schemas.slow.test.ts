// @module-tag long
import SwaggerParser from '@apidevtools/swagger-parser';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../contract/model.ts';
import { validatorOf } from '../../contract/built-validators.ts';
import { packageRoot } from '../../contract/index.ts';

const documents = {
  '3.0': 'test/fixtures/documents/library.yaml',
  '3.1': 'specs/router.openapi.yaml',
} as const;

interface Slot {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

function slotsOf(value: unknown): readonly Slot[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...slotsOf(parent[key])]);
}

async function swaggerParserAccepts(api: JsonObject): Promise<boolean> {
  const copy = structuredClone(api) as unknown as Parameters<typeof SwaggerParser.validate>[0];
  return SwaggerParser.validate(copy, {
    resolve: { external: false, file: false, http: false },
    dereference: { circular: 'ignore', excludedPathMatcher: () => true },
    validate: { schema: true, spec: false },
  }).then(
    () => true,
    () => false,
  );
}

const change = fc.record({
  at: fc.nat(100_000),
  value: fc.constantFrom<Json>(null, true, -1, '', 'x', [], {}, { $ref: '#/x' }, [{}], { type: 'object' }),
  isRemoved: fc.boolean(),
});

test.each(['3.0', '3.1'] as const)(
  'the compiled schema of %s accepts what swagger-parser accepts',
  async (dialect) => {
    const text = readFileSync(join(packageRoot(), documents[dialect]), 'utf8');
    const openapi = `${dialect}.0`;
    const seen = new Set<boolean>();
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 2 }), async (changes) => {
        const root = { ...(parse(text) as JsonObject), openapi };
        for (const { at, value, isRemoved } of changes) {
          const slots = slotsOf(root).filter(({ parent }) => parent !== (root as unknown));
          const slot = slots[at % slots.length];
          if (slot === undefined) continue;
          if (isRemoved && !Array.isArray(slot.parent)) Reflect.deleteProperty(slot.parent, slot.key);
          else slot.parent[slot.key] = value;
        }
        const isValid = (await validatorOf(`OpenAPI ${dialect}`))(root);
        seen.add(isValid);
        expect(isValid).toBe(await swaggerParserAccepts(root));
      }),
      { seed: 7, numRuns: 40 },
    );
    expect([...seen].sort()).toStrictEqual([false, true]);
  },
);
