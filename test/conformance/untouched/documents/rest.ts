import { both, change, clear, happen, list, make, put, read, remove, take } from '../effects.ts';
import { object, row } from '../sample.ts';
import type { Effect, Sample } from '../sample.ts';

const text = { type: 'string', minLength: 1, maxLength: 60 };
const number = { type: 'integer', minimum: 1, maximum: 1000 };
const id = { type: 'integer', readOnly: true };
const ids = { type: 'integer', minimum: 1, example: 2 };

/** An answer that points at the caller, and not at what it made. */
const elsewhere: Effect = () => ({ headers: { Location: '/api/v1/users/1' } });

/** An answer with two ids: that of the owner comes first. */
const makeCard: Effect = (call, world) => {
  const { body } = make('cards')(call, world);
  return { body: { owner: { id: 1, name: 'Ada' }, card: body } };
};

/** Nouns and methods, as many APIs have them. Numbers as ids, `201` with `Location`; an order takes from the stock. */
export const rest: Sample = {
  name: 'rest',
  base: '/api/v1',
  naming: 'integer',
  callers: { me: '1', second: '2' },
  tables: {
    settings: { main: { currency: 'EUR', maintenance: false } },
    users: {
      1: { id: 1, name: 'Ada', email: 'ada@example.com', password: 'unguessable' },
      2: { id: 2, name: 'Ben', email: 'ben@example.com', password: 'longer still' },
      3: { id: 3, name: 'Cleo', email: 'cleo@example.com', password: 'the longest' },
    },
    products: { 1: { id: 1, title: 'Chair', stock: 40 }, 2: { id: 2, title: 'Table', stock: 7 } },
    orders: Object.fromEntries([1, 2, 3, 4, 5, 6].map((id) => [id, { id, productId: 2, quantity: id }])),
    accounts: { 1: { id: 1, balance: 500 }, 2: { id: 2, balance: 900 } },
    teams: { 1: { id: 1, title: 'Sales' }, 2: { id: 2, title: 'Support' } },
    members: { '1~3': { teamId: '1', userId: 3 } },
    tokens: Object.fromEntries([1, 2, 3, 4, 5, 6].map((id) => [id, { id, label: `server ${String(id)}` }])),
    features: { checkout: { name: 'checkout', enabled: true } },
    caches: { main: { entries: 120 } },
    audit: { 1: { id: 1, says: 'Ada signed in' }, 2: { id: 2, says: 'Ben signed in' } },
    cards: Object.fromEntries([1, 2, 3].map((id) => [id, { id, title: `card ${String(id)}` }])),
    notes: { 1: { id: 1, title: 'from Ben', body: 'call back' } },
  },
  parameters: {
    id: ids,
    teamId: ids,
    userId: { ...ids, example: 3 },
    name: { type: 'string', example: 'checkout' },
  },
  schemas: {
    Settings: object({ currency: text, maintenance: { type: 'boolean' } }),
    User: object({ 'id?': id, name: text, email: { type: 'string', format: 'email' } }),
    Profile: object({ 'name?': text, 'password?': { type: 'string', minLength: 8, writeOnly: true } }),
    Product: object({ 'id?': id, title: text, stock: number }),
    Order: object({ 'id?': id, productId: { ...ids, example: 1 }, quantity: number }),
    Account: object({ id, balance: { type: 'integer' } }),
    Transfer: object({ fromAccountId: { ...ids, example: 1 }, toAccountId: ids, amount: number }),
    Mail: object({ 'id?': id, to: { type: 'string', format: 'email' }, subject: text }),
    Team: object({ 'id?': id, title: text }),
    Member: object({ 'teamId?': { type: 'string', readOnly: true }, userId: { ...ids, example: 3 } }),
    Token: object({ 'id?': id, label: text }),
    Feature: object({ enabled: { type: 'boolean' }, 'name?': { type: 'string', readOnly: true } }),
    Entry: object({ id, says: text }),
    OwnedCard: object({ owner: object({ id: ids, name: text }), card: object({ id: ids, title: text }) }),
    Note: object({ 'id?': id, title: text, 'body?': text }),
  },
  rows: [
    row('GET /settings', 'getSettings', read('settings', '=main'), { gives: 'Settings' }),
    row('PUT /settings', 'putSettings', change('settings', '=main'), {
      ...{ takes: 'Settings', gives: 'Settings', harm: 'settings' },
    }),
    row('PATCH /settings', 'patchSettings', change('settings', '=main'), {
      ...{ takes: { type: 'object', properties: { maintenance: { type: 'boolean' } } } },
      ...{ gives: 'Settings', harm: 'settings' },
    }),
    row('GET /users', 'listUsers', list('users'), { gives: 'User[]' }),
    row('POST /users', 'createUser', make('users', { location: true }), {
      isHarmless: true,
      takes: 'User',
      gives: 'User',
      status: 201,
    }),
    row('DELETE /users', 'deleteUsers', clear('users'), { status: 204, harm: 'bulk' }),
    row('GET /users/{id}', 'getUser', read('users', 'path.id'), { gives: 'User' }),
    row('PUT /users/{id}', 'putUser', put('users', 'path.id', 'id'), {
      takes: 'User',
      gives: 'User',
      harm: 'users',
    }),
    row('PATCH /users/{id}', 'patchUser', change('users', 'path.id'), {
      ...{ takes: { type: 'object', properties: { name: text } }, gives: 'User', harm: 'users' },
    }),
    row('DELETE /users/{id}', 'deleteUser', remove('users', 'path.id'), { status: 204, harm: 'users' }),
    row('GET /me', 'getMe', read('users', 'me'), { gives: 'User' }),
    row('PATCH /me', 'patchMe', change('users', 'me'), { takes: 'Profile', gives: 'User', harm: 'me' }),
    row('DELETE /me', 'deleteMe', remove('users', 'me'), { status: 204, harm: 'me' }),
    row('GET /products', 'listProducts', list('products'), { gives: 'Product[]' }),
    row('POST /products', 'createProduct', make('products', { location: true }), {
      ...{ isHarmless: true, takes: 'Product', gives: 'Product', status: 201 },
    }),
    row('GET /products/{id}', 'getProduct', read('products', 'path.id'), { gives: 'Product' }),
    row('DELETE /products/{id}', 'deleteProduct', remove('products', 'path.id'), { status: 204 }),
    row('GET /orders', 'listOrders', list('orders'), { gives: 'Order[]' }),
    row(
      'POST /orders',
      'createOrder',
      take('products', 'body.productId', ['stock', 'body.quantity'], make('orders')),
      {
        ...{ isHarmless: true, takes: 'Order', gives: 'Order', status: 201, harm: 'stock' },
      },
    ),
    row('GET /orders/{id}', 'getOrder', read('orders', 'path.id'), { gives: 'Order' }),
    row('DELETE /orders/{id}', 'deleteOrder', remove('orders', 'path.id'), { status: 204 }),
    row('GET /accounts', 'listAccounts', list('accounts'), { gives: 'Account[]' }),
    row('GET /accounts/{id}', 'getAccount', read('accounts', 'path.id'), { gives: 'Account' }),
    row(
      'POST /transfers',
      'createTransfer',
      take('accounts', 'body.fromAccountId', ['balance', 'body.amount'], make('transfers')),
      { takes: 'Transfer', gives: 'Transfer', status: 201, harm: 'money' },
    ),
    row('POST /mails', 'sendMail', happen('mails', { id: 7, to: 'ben@example.com', subject: 'sent' }), {
      ...{ takes: 'Mail', gives: 'Mail', status: 202, harm: 'mail' },
    }),
    row('GET /teams', 'listTeams', list('teams'), { gives: 'Team[]' }),
    row('GET /teams/{teamId}/members', 'listMembers', list('members'), { gives: 'Member[]' }),
    row('POST /teams/{teamId}/members', 'addMember', make('members', { key: 'userId', below: 'teamId' }), {
      ...{ takes: 'Member', gives: 'Member', status: 201, also: [200] },
    }),
    row(
      'DELETE /teams/{teamId}/members/{userId}',
      'removeMember',
      remove('members', 'path.teamId~path.userId'),
      {
        ...{ status: 204, harm: 'memberships' },
      },
    ),
    row('GET /tokens', 'listTokens', list('tokens'), { gives: 'Token[]' }),
    row('POST /tokens', 'createToken', make('tokens'), { takes: 'Token', gives: 'Token', status: 201 }),
    row('DELETE /tokens/{id}', 'revokeToken', remove('tokens', 'path.id'), { status: 204, harm: 'tokens' }),
    row('GET /features', 'listFeatures', list('features'), { gives: 'Feature[]' }),
    row('PUT /features/{name}', 'putFeature', put('features', 'path.name', 'name'), {
      ...{ takes: 'Feature', gives: 'Feature', harm: 'switches' },
    }),
    row('DELETE /cache', 'flushCache', change('caches', '=main', { entries: 0 }), {
      status: 204,
      harm: 'caches',
    }),
    row('GET /audit', 'listAudit', list('audit'), { gives: 'Entry[]' }),
    row('DELETE /audit', 'deleteAudit', clear('audit'), { status: 204, harm: 'audit' }),
    row('GET /notes', 'listNotes', list('notes'), { gives: 'Note[]' }),
    row('POST /notes', 'createNote', make('notes', { location: true }), {
      isHarmless: true,
      takes: 'Note',
      gives: 'Note',
      status: 201,
    }),
    row('GET /notes/{id}', 'getNote', read('notes', 'path.id'), { gives: 'Note' }),
    row('PUT /notes/{id}', 'putNote', put('notes', 'path.id', 'id'), { takes: 'Note', gives: 'Note' }),
    row('PATCH /notes/{id}', 'patchNote', change('notes', 'path.id'), {
      ...{ takes: { type: 'object', properties: { title: text } }, gives: 'Note' },
    }),
    row('POST /notes/{id}/pin', 'pinNote', change('settings', '=main', { pinned: 'a note' }), {
      harm: 'settings',
    }),
    row('POST /users/{id}/welcome', 'welcomeUser', happen('welcome mail'), { status: 202, harm: 'mail' }),
    row('POST /uploads', 'upload', make('uploads', { isSilent: true }), { takes: 'Note', status: 202 }),
    row(
      'POST /deployments',
      'deploy',
      both(change('settings', '=main', { version: 2 }), make('deployments')),
      {
        ...{ takes: 'Note', gives: 'Note', status: 201, harm: 'settings' },
      },
    ),
    row('POST /cleanups', 'cleanUp', both(clear('tokens'), make('cleanups')), {
      ...{ takes: 'Note', gives: 'Note', status: 201, harm: 'purge' },
    }),
    row('POST /check-ins', 'checkIn', both(make('checkIns', { isSilent: true }), elsewhere), {
      ...{ takes: 'Note', status: 201 },
    }),
    row('POST /cards', 'createCard', makeCard, { takes: 'Note', gives: 'OwnedCard', status: 201 }),
    row('DELETE /cards/{cardId}', 'deleteCard', remove('cards', 'path.cardId'), {
      status: 204,
      harm: 'bulk',
    }),
    row('DELETE /notes/{id}', 'deleteNote', remove('notes', 'path.id'), { status: 204 }),
  ],
};
