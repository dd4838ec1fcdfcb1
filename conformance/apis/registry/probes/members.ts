import { isObject } from '../../../exchanges/exchange.ts';
import { STATUSES } from '../wire/statuses.ts';
import { PLACES, TABLES } from '../wire/tables.ts';
import type { MemberType } from '../wire/tables.ts';

type Path = readonly (string | number)[];

/** A value in a member of a publication for which the tables do not allow it. */
export interface WrongMember {
  readonly path: Path;
  readonly value: unknown;
}

/**
 * Values of each other type: some parsers convert one into the other, and some checks cover only one type.
 * Null is open.
 */
const OTHER: Readonly<Record<MemberType, readonly unknown[]>> = {
  string: [7, true, ['text'], { text: 'text' }],
  integer: ['12', true, 1.5, [12]],
  number: ['4', true, [4]],
  boolean: ['true', 1, [true]],
  strings: ['x', { 0: 'x' }, ['x', 7], ['x', null], [['x']]],
  'objects by name': ['x', [{ name: 'x' }], { de: 'x' }, { de: ['x'] }],
};

const RIGHT: Readonly<Record<MemberType, unknown>> = {
  string: 'text',
  integer: 3,
  number: 4.5,
  boolean: false,
  strings: ['text', 'another text'],
  'objects by name': { de: { name: 'Text' }, 'zh-CN': { name: '\u6587\u672c', of: { any: [null] } } },
};

/** Another rule covers statuses. */
const KEPT: ReadonlySet<string> = new Set(['id', 'node_id', 'version', 'status']);
const TIME = '2024-02-29T12:00:00Z';
/** Members with a stricter format than their type. */
const VALUES: Readonly<Record<string, unknown>> = {
  created_at: TIME,
  createdAt: TIME,
  changelog: 'Tinte,\n\u58a8, \u{1f58b}',
  description: 'Encre,\n\u58a8, \u{1f58b}',
  icon: 'http://tallystick.invalid/icon.png',
  supported_os: ['Linux', 'OS Independent'],
};

/** Document 2, States and transitions: each table has fewer words than all tables together. */
const foreignStatuses: readonly WrongMember[] = PLACES.flatMap(({ table, path }) => {
  const own: readonly string[] = table in STATUSES ? STATUSES[table as keyof typeof STATUSES] : [];
  const [prefix = ''] = own[0]?.split(/(?<=Status)/) ?? [];
  const words = Object.values(STATUSES).flatMap((all) => all.map((name) => name.replace(/^.*Status/, '')));
  return [...new Set(words)]
    .map((word) => `${prefix}${word}`)
    .filter((status) => own.length > 0 && !own.includes(status))
    .map((status) => ({ path: [...path, 'status'], value: status }));
});

/** Document 2, tables: each member with a value of each other type. */
export const misfits: readonly WrongMember[] = [
  ...PLACES.flatMap(({ table, path }): readonly WrongMember[] =>
    Object.entries<MemberType>(TABLES[table]).flatMap(([name, type]) =>
      OTHER[type].map((value) => ({ path: [...path, name], value })),
    ),
  ),
  // Wrong values that a lenient type check accepts.
  { path: ['node', 'created_at'], value: '2024-02-29' },
  { path: ['node', 'created_at'], value: 'yesterday' },
  { path: ['node', 'created_at'], value: '2024-13-01T00:00:00Z' },
  { path: ['node_version', 'createdAt'], value: '2024-02-29' },
  { path: ['node', 'latest_version', 'createdAt'], value: '2024-02-29 12:00' },
  { path: ['node', 'publisher', 'createdAt'], value: '2024-02-29' },
  { path: ['node', 'status'], value: 'nodestatusactive' },
  { path: ['node', 'status'], value: 'NodeVersionStatusActive' },
  { path: ['node', 'status'], value: 'NodeStatusActive ' },
  { path: ['node_version', 'status'], value: 'Active' },
  { path: ['node_version', 'status'], value: 'NodeStatusActive' },
  { path: ['node', 'latest_version', 'status'], value: 'NodeVersionStatusNone' },
  ...foreignStatuses,
  { path: ['node', 'translations'], value: { de: { name: 'Tinte' }, fr: 'encre' } },
  { path: ['node', 'latest_version'], value: '1.0.0' },
  { path: ['node', 'publisher'], value: 'press' },
  ...[
    ['node', 'latest_version'],
    ['node', 'publisher'],
    ['node', 'publisher', 'members', 0, 'user'],
  ].flatMap((path) => [[], [{ id: 'x1' }], 7, true].map((value) => ({ path, value }))),
  { path: ['node', 'publisher', 'members'], value: { id: 'm1' } },
  { path: ['node', 'publisher', 'members', 0], value: 'm1' },
  { path: ['node', 'publisher', 'members'], value: [{ id: 'm1' }, 'm2'] },
  { path: ['node', 'publisher', 'members', 0, 'user'], value: 'u1' },
  { path: ['node_version', 'dependencies'], value: [{ name: 'numpy' }] },
];

