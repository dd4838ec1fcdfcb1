import { expect, test } from 'vitest';
import { compilerErrors, filesOf, imported, textOf } from './generated.ts';

const body = (schema: object): object => ({ content: { 'application/json': { schema } } });
const thing = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };

const document = {
  openapi: '3.1.0',
  info: { title: 'Sample', version: '1' },
  webhooks: {
    'thing.changed': {
      post: {
        summary: 'A thing changed',
        deprecated: true,
        requestBody: body({ $ref: '#/components/schemas/Thing' }),
        responses: { 204: { description: 'Taken' } },
      },
    },
    silent: { post: { responses: { 204: { description: 'Taken' } } } },
  },
  paths: {
    '/things': {
      post: {
        operationId: 'makeThing',
        callbacks: {
          done: { '{$request.body#/url}': { $ref: '#/components/pathItems/Done' } },
        },
        responses: { 202: { description: 'Begun' } },
      },
    },
    '/other-things': {
      post: {
        operationId: 'makeOther',
        callbacks: { done: { '{$request.query.url}': { $ref: '#/components/pathItems/Done' } } },
        responses: { 202: { description: 'Begun' } },
      },
    },
  },
  components: {
    pathItems: {
      Done: {
        post: {
          requestBody: body({ type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } }),
          responses: { 200: { description: 'Heard' } },
        },
      },
    },
    schemas: { Thing: thing },
  },
};

test('what a server sends by itself has a type and a guard; the same callback of two operations has one', async () => {
  const files = await filesOf(document);
  const types = textOf(files, 'sample/types.ts');
  expect(types).toContain('export type ThingChangedWebhook = Thing;');
  expect(types).toMatch(
    /A thing changed\n \*\n \* What the webhook `thing.changed` sends by POST.\n \* @deprecated/,
  );
  expect(types.match(/^export type \w*DoneCallback\w* /gm)).toStrictEqual(['export type DoneCallback ']);
  expect(types).not.toContain('SilentWebhook');
  const { isDoneCallbackBody } = await imported(files, 'sample/validators.ts');
  const isDone = isDoneCallbackBody as (value: unknown) => boolean;
  expect([isDone({ ok: true }), isDone({ ok: 1 })]).toStrictEqual([true, false]);
  expect(compilerErrors(files)).toStrictEqual([]);
});

test('a document of webhooks alone becomes types and guards', async () => {
  const { paths: _, ...alone } = document;
  const files = await filesOf(alone);
  expect(textOf(files, 'sample/types.ts')).toContain('export type ThingChangedWebhook = Thing;');
  expect(compilerErrors(files)).toStrictEqual([]);
});
