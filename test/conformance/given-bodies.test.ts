import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Fixtures } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted } from './servers.ts';

const documentOf = (types: readonly string[]): string => `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    post:
      operationId: addNote
      requestBody:
        required: true
        content:
${types.map((type) => `          ${type}: { schema: { type: ${type.startsWith('text') ? 'string' : 'object'} } }`).join('\n')}
      responses: { '201': { description: Made. } }
`;

const parts = (boundary: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="text"\r\n\r\nhello\r\n--${boundary}--\r\n`;

test.each<[readonly string[], NonNullable<Fixtures['bodies']>[string], string]>([
  [['application/json'], { text: 'hello' }, 'application/json'],
  [['application/json', 'text/plain'], { text: 'hello' }, 'application/json'],
  [['application/json', 'text/plain'], 'hello', 'text/plain'],
  [
    ['application/json', 'application/x-www-form-urlencoded'],
    'text=a+b&text=c',
    'application/x-www-form-urlencoded',
  ],
  [['application/json', 'application/xml'], '<note/>', 'application/xml'],
  [['multipart/form-data'], parts('of-the-user'), 'multipart/form-data; boundary=of-the-user'],
  [['multipart/form-data'], parts('of: user'), 'multipart/form-data; boundary="of: user"'],
])('of %j a body is sent as it is given: %j', async (types, body, mediaType) => {
  const sent = new Set<string>();
  await runConformance({
    contracts: [await own('notes', documentOf(types))],
    baseUrl: 'http://localhost',
    allow: ['writes'],
    rules: ['document.addNote.answer'],
    fixtures: { bodies: { addNote: body } },
    transport: scripted((request) => {
      const { method, target } = request;
      if (method !== 'POST' || target !== '/notes') return { status: 404 };
      // The same JSON over many lines is no other body.
      if (
        Buffer.from(request.body ?? [])
          .toString()
          .startsWith('\n')
      )
        return { status: 201 };
      sent.add(`${headerIn(request, 'Content-Type') ?? ''} ${Buffer.from(request.body ?? []).toString()}`);
      return { status: 201 };
    }).transport,
  });
  expect([...sent]).toEqual([`${mediaType} ${typeof body === 'string' ? body : JSON.stringify(body)}`]);
});
