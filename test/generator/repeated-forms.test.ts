import { expect, test } from 'vitest';
import { documentOf, filesOf, imported, textOf } from './generated.ts';

// Forms of large APIs repeat their parts. A server has each part once, for any number of places.

const text = { type: 'string' };
const address = {
  type: 'object',
  properties: { city: text, country: text, line1: text, line2: text, zip: { type: 'integer' } },
};
const person = {
  type: 'object',
  properties: { name: text, home: address, work: address, others: { type: 'array', items: address } },
};
const member = { style: 'deepObject', explode: true };
const operation = (operationId: string): object => ({
  post: {
    operationId,
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: { type: 'object', properties: { buyer: person, seller: person } },
          encoding: { buyer: member, seller: member },
        },
      },
    },
    responses: { '204': { description: 'Done.' } },
  },
});
const names = ['order', 'offer', 'amend', 'cancel'];
const document = documentOf({}, Object.fromEntries(names.map((name) => [`/${name}`, operation(name)])));

test('a part of forms that several operations have is printed once', async () => {
  const server = textOf(await filesOf(document, 'sample', { server: true }), 'sample/server.ts');
  expect(server.match(/line1: /g)).toHaveLength(1);
  expect(server.match(/reads: formType,/g)).toHaveLength(names.length);
});

test('each operation reads the parts with their types', async () => {
  const files = await filesOf(document, 'sample', { server: true });
  const module = (await imported(files, 'sample/server.ts')) as unknown as {
    createServer(handlers: object, options: object): (request: Request) => Promise<Response>;
  };
  const received: unknown[] = [];
  const handle = (input: unknown): object => (received.push(input), { status: 204 });
  const serve = module.createServer(Object.fromEntries(names.map((name) => [name, handle])), {
    authenticate: () => ({ id: 'ada' }),
  });
  const body = 'buyer[name]=Ada&buyer[home][zip]=5&seller[work][zip]=7&seller[work][city]=7';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const name of names)
    await serve(new Request(`http://localhost/${name}`, { method: 'POST', headers, body }));
  const buyer = { name: 'Ada', home: { zip: 5 } };
  const seller = { work: { zip: 7, city: '7' } };
  expect(received).toStrictEqual(names.map(() => ({ body: { buyer, seller } })));
});
