import { change, clear, happen, list, make, read, remove, take } from '../effects.ts';
import { object, row } from '../sample.ts';
import type { Sample, Schema } from '../sample.ts';

const text = { type: 'string', minLength: 1, maxLength: 60 };
const id = (example: string): Schema => ({ type: 'string', pattern: '^[a-z]{3}_[0-9a-z]+$', example });
const ref = (name: string, example: string): Schema => object({ [name]: id(example) });
const ok = object({ ok: { type: 'boolean' } });

/**
 * Procedures: all of them POST, ids in bodies, names in snake_case, answers wrapped, always 200. Half of the operation ids
 * say nothing. Bookmarks are an ordinary collection beside them.
 */
export const rpc: Sample = {
  name: 'rpc',
  naming: 'prefixed',
  callers: { me: 'usr_1', second: 'usr_2' },
  tables: {
    settings: { main: { default_locale: 'en', signups_open: true } },
    users: {
      usr_1: { id: 'usr_1', display_name: 'Ada', is_locked: false },
      usr_2: { id: 'usr_2', display_name: 'Ben', is_locked: false },
      usr_3: { id: 'usr_3', display_name: 'Cleo', is_locked: false },
    },
    channels: {
      cha_1: { id: 'cha_1', title: 'general', topic: 'all' },
      cha_2: { id: 'cha_2', title: 'sales', topic: '' },
    },
    joined: { 'cha_1~usr_3': { channel: 'cha_1', user: 'usr_3' } },
    wallets: { wal_1: { id: 'wal_1', credits: 300 }, wal_2: { id: 'wal_2', credits: 80 } },
    keys: { key_1: { id: 'key_1', scope: 'all' } },
    items: { ite_1: { id: 'ite_1', title: 'Lamp', in_stock: 12 } },
    jobs: { job_1: { id: 'job_1', state: 'waiting' }, job_2: { id: 'job_2', state: 'failed' } },
    flags: { beta: { name: 'beta', on: false } },
    caches: { main: { warm: true } },
    events: { eve_1: { id: 'eve_1', says: 'Ada signed in' } },
    bookmarks: { boo_1: { id: 'boo_1', url: 'https://example.com/ben', title: 'Ben’s' } },
  },
  parameters: { bookmark_id: id('boo_1') },
  schemas: {
    Done: ok,
    Settings: object({ default_locale: text, signups_open: { type: 'boolean' } }),
    User: object({ id: id('usr_2'), display_name: text, is_locked: { type: 'boolean' } }),
    NewUser: object({ display_name: text }),
    UserRef: ref('user_id', 'usr_2'),
    UserRefs: object({ user_ids: { type: 'array', minItems: 1, items: id('usr_3') } }),
    UserChange: object({ user_id: id('usr_2'), display_name: text }),
    Channel: object({ 'id?': { type: 'string', readOnly: true }, title: text, 'topic?': { type: 'string' } }),
    ChannelRef: ref('channel', 'cha_1'),
    Topic: object({ channel: id('cha_1'), topic: text }),
    Joining: object({ channel: id('cha_1'), user: id('usr_3') }),
    Message: object({ channel: id('cha_2'), text }),
    Letter: object({
      recipients: { type: 'array', minItems: 1, items: { type: 'string', format: 'email' } },
      text,
    }),
    Move: object({
      from: id('wal_1'),
      to: id('wal_2'),
      credits: { type: 'integer', minimum: 1, maximum: 50 },
    }),
    Key: object({ id: id('key_1'), scope: text }),
    NewKey: object({ scope: text }),
    KeyRef: ref('key_id', 'key_1'),
    Picking: object({ item_id: id('ite_1'), in_stock: { type: 'integer', minimum: 1, maximum: 9 } }),
    Item: object({ id: id('ite_1'), title: text, in_stock: { type: 'integer' } }),
    Job: object({ id: id('job_1'), state: text }),
    Flag: object({ name: { type: 'string', example: 'beta' }, on: { type: 'boolean' } }),
    Calls: object({
      calls: {
        type: 'array',
        items: { type: 'object' },
        example: [{ method: 'users.delete', user_id: 'usr_2' }],
      },
    }),
    Bookmark: object({
      'id?': { type: 'string', readOnly: true },
      url: { type: 'string', format: 'uri' },
      title: text,
    }),
  },
  rows: [
    row('GET /settings.get', 'op01', read('settings', '=main'), { gives: 'Settings', wrap: 'settings' }),
    row('POST /settings.update', 'op02', change('settings', '=main'), {
      ...{ takes: 'Settings', gives: 'Settings', wrap: 'settings', harm: 'settings' },
    }),
    row('GET /users.list', 'op03', list('users'), { gives: 'User[]', wrap: 'users' }),
    row('GET /users.info', 'op04', read('users', 'query.user_id'), {
      ...{ query: { user_id: { type: 'string', example: 'usr_2' } }, gives: 'User', wrap: 'user' },
    }),
    row('POST /users.create', 'op05', make('users', { adds: { is_locked: false } }), {
      ...{ takes: 'NewUser', gives: 'User', wrap: 'user' },
    }),
    row('POST /users.update', 'op06', change('users', 'body.user_id'), {
      ...{ takes: 'UserChange', gives: 'User', wrap: 'user', harm: 'users' },
    }),
    row('POST /users.lock', 'op07', change('users', 'body.user_id', { is_locked: true }), {
      ...{ takes: 'UserRef', gives: 'User', wrap: 'user', harm: 'users' },
    }),
    row('POST /users.delete', 'op08', remove('users', 'body.user_id'), { takes: 'UserRef', harm: 'users' }),
    row('GET /users.remove', 'op12', remove('users', 'query.user_id'), {
      ...{ query: { user_id: { type: 'string', example: 'usr_2' } }, harm: 'users' },
    }),
    row('POST /users.deleteMany', 'op09', remove('users', 'body.user_ids'), {
      takes: 'UserRefs',
      harm: 'bulk',
    }),
    row('POST /account.close', 'op10', remove('users', 'me'), { harm: 'me' }),
    row('POST /profile.set', 'op11', change('users', 'me'), {
      ...{ takes: 'NewUser', gives: 'User', wrap: 'profile', harm: 'me' },
    }),
    row('GET /channels.list', 'channels_list', list('channels'), { gives: 'Channel[]', wrap: 'channels' }),
    row('POST /channels.create', 'channels_create', make('channels'), {
      ...{ takes: 'Channel', gives: 'Channel', wrap: 'channel' },
    }),
    row('POST /channels.setTopic', 'channels_set_topic', change('channels', 'body.channel'), {
      ...{ takes: 'Topic', gives: 'Channel', wrap: 'channel', harm: 'settings' },
    }),
    row('POST /channels.archive', 'channels_archive', remove('channels', 'body.channel'), {
      ...{ takes: 'ChannelRef', harm: 'purge' },
    }),
    row('POST /channels.kick', 'channels_kick', remove('joined', 'body.channel~body.user'), {
      ...{ takes: 'Joining', harm: 'memberships' },
    }),
    row('POST /chat.postMessage', 'chat_post_message', happen('messages', { ok: true }), {
      ...{ takes: 'Message', gives: 'Done', harm: 'mail' },
    }),
    row('POST /letters.send', 'letters_send', happen('letters', { ok: true }), {
      ...{ takes: 'Letter', gives: 'Done', harm: 'mail' },
    }),
    row('GET /wallet', 'wallet_info', read('wallets', '=wal_1'), {}),
    row(
      'POST /wallet.move',
      'wallet_move',
      take('wallets', 'body.from', ['credits', 'body.credits'], happen('moves')),
      {
        ...{ takes: 'Move', harm: 'money' },
      },
    ),
    row('GET /keys.list', 'keys_list', list('keys'), { gives: 'Key[]', wrap: 'keys' }),
    row('POST /keys.create', 'keys_create', make('keys'), { takes: 'NewKey', gives: 'Key', wrap: 'key' }),
    row('POST /keys.revoke', 'keys_revoke', remove('keys', 'body.key_id'), {
      takes: 'KeyRef',
      harm: 'tokens',
    }),
    row('POST /keys.revokeAll', 'keys_revoke_all', clear('keys'), { harm: 'tokens' }),
    row('GET /items.list', 'items_list', list('items'), { gives: 'Item[]', wrap: 'items' }),
    row('POST /items.pick', 'items_pick', change('items', 'body.item_id'), {
      ...{ takes: 'Picking', gives: 'Item', wrap: 'item', harm: 'stock' },
    }),
    row('GET /queue.list', 'queue_list', list('jobs'), { gives: 'Job[]', wrap: 'jobs' }),
    row('POST /queue.drain', 'queue_drain', clear('jobs'), { harm: 'purge' }),
    row('POST /flags.set', 'op30', change('flags', 'body.name'), {
      ...{ takes: 'Flag', gives: 'Flag', wrap: 'flag', harm: 'switches' },
    }),
    row('POST /cache.invalidate', 'op31', change('caches', '=main', { warm: false }), { harm: 'caches' }),
    row('POST /events.truncate', 'op32', clear('events'), { harm: 'audit' }),
    row('POST /batch', 'op33', remove('users', '=usr_2'), { takes: 'Calls', gives: 'Done', harm: 'users' }),
    row('GET /bookmarks', 'op40', list('bookmarks'), { gives: 'Bookmark[]', wrap: 'bookmarks' }),
    row('POST /bookmarks', 'op41', make('bookmarks'), {
      isHarmless: true,
      takes: 'Bookmark',
      gives: 'Bookmark',
      wrap: 'bookmark',
    }),
    row('GET /bookmarks/{bookmark_id}', 'op42', read('bookmarks', 'path.bookmark_id'), {
      ...{ gives: 'Bookmark', wrap: 'bookmark' },
    }),
    row('DELETE /bookmarks/{bookmark_id}', 'op43', remove('bookmarks', 'path.bookmark_id')),
  ],
};
