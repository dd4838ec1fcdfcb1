import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { DOCUMENT, sheet } from './limited-things.ts';
import { scripted, type Scripted } from './servers.ts';

const STATED = sheet('[]').replace(
  'maximumLimit: 50,',
  'maximumLimit: 50, zeroIsDefault: true, noSuchPage: { status: 400 },',
);
const LENIENT = DOCUMENT.replace('minimum: 1, maximum: 50, ', '');
const ALL = Array.from({ length: 70 }, (_, index) => ({ id: String(index) }));

interface Page {
  readonly cursor: string | null;
  readonly limit: string | null;
}

/** A server that keeps the sheet: `change` breaks one of its parts. */
interface Parts {
  readonly size: (page: Page) => number;
  /** The index that a cursor leads to; `undefined` to refuse it. */
  readonly from: (page: Page) => number | undefined;
  readonly status: number;
}

const cursorAt = (index: number): string => Buffer.from(`things behind ${index}`).toString('base64url');
const indexOf = (cursor: string): number | undefined => {
  const index = Number(/^things behind (\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]);
  return cursorAt(index) === cursor ? index : undefined;
};
const wanted = ({ limit }: Page): number => (Number(limit) > 0 ? Math.min(50, Number(limit)) : 10);
const HONEST: Parts = {
  size: wanted,
  from: ({ cursor }) => (cursor === null ? 0 : indexOf(cursor)),
  status: 400,
};

function server({ size, from, status }: Parts): (request: WireRequest) => Scripted {
  return ({ target }) => {
    const { searchParams } = new URL(target, 'http://localhost');
    const page = { cursor: searchParams.get('cursor'), limit: searchParams.get('limit') };
    const start = from(page);
    if (start === undefined) return { status };
    if (page.limit !== null && !/^-?\d+$/.test(page.limit)) return { status: 400 };
    const items = ALL.slice(start, start + size(page));
    const end = start + items.length;
    const body = { items, next: end < ALL.length ? cursorAt(end) : null };
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
  };
}

async function broken(contract: Contract, parts: Partial<Parts>): Promise<readonly string[]> {
  const { transport } = scripted(server({ ...HONEST, ...parts }));
  const options = { contracts: [contract], baseUrl: 'http://localhost', transport };
  const { rules } = await runConformance({ ...options, allow: ['negatives'] });
  return rules
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id }) => id.split('.').slice(2).join('.'));
}

const isLong = ({ cursor }: Page): boolean => (cursor?.length ?? 0) >= 512;

test.each<[string, Partial<Parts>, readonly string[]]>([
  ['keeps the sheet', {}, []],
  ['refuses a cursor by another status', { status: 404 }, ['no-such-page']],
  [
    'reads a longer cursor',
    { from: (page) => HONEST.from({ ...page, cursor: page.cursor?.replace(/AAAA$/, '') ?? null }) },
    ['no-such-page'],
  ],
  [
    'reads a cursor that is too long like none',
    { from: (page) => (isLong(page) ? 0 : HONEST.from(page)) },
    ['no-such-page'],
  ],
  [
    'reads a number as an offset',
    { from: (page) => (/^\d+$/.test(page.cursor ?? '') ? Number(page.cursor) : HONEST.from(page)) },
    ['no-such-page'],
  ],
  ['reads zero as one', { size: (page) => (page.limit === '0' ? 1 : wanted(page)) }, []],
  [
    'has no end of a negative limit',
    { size: (page) => (Number(page.limit) < 0 ? 70 : wanted(page)) },
    ['limit-low'],
  ],
  [
    'has one item less without a limit',
    {
      size: (page) => wanted(page),
      from: (page) => {
        const start = HONEST.from(page);
        return start !== undefined && start > 0 && page.limit === null ? start + 1 : start;
      },
    },
    ['walk'],
  ],
  ['has the default size alone', { size: (page) => Math.min(10, wanted(page)) }, ['limit']],
  [
    'refuses the cursor of the last page',
    {
      from: (page) => {
        const start = HONEST.from(page);
        return start === undefined || start > 60 ? undefined : start;
      },
    },
    ['walk'],
  ],
])('a list with stated pages that %s', async (_, parts, found) => {
  expect(await broken(await own('things', LENIENT, STATED), parts)).toEqual(found);
});

test('what the document forbids of a cursor may be refused as any invalid request is', async () => {
  const document = LENIENT.replace(
    'schema: { type: string } }',
    'schema: { type: string, minLength: 8, maxLength: 64 } }',
  );
  const contract = await own('things', document, STATED);
  const isInvalid = ({ cursor }: Page): boolean =>
    cursor !== null && (cursor.length < 8 || cursor.length > 64);
  expect(await broken(contract, {})).toEqual([]);
  const from = (page: Page): number | undefined => (isInvalid(page) ? 0 : HONEST.from(page));
  expect(await broken(contract, { from })).toContain('no-such-page');
});
