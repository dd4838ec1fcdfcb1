import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { draftText, proposalsOf } from '../../contract/draft/index.ts';
import { type Contract, type LoadResult, loadContract, loadOwnContract } from '../../contract/index.ts';
import { DOCUMENT } from '../mock/bookings.ts';

/** Sheets that are proposed from a document. */
async function withDocument<Result>(
  document: string,
  use: (contract: Contract, check: (sheet: string) => Promise<LoadResult>) => Promise<Result>,
): Promise<Result> {
  const cwd = mkdtempSync(join(tmpdir(), 'tallystick-draft-'));
  try {
    writeFileSync(join(cwd, 'api.yaml'), document);
    const loaded = await loadContract({ document: 'api.yaml', cwd });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
    return await use(loaded.contract, (sheet) => {
      writeFileSync(join(cwd, 'api.behaviour.yaml'), sheet);
      return loadContract({ document: 'api.yaml', sheet: 'api.behaviour.yaml', cwd });
    });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

const textOf = (contract: Contract): string => draftText(contract, proposalsOf(contract), './schema.json');

test('collections, pages and conditions are proposed with places and reasons', async () => {
  await withDocument(DOCUMENT, async (contract, check) => {
    const text = textOf(contract);
    expect(text).toContain('# yaml-language-server: $schema=./schema.json\n');
    expect(text).toMatch(/# GET \/bookings\/\{bookingId\} can read \(api\.yaml:\d+:\d+\)/);
    const checked = await check(text);
    expect(checked).toMatchObject({ ok: true, warnings: [] });
    const policies = checked.ok ? (checked.contract.sheet?.policies ?? []) : [];
    expect(policies).toContainEqual({
      kind: 'resource',
      collection: 'bookings',
      id: { member: 'id', parameter: 'bookingId' },
      operations: {
        create: 'createBooking',
        list: 'listBookings',
        read: 'getBooking',
        replace: 'replaceBooking',
        patch: 'patchBooking',
        delete: 'deleteBooking',
      },
      items: 'bookings',
    });
    expect(policies).toContainEqual({
      kind: 'error-codes',
      code: 'code',
      message: 'detail',
      status: 'status',
      title: 'title',
      codes: [],
      roles: {},
    });
    expect(policies.map(({ kind }) => kind)).toContain('conditional-get');
  });
});

test('what the document does not say is a comment, and says what is missing', async () => {
  await withDocument(DOCUMENT, (contract) => {
    const text = textOf(contract);
    expect(text).toMatch(
      /# To say: the document does not say the size of a page without per_page.*\n {2}# - kind: numbered-pages/,
    );
    expect(text).toMatch(/# To say: which state is the first.*\n {2}# - kind: lifecycle/);
    return Promise.resolve();
  });
});

test('a draft is the same each time', async () => {
  await withDocument(DOCUMENT, (contract) => {
    expect(textOf(contract)).toBe(textOf(contract));
    return Promise.resolve();
  });
});

test.each(['router', 'registry', 'jobs'] as const)(
  'the draft of %s has no policy that its document contradicts',
  async (name) => {
    const own = await loadOwnContract(name);
    const { readFileSync } = await import('node:fs');
    const document = readFileSync(new URL(`../../specs/${name}.openapi.yaml`, import.meta.url), 'utf8');
    await withDocument(document, async (contract, check) => {
      expect(contract.operations.length).toBe(own.operations.length);
      expect(await check(textOf(contract))).toMatchObject({ ok: true });
    });
  },
);

test('without its comment signs a draft still fits the schema of sheets', async () => {
  await withDocument(DOCUMENT, async (contract, check) => {
    const all = textOf(contract).replaceAll(/^ {2}# ((?:- kind| {2}).*)$/gm, '  $1');
    expect(await check(all)).toMatchObject({ ok: true });
  });
});

test('a document that suggests nothing gives a sheet without policies', async () => {
  const bare = "openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths: {}\n";
  await withDocument(bare, async (contract, check) => {
    expect(textOf(contract)).toContain('policies: []\nrules: []');
    expect(await check(textOf(contract))).toMatchObject({ ok: true });
  });
});

test('names with line breaks end no comment', async () => {
  const hostile = `
openapi: 3.1.0
info: { title: A, version: '1' }
paths:
  /things:
    get:
      operationId: "list\\n- kind: x"
      parameters: [{ name: "limit", in: query, schema: { type: integer } }, { name: cursor, in: query, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: {} } } } } }
`;
  await withDocument(hostile, async (contract, check) => {
    expect(await check(textOf(contract))).toMatchObject({ ok: true });
  });
});
