import { expect, test } from 'vitest';
import { actionsOf } from '../../../mock/enacted/actions.ts';
import type { Collection } from '../../../mock/enacted/collection.ts';

const lifecycle = {
  kind: 'lifecycle',
  property: 'state',
  transitions: [{ from: 'open', to: 'closed', on: 'close' }],
};

/** The operations that bring about a transition of a room, by their method and path. */
function actionsAmong(...calls: readonly string[]): readonly string[] {
  const operations = ['get /rooms/{id}', ...calls].map((id) => {
    const [method, path] = id.split(' ');
    return { id, method, path, parameters: [] };
  });
  const contract = { operations, sheet: { policies: [lifecycle] } } as never;
  const rooms = {
    members: ['id', 'state'],
    operations: { read: operations[0] },
    policy: { id: { member: 'id' } },
  } as unknown as Collection;
  return [...actionsOf(contract, [rooms], { of: () => lifecycle as never }).keys()];
}

test.each([
  ['one step below the thing', ['post /rooms/{id}/close', 'post /rooms/{id}:close'], 2],
  ['below a segment for actions', ['post /rooms/{id}/actions/close', 'post /rooms/{id}/commands/close'], 2],
  ['a read', ['get /rooms/{id}/close'], 0],
  ['another cause', ['post /rooms/{id}/open'], 0],
  ['two steps below', ['post /rooms/{id}/doors/close'], 0],
  [
    'a path that only contains that of the thing',
    ['post /close/rooms/{id}', 'post /close/rooms/{id}/close'],
    0,
  ],
])('the actions of a lifecycle: %s', (_what, calls, count) => {
  expect(actionsAmong(...calls)).toHaveLength(count);
});
