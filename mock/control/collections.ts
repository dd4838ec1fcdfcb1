import type { JsonObject } from '../../contract/model.ts';
import { masker } from '../../contract/secrecy/index.ts';
import type { Assembly } from '../assembly.ts';
import { ControlMistake, type CollectionHolder, type ControlRoute } from './api-control.ts';
import type { CollectionList, CollectionShape } from './collections-shape.ts';
import { formed } from './reading.ts';

/** The routes below `collections`; `undefined` for a mock without collections. */
export function collectionRoutes({
  apis,
  secrecy,
}: Pick<Assembly, 'apis' | 'secrecy'>): Readonly<Record<string, ControlRoute>> | undefined {
  const holders = apis.flatMap(({ contract, control }) =>
    control?.collections === undefined ? [] : [{ api: contract.name, holder: control.collections }],
  );
  if (holders.length === 0) return undefined;
  const hide = masker([], secrecy);
  const shapeOf = ({ api, holder, collection }: Found): CollectionShape => {
    const rows = holder.rows(collection);
    const things = rows.slice(-MOST_SHOWN).reverse();
    return {
      ...{ api, collection, size: rows.length },
      // A masked text is JSON still.
      things: things.map((row) => ({ ...row, item: JSON.parse(hide(JSON.stringify(row.item))) as object })),
    };
  };
  const find = ([api = '', collection = '']: readonly string[]): Found => {
    const found = holders.find((each) => each.api === api && each.holder.names().includes(collection));
    if (found !== undefined) return { ...found, collection };
    const known = holders.flatMap(({ api: name, holder }) => holder.names().map((each) => `${name}/${each}`));
    throw new ControlMistake(
      `Collection ${api}/${collection} does not exist. Collections: ${known.join(', ')}.`,
      404,
    );
  };
  return {
    GET: (path): CollectionList | CollectionShape =>
      path.length > 0
        ? shapeOf(find(path))
        : {
            collections: holders.flatMap(({ api, holder }) =>
              holder.names().map((collection) => shapeOf({ api, holder, collection })),
            ),
          },
    PUT: (path, body) => {
      const found = find(path);
      const [, , id] = path;
      if (id === undefined || id === '')
        throw new ControlMistake('PUT /control/v1/collections/{api}/{collection}/{id}');
      const { item, within = {} } = formed(body, thingForm);
      found.holder.put(found.collection, { id, within, item: item as JsonObject });
      return shapeOf(found);
    },
    DELETE: (path) => {
      const found = find(path);
      const [, , id] = path;
      const rows = found.holder.rows(found.collection).filter((row) => id === undefined || row.id === id);
      if (id !== undefined && rows.length === 0) throw new ControlMistake(`Item ${id} does not exist.`, 404);
      for (const row of rows) found.holder.delete(found.collection, row);
      return shapeOf(found);
    },
  };
}

// --- internal ---

interface Found {
  readonly api: string;
  readonly holder: CollectionHolder;
  readonly collection: string;
}

const MOST_SHOWN = 200;

const thingForm = {
  members: { item: { mapOf: 'anything' }, within: { mapOf: 'string' } },
  required: ['item'],
} as const;
