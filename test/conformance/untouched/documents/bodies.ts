import { change, clear, happen, list, make, makeAll, put, read, remove, take } from '../effects.ts';
import { object, row } from '../sample.ts';
import type { Effect, Sample, Schema } from '../sample.ts';

const text = { type: 'string', minLength: 1, maxLength: 60 };
const number = { type: 'integer', minimum: 1, maximum: 9 };
const id = (example: number): Schema => ({ type: 'integer', minimum: 1, example });
const some = (example: number): Schema => ({ type: 'array', minItems: 1, items: id(example) });

/** Makes a visit, and answers with the visitor. */
const visit: Effect = (call, world) => {
  make('visits')(call, world);
  return { body: world.get('users', '1'), headers: { Location: '/users/1' } };
};

/**
 * Paths without ids: what is meant is in the body or in the query. Paths in kebab-case, answers in `data`, 200 for what
 * was made. Rooms and reviews are ordinary collections.
 */
export const bodies: Sample = {
  name: 'bodies',
  naming: 'integer',
  callers: { me: '1', second: '2' },
  tables: {
    users: {
      1: { id: 1, name: 'Ada', email: 'ada@example.com' },
      2: { id: 2, name: 'Ben', email: 'ben@example.com' },
      3: { id: 3, name: 'Cleo', email: 'cleo@example.com' },
    },
    teams: { 1: { id: 1, name: 'Sales' }, 2: { id: 2, name: 'Support' } },
    assignments: { '2~1': { userId: 2, teamId: 1 }, '3~1': { userId: 3, teamId: 1 } },
    products: { 1: { id: 1, title: 'Chair', stock: 20 }, 2: { id: 2, title: 'Desk', stock: 5 } },
    accounts: { 1: { id: 1, balance: 100 }, 2: { id: 2, balance: 250 } },
    tokens: { 1: { id: 1, userId: 2 }, 2: { id: 2, userId: 3 } },
    settings: { theme: { key: 'theme', value: 'dark' }, signup: { key: 'signup', value: 'open' } },
    toggles: { 1: { id: 1, enabled: true } },
    caches: { main: { entries: 3 } },
    logs: { 1: { id: 1, at: '2020-01-01' }, 2: { id: 2, at: '2021-01-01' } },
    drafts: { 1: { id: 1, title: 'of Ben' } },
    shelves: { 1: { id: 1, title: 'of Ben' }, 2: { id: 2, title: 'of Cleo' } },
    rooms: { 1: { id: 1, title: 'Blue' } },
    visits: Object.fromEntries([1, 2, 3].map((n) => [n, { id: n, title: `visit ${String(n)}` }])),
    reviews: { 1: { id: 1, roomId: 1, stars: 5 } },
  },
  parameters: { roomId: id(1), reviewId: id(1), visitId: id(1), orderId: id(1), paymentId: id(1) },
  schemas: {
    User: object({
      'id?': { type: 'integer', readOnly: true },
      name: text,
      email: { type: 'string', format: 'email' },
    }),
    UserChange: object({ id: id(2), 'name?': text, 'email?': { type: 'string', format: 'email' } }),
    UserChanges: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/UserChange' } },
    Ids: object({ ids: some(3) }),
    Ref: object({ id: id(2) }),
    Assignment: object({ userId: id(2), teamId: id(1) }),
    Team: object({ id: id(1), name: text }),
    Product: object({ id: id(1), title: text, stock: { type: 'integer' } }),
    Order: object({ productId: id(1), quantity: number, 'id?': { type: 'integer', readOnly: true } }),
    Payment: object({
      fromAccount: id(1),
      toAccount: id(2),
      amount: number,
      'id?': { type: 'integer', readOnly: true },
    }),
    Token: object({ id: id(1), userId: id(2) }),
    TokenOrder: object({ userId: id(2), 'id?': { type: 'integer', readOnly: true } }),
    Setting: object({ key: { type: 'string', example: 'theme' }, value: text }),
    Toggle: object({ id: id(1), enabled: { type: 'boolean' } }),
    Message: object({ to: id(3), text, 'id?': { type: 'integer', readOnly: true } }),
    Password: object({ password: { type: 'string', minLength: 8 } }),
    Until: object({ before: { type: 'string', format: 'date' } }),
    Shelf: object({ id: id(2), title: text }),
    Room: object({ 'id?': { type: 'integer', readOnly: true }, title: text }),
    Rooms: { type: 'array', minItems: 1, maxItems: 3, items: { $ref: '#/components/schemas/Room' } },
    Review: object({
      'id?': { type: 'integer', readOnly: true },
      'roomId?': { readOnly: true },
      stars: number,
    }),
  },
  rows: [
    row('GET /users', 'list-users', list('users'), { gives: 'User[]', wrap: 'data' }),
    row('POST /users', 'add-user', make('users'), { takes: 'User', gives: 'User', wrap: 'data' }),
    row('PATCH /users', 'edit-user', change('users', 'body.id'), {
      ...{ takes: 'UserChange', gives: 'User', wrap: 'data', harm: 'users' },
    }),
    row('PUT /users', 'save-user', put('users', 'body.id', 'id'), {
      ...{ takes: 'UserChange', gives: 'User', wrap: 'data', harm: 'users' },
    }),
    row('DELETE /users', 'drop-users', remove('users', 'query.ids'), {
      ...{ query: { ids: some(3) }, status: 204, harm: 'bulk' },
    }),
    row('GET /user', 'find-user', read('users', 'query.id'), {
      query: { id: id(2) },
      gives: 'User',
      wrap: 'data',
    }),
    row('DELETE /user', 'drop-user', remove('users', 'query.id'), {
      ...{ query: { id: id(2) }, status: 204, harm: 'users' },
    }),
    row('POST /users/bulk-delete', 'bulk-delete', remove('users', 'body.ids'), {
      takes: 'Ids',
      harm: 'bulk',
    }),
    row('POST /user-suspensions', 'suspend', change('users', 'body.id', { suspended: true }), {
      ...{ takes: 'Ref', status: 201, harm: 'users' },
    }),
    row('POST /own-password', 'set-own-password', change('users', 'me'), { takes: 'Password', harm: 'me' }),
    row('DELETE /own-account', 'close-own-account', remove('users', 'me'), { status: 204, harm: 'me' }),
    row('GET /teams', 'list-teams', list('teams'), { gives: 'Team[]', wrap: 'data' }),
    row('PATCH /teams', 'edit-team', change('teams', 'query.team-id'), {
      ...{
        query: { 'team-id': id(1) },
        takes: object({ name: text }),
        gives: 'Team',
        wrap: 'data',
        harm: 'memberships',
      },
    }),
    row('GET /assignments', 'list-assignments', list('assignments'), { gives: 'Assignment[]', wrap: 'data' }),
    row('PUT /assignments', 'assign', put('assignments', 'body.userId~body.teamId'), {
      ...{ takes: 'Assignment', gives: 'Assignment', wrap: 'data', harm: 'memberships' },
    }),
    row('DELETE /assignments', 'unassign', remove('assignments', 'query.user-id~query.team-id'), {
      ...{ query: { 'user-id': id(2), 'team-id': id(1) }, status: 204, harm: 'memberships' },
    }),
    row('GET /products', 'list-products', list('products'), { gives: 'Product[]', wrap: 'data' }),
    row(
      'POST /orders',
      'order',
      take('products', 'body.productId', ['stock', 'body.quantity'], make('orders')),
      {
        ...{ takes: 'Order', gives: 'Order', wrap: 'data', harm: 'stock' },
      },
    ),
    row('GET /orders/{orderId}', 'find-order', read('orders', 'path.orderId'), {
      gives: 'Order',
      wrap: 'data',
    }),
    row('DELETE /orders/{orderId}', 'cancel-order', remove('orders', 'path.orderId'), { status: 204 }),
    row(
      'POST /stock-moves',
      'move-stock',
      take('products', 'body.productId', ['stock', 'body.quantity'], happen('moves')),
      {
        ...{ takes: 'Order', harm: 'stock' },
      },
    ),
    row(
      'POST /payments',
      'pay',
      take('accounts', 'body.fromAccount', ['balance', 'body.amount'], make('payments')),
      {
        ...{ takes: 'Payment', gives: 'Payment', wrap: 'data', status: 201, harm: 'money' },
      },
    ),
    row('DELETE /payments/{paymentId}', 'cancel-payment', remove('payments', 'path.paymentId'), {
      status: 204,
    }),
    row('GET /tokens', 'list-tokens', list('tokens'), { gives: 'Token[]', wrap: 'data' }),
    row('POST /tokens', 'issue-token', make('tokens'), {
      takes: 'TokenOrder',
      gives: 'TokenOrder',
      wrap: 'data',
    }),
    row('DELETE /tokens', 'revoke-tokens', remove('tokens', 'query.token-id'), {
      ...{ query: { 'token-id': id(1) }, status: 204, harm: 'tokens' },
    }),
    row('GET /settings', 'list-settings', list('settings'), { gives: 'Setting[]', wrap: 'data' }),
    row('POST /settings', 'set-setting', put('settings', 'body.key'), {
      ...{ takes: 'Setting', gives: 'Setting', wrap: 'data', harm: 'settings' },
    }),
    row('PATCH /toggles', 'toggle', change('toggles', 'body.id'), {
      takes: 'Toggle',
      gives: 'Toggle',
      harm: 'switches',
    }),
    row('POST /cache-flushes', 'flush', change('caches', '=main', { entries: 0 }), {
      status: 201,
      harm: 'caches',
    }),
    row('DELETE /logs', 'trim-logs', clear('logs'), {
      ...{ query: { 'before?': { type: 'string', format: 'date' } }, status: 204, harm: 'audit' },
    }),
    row('POST /retention-runs', 'retain', clear('drafts'), { takes: 'Until', status: 202, harm: 'purge' }),
    row('POST /messages', 'send-message', make('messages'), {
      takes: 'Message',
      gives: 'Message',
      wrap: 'data',
      harm: 'mail',
    }),
    row('POST /shelves', 'save-shelf', put('shelves', 'body.id', 'id'), {
      ...{ takes: 'Shelf', gives: 'Shelf', wrap: 'data', status: 201 },
    }),
    row('GET /shelves/{shelfId}', 'find-shelf', read('shelves', 'path.shelfId'), {
      gives: 'Shelf',
      wrap: 'data',
    }),
    row('DELETE /shelves', 'clear-shelves', clear('shelves'), { status: 204, harm: 'bulk' }),
    row('DELETE /shelves/{shelfId}', 'drop-shelf', remove('shelves', 'path.shelfId'), { status: 204 }),
    row('GET /rooms', 'list-rooms', list('rooms'), { gives: 'Room[]', wrap: 'data' }),
    row('POST /rooms', 'add-room', make('rooms'), {
      isHarmless: true,
      takes: 'Room',
      gives: 'Room',
      wrap: 'data',
    }),
    row('GET /rooms/{roomId}', 'find-room', read('rooms', 'path.roomId'), { gives: 'Room', wrap: 'data' }),
    row('POST /rooms/batch', 'add-rooms', makeAll('rooms', '/rooms'), {
      ...{ takes: 'Rooms' },
      ...{ gives: 'Room[]', wrap: 'data' },
    }),
    row(
      'POST /rooms/{roomId}/copies',
      'copy-room',
      make('rooms', { at: '/rooms', adds: { title: 'copy' }, location: true }),
      {
        ...{ gives: 'Room', wrap: 'data', status: 201 },
      },
    ),
    row('POST /visits', 'begin-visit', visit, { takes: 'Room', gives: 'User', wrap: 'data', status: 201 }),
    row('DELETE /visits/{visitId}', 'end-visit', remove('visits', 'path.visitId'), { status: 204 }),
    row('DELETE /rooms/{roomId}', 'drop-room', remove('rooms', 'path.roomId'), { status: 204 }),
    row('POST /rooms/{roomId}/reviews', 'add-review', make('reviews'), {
      isHarmless: true,
      takes: 'Review',
      gives: 'Review',
      wrap: 'data',
    }),
    row('DELETE /rooms/{roomId}/reviews/{reviewId}', 'drop-review', remove('reviews', 'path.reviewId'), {
      status: 204,
    }),
  ],
};
