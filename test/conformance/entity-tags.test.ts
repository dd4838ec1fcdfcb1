import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Transport, WireResponse } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { createMock, type SteerableMock } from '../../mock/index.ts';
import { notesContract } from '../engine/notes.ts';
import { inProcess } from '../kill-matrix/in-process.ts';

let notes: Contract;
let mock: SteerableMock;
beforeAll(async () => {
  notes = await notesContract();
  mock = createMock({ contracts: [notes] });
  await mock.ready();
});
afterAll(() => {
  mock.close();
});

/** The opaque part of a tag. */
const inner = (tag: string): string => tag.replace(/^W\//, '').slice(1, -1);

const nothing = (): WireResponse['body'] => Readable.from([]);

async function broken(
  isSpared: (conditions: readonly string[], tag: string) => boolean,
): Promise<readonly string[]> {
  const direct = inProcess(mock.handle);
  let known: string | undefined;
  const transport: Transport = async (request) => {
    const [, id] = /^\/notes\/([^?]+)/.exec(request.target) ?? [];
    known ??= id;
    // The mock gives its example for any id; this server has only the note that is read first.
    const answer: WireResponse =
      id === undefined || id === known
        ? await direct(request)
        : { status: 404, headers: [], body: nothing() };
    const conditions = request.headers
      .filter(([name]) => name.toLowerCase() === 'if-none-match')
      .map(([, value]) => value);
    const isRead = request.method === 'GET' && conditions.length > 0;
    const [, tag = ''] = answer.headers.find(([name]) => name.toLowerCase() === 'etag') ?? [];
    if (!isRead || answer.status === 304 || !isSpared(conditions, tag)) return answer;
    return { ...answer, status: 304, body: nothing() };
  };
  const report = await runConformance({
    contracts: [notes],
    baseUrl: 'http://localhost',
    credential: { header: 'Authorization', value: 'Bearer somebody' },
    allow: ['writes', 'negatives'],
    transport,
  });
  return report.rules
    .filter(({ id, verdict }) => id.startsWith('conditional-get.') && verdict === 'fail')
    .map(({ id }) => id.split('.').at(-1) ?? '');
}

test.each<[string, Parameters<typeof broken>[0], readonly string[]]>([
  ['is right', () => false, []],
  [
    'takes the beginning of a tag for the tag',
    ([one = ''], tag) => tag !== '' && inner(tag).startsWith(inner(one)) && one !== '*',
    ['changed'],
  ],
  [
    'ignores case',
    ([one = ''], tag) => tag !== '' && inner(one).toLowerCase() === inner(tag).toLowerCase(),
    ['changed'],
  ],
  ['takes a quoted star for a star', ([one = '']) => inner(one) === '*', ['changed']],
  ['takes no tag for any', ([one = '']) => one === '', ['changed']],
  ['takes a star for what does not exist', ([one = ''], tag) => one === '*' && tag === '', ['any']],
])('a server that %s', async (_, isSpared, found) => {
  expect(await broken(isSpared)).toEqual(found);
});

/** The broken rules of a server whose answers without a body have one, judged by a sheet with a rule about these cases. */
async function brokenByBodies(...cases: readonly string[]): Promise<readonly string[]> {
  const direct = inProcess(mock.handle);
  const rule = {
    id: 'notes.tags.own',
    level: 'must',
    says: 'A rule of the sheet.',
    audience: 'server',
  } as const;
  const about = { operation: 'getNote', policy: 'conditional-get', case: cases, needs: [] } as const;
  const source = { document: 1, section: 'Notes', item: 'tags' };
  const sheet = notes.sheet && { ...notes.sheet, rules: [{ ...rule, ...about, source }] };
  const report = await runConformance({
    contracts: [{ ...notes, sheet }],
    baseUrl: 'http://localhost',
    credential: { header: 'Authorization', value: 'Bearer somebody' },
    transport: async (request) => {
      const answer: WireResponse = await direct(request);
      return answer.status === 304 ? { ...answer, body: Readable.from([Buffer.from('{}')]) } : answer;
    },
  });
  return report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

test('a rule of a sheet about a whole case is about its parts, unless the sheet has rules for these', async () => {
  expect(await brokenByBodies('current')).toEqual(['notes.tags.own']);
  expect(await brokenByBodies('no-body')).toEqual(['notes.tags.own']);
  expect(await brokenByBodies('tag', 'weak')).toEqual(['conditional-get.getNote.current']);
});
