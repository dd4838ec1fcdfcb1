import type { Clock } from '../../../conformance/index.ts';
import { canonical, digest, hasTag, isValid, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { pageOf } from './pages.ts';

type Has = (fault: string) => boolean;

interface Address {
  readonly id: string;
  readonly number: number;
  readonly createdAt: string;
  values: Thing;
  isGone: boolean;
}

interface Account {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly createdAt: string;
  readonly addresses: Map<string, Address>;
}

/** The calls about accounts and their addresses, by operation. */
export interface Accounts {
  readonly open: (call: Call, owner: string) => Answer;
  readonly read: (call: Call, owner: string) => Answer;
  readonly add: (call: Call, owner: string) => Answer;
  readonly addMany: (call: Call, owner: string) => Answer;
  readonly list: (call: Call, owner: string) => Answer;
  readonly readAddress: (call: Call, owner: string) => Answer;
  readonly change: (call: Call, owner: string) => Answer;
  readonly drop: (call: Call, owner: string) => Answer;
}

const members = ['label', 'street', 'city', 'country', 'floor', 'hint'];

/** The accounts of all callers; some are there from the beginning. */
export function accountsOf(document: string, clock: Clock, has: Has): Accounts {
  const all = new Map<string, Account>();
  let last = 0;

  const now = (): string => new Date(clock.now()).toISOString();
  const create = (owner: string, name: string): Account => {
    const id = `acc_${String(all.size + 1)}`;
    const made: Account = { id, owner, name, createdAt: now(), addresses: new Map() };
    all.set(id, made);
    return made;
  };
  const found = (call: Call, owner: string): Account => {
    const account = all.get(call.path['accountId'] ?? '');
    if (account?.owner !== owner) throw new Refusal(404, 'not_found', 'There is no such account.');
    return account;
  };
  const foundAddress = (account: Account, call: Call): Address => {
    const address = account.addresses.get(call.path['addressId'] ?? '');
    if (address === undefined) throw new Refusal(404, 'not_found', 'There is no such address.');
    if (address.isGone && has('gone-patch-missing') && call.method === 'PATCH') {
      throw new Refusal(404, 'not_found', 'There is no such address.');
    }
    if (address.isGone) throw new Refusal(410, 'address_gone', 'The address was deleted.');
    return address;
  };
  const checkLabel = (account: Account, label: unknown, but?: Address): void => {
    if (but !== undefined && has('patch-takes-label')) return;
    const isTaken = present(account).some((one) => one !== but && one.values['label'] === label);
    if (isTaken) throw new Refusal(409, 'label_taken', 'Another address has the label.');
  };
  const nextNumber = (): number => {
    if (has('address-id-again')) {
      const living = [...all.values()].flatMap(present).map(({ number }) => number);
      return Math.max(0, ...living) + 1;
    }
    last += 1;
    return last;
  };
  const addTo = (account: Account, body: Thing, isBulk: boolean, isStored = true): Address => {
    checkLabel(account, body['label']);
    const sent = Object.fromEntries(Object.entries(body).filter(([name]) => members.includes(name)));
    if (has('floor-zero-lost') && sent['floor'] === 0) delete sent['floor'];
    const country = has('bulk-without-country') && isBulk ? {} : { country: 'CH' };
    const number = nextNumber();
    const id = `adr_${String(number)}`;
    const made: Address = { id, number, createdAt: now(), values: { ...country, ...sent }, isGone: false };
    if (isStored) account.addresses.delete(id);
    if (isStored) account.addresses.set(id, made);
    return made;
  };
  const tagOf = (address: Address): string => {
    const seen = shown(address);
    if (has('tag-ignores-hint')) delete seen['hint'];
    return `"${digest(canonical(seen))}"`;
  };
  const checkVersion = (address: Address, call: Call): void => {
    const list = call.header('If-Match');
    if (list !== undefined && !hasTag(list, tagOf(address), false)) {
      throw new Refusal(412, 'stale', 'The address is another one by now.');
    }
  };

  const first = create('shop', 'Main branch');
  const place = { street: 'Mill Road 1', city: 'Bern' };
  addTo(first, { label: 'Warehouse', ...place }, false);
  addTo(first, { label: 'Office', ...place, floor: 2, hint: 'Ring twice.' }, false);
  addTo(create('bakery', 'The oven'), { label: 'Warehouse', ...place }, false);

  const open = (call: Call, owner: string): Answer => {
    const made = create(owner, String((call.body as Thing)['name']));
    return { status: 201, headers: { Location: `/accounts/${made.id}` }, json: shownAccount(made, has) };
  };

  const add = (call: Call, owner: string): Answer => {
    const account = found(call, owner);
    const made = addTo(account, call.body as Thing, false);
    const Location = `/accounts/${account.id}/addresses/${made.id}`;
    return { status: 201, headers: { Location }, json: shown(made) };
  };

  const addMany = (call: Call, owner: string): Answer => {
    const account = found(call, owner);
    const { addresses } = call.body as { readonly addresses: readonly unknown[] };
    const results = addresses.map((one, at): Thing => {
      if (!isValid(document, 'addAddress', one)) return { status: 422, code: 'invalid_body' };
      const isLost = has('bulk-loses-last') && at >= 3 && at === addresses.length - 1;
      try {
        return { status: 201, address: shown(addTo(account, one as Thing, true, !isLost)) };
      } catch (error) {
        if (error instanceof Refusal) return { status: error.status, code: error.code };
        throw error;
      }
    });
    return { status: 200, json: { results } };
  };

  const list = (call: Call, owner: string): Answer => {
    const account = found(call, owner);
    return pageOf(call, present(account).map(shown), {
      path: `/accounts/${account.id}/addresses`,
      kept: [],
    });
  };

  const readAddress = (call: Call, owner: string): Answer => {
    const address = foundAddress(found(call, owner), call);
    return { status: 200, headers: { ETag: tagOf(address) }, json: shown(address) };
  };

  const change = (call: Call, owner: string): Answer => {
    const account = found(call, owner);
    const address = foundAddress(account, call);
    checkVersion(address, call);
    const body = Object.entries(call.body as Thing).filter(([name]) => members.includes(name));
    const merged = Object.fromEntries(
      [...Object.entries(address.values), ...body].filter(([, value]) => value !== undefined),
    );
    const values = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
    checkLabel(account, values['label'], address);
    address.values = values;
    return { status: 200, headers: { ETag: tagOf(address) }, json: shown(address) };
  };

  const drop = (call: Call, owner: string): Answer => {
    const address = foundAddress(found(call, owner), call);
    checkVersion(address, call);
    address.isGone = true;
    return { status: 204 };
  };

  return {
    open,
    read: (call, owner) => ({ status: 200, json: shownAccount(found(call, owner), has) }),
    add,
    addMany,
    list,
    readAddress,
    change,
    drop,
  };
}

// --- internal ---

const present = ({ addresses }: Account): Address[] =>
  [...addresses.values()].filter(({ isGone }) => !isGone);

const shown = ({ id, values, createdAt }: Address): Thing => ({ id, ...values, created_at: createdAt });

function shownAccount(account: Account, has: Has): Thing {
  const [first] = present(account);
  const count = has('count-keeps-deleted') ? account.addresses.size : present(account).length;
  return {
    id: account.id,
    name: account.name,
    address_count: count,
    ...(first === undefined ? {} : { first_address_id: first.id }),
    created_at: account.createdAt,
  };
}
