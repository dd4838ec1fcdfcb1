import { both, change, clear, happen, list, make, put, read, remove, take, upsert } from '../effects.ts';
import { object, row } from '../sample.ts';
import type { Sample, Schema } from '../sample.ts';

const text = { type: 'string', minLength: 1, maxLength: 60 };
const name = (example: string): Schema => ({ type: 'string', minLength: 1, example });
const email = { type: 'string', format: 'email', example: 'ben@example.com' };

/**
 * Singletons and natural keys: the caller names what is made, any PUT makes what is not there, and a POST of what is there
 * gives it back with 200. Labels are ordinary, beside tags that people share.
 */
export const keys: Sample = {
  name: 'keys',
  naming: 'prefixed',
  callers: { me: 'ada@example.com', second: 'ben@example.com' },
  tables: {
    users: {
      'ada@example.com': { email: 'ada@example.com', name: 'Ada' },
      'ben@example.com': { email: 'ben@example.com', name: 'Ben' },
    },
    config: { mail: { host: 'mx.example.com', retries: 3 }, limits: { host: 'any', retries: 9 } },
    tags: { vip: { name: 'vip', colour: 'gold' }, new: { name: 'new', colour: 'green' } },
    subscriptions: { 'ben@example.com': { email: 'ben@example.com', since: '2020' } },
    products: { 'sku-1': { sku: 'sku-1', title: 'Chair', stock: 8 } },
    stock: { 'sku-1': { quantity: 8 } },
    coupons: { summer: { code: 'summer', left: 5 } },
    wallet: { main: { balance: 70 } },
    key: { main: { secret: 'first' } },
    members: { 'ben@example.com': { email: 'ben@example.com', role: 'owner' } },
    flags: { checkout: { state: 'on' } },
    regions: { eu: { name: 'eu', cached: 44 } },
    trail: { 1: { says: 'Ada signed in' } },
    spools: { main: { waiting: 4 } },
    pages: { home: { slug: 'home', text: 'Welcome' } },
    contacts: { 'ben@example.com': { email: 'ben@example.com', phone: '555' } },
    marks: { mar_a: { id: 'mar_a', title: 'of Ben' }, mar_b: { id: 'mar_b', title: 'of Ada' } },
    leads: { 'ben@example.com': { email: 'ben@example.com', phone: '444' } },
    labels: { lab_a: { id: 'lab_a', title: 'of Ben' } },
  },
  parameters: {
    section: { type: 'string', enum: ['mail', 'limits'] },
    ...{
      tag: name('vip'),
      sku: name('sku-1'),
      code: name('summer'),
      flag: name('checkout'),
      region: name('eu'),
    },
    ...{ slug: name('home'), label_id: name('lab_a'), email },
  },
  schemas: {
    Profile: object({ name: text }),
    User: object({ email, name: text }),
    Section: object({ host: text, retries: { type: 'integer', minimum: 0, maximum: 9 } }),
    Tag: object({ name: name('vip'), 'colour?': text }),
    TagBody: object({ colour: text }),
    Subscription: object({ email, 'since?': { type: 'string', readOnly: true } }),
    Product: object({ sku: name('sku-1'), title: text, 'stock?': { type: 'integer', readOnly: true } }),
    Stock: object({ quantity: { type: 'integer', minimum: 0, maximum: 99 } }),
    Redeemed: object({ code: text, left: { type: 'integer' } }),
    Amount: object({ amount: { type: 'integer', minimum: 1, maximum: 20 } }),
    Wallet: object({ balance: { type: 'integer' } }),
    Member: object({ 'email?': { type: 'string', readOnly: true }, role: { enum: ['owner', 'reader'] } }),
    Flag: object({ state: { enum: ['on', 'off'] } }),
    Secret: object({ secret: { type: 'string' } }),
    Mailing: object({ subject: text, recipients: { type: 'array', items: email } }),
    Labels: { type: 'array', items: { $ref: '#/components/schemas/Label' } },
    Contact: object({ email, phone: text }),
    Page: object({ 'slug?': { type: 'string', readOnly: true }, text }),
    Label: object({ 'id?': { type: 'string', readOnly: true }, title: text }),
  },
  rows: [
    row('GET /profile', 'getProfile', read('users', 'me'), { gives: 'User' }),
    row('PUT /profile', 'putProfile', change('users', 'me'), { takes: 'Profile', gives: 'User', harm: 'me' }),
    row('PUT /password', 'putPassword', change('users', 'me', { password: 'new' }), {
      ...{ takes: object({ password: text }), status: 204, harm: 'me' },
    }),
    row('GET /people', 'listPeople', list('users'), { gives: 'User[]' }),
    row('POST /people', 'invitePerson', make('users', { key: 'email' }), {
      takes: 'User',
      gives: 'User',
      also: [201],
    }),
    row('DELETE /people/{email}', 'removePerson', remove('users', 'path.email'), {
      status: 204,
      harm: 'users',
    }),
    row('DELETE /people', 'removeEverybody', clear('users'), { status: 204, harm: 'bulk' }),
    row('GET /config/{section}', 'getSection', read('config', 'path.section'), { gives: 'Section' }),
    row('PUT /config/{section}', 'putSection', put('config', 'path.section'), {
      ...{ takes: 'Section', gives: 'Section', harm: 'settings' },
    }),
    row('DELETE /config/{section}', 'resetSection', remove('config', 'path.section'), {
      status: 204,
      harm: 'settings',
    }),
    row('GET /tags', 'listTags', list('tags'), { gives: 'Tag[]' }),
    row('POST /tags', 'addTag', make('tags', { key: 'name' }), { takes: 'Tag', gives: 'Tag', also: [201] }),
    row('GET /tags/{tag}', 'getTag', read('tags', 'path.tag'), { gives: 'Tag' }),
    row('PUT /tags/{tag}', 'putTag', put('tags', 'path.tag', 'name'), {
      takes: 'TagBody',
      gives: 'Tag',
      harm: 'purge',
    }),
    row('DELETE /tags/{tag}', 'deleteTag', remove('tags', 'path.tag'), { status: 204, harm: 'purge' }),
    row('POST /subscriptions', 'subscribe', make('subscriptions', { key: 'email' }), {
      ...{ takes: 'Subscription', gives: 'Subscription', status: 200, also: [201] },
    }),
    row('DELETE /subscriptions/{email}', 'unsubscribe', remove('subscriptions', 'path.email'), {
      ...{ status: 204, harm: 'memberships' },
    }),
    row('GET /products', 'listProducts', list('products'), { gives: 'Product[]' }),
    row('POST /products', 'addProduct', make('products', { key: 'sku', adds: { stock: 0 } }), {
      ...{ takes: 'Product', gives: 'Product', also: [201] },
    }),
    row('DELETE /products/{sku}', 'deleteProduct', remove('products', 'path.sku'), {
      status: 204,
      harm: 'stock',
    }),
    row('PUT /products/{sku}/stock', 'putStock', put('stock', 'path.sku'), {
      ...{ takes: 'Stock', gives: 'Stock', harm: 'stock' },
    }),
    row(
      'POST /coupons/{code}/redemptions',
      'redeem',
      take('coupons', 'path.code', ['left', 'body.times'], happen('redeemed')),
      {
        ...{ status: 201, harm: 'money' },
      },
    ),
    row('GET /wallet', 'getWallet', read('wallet', '=main'), { gives: 'Wallet' }),
    row(
      'POST /wallet/payouts',
      'payOut',
      take('wallet', '=main', ['balance', 'body.amount'], make('payouts')),
      {
        ...{ takes: 'Amount', status: 201, harm: 'money' },
      },
    ),
    row('PUT /wallet/limit', 'putLimit', change('wallet', '=main', { limit: 1 }), {
      takes: 'Amount',
      harm: 'money',
    }),
    row('POST /api-key', 'renewKey', change('key', '=main', { secret: 'second' }), {
      gives: 'Secret',
      harm: 'tokens',
    }),
    row('DELETE /api-key', 'dropKey', remove('key', '=main'), { status: 204, harm: 'tokens' }),
    row('PUT /members/{email}', 'putMember', put('members', 'path.email', 'email'), {
      ...{ takes: 'Member', gives: 'Member', also: [201], harm: 'memberships' },
    }),
    row('DELETE /members/{email}', 'dropMember', remove('members', 'path.email'), {
      status: 204,
      harm: 'memberships',
    }),
    row('GET /flags/{flag}', 'getFlag', read('flags', 'path.flag'), { gives: 'Flag' }),
    row('PUT /flags/{flag}', 'putFlag', put('flags', 'path.flag'), {
      takes: 'Flag',
      gives: 'Flag',
      harm: 'switches',
    }),
    row('DELETE /caches/{region}', 'dropCache', change('regions', 'path.region', { cached: 0 }), {
      ...{ status: 204, harm: 'caches' },
    }),
    row('DELETE /trail', 'dropTrail', clear('trail'), { status: 204, harm: 'audit' }),
    row('POST /mailings', 'mailAll', happen('mailings'), { takes: 'Mailing', status: 202, harm: 'mail' }),
    row('PUT /spool', 'putSpool', change('spools', '=main', { waiting: 0 }), { status: 204, harm: 'mail' }),
    row('GET /pages/{slug}', 'getPage', read('pages', 'path.slug'), { gives: 'Page' }),
    row('PUT /pages/{slug}', 'putPage', put('pages', 'path.slug', 'slug'), {
      ...{ takes: 'Page', gives: 'Page', also: [201], harm: 'settings' },
    }),
    row('DELETE /pages/{slug}', 'deletePage', remove('pages', 'path.slug'), {
      status: 204,
      harm: 'settings',
    }),
    row('POST /contacts', 'saveContact', upsert('contacts', 'email'), {
      ...{ takes: 'Contact', gives: 'Contact', status: 201, also: [200], harm: 'users' },
    }),
    row('DELETE /contacts/{email}', 'dropContact', remove('contacts', 'path.email'), { status: 204 }),
    row('POST /marks', 'addMark', both(make('marks'), list('marks')), {
      takes: 'Label',
      gives: 'Label[]',
      status: 201,
    }),
    row('DELETE /marks/{mark_id}', 'deleteMark', remove('marks', 'path.mark_id'), {
      status: 204,
      harm: 'bulk',
    }),
    row('POST /leads', 'saveLead', upsert('leads', 'email', 201), {
      takes: 'Contact',
      gives: 'Contact',
      status: 201,
    }),
    row('DELETE /leads/{email}', 'dropLead', remove('leads', 'path.email'), { status: 204 }),
    row('PUT /labels', 'putLabels', clear('labels'), {
      ...{ takes: 'Labels', status: 204, harm: 'bulk' },
    }),
    row('GET /labels', 'listLabels', list('labels'), { gives: 'Label[]' }),
    row('POST /labels', 'addLabel', make('labels'), { isHarmless: true, takes: 'Label', gives: 'Label' }),
    row('GET /labels/{label_id}', 'getLabel', read('labels', 'path.label_id'), { gives: 'Label' }),
    row('PUT /labels/{label_id}', 'putLabel', put('labels', 'path.label_id', 'id'), {
      takes: 'Label',
      gives: 'Label',
    }),
    row('DELETE /labels/{label_id}', 'deleteLabel', remove('labels', 'path.label_id'), { status: 204 }),
  ],
};
