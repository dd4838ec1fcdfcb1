import type { PolicyOf } from '../../../contract/index.ts';
import type { Contract, JsonObject } from '../../../contract/model.ts';
import { propertiesOf } from '../../../contract/schema-parts.ts';
import type { Row, TableView } from '../../enacted/tables.ts';
import { otherThan, withPolicy } from './keys.ts';
import type { WayToBreak } from './broken.ts';

/** Ways to lose, mix up or keep the things of a collection. */
export function thingWays(contract: Contract, policy: PolicyOf<'resource'>): readonly WayToBreak[] {
  const { create, list, read, replace, patch, delete: remove } = policy.operations;
  const missing = policy.missing?.status ?? 404;
  const way = (
    name: string,
    variant: string,
    operations: readonly (string | undefined)[],
    over: (things: TableView) => Partial<TableView>,
    more: Partial<WayToBreak> = {},
  ): readonly WayToBreak[] => {
    const ids = operations.filter((id) => id !== undefined);
    return ids.length === 0
      ? []
      : [{ case: name, variant, ...more, parts: { operations: ids, replaces: { things: around(over) } } }];
  };
  const plain = plainMembers(contract, policy);
  const seen = new Map<string, readonly Row[]>();
  const gone: Row[] = [];
  return [
    ...way('created', 'forgotten', [create], () => ({ put: nothing }), {
      along: [[['listed', 'deleted', 'apart', 'replaced', 'patched'], 'what is not there is not found']],
    }),
    ...way(
      'created',
      'another-value',
      [create],
      (things) => ({ put: (row) => things.put(altered(row, plain)) }),
      {
        along: [[['patched', 'apart', 'replaced'], 'a thing is not as it was sent from the beginning']],
      },
    ),
    ...way('listed', 'without-the-last', [list], (things) => ({
      rows: (within) => things.rows(within).slice(0, -1),
    })),
    ...way(
      'listed',
      'kept-for-later',
      [list],
      (things) => ({
        rows: (within) => {
          const place = JSON.stringify(within);
          const first = seen.get(place) ?? things.rows(within);
          seen.set(place, first);
          return first;
        },
      }),
      { along: [[['deleted'], 'the list is not looked at again']] },
    ),
    {
      case: 'missing',
      variant: 'another-status',
      along: [[['deleted'], 'what was deleted is missing as well']],
      beside: [
        ['error-codes', ['status'], 'the code belongs to the status that it should be'],
        ['error-buckets', ['status'], 'the bucket belongs to the status that it should be'],
      ],
      document: [[['status'], 'the status may be none that the document declares']],
      parts: {
        onReply: (answer) => (answer.status === missing ? { ...answer, status: otherThan(missing) } : answer),
      },
    },
    ...way(
      'missing',
      'any-thing',
      [read],
      (things) => ({ get: (within, id) => things.get(within, id) ?? things.rows(within)[0] }),
      {
        along: [[['deleted'], 'what was deleted is missing as well']],
        beside: [['conditional-write', ['current'], 'a version is read of what is not there']],
      },
    ),
    ...way('replaced', 'not-kept', [replace], () => ({ put: nothing }), {
      beside: [['conditional-write', ['changed'], 'nothing changes']],
    }),
    ...way('replaced', 'merged', [replace], (things) => ({ put: (row) => things.put(merged(things, row)) })),
    ...way('patched', 'not-kept', [patch], () => ({ put: nothing }), {
      beside: [['conditional-write', ['changed'], 'nothing changes']],
    }),
    ...way('patched', 'null-ignored', [patch], (things) => ({
      put: (row) => things.put(merged(things, row)),
    })),
    ...way('deleted', 'kept', [remove], () => ({ delete: nothing })),
    ...way('deleted', 'still-listed', [list, remove], (things) => ({
      delete: (row) => {
        gone.push(...things.rows(row.within).filter(({ id }) => id === row.id));
        things.delete(row);
      },
      rows: (within) => [...things.rows(within), ...gone],
    })),
    ...way(
      'deleted',
      'the-next-one-too',
      [remove],
      (things) => ({
        delete: (row) => {
          things.delete(row);
          const last = things.rows(row.within).at(-1);
          if (last !== undefined) things.delete(last);
        },
      }),
      NEIGHBOURS,
    ),
    ...way(
      'apart',
      'the-next-one-too',
      [replace, patch],
      (things) => ({
        put: (row) => {
          const last = things.rows(row.within).at(-1);
          if (last !== undefined && last.id !== row.id && things.get(row.within, row.id) !== undefined)
            things.put(altered(last, plain));
          things.put(row);
        },
      }),
      NEIGHBOURS,
    ),
    ...way('taken', 'overwritten', [create], () => ({ get: () => undefined })),
    ...way('upsert', 'not-kept', policy.upsert === true ? [replace] : [], (things) => ({
      put: (row) => {
        if (things.get(row.within, row.id) !== undefined) things.put(row);
      },
    })),
  ];
}

