import type { Exchange } from '../exchanges/exchange.ts';

/** How many requests `forgeries` may send. */
export const MOST_FORGED = 3;

/**
 * The answers to a JWT that has another signature, and to one without a signature. None unless a JWT about an unknown user is
 * refused as a credential: servers for trying things accept every JWT, and another refusal says nothing of the credential.
 */
export async function forgeries(
  token: string | undefined,
  send: (credential: readonly [string, string]) => Promise<Exchange>,
): Promise<readonly Exchange[]> {
  const [head, claims, signature = '', ...rest] = token?.split('.') ?? [];
  if (rest.length > 0 || signature.length < 2) return [];
  const bearing = (one: string): Promise<Exchange> => send(['Authorization', `Bearer ${one}`]);
  if (![401, 403].includes((await bearing(MADE_UP)).status)) return [];
  // The last character may have bits that mean nothing.
  const other = `${signature.startsWith('q') ? 'w' : 'q'}${signature.slice(1)}`;
  return [await bearing(`${head}.${claims}.${other}`), await bearing(`${head}.${claims}.`)];
}

// --- internal ---

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const MADE_UP = [
  encoded({ alg: 'HS256', kid: 'tallystick' }),
  encoded({ sub: 'tallystick-nobody' }),
  'q'.repeat(43),
].join('.');
