import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Credentials, ServerCaller } from '../../generated/router/server.ts';

/** An account, and its capacity. */
export interface Account extends ServerCaller {
  readonly hasAccess: boolean;
  readonly hasCredits: boolean;
  readonly calls: number;
  /** The limit for the expected cost of running calls, in cents; unlimited if left out. */
  readonly cents?: number;
}

const account = (id: string, traits: Partial<Account> = {}): Account => ({
  ...{ id, hasAccess: true, hasCredits: true, calls: 50 },
  ...traits,
});

const SECRET = 'reference-server';

/** The credentials of this server. They are for trying it out and give access to nothing else. */
export const keys = {
  main: 'service-ref-main',
  second: 'service-ref-second',
  barred: 'service-ref-barred',
  penniless: 'service-ref-penniless',
  narrow: 'service-ref-narrow',
  thrifty: 'service-ref-thrifty',
} as const;

const accounts: ReadonlyMap<string, Account> = new Map<string, Account>([
  [keys.main, account('main')],
  [keys.second, account('second')],
  [keys.barred, account('barred', { hasAccess: false })],
  [keys.penniless, account('penniless', { hasCredits: false })],
  [keys.narrow, account('narrow', { calls: 2 })],
  [keys.thrifty, account('thrifty', { cents: 500 })],
]);

/** A token like one that an identity provider signs. */
export function tokenFor(id: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return signed(`${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: id })}`);
}

/** The account behind the credentials of a request. */
export function accountOf(credentials: Credentials): Account | undefined {
  const { ApiKeyAuth: key, BearerAuth: bearer } = credentials;
  if (key !== undefined) return accounts.get(key);
  if (bearer === undefined) return undefined;
  return accounts.get(bearer) ?? bySubject(bearer);
}

// --- internal ---

function signed(unsigned: string): string {
  return `${unsigned}.${createHmac('sha256', SECRET).update(unsigned).digest('base64url')}`;
}

function bySubject(token: string): Account | undefined {
  const unsigned = token.slice(0, token.lastIndexOf('.'));
  const [given, wanted] = [Buffer.from(token), Buffer.from(signed(unsigned))];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  const payload = unsigned.split('.')[1] ?? '';
  const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly sub?: string };
  return [...accounts.values()].find(({ id }) => id === sub);
}
