import fc from 'fast-check';
import { anyText, json, listOf, type Member, objectOf, scalar, type Shape } from './shapes.ts';
import type { Names } from './parameters.ts';

/** What travels under one media type. */
export interface RandomContent {
  readonly mediaType: string;
  /** As the document has it. */
  readonly described: object;
  readonly bodyFormat: 'json' | 'text' | 'binary' | 'form' | 'multipart' | 'items' | 'events';
  readonly sent: fc.Arbitrary<unknown>;
  readonly answered: fc.Arbitrary<unknown>;
}

export const bytes: fc.Arbitrary<Blob> = fc
  .uint8Array({ maxLength: 20 })
  .map((some) => new Blob([new Uint8Array(some)]));

export function randomBody(g: fc.GeneratorValue, names: Names): RandomContent {
  const kind = g(
    fc.constantFrom,
    'json',
    'json',
    'text',
    'binary',
    'form',
    'form',
    'multipart',
    'multipart',
    'items',
  );
  switch (kind) {
    case 'form':
      return form(g, names);
    case 'multipart':
      return multipart(g, names);
    default:
      return plainContent(g, kind as 'json');
  }
}

export function randomAnswer(g: fc.GeneratorValue): RandomContent {
  return plainContent(
    g,
    g(fc.constantFrom, 'json', 'json', 'json', 'text', 'binary', 'items', 'events') as 'json',
  );
}

// --- internal ---

function plainContent(
  g: fc.GeneratorValue,
  bodyFormat: 'json' | 'text' | 'binary' | 'items' | 'events',
): RandomContent {
  const mediaType = g(fc.constantFrom, ...TYPES[bodyFormat]);
  if (bodyFormat === 'text')
    return content(mediaType, bodyFormat, { schema: { type: 'string' }, sent: anyText, answered: anyText });
  if (bodyFormat === 'binary')
    return content(mediaType, bodyFormat, {
      schema: { type: 'string', format: 'binary' },
      sent: bytes,
      answered: bytes,
    });
  const found = g(json, 2);
  // A client leaves events whose data is any text to its caller, as the bytes that they are.
  const isRaw = bodyFormat === 'events' && 'type' in found.schema && found.schema.type === 'string';
  const shape = isRaw ? listOf(found) : found;
  if (bodyFormat === 'json') return content(mediaType, bodyFormat, shape);
  // The schema of what arrives item by item is that of an item; where it is a list, the whole has to say so.
  const list = listOf(shape, 0);
  return content(
    mediaType,
    bodyFormat,
    'type' in shape.schema && shape.schema.type === 'array' ? list : { ...list, schema: shape.schema },
  );
}

const TYPES = {
  json: ['application/json', 'application/json; charset=utf-8', 'application/vnd.x.y+json'],
  text: ['text/plain', 'text/csv', 'application/xml'],
  binary: ['application/octet-stream', 'image/png'],
  items: ['application/jsonl', 'application/x-ndjson', 'application/json-seq'],
  events: ['text/event-stream'],
} as const;

function content(
  mediaType: string,
  bodyFormat: RandomContent['bodyFormat'],
  { schema, sent, answered }: Shape,
  more: object = {},
): RandomContent {
  return { mediaType, bodyFormat, described: { schema, ...more }, sent, answered };
}

function form(g: fc.GeneratorValue, names: Names): RandomContent {
  const encoding: Record<string, object> = {};
  const members = Array.from({ length: g(fc.integer, { min: 1, max: 4 }) }, (): Member => {
    const name = names.take();
    const kind = g(
      fc.constantFrom,
      'plain',
      'plain',
      'list',
      'object',
      'objects',
      'csv',
      'deep',
      'spread',
      'whole',
    );
    const encoded = ENCODINGS[kind];
    if (encoded !== undefined) Object.defineProperty(encoding, name, { value: encoded, enumerable: true });
    return { name, shape: formMember(g, names, kind), required: g(fc.boolean) };
  });
  return content('application/x-www-form-urlencoded', 'form', objectOf(members), { encoding });
}

const ENCODINGS: Readonly<Record<string, object>> = {
  csv: { style: 'form', explode: false },
  deep: { style: 'deepObject', explode: true },
  spread: { style: 'form', explode: true },
  whole: { contentType: 'application/json' },
};

function formMember(g: fc.GeneratorValue, names: Names, kind: string): Shape {
  switch (kind) {
    case 'plain':
      return g(scalar);
    case 'list':
      return listOf(g(scalar));
    case 'csv':
      // Where no comma is plain, the server takes encoded ones for delimiters, as most clients send them.
      return listOf(g(scalar, (text) => text !== '' && !text.includes(',')));
    case 'objects':
      return listOf(pair(g, names));
    case 'whole':
      return listOf(g(scalar));
    default:
      return pair(g, names);
  }
}

function pair(g: fc.GeneratorValue, names: Names): Shape {
  return objectOf([{ name: names.take(), shape: g(scalar), required: g(fc.boolean) }]);
}

function multipart(g: fc.GeneratorValue, names: Names): RandomContent {
  const members = Array.from({ length: g(fc.integer, { min: 1, max: 4 }) }, (): Member => {
    const kind = g(fc.constantFrom, 'plain', 'list', 'object', 'objects', 'file', 'files');
    const file: Shape = { schema: { type: 'string', format: 'binary' }, sent: bytes, answered: bytes };
    const shape = kind === 'file' ? file : kind === 'files' ? listOf(file) : formMember(g, names, kind);
    return { name: names.take(), shape, required: g(fc.boolean) };
  });
  return content('multipart/form-data', 'multipart', objectOf(members));
}
