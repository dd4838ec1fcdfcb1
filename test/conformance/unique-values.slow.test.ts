import { beforeAll, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { pause } from '../until.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.0.3
info: { title: Editions, version: '1' }
paths:
  /books:
    post:
      operationId: addBook
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [title], properties: { title: { type: string } } } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: string } } } } } }, '400': { description: no } }
  /books/{bookId}/editions:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: string } }]
    post:
      operationId: addEdition
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [number, pages], properties: { number: { type: string, example: '1.0.0' }, pages: { type: integer, minimum: 1 } } } } }
      responses: { '201': { description: ok }, '400': { description: no }, '404': { description: no } }
`;

const SHEET = `
api: editions
contract: '1'
document: 1
policies:
  - { kind: uniqueness, operations: [addEdition], member: number, within: [bookId]STATED }
rules: []
unspecified: []
`;

const CODED = SHEET.replace('STATED', ', refusal: { status: 409, bucket: taken }').replace(
  'rules:',
  `  - { kind: error-codes, code: code, message: message, codes: [{ name: taken }], roles: {} }
rules:`,
);

let silent: Contract;
let stated: Contract;
let coded: Contract;
beforeAll(async () => {
  silent = await own('editions', DOCUMENT, SHEET.replace('STATED', ''));
  stated = await own('editions', DOCUMENT, SHEET.replace('STATED', ', refusal: { status: 400 }'));
  coded = await own('editions', DOCUMENT, CODED);
});

const FAULTS = [
  'in chunks',
  'an escaped path',
  'two of a build',
  'everywhere',
  'of a refused call',
  'by its beginning',
  'one at a time',
] as const;
type Fault = (typeof FAULTS)[number];

/** What a caller may see differ from server to server, and no contract of these forbids. */
const ODDITIES = [
  'no chunks',
  'plain numbers only',
  'escapes unread',
  'busy',
  'of one length',
  'bound one by one',
] as const;
type Oddity = (typeof ODDITIES)[number];

/** A server in which no two editions of a book have one number. */
function editions(
  is: Fault | Oddity | undefined,
  isCoded: boolean,
): (request: WireRequest) => Promise<Scripted> {
  const books = new Set<string>();
  const taken = new Set<string>();
  const started = new Set<string>();
  let underWay = 0;
  let length: unknown;
  return async (request) => {
    const [, , segment = ''] = request.target.split('/');
    const book = is === 'escapes unread' ? segment : decodeURIComponent(segment);
    const body = JSON.parse(new TextDecoder().decode(request.body) || '{}') as Record<string, unknown>;
    if (request.target === '/books') {
      const id = `book-${books.size + 1}`;
      books.add(id);
      return { status: 201, body: { id } };
    }
    if (!books.has(book)) return { status: 404 };
    const isChunked = headerIn(request, 'transfer-encoding') !== undefined;
    const number = String(body['number']);
    const key = `${is === 'everywhere' ? '' : book} ${number}`;
    if (is === 'no chunks' && isChunked) return { status: 411 };
    if (is === 'plain numbers only' && !/^[\d.]+$/.test(number)) return { status: 400 };
    if (is === 'of one length' && body['pages'] !== (length ??= body['pages'])) return { status: 422 };
    if (is === 'bound one by one' && /[02468]$/.test(book) && started.size !== started.add(book).size)
      return { status: 409, body: { code: 'not_bound', message: 'Not bound yet.' } };
    const isRefused =
      typeof body['number'] !== 'string' || !Number.isInteger(body['pages']) || Number(body['pages']) < 1;
    const isKnown =
      taken.has(key) ||
      (is === 'by its beginning' && [...taken].some((one) => one.endsWith('-rc.1') && key.startsWith(one)));
    if (is === 'of a refused call' && isRefused) taken.add(key);
    if (isRefused) return { status: 400 };
    const isPassedOver =
      (is === 'in chunks' && isChunked) ||
      (is === 'an escaped path' && segment.includes('%')) ||
      (is === 'two of a build' && number.includes('+'));
    if (isKnown && !isPassedOver)
      return { status: isCoded ? 409 : 400, body: { code: 'taken', message: 'Taken.' } };
    if (underWay > 0 && is === 'one at a time') return { status: 400 };
    if (underWay > 0 && is === 'busy') return { status: 409 };
    taken.add(key);
    underWay += 1;
    await pause(10);
    underWay -= 1;
    return { status: 201 };
  };
}

async function wrongIn(contract: Contract, is: Fault | Oddity | undefined): Promise<readonly string[]> {
  const { transport } = scripted(editions(is, contract === coded));
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://editions.localhost',
    allow: ['negatives', 'writes'],
    rules: ['uniqueness.addEdition.taken'],
    transport,
  });
  return report.rules
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id, observed, expected }) => [id, observed, expected].join(' '));
}

test.each(FAULTS)('a value that is unique, but not %s: noticed', async (fault) => {
  for (const contract of [silent, stated]) expect(await wrongIn(contract, fault)).not.toEqual([]);
});

test.each([undefined, ...ODDITIES])('a server whose values are unique: no alarm (%s)', async (oddity) => {
  for (const contract of [silent, stated, coded]) expect(await wrongIn(contract, oddity)).toEqual([]);
});