/**
 * Document 2, tables: members with values of their types. The identifying members of the node and its version
 * are not changed.
 */
export const allMembers: readonly WrongMember[] = [
  ...PLACES.flatMap(({ table, path }): readonly WrongMember[] =>
    Object.entries<MemberType>(TABLES[table])
      .filter(([name]) => !KEPT.has(name) && !(table === 'publisher' && name === 'id'))
      .map(([name, type]) => ({ path: [...path, name], value: VALUES[name] ?? RIGHT[type] })),
  ),
];

/** The same tables: valid values that a careless check treats as missing. */
export const smallMembers: readonly WrongMember[] = [
  ...(['downloads', 'code_host_stars', 'search_ranking', 'rating'] as const).map((name) => ({
    path: ['node', name],
    value: 0,
  })),
  ...(['tags', 'supported_os', 'supported_accelerators', 'preempted_service_node_names'] as const).map(
    (name) => ({ path: ['node', name], value: [] }),
  ),
  { path: ['node', 'created_at'], value: '2024-02-29T12:00:00.250+02:00' },
  { path: ['node', 'translations'], value: {} },
  { path: ['node', 'latest_version'], value: {} },
  { path: ['node', 'publisher'], value: { members: [] } },
  { path: ['node_version', 'createdAt'], value: '2024-02-29T12:00:00+00:00' },
  { path: ['node_version', 'changelog'], value: '' },
  { path: ['node_version', 'dependencies'], value: [] },
  { path: ['node_version', 'deprecated'], value: false },
  { path: ['node_version', 'tags'], value: [] },
  { path: ['node_version', 'supported_os'], value: ['one'] },
];

const MANY = Array.from({ length: 40 }, (_, index) => `text-${index}`);
const LONG = 'long text, '.repeat(600);

/** The same tables, which have no limits: long and short lists, long texts, large and negative numbers. */
export const largeMembers: readonly WrongMember[] = [
  ...(['tags', 'preempted_service_node_names'] as const).map((name) => ({
    path: ['node', name],
    value: MANY,
  })),
  ...(['supported_os', 'supported_accelerators'] as const).map((name) => ({
    path: ['node', name],
    value: ['one'],
  })),
  ...(['description', 'status_detail'] as const).map((name) => ({ path: ['node', name], value: LONG })),
  { path: ['node', 'downloads'], value: 5_000_000_000 },
  { path: ['node', 'search_ranking'], value: -1 },
  { path: ['node', 'rating'], value: 1000.5 },
  { path: ['node', 'created_at'], value: '1969-12-31T23:59:59Z' },
  { path: ['node_version', 'changelog'], value: LONG },
  ...(['dependencies', 'tags', 'supported_os', 'supported_accelerators'] as const).map((name) => ({
    path: ['node_version', name],
    value: MANY,
  })),
  // Strings with any content.
  { path: ['node_version', 'supported_app_version'], value: '1.0' },
  { path: ['node_version', 'supported_app_frontend_version'], value: '2' },
];

/** The value with another one at a path; missing enclosing objects are created. */
export function withMember(value: unknown, [name, ...rest]: Path, inner: unknown): unknown {
  if (name === undefined) return inner;
  if (typeof name === 'number')
    return [withMember(Array.isArray(value) ? value[name] : undefined, rest, inner)];
  const members = isObject(value) ? value : {};
  return { ...members, [name]: withMember(members[name], rest, inner) };
}

/** The value with each of these in it. */
export function withMembers(whole: unknown, members: readonly WrongMember[]): unknown {
  return members.reduce((body, { path, value }) => withMember(body, path, value), whole);
}
