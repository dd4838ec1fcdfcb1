import { expect, test } from 'vitest';
import { differencesOf, isAboutLeft, withoutOwnWrites, type Row, type State } from './state.ts';

const state = (tables: Readonly<Record<string, Readonly<Record<string, Row>>>>): State =>
  new Map(Object.entries(tables).map(([name, rows]) => [name, new Map(Object.entries(rows))]));
const before = state({
  users: { 1: { id: 1, name: 'Ada', seen: 'Monday' }, 2: { id: 2, name: 'Ben', seen: 'Monday' } },
});

test('equal states do not differ, whatever the order of members', () => {
  const same = state({
    users: { 2: { seen: 'Monday', name: 'Ben', id: 2 }, 1: { id: 1, name: 'Ada', seen: 'Monday' } },
  });
  expect(differencesOf(before, same)).toEqual([]);
});

test('rows that were made, changed or are gone are told apart, also in tables that are new', () => {
  const after = state({
    users: { 1: { id: 1, name: 'Eve', seen: 'Monday' }, 3: { id: 3, name: 'Ben' } },
    flags: { a: { name: 'a' } },
  });
  expect(
    differencesOf(before, after).map(({ table, key, kind, members }) => [table, key, kind, members]),
  ).toEqual([
    ['users', '1', 'changed', ['name']],
    ['users', '2', 'gone', ['id', 'name', 'seen']],
    ['users', '3', 'made', ['id', 'name']],
    ['flags', 'a', 'made', ['name']],
  ]);
});

test('an own write of a member excuses that member of a row that stays, and nothing else', () => {
  const ownWrites = [{ table: 'users', members: ['seen'], because: 'when it was last seen' }];
  const after = state({ users: { 1: { id: 1, name: 'Ada', seen: 'Friday' } } });
  const differences = differencesOf(before, after);
  expect(withoutOwnWrites(differences, ownWrites).map(({ key, kind }) => [key, kind])).toEqual([
    ['2', 'gone'],
  ]);
  const renamed = differencesOf(
    before,
    state({ users: { ...rows(), 1: { id: 1, name: 'Eve', seen: 'Friday' } } }),
  );
  expect(withoutOwnWrites(renamed, ownWrites).map(({ members }) => members)).toEqual([['name']]);
});

test('an own write of a table excuses all of its rows, and those of no other table', () => {
  const after = state({ users: rows(), log: { 1: { id: 1 } }, flags: { a: { name: 'a' } } });
  const left = withoutOwnWrites(differencesOf(before, after), [{ table: 'log', because: 'the log' }]);
  expect(left.map(({ table }) => table)).toEqual(['flags']);
});

test('what the run left explains rows that are new, never one that changed or is gone', () => {
  const row = { id: 7, user: 'Ben' };
  const of = (kind: 'made' | 'changed' | 'gone') => ({ table: 'users', key: '7', kind, members: [], row });
  const left = new Set(['7']);
  expect([of('made'), of('changed'), of('gone')].map((one) => isAboutLeft(one, left))).toEqual([
    true,
    false,
    false,
  ]);
  expect(isAboutLeft(of('made'), new Set(['8', 'user']))).toBe(false);
});

// --- internal ---

function rows(): Readonly<Record<string, Row>> {
  return Object.fromEntries(before.get('users') ?? []);
}
