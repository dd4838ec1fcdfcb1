// @module-tag long
import { expect, test } from 'vitest';
import { compilerErrors, documentOf, filesOf } from './generated.ts';

// The compiler refuses each wrong call, and each wrong use of an answer. Every line that compiles without its mark fails.

const text = { type: 'string' };
const note = { type: 'object', required: ['text'], additionalProperties: false, properties: { text } };
const problem = { type: 'object', required: ['title'], properties: { title: text } };
const json = (schema: object): object => ({ 'application/json': { schema } });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const described = documentOf(
  {
    Note: note,
    Problem: problem,
    Saved: {
      type: 'object',
      required: ['id', 'text'],
      properties: { id: { ...text, readOnly: true }, text },
    },
    Cat: {
      type: 'object',
      required: ['kind', 'lives'],
      properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
    },
    Dog: {
      type: 'object',
      required: ['kind', 'tricks'],
      properties: { kind: { const: 'dog' }, tricks: text },
    },
  },
  {
    '/notes/{id}': {
      get: {
        operationId: 'readNote',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'view', in: 'query', schema: { type: 'string', enum: ['short', 'long'] } },
          { name: 'tags', in: 'query', schema: { type: 'array', items: text } },
        ],
        responses: {
          '200': {
            description: 'Here.',
            headers: {
              'X-Version': { required: true, schema: { type: 'integer' } },
              'X-Rare': { schema: text },
            },
            content: json(ref('Note')),
          },
          '202': {
            description: 'Later.',
            content: json({ type: 'object', properties: { wait: { type: 'integer' } } }),
          },
          '204': { description: 'Nothing.' },
          '404': { description: 'No.', content: json(ref('Problem')) },
        },
      },
      put: {
        operationId: 'saveNote',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        requestBody: {
          required: true,
          content: { ...json(ref('Saved')), 'text/plain': { schema: text }, 'image/png': {} },
        },
        responses: { '200': { description: 'Saved.', content: json(ref('Saved')) } },
      },
    },
    '/pets': {
      get: {
        operationId: 'readPet',
        responses: {
          '200': {
            description: 'One.',
            content: json({ oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } }),
          },
        },
      },
    },
  },
) as { readonly components: object };
const document = {
  ...described,
  components: {
    ...described.components,
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
  servers: [
    { url: 'https://{region}.example.com', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } },
  ],
  security: [{ key: [] }],
};

