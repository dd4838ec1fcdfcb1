import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { joinPointer } from '../../contract/pointer.ts';

const folder = mkdtempSync(join(tmpdir(), 'wild-references-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
  readonly pointer: string;
}

/** Every object and list in a document. */
function placesIn(value: object, pointer = ''): Place[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (typeof inner !== 'object' || inner === null) return [];
    const at = joinPointer(pointer, name);
    return [{ holder: value as Record<string, unknown>, name, pointer: at }, ...placesIn(inner, at)];
  });
}

interface Change {
  readonly at: number;
  readonly to: number;
  readonly leads: 'anywhere' | 'around' | 'inside' | 'to what was here';
  readonly isBeside: boolean;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  to: fc.nat(),
  leads: fc.constantFrom('anywhere', 'around', 'inside', 'to what was here'),
  isBeside: fc.boolean(),
});

/** Puts a reference to a place, beside or instead of what was there. */
function putReference(root: object, { at, to, leads, isBeside }: Change): void {
  const places = placesIn(root);
  const place = places[at % places.length];
  if (place === undefined) return;
  const before = place.holder[place.name] as object;
  const parts = place.pointer.split('/');
  const targets = {
    anywhere: places.map(({ pointer }) => pointer),
    around: parts.map((_, index) => parts.slice(0, index + 1).join('/')),
    inside: placesIn(before, place.pointer).map(({ pointer }) => pointer),
    'to what was here': [joinPointer(place.pointer, 'was')],
  }[leads];
  const $ref = `#${targets[to % Math.max(1, targets.length)] ?? ''}`;
  place.holder[place.name] = isBeside && !Array.isArray(before) ? { $ref, ...before } : { $ref, was: before };
}

const ok = { description: 'ok' };
const a = { $ref: '#/components/schemas/A' };
const json = { 'application/json': { schema: a, examples: { e: { value: 1 } } } };
const encoding = { f: { contentType: 'a/b', headers: { H: { schema: { type: 'string' } } } } };

/** One of each kind of object that can hold or be a reference. */
const document = {
  openapi: '3.1.0',
  info: { title: 't', version: '1' },
  servers: [{ url: '/', variables: { v: { default: 'x', enum: ['x'] } } }],
  tags: [{ name: 't' }],
  security: [{ k: [] }],
  paths: {
    '/a/{i}': {
      parameters: [{ $ref: '#/components/parameters/P' }],
      post: {
        tags: ['t'],
        parameters: [{ name: 'q', in: 'query', content: json }],
        requestBody: { $ref: '#/components/requestBodies/B' },
        responses: {
          200: { $ref: '#/components/responses/R' },
          default: {
            ...ok,
            headers: { H: { $ref: '#/components/headers/H' } },
            links: { L: { operationId: 'x' } },
          },
        },
        callbacks: { C: { '{$request.body}': { post: { responses: { 200: ok } } } } },
      },
    },
  },
  components: {
    parameters: { P: { name: 'i', in: 'path', required: true, schema: { type: 'string' } } },
    schemas: {
      A: {
        type: 'object',
        required: ['b'],
        properties: {
          b: { $ref: '#/components/schemas/B' },
          n: { oneOf: [a, { type: 'string', enum: ['x'] }] },
        },
        discriminator: { propertyName: 'b', mapping: { x: '#/components/schemas/A' } },
      },
      B: { type: 'array', items: { allOf: [a] }, examples: [[1]] },
    },
    requestBodies: { B: { content: { ...json, 'multipart/form-data': { schema: a, encoding } } } },
    responses: { R: { ...ok, content: json } },
    headers: { H: { schema: { type: 'integer' } } },
    securitySchemes: { k: { type: 'apiKey', in: 'header', name: 'k' } },
  },
};

test('a document with references from anywhere to anywhere is read to an end, or refused with places', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const root = structuredClone(document);
      for (const one of changes) putReference(root, one);
      writeFileSync(join(folder, 'wild.json'), JSON.stringify(root));
      const loaded = await loadContract({ document: 'wild.json', cwd: folder });
      const diagnostics = loaded.ok ? loaded.warnings : loaded.diagnostics;
      for (const { code, message, location } of diagnostics)
        if (code !== 'too-many-problems') expect(location, `${code}: ${message}`).toBeDefined();
      // JSON.stringify throws if the document contains itself.
      if (loaded.ok) expect(JSON.stringify(loaded.contract.document.root)).not.toBe('');
      expect(loaded.ok || diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
    }),
    { numRuns: 80 },
  );
});
