import { expect, test } from 'vitest';
import { compilerErrors, documentOf, filesOf, textOf } from './generated.ts';

// What an operation takes is printed once, however many media types its body can have.

const note = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };
const file = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };
const document = documentOf(
  { Note: note },
  {
    '/notes/{id}': {
      put: {
        operationId: 'putNote',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'loud', in: 'query', description: 'Tells all.', schema: { type: 'boolean' } },
        ],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Note' } },
            'application/x.note+json': { schema: { $ref: '#/components/schemas/Note' } },
            'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/Note' } },
            'multipart/form-data': { schema: file },
          },
        },
        responses: { '204': { description: 'Done.' } },
      },
    },
    '/photo': {
      put: {
        operationId: 'putPhoto',
        requestBody: { required: true, content: { 'image/png': {}, 'image/jpeg': {} } },
        responses: { '204': { description: 'Done.' } },
      },
    },
  },
);

test('media types of one type of body are one choice, and parameters are beside the choices', async () => {
  const types = textOf(await filesOf(document), 'sample/types.ts').replace(/\s+/g, ' ');
  expect(types).toContain(
    "export type PutNoteParameters = { id: string; /** Tells all. */ loud?: boolean | undefined; } & ({ body?: PutNoteBody | undefined; contentType?: 'application/json' | 'application/x.note+json' | 'application/x-www-form-urlencoded' | undefined; } | { body: PutNoteRequestBody; contentType: 'multipart/form-data'; });",
  );
  expect(types).toContain(
    "export type PutPhotoParameters = { body: PutPhotoBody; contentType?: 'image/png' | 'image/jpeg' | undefined; };",
  );
});

test('the compiler refuses another body than that of the media type', async () => {
  const use = {
    path: 'use.ts',
    text: `import { connect, putNote, putPhoto } from './sample/index.js';
const connection = connect({ baseUrl: 'http://localhost' });
const id = 'a';
await putNote(connection, { id });
await putNote(connection, { id, loud: true, body: { text: '' } });
await putNote(connection, { id, body: { text: '' }, contentType: 'application/x-www-form-urlencoded' });
await putNote(connection, { id, body: { file: new Blob([]) }, contentType: 'multipart/form-data' });
await putPhoto(connection, { body: new Blob([]), contentType: 'image/jpeg' });
// @ts-expect-error: a file is sent in parts
await putNote(connection, { id, body: { file: new Blob([]) } });
// @ts-expect-error: a text has no parts
await putNote(connection, { id, body: { text: '' }, contentType: 'multipart/form-data' });
// @ts-expect-error: the parameter of the path is missing
await putNote(connection, { body: { text: '' } });
// @ts-expect-error: no such media type is taken
await putPhoto(connection, { body: new Blob([]), contentType: 'image/gif' });
`,
  };
  expect(compilerErrors([...(await filesOf(document)), use])).toStrictEqual([]);
});