/** What is wrong, and the code: by default the arguments are those of a client called `api`. */
const wrong: readonly (readonly [what: string, code: string])[] = [
  ['a call without its parameters', 'await api.readNote();'],
  ['a parameter of a path that is left out', "await api.readNote({ view: 'short' });"],
  ['a parameter of another type', "await api.readNote({ id: 'one' });"],
  ['a value outside of an enum', "await api.readNote({ id: 1, view: 'wide' });"],
  ['one text for a list', "await api.readNote({ id: 1, tags: 'a' });"],
  ['a parameter that does not exist', 'await api.readNote({ id: 1, page: 2 });'],
  ['a body where none is taken', "await api.readNote({ id: 1, body: { text: '' } });"],
  ['a body that is left out', 'await api.saveNote({ id: 1 });'],
  ['a member of another type', 'await api.saveNote({ id: 1, body: { text: 1 } });'],
  ['a member that is left out', 'await api.saveNote({ id: 1, body: {} });'],
  ['a member that only the server sets', "await api.saveNote({ id: 1, body: { id: 'a', text: '' } });"],
  ['a media type that is not taken', "await api.saveNote({ id: 1, body: '', contentType: 'text/html' });"],
  [
    'the body of another media type',
    "await api.saveNote({ id: 1, body: { text: '' }, contentType: 'text/plain' });",
  ],
  ['text for bytes', "await api.saveNote({ id: 1, body: 'text', contentType: 'image/png' });"],
  ['an option that does not exist', 'await api.readNote({ id: 1 }, { timeOut: 5 });'],
  ['an operation that does not exist', 'await api.readNotes({ id: 1 });'],
  ['a status that is not declared', 'if ((await api.readNote({ id: 1 })).status === 201) used();'],
  ['the status of an error among the answers', 'if ((await api.readNote({ id: 1 })).status === 404) used();'],
  ['a body before its status is known', 'used((await api.readNote({ id: 1 })).data.text);'],
  [
    'the body of another status',
    'const a = await api.readNote({ id: 1 }); if (a.status === 202) used(a.data.text);',
  ],
  [
    'a member of no body',
    'const a = await api.readNote({ id: 1 }); if (a.status === 204) used(a.data.text);',
  ],
  [
    'a header of another status',
    "const a = await api.readNote({ id: 1 }); if (a.status === 204) { const v: string = a.headers.get('X-Version'); used(v); }",
  ],
  [
    'a header that may be missing',
    "const a = await api.readNote({ id: 1 }); if (a.status === 200) { const v: string = a.headers.get('X-Rare'); used(v); }",
  ],
  ['a member of one of two kinds', 'used((await api.readPet()).data.lives);'],
  [
    'a member of the other kind',
    "const { data } = await api.readPet(); if (data.kind === 'cat') used(data.tricks);",
  ],
  ['a kind that does not exist', "const { data } = await api.readPet(); if (data.kind === 'cow') used();"],
  ['a server that does not exist', "createSample({ variables: { region: 'mars' } });"],
  ['a credential that does not exist', "createSample({ credentials: { token: 'a' } });"],
  [
    'an error whose body is any',
    'try { used(); } catch (error) { if (error instanceof NotFoundError) used(error.body.anything.goes); }',
  ],
  ['a status that an operation does not fail with', 'used(readNoteFailure(new Error(), 409));'],
  ['a member that a failure does not have', 'used(readNoteFailure(new Error(), 404)?.body.text);'],
  [
    'a handler that answers another status',
    "handle({ readNote: () => ({ status: 201, body: { text: '' } }) });",
  ],
  [
    'a handler that answers another body',
    'handle({ readNote: () => ({ status: 200, headers: { "X-Version": "1" }, body: { title: "" } }) });',
  ],
  [
    'a handler that leaves a required header out',
    "handle({ readNote: () => ({ status: 200, body: { text: '' } }) });",
  ],
  [
    'a handler that reads a parameter of no request',
    "handle({ readNote: ({ page }) => ({ status: 204, headers: { 'X-Page': page } }) });",
  ],
  ['a handler without an operation', 'createServer({}, options);'],
];

/** The same calls as they should be. */
const right = `
await api.readNote({ id: 1, view: 'short', tags: ['a'] }, { signal: AbortSignal.timeout(5) });
await api.saveNote({ id: 1, body: { text: '' } });
await api.saveNote({ id: 1, body: '', contentType: 'text/plain' });
await api.saveNote({ id: 1, body: new Blob([]), contentType: 'image/png' });
const answer = await api.readNote({ id: 1 });
if (answer.status === 200) used(answer.data.text, answer.headers.get('X-Version').length);
if (answer.status === 202) used(answer.data.wait);
const { data: pet } = await api.readPet();
used(pet.kind === 'cat' ? pet.lives : pet.tricks, readNoteFailure(new Error(), 404)?.body.title);
createSample({ variables: { region: 'us' }, credentials: { key: 'a' } });
handle({ readNote: ({ id }) => (id === 1 ? { status: 204 } : { status: 200, headers: { 'X-Version': '1' }, body: { text: '' } }) });
`;

const head = `import { createSample, NotFoundError } from './sample/index.js';
import { readNoteFailure } from './sample/failures.js';
import { createServer } from './sample/server.js';
const api = createSample();
declare const used: (...values: unknown[]) => void;
declare const options: Parameters<typeof createServer>[1];
const handle = (some: Partial<Parameters<typeof createServer>[0]>): void => used(some);
`;

test(`the compiler refuses ${String(wrong.length)} wrong uses, and accepts the right ones`, async () => {
  const files = await filesOf(document, 'sample', { server: true });
  const marked = wrong.map(([what, code]) => `{\n// @ts-expect-error: ${what}\n${code}\n}\n`);
  const use = { path: 'use.ts', text: `${head}${marked.join('')}${right}` };
  const lines = use.text.split('\n');
  const said = compilerErrors([...files, use]).map((error) => {
    const [, line = ''] = /^use\.ts:(\d+) Unused/.exec(error) ?? [];
    return line === '' ? error : (lines[Number(line) - 1] ?? '');
  });
  expect(said).toStrictEqual([]);
});
