import { canonical, digest, hasTag, Refusal, type Call, type Thing } from '../wire.ts';

export type Has = (fault: string) => boolean;

export type State = 'draft' | 'submitted' | 'settled' | 'rejected' | 'voided';

export interface Account {
  readonly code: string;
  readonly owner: string;
  /** Ascends over all accounts, also where a code is used again. */
  readonly serial: number;
  readonly createdAt: number;
  values: Thing;
  updatedAt: number;
  /** How often the values have changed. */
  version: number;
  /** With a fault, the group for which the account is found. */
  indexedGroup: unknown;
  isRemoved: boolean;
  readonly postings: Posting[];
  readonly statements: Statement[];
}

export interface Posting {
  readonly number: number;
  readonly reference: string;
  readonly amount: string;
  readonly day: string;
  readonly memo: string | undefined;
  readonly transfer: Transfer | undefined;
  readonly createdAt: number;
}

export interface Statement {
  readonly number: number;
  readonly values: Thing;
}

export interface Transfer {
  readonly number: number;
  readonly owner: string;
  readonly createdAt: number;
  values: Thing;
  version: number;
  state: State;
  submittedAt?: number;
  endedAt?: number;
  /** The numbers of its postings: out of the one account, and into the other. */
  postings?: { readonly out: number; readonly in: number };
}

export const time = (at: number): string => new Date(at).toISOString();
export const dayOf = (at: number): string => time(at).slice(0, 10);

/** The hundredths of an amount. */
export const cents = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** An amount as the API writes it. */
export function amountOf(hundredths: bigint): string {
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, '0');
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export const sumOf = (postings: readonly Posting[]): bigint =>
  postings.reduce((sum, { amount }) => sum + cents(amount), 0n);

export function balanceOf({ postings }: Account, has: Has): string {
  if (!has('balance-by-float')) return amountOf(sumOf(postings));
  const sum = postings.reduce((before, { amount }) => before + Number(amount), 0);
  return sum.toFixed(2).replace(/^-(?=0\.00$)/, '');
}

export const pathOf = ({ code }: Pick<Account, 'code'>): string => `/accounts/${code}`;

export function shownAccount(account: Account, has: Has): Thing {
  const path = pathOf(account);
  return {
    code: account.code,
    ...account.values,
    balance: balanceOf(account, has),
    posting_count: account.postings.length,
    created_at: time(account.createdAt),
    updated_at: time(account.updatedAt),
    links: { self: path, postings: `${path}/postings`, statements: `${path}/statements` },
  };
}

export function shownPosting(account: Account, posting: Posting, has: Has): Thing {
  const { memo, transfer } = posting;
  const isOut = transfer !== undefined && posting.amount.startsWith('-');
  const isMixedUp = isOut && has('transfer-posting-links-other');
  const linked = isMixedUp ? String(transfer.values['to']) : account.code;
  return {
    id: `pst_${String(posting.number)}`,
    account: account.code,
    reference: posting.reference,
    amount: posting.amount,
    booked_on: posting.day,
    ...(memo === undefined ? {} : { memo }),
    source: transfer === undefined ? 'entry' : 'transfer',
    ...(transfer === undefined ? {} : { transfer_id: `trf_${String(transfer.number)}` }),
    created_at: time(posting.createdAt),
    links: {
      self: `${pathOf(account)}/postings/pst_${String(posting.number)}`,
      account: pathOf({ code: linked }),
    },
  };
}

export function shownStatement(account: Account, { number, values }: Statement): Thing {
  const id = `stm_${String(number)}`;
  const links = { self: `${pathOf(account)}/statements/${id}`, account: pathOf(account) };
  return { id, account: account.code, ...values, links };
}

export function shownTransfer(transfer: Transfer): Thing {
  const { number, values, state, submittedAt, endedAt, postings } = transfer;
  const rejection = { reason: 'insufficient_funds', message: 'The account has too little for the transfer.' };
  return {
    id: `trf_${String(number)}`,
    ...values,
    state,
    created_at: time(transfer.createdAt),
    ...(submittedAt === undefined ? {} : { submitted_at: time(submittedAt) }),
    ...(endedAt === undefined ? {} : { ended_at: time(endedAt) }),
    ...(postings === undefined
      ? {}
      : { postings: { out: `pst_${String(postings.out)}`, in: `pst_${String(postings.in)}` } }),
    ...(state === 'rejected' ? { rejection } : {}),
    links: {
      self: `/transfers/trf_${String(number)}`,
      from: pathOf({ code: String(values['from']) }),
      to: pathOf({ code: String(values['to']) }),
    },
  };
}

/** The tag of an account: another one for each other state of it. */
export function tagOfAccount(account: Account, has: Has): string {
  const entries = account.postings.filter(({ transfer }) => transfer === undefined).length;
  if (has('recreated-account-old-tag')) {
    const counts = `${String(account.version)} ${String(account.postings.length)}`;
    return `"${digest(`${account.owner} ${account.code} ${counts}`)}"`;
  }
  const version = `${String(account.serial)} ${String(account.version)}`;
  if (has('settlement-keeps-tag')) return `"${digest(`${version} ${String(entries)}`)}"`;
  return `"${digest(`${version} ${canonical(shownAccount(account, has))}`)}"`;
}

export const tagOfTransfer = (transfer: Transfer): string =>
  `"${digest(`${String(transfer.version)} ${canonical(shownTransfer(transfer))}`)}"`;

/** Refuses a change of another version than the one that its caller has seen. */
export function checkVersion(call: Call, tag: string): void {
  const list = call.header('If-Match');
  if (list === undefined) throw new Refusal(428, 'version_needed', 'If-Match is needed.');
  if (!hasTag(list, tag, false)) throw new Refusal(412, 'stale', 'It is another version by now.');
}

/** Whether the caller of a read has the current version. */
export function isCurrentCopy(call: Call, tag: string): boolean {
  const list = call.header('If-None-Match');
  return list !== undefined && hasTag(list, tag, true);
}

/** The members of a body that are known. */
export const picked = (body: Thing, members: readonly string[]): Thing =>
  Object.fromEntries(Object.entries(body).filter(([name]) => members.includes(name)));

/** What a patch makes of values; a null takes a member away. */
export function merged(values: Thing, patch: Thing, members: readonly string[]): Thing {
  const all = { ...values, ...picked(patch, members) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
