import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import { createMock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { own } from '../mock/own-document.ts';
import { scripted } from './servers.ts';

/** Bodies of several parts that are no forms. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Files, version: '1' }
paths:
  /mixed:
    post:
      operationId: sendMixed
      requestBody:
        required: true
        content:
          multipart/mixed:
            schema:
              type: object
              required: [meta, data]
              properties:
                note: { type: string }
                meta: { type: object, required: [id], properties: { id: { type: integer } } }
                data: { type: string, contentMediaType: image/png }
      responses: { '204': { description: Done. }, '400': { description: Bad. } }
  /related:
    post:
      operationId: sendRelated
      requestBody:
        required: true
        content:
          multipart/related:
            schema:
              type: object
              required: [meta, data]
              properties: { meta: { type: object }, data: { type: string, format: binary } }
      responses: { '204': { description: Done. }, '400': { description: Bad. } }
  /batch:
    post:
      operationId: sendBatch
      requestBody:
        required: true
        content:
          multipart/mixed: { schema: { type: array, minItems: 2, items: { type: object, required: [id], properties: { id: { type: integer } } } } }
      responses: { '204': { description: Done. }, '400': { description: Bad. } }
  /xml:
    post:
      operationId: sendXml
      requestBody: { required: true, content: { application/xml: { schema: { type: object } } } }
      responses: { '204': { description: Done. } }
`;

const options = async () => ({
  contracts: [await own('files', DOCUMENT)],
  baseUrl: 'http://localhost',
  allow: ['writes', 'negatives'],
  fixtures: { writes: ['sendMixed', 'sendRelated', 'sendBatch'] },
});

test('bodies of several parts are sent as their media type says', async () => {
  const bodies: Record<string, string> = {};
  const { transport } = scripted(({ target, headers, body }) => {
    const type = headers.find(([name]) => name === 'Content-Type')?.[1] ?? '';
    if (type.startsWith('multipart/')) bodies[target] ??= `${type}\n${new TextDecoder().decode(body)}`;
    return { status: 204 };
  });
  await runConformance({ ...(await options()), transport } as Parameters<typeof runConformance>[0]);
  expect(bodies['/mixed']?.split(/\r?\n/)).toStrictEqual([
    'multipart/mixed; boundary=tallystick-5b1f0c94e27a',
    '--tallystick-5b1f0c94e27a',
    'Content-Disposition: form-data; name="meta"',
    'Content-Type: application/json',
    '',
    '{"id":1}',
    '--tallystick-5b1f0c94e27a',
    'Content-Disposition: form-data; name="data"; filename="tallystick.bin"',
    'Content-Type: image/png',
    '',
    'text',
    '--tallystick-5b1f0c94e27a--',
    '',
  ]);
  expect(bodies['/related']).toMatch(/^multipart\/related; type="application\/json"; boundary=/);
  expect(bodies['/batch']?.match(/name="id"/g)).toHaveLength(2);
});

test('the mock of the same document takes them, and refuses what the suite breaks in them', async () => {
  const given = await options();
  const mock = createMock({ contracts: given.contracts });
  await mock.ready();
  const report = await runConformance({ ...given, transport: inProcess(mock.handle) } as Parameters<
    typeof runConformance
  >[0]);
  mock.close();
  const verdicts = Object.fromEntries(report.rules.map(({ id, verdict, reason }) => [id, reason ?? verdict]));
  expect(verdicts).toMatchObject({
    'document.sendMixed.answer': 'pass',
    'document.sendMixed.bad-body': 'pass',
    'document.sendRelated.answer': 'pass',
    'document.sendRelated.bad-body': 'pass',
    'document.sendRelated.media-type': 'pass',
    'document.sendBatch.answer': 'pass',
  });
});

test('a body of a type that is not made up is asked for, and sent as it is given', async () => {
  const bodies: string[] = [];
  const { transport } = scripted(({ target, body }) => {
    if (target === '/xml') bodies.push(new TextDecoder().decode(body));
    return { status: 204 };
  });
  const judge = async (fixtures: object) =>
    (
      await runConformance({ ...(await options()), fixtures, transport } as Parameters<
        typeof runConformance
      >[0])
    ).rules.find(({ id }) => id === 'document.sendXml.status');
  const without = await judge({ writes: ['sendXml'] });
  expect([without?.reason, without?.missing]).toStrictEqual([
    'needs a body for sendXml: none is made up in application/xml, so give its text',
    'bodies.sendXml',
  ]);
  expect(bodies).toStrictEqual([]);
  expect((await judge({ bodies: { sendXml: '<order/>' } }))?.verdict).toBe('pass');
  expect(bodies).toStrictEqual(['<order/>']);
});
