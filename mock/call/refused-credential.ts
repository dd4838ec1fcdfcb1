import type { Operation } from '../../contract/model.ts';
import type { FrontRequest } from './front.ts';

/**
 * The mock of a user's own document accepts any credential of the declared form, except one that contains this text:
 * with it, clients see a refused credential.
 */
export const REFUSED_CREDENTIAL = 'tallystick-refused';

/** Whether a request carries a credential that the mock refuses, in a place that the operation declares. */
export function isCredentialRefused(
  { security }: Pick<Operation, 'security'>,
  { header, query }: Pick<FrontRequest, 'header' | 'query'>,
): boolean {
  const values = security
    .flatMap(({ schemes }) => schemes)
    .flatMap(({ type, in: place, parameterName = '' }) => {
      if (type !== 'apiKey') return [header('authorization') ?? ''];
      if (place === 'query')
        return query.filter(({ name }) => name === parameterName).map(({ value }) => value);
      return [header(place === 'cookie' ? 'cookie' : parameterName.toLowerCase()) ?? ''];
    });
  return values.some((value) => value.includes(REFUSED_CREDENTIAL) || isBasicOf(value));
}

// --- internal ---

function isBasicOf(value: string): boolean {
  const [, encoded] = /^basic +(\S+)$/i.exec(value) ?? [];
  return encoded !== undefined && Buffer.from(encoded, 'base64').toString().includes(REFUSED_CREDENTIAL);
}
