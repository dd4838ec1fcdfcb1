import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../../contract/index.ts';
import type { ContractEngine } from '../../mock/call/engine.ts';
import { prismEngine } from '../../mock/prism/engine.ts';

/** An operation with a body, a query parameter and a response that have costly patterns. */
const document = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      post: {
        operationId: 'order',
        parameters: [{ name: 'q', in: 'query', schema: { type: 'string', pattern: '^(q+)+$' } }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  exponential: { type: 'string', pattern: '^(a+)+$' },
                  unproven: { type: 'string', pattern: '^(b|bb)+$' },
                  quadratic: { type: 'string', pattern: 'c+$' },
                  harmless: { type: 'string', pattern: '^d+$' },
                },
                patternProperties: { '^(e+)+$': { type: 'string' } },
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'ok',
            content: {
              'application/json': {
                schema: { type: 'object', properties: { name: { type: 'string', pattern: '^(f+)+$' } } },
              },
            },
          },
        },
      },
    },
  },
};

async function engineOf(): Promise<ContractEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'costly-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'orders.json'), JSON.stringify(document));
  const loaded = await loadContract({ document: 'orders.json', cwd: folder });
  if (!loaded.ok) throw new Error('the document is valid');
  expect(
    loaded.warnings.map(({ code, pointer }) => `${code} ${String(pointer?.split('/').at(-2))}`).sort(),
  ).toEqual(['exponential', 'name', 'patternProperties', 'schema'].map((at) => `pattern-costly ${at}`));
  return prismEngine(loaded.contract);
}

const posted = (body: unknown, q?: string) => ({
  method: 'post',
  path: '/orders',
  query: q === undefined ? [] : [{ name: 'q', value: q }],
  headers: { 'content-type': 'application/json' },
  body,
  bodyText: JSON.stringify(body),
});

const almost = (letter: string, length = 60): string => `${letter.repeat(length)}!`;

test('a value that a costly pattern cannot be checked for within bounds is refused, and the pattern is named', async () => {
  const engine = await engineOf();
  const messages = (body: unknown, q?: string) =>
    engine.checkRequest('order', posted(body, q)).map(({ message }) => message);
  const given = (pattern: string): string[] => [
    `the pattern ${pattern} is too costly to check for this value`,
  ];

  expect(messages({ exponential: almost('a') })).toStrictEqual(given('^(a+)+$'));
  expect(messages({ unproven: almost('b', 200) })).toStrictEqual(given('^(b|bb)+$'));
  expect(messages({ quadratic: almost('c', 2_000_000) })).toStrictEqual(given('c+$'));
  expect(messages({ [almost('e')]: '' })).toStrictEqual(given('^(e+)+$'));
  expect(messages({}, almost('q'))).toStrictEqual(given('^(q+)+$'));
  const body = { name: almost('f') };
  const response = {
    status: 200,
    headers: [['content-type', 'application/json']] as [string, string][],
    body,
  };
  expect(engine.checkResponse('order', response).map(({ message }) => message)).toStrictEqual(
    given('^(f+)+$'),
  );
});

test('other values are judged by the same patterns as ever', async () => {
  const engine = await engineOf();
  const places = (body: unknown) => engine.checkRequest('order', posted(body)).map(({ at }) => at);
  expect(places({ exponential: 'aaa', unproven: 'bbb', quadratic: 'ccc', harmless: 'ddd' })).toStrictEqual(
    [],
  );
  expect(places({ exponential: 'x', unproven: 'x', quadratic: 'x', harmless: 'x' })).toStrictEqual([
    'body.exponential',
    'body.unproven',
    'body.quadratic',
    'body.harmless',
  ]);
});