/** A value that has to be unique is not looked for. */
export function uniqueWays(operation: string): readonly WayToBreak[] {
  return [
    {
      case: 'taken',
      variant: 'again',
      parts: withPolicy(operation, ({ unique: _, ...served }) => served),
    },
  ];
}

/** A reserved member is passed over. */
export function reservedWays(operation: string): readonly WayToBreak[] {
  return [
    {
      case: 'refused',
      variant: 'taken',
      parts: withPolicy(operation, ({ reserved: _, ...served }) => served),
    },
  ];
}

// --- internal ---

/** The next thing may be one that another course of requests is about. */
const NEIGHBOURS: Partial<WayToBreak> = {
  along: [
    [
      ['created', 'listed', 'missing', 'replaced', 'patched', 'deleted', 'apart'],
      'what a course is about is changed by another one',
    ],
  ],
  beside: [
    [
      'conditional-write',
      ['current', 'list', 'any', 'changed', 'mismatch', 'weak', 'required'],
      'what a course is about is changed by another one',
    ],
    ['conditional-get', ['current', 'weak', 'list', 'kept-headers'], 'a tag changes by another call'],
  ],
};

function nothing(): void {
  // What is asked for is not done.
}

/** The same things, with some of what they do done in another way. */
function around(over: (things: TableView) => Partial<TableView>): (things: TableView) => TableView {
  return (things) => ({
    get size() {
      return things.size;
    },
    get made() {
      return things.made;
    },
    set made(count) {
      things.made = count;
    },
    rows: (within) => things.rows(within),
    get: (within, id) => things.get(within, id),
    put: (row) => {
      things.put(row);
    },
    delete: (row) => {
      things.delete(row);
    },
    ...over(things),
  });
}

/** Members of things that can have any text. */
function plainMembers(contract: Contract, { id, operations }: PolicyOf<'resource'>): readonly string[] {
  const { root } = contract.document;
  const schemas = contract.operations
    .filter((operation) => operation.id === (operations.read ?? operations.create))
    .flatMap(({ responses }) => responses.filter(({ status }) => status.startsWith('2')))
    .flatMap(({ content }) => content.map(({ schema }) => schema));
  return schemas.flatMap((schema) =>
    propertiesOf(schema, root).flatMap(([name, property]) => {
      const { type, format, enum: values, pattern, const: only, readOnly } = property as Partial<JsonObject>;
      const isPlain = type === 'string' && readOnly !== true && name !== id.member;
      return isPlain && [format, values, pattern, only].every((one) => one === undefined) ? [name] : [];
    }),
  );
}

/** The same thing with other texts. */
function altered(row: Row, plain: readonly string[]): Row {
  const item = Object.entries(row.item).map(([name, value]) => [
    name,
    plain.includes(name) && typeof value === 'string' ? value.replace(/.$/, '~') : value,
  ]);
  return { ...row, item: Object.fromEntries(item) as JsonObject };
}

/** A thing that keeps what it had and was not given. */
function merged(things: TableView, row: Row): Row {
  const before = things.get(row.within, row.id);
  return { ...row, item: { ...before?.item, ...row.item } };
}
