import type { JSX } from 'preact';
import type { CollectionList, CollectionShape, ThingShape } from '../../control/collections-shape.ts';
import { steer, undoably } from '../control-client.ts';
import { List, type Column } from '../list.tsx';
import { ActButton, Head, Waiting } from '../parts.tsx';
import { useResource } from '../resource.ts';
import { address, route } from '../route.ts';
import { JsonBlock } from './json-block.tsx';
import { ServedOnly } from './served-only.tsx';

/** The collections of a user's own contract: the things that requests create, change and delete. */
export function Collections(): JSX.Element {
  return (
    <ServedOnly resource="collections" title="Collections" what="collections">
      <Kept />
    </ServedOnly>
  );
}

// --- internal ---

function Kept(): JSX.Element {
  const { value, problem } = useResource<CollectionList>('collections', ['journal', 'collections']);
  const chosen = value?.collections
    .flatMap((each) => each.things.map((thing) => ({ name: rowOf(each, thing), thing })))
    .find(({ name }) => name === route.value.row);
  return (
    <>
      <Head
        title="Collections"
        about="The things that the mock stores: initial ones, and those that requests created or changed. Newest first."
      />
      <div class="scroll cards" tabIndex={0} role="region" aria-label="Collections">
        {value === undefined ? (
          <Waiting problem={problem} />
        ) : (
          value.collections.map((each) => (
            <section class="card" key={`${each.api}/${each.collection}`}>
              <h2>
                {each.collection} <span class="soft">{each.size}</span>
              </h2>
              {each.size === 0 ? (
                <p class="empty">This collection is empty.</p>
              ) : (
                <List
                  columns={columnsOf(each)}
                  rows={each.things}
                  nameOf={(thing) => rowOf(each, thing)}
                  chosen={route.value.row}
                />
              )}
            </section>
          ))
        )}
        {chosen === undefined ? null : (
          <section class="card">
            <JsonBlock label={`The thing ${chosen.thing.id}`} value={chosen.thing.item} />
          </section>
        )}
      </div>
    </>
  );
}

function columnsOf(each: CollectionShape): readonly Column<ThingShape>[] {
  return [
    {
      title: 'Id',
      is: 'name',
      cell: (thing) => (
        <a class="mono breaks" href={address('collections', rowOf(each, thing))}>
          {thing.id}
        </a>
      ),
    },
    {
      title: 'Summary',
      is: 'wide',
      cell: ({ item }) => <span class="mono breaks">{JSON.stringify(item).slice(0, LONGEST)}</span>,
    },
    {
      title: 'Actions',
      is: 'acts',
      cell: ({ id }) => <ActButton act={() => remove(each, id)}>Delete</ActButton>,
    },
  ];
}

const LONGEST = 160;

function rowOf({ api, collection }: CollectionShape, { within, id }: ThingShape): string {
  return [api, collection, ...Object.values(within), id].join('/');
}

async function remove({ api, collection }: CollectionShape, id: string): Promise<void> {
  const path = `collections/${[api, collection, id].map(encodeURIComponent).join('/')}`;
  await undoably(`Deleted: ${id}.`, () => steer('DELETE', path));
}
