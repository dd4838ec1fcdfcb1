import { expect, test } from 'vitest';
import { Catalogue, type Model } from '../../mock/apis/router/catalogue.ts';
import { CursorSeal } from '../../mock/apis/router/cursor-seal.ts';
import { Pages } from '../../mock/apis/router/pages.ts';

/** A page is made once for as long as it would be made the same. */
const models = ['a', 'b'].map((model): Model => ({
  provider: 'acme',
  model,
  state: 'listed',
  chargesOnPolicyRejection: 'no',
  cents: 1,
}));

function counted(): { readonly pages: Pages; readonly made: () => number; readonly ask: Ask } {
  const pages = new Pages();
  let made = 0;
  return {
    pages,
    made: () => made,
    ask: (catalogue, cursors, choices) =>
      pages.page({ models: catalogue.listed(), cursors }, choices, () => {
        made += 1;
        return { value: { data: catalogue.listed().map(({ model }) => ({ model })) }, entries: 2 };
      }),
  };
}

type Ask = (catalogue: Catalogue, cursors: CursorSeal, choices: number[]) => ReturnType<Pages['page']>;

test('the same choices give the very same page, and its text is its value', () => {
  const { ask, made } = counted();
  const [catalogue, cursors] = [new Catalogue(models), new CursorSeal()];
  const first = ask(catalogue, cursors, [0, 20]);
  expect(ask(catalogue, cursors, [0, 20])).toBe(first);
  expect(JSON.parse(first.text)).toStrictEqual(first.value);
  expect(ask(catalogue, cursors, [0, 21])).not.toBe(first);
  expect(made()).toBe(2);
});

test('an edit of the catalogue and a renewed seal invalidate cached pages', () => {
  const { ask, made } = counted();
  const [catalogue, cursors] = [new Catalogue(models), new CursorSeal()];
  ask(catalogue, cursors, [0]);
  catalogue.remove('acme/b');
  expect(ask(catalogue, cursors, [0]).value).toStrictEqual({ data: [{ model: 'a' }] });
  cursors.renew();
  ask(catalogue, cursors, [0]);
  expect(made()).toBe(3);
});

test('a cached page cannot be changed', () => {
  const { ask } = counted();
  const { value } = ask(new Catalogue(models), new CursorSeal(), [0]);
  expect(() => {
    (value['data'] as object[]).push({});
  }).toThrow(TypeError);
  expect(() => {
    Object.assign((value['data'] as object[])[0] ?? {}, { model: 'other' });
  }).toThrow(TypeError);
});

test('the number of cached pages is limited', () => {
  const { ask, made } = counted();
  const [catalogue, cursors] = [new Catalogue(models), new CursorSeal()];
  for (let start = 0; start < 2_000; start += 1) ask(catalogue, cursors, [start]);
  for (let start = 1_999; start >= 0; start -= 1) ask(catalogue, cursors, [start]);
  expect(4_000 - made()).toBeLessThanOrEqual(200);
});
