import { beforeAll, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Kettles, version: '1' }
paths:
  /kettles:
    post:
      operationId: addKettle
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: { type: string }
                heat: { type: number, minimum: 0, maximum: 100 }
                owner:
                  type: object
                  properties:
                    tags: { type: array, items: { type: string } }
                    home: { type: object, properties: { city: { type: string } } }
                    colour: { type: string, enum: [red, blue] }
      responses: { '201': { description: made }, '400': { description: no } }
`;

interface Kettle {
  readonly name?: unknown;
  readonly heat?: unknown;
  readonly owner?: Readonly<Record<string, unknown>>;
}

/** A server that is exact, but for one fault. */
function kettles(fault: string): (request: WireRequest) => Scripted {
  const is = (one: string): boolean => fault === one;
  const isText = (value: unknown): boolean => typeof value === 'string';
  const isObject = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const isHeat = (value: unknown): boolean => {
    if (is('reads the beginning') && typeof value === 'string')
      return !Number.isNaN(Number.parseFloat(value));
    if (typeof value !== 'number') return false;
    const read = is('rounds') ? Math.round(value) : is('few decimals') ? Number(value.toFixed(3)) : value;
    return read >= 0 && read <= 100;
  };
  const isOwner = (owner: unknown): boolean => {
    if (owner === undefined) return true;
    if (!isObject(owner)) return false;
    const { tags, home, colour } = owner as Record<string, unknown>;
    const isList =
      Array.isArray(tags) && tags.every((tag) => isText(tag) || (is('empty places') && tag === null));
    return (
      (tags === undefined || isList || (is('text for a list') && isText(tags))) &&
      (home === undefined || isObject(home) || (is('list for an object') && Array.isArray(home))) &&
      (colour === undefined ||
        ['red', 'blue'].includes(is('trims') && isText(colour) ? String(colour).trim() : String(colour)))
    );
  };
  return (request) => {
    if (!request.target.startsWith('/kettles')) return { status: 404 };
    if (request.method !== 'POST') return { status: 405 };
    if (!/^application\/json\b/.test(headerIn(request, 'content-type') ?? '')) return { status: 415 };
    const text = new TextDecoder().decode(request.body);
    const isChunked = headerIn(request, 'transfer-encoding') === 'chunked';
    if (is('wants a length') && isChunked) return { status: 411 };
    if (is('no chunks') && isChunked) return { status: 400 };
    if (is('one line') && text.includes('\n')) return { status: 400 };
    if (is('crashes on nothing') && text === '') return { status: 500 };
    const read = readJson(
      is('comma taken') ? text.replace(/,\}$/, '}') : is('NaN taken') ? text.replace('NaN', '0') : text,
    ) as Kettle | undefined;
    if (read === undefined || !isObject(read) || !isText(read.name)) return { status: 400 };
    const isUnread = is('chunks unread') && isChunked;
    const isRight = (read.heat === undefined || isHeat(read.heat)) && isOwner(read.owner);
    return { status: isRight || isUnread ? 201 : 400 };
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

let contract: Contract;
beforeAll(async () => {
  contract = await own('kettles', DOCUMENT);
});

const judge = (fault: string): Promise<Report> =>
  runConformance({
    contracts: [contract],
    baseUrl: 'http://kettles.localhost',
    allow: ['negatives', 'writes'],
    fixtures: { writes: ['addKettle'] },
    transport: scripted(kettles(fault)).transport,
    clock: virtualClock(),
  });

const broken = ({ rules }: Report): readonly string[] =>
  rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);

test.each(['nothing', 'wants a length'])('a server that keeps its document: %s', async (fault) => {
  const report = await judge(fault);
  expect(broken(report)).toEqual([]);
  expect(report.rules.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(2);
});

test.each(['no chunks', 'one line'])('a valid call in another spelling is refused: %s', async (fault) => {
  expect(broken(await judge(fault))).toEqual(['document.addKettle.answer']);
});

test.each([
  ...['comma taken', 'NaN taken', 'crashes on nothing', 'chunks unread', 'rounds', 'few decimals'],
  ...['reads the beginning', 'text for a list', 'empty places', 'list for an object', 'trims'],
])('a body that the document does not allow is taken: %s', async (fault) => {
  expect(broken(await judge(fault))).toContain('document.addKettle.bad-body');
});
