import { expect, test } from 'vitest';
import { createMock } from '../../mock/index.ts';
import { CursorSeal } from '../../mock/apis/router/cursor-seal.ts';

/** The cursors of a walk with one entry a page, and the ids after which they continue, in the order of the catalogue. */
async function walk(): Promise<readonly { readonly id: string; readonly cursor: string }[]> {
  const mock = createMock({ apis: ['router'] });
  const steps: { id: string; cursor: string }[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query = `limit=1${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const answer = await mock.fetch(`http://mock.local/v1/models?${query}`, {
      headers: { 'X-API-Key': 'service-mock-cursors' },
    });
    const page = (await answer.json()) as { data: { id: string }[]; next_cursor?: string };
    cursor = page.next_cursor;
    const id = page.data[0]?.id;
    if (cursor !== undefined && id !== undefined) steps.push({ id, cursor });
  }
  mock.close();
  return steps;
}

const decodings = (cursor: string): readonly string[] =>
  [cursor, ...cursor.split(/[._~+/=-]/)].flatMap((part) =>
    (['base64url', 'hex', 'latin1'] as const).map((encoding) =>
      Buffer.from(part, encoding).toString('latin1'),
    ),
  );

test('router.cursor.opaque: a cursor is not an encoded model id, has no order, and fits its bounds', async () => {
  const steps = await walk();
  expect(steps.length).toBeGreaterThan(10);
  for (const { id, cursor } of steps) {
    const [, model = ''] = id.split('/');
    // A seal is random, and holds two given letters by chance in one run of a hundred: short names are looked for with
    // what is before them.
    const disguise = model.length < 5 ? `/${model}` : model;
    expect(decodings(cursor).filter((text) => text.includes(disguise))).toStrictEqual([]);
    expect(cursor).toMatch(/^[A-Za-z0-9._~+/=-]{1,512}$/);
  }
  const cursors = steps.map(({ cursor }) => cursor);
  expect(new Set(cursors).size).toBe(cursors.length);
  expect([cursors.toSorted(), cursors.toSorted().toReversed()]).not.toContainEqual(cursors);
});

const id = 'acme/easel-2.1';

test('a seal opens what it closed, also after its secret was kept; it closes an id the same way twice', () => {
  const seal = new CursorSeal();
  const cursor = seal.close(id);
  expect(seal.close(id)).toBe(cursor);
  expect(seal.open(cursor)).toBe(id);
  const later = new CursorSeal();
  later.secret = seal.secret;
  expect(later.open(cursor)).toBe(id);
});

test('router.list.cursor-malformed-400: a seal opens nothing that was cut, changed or closed by another', () => {
  const seal = new CursorSeal();
  const cursor = seal.close(id);
  for (let length = 0; length < cursor.length; length += 1)
    expect(seal.open(cursor.slice(0, length)), `${String(length)} characters`).toBeUndefined();
  for (const [index, character] of [...cursor].entries()) {
    const other = character === 'A' ? 'B' : 'A';
    expect(
      seal.open(cursor.slice(0, index) + other + cursor.slice(index + 1)),
      `at ${String(index)}`,
    ).toBeUndefined();
  }
  // The last character of a cursor may encode fewer bits than the others.
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
  expect(letters.filter((letter) => seal.open(cursor.slice(0, -1) + letter) !== undefined)).toHaveLength(1);
  for (const wrong of [`${cursor}A`, `${cursor}=`, `${cursor}.`, id, ''])
    expect(seal.open(wrong)).toBeUndefined();
  expect(new CursorSeal().open(cursor)).toBeUndefined();
  seal.renew();
  expect(seal.open(cursor)).toBeUndefined();
});
