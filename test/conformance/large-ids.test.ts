import { expect, test } from 'vitest';
import { isBroken } from '../../cli/conform/kills.ts';
import { runConformance } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted } from './servers.ts';

const document = (parameter: string, format = ''): string => `openapi: 3.1.0
info: { title: Shelves, version: '1' }
paths:
  /shelves/{${parameter}}:
    get:
      operationId: getShelf
      parameters:
        - { name: ${parameter}, in: path, required: true, example: 7, schema: { type: integer${format} } }
      responses:
        '200': { description: found, content: { application/json: { schema: { type: object } } } }
        '404': { description: missing }
`;

async function judged(text: string, status: number): Promise<{ failed: string[]; targets: string[] }> {
  const targets: string[] = [];
  const { transport } = scripted(({ target }) => {
    targets.push(target);
    const [, , id = ''] = target.split('/');
    if (Number(id) > 2 ** 31) return { status };
    return id === '7'
      ? { status: 200, headers: { 'Content-Type': 'application/json' }, body: {} }
      : { status: 404 };
  });
  const contracts = [await own('shelves', text)];
  const { rules } = await runConformance({ contracts, baseUrl: 'http://localhost', transport });
  return { failed: rules.filter(isBroken).map(({ id }) => id), targets };
}

test.each([
  [500, ['document.getShelf.status']],
  [404, []],
  // A server that keeps 32 bits may say so.
  [400, []],
])('an id beyond 32 bits that gets %i', async (status, broken) => {
  expect((await judged(document('shelfId'), status)).failed).toEqual(broken);
});

test.each([
  ['an id of 32 bits', document('shelfId', ', format: int32')],
  ['an id with a maximum', document('shelfId', ', maximum: 1000')],
  ['a number that is no id', document('depth')],
])('%s is not tried', async (_, text) => {
  const { failed, targets } = await judged(text, 500);
  expect(failed).toEqual([]);
  expect(targets.some((target) => /\d{10}/.test(target))).toBe(false);
});
