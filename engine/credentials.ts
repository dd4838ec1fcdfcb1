import { readCredential } from '../contract/policies/credentials.ts';
import type { ServedApi, ServedOperation, ServedScheme } from './served-api.ts';

/** The credentials of a request, by the names of the document's security schemes. */
export type Credentials<Scheme extends string = string> = { readonly [Name in Scheme]?: string };

/**
 * Finds the credentials of a request for one of the alternatives. The owner of the server decides whether
 * they are valid.
 *
 * @returns `undefined` if the request satisfies no alternative; empty if none is required and none was sent
 */
export function presented(
  api: ServedApi,
  operation: ServedOperation,
  headers: Headers,
  query: string,
): Credentials | undefined {
  const alternatives = operation.security ?? [];
  const schemes = alternatives.flat();
  const found: Record<string, string> = {};
  const { keyPrefix } = api;
  const bearer = bearerOf(headers);
  const isKey = keyPrefix !== undefined && bearer?.startsWith(keyPrefix.prefix) === true;
  if (isKey && schemes.some(({ kind }) => kind === 'bearer')) found[keyPrefix.scheme] = bearer;
  for (const scheme of schemes) {
    const value = valueOf(api, scheme, headers, query);
    if (value !== undefined) found[scheme.name] = value;
  }
  // A key can replace a bearer token, but not both if an alternative requires both.
  const fits = (alternative: readonly ServedScheme[]): boolean =>
    alternative.length > 0 &&
    alternative.every(
      ({ name, kind }) =>
        Object.hasOwn(found, name) ||
        (isKey && kind === 'bearer' && !alternative.some((other) => other.name === keyPrefix.scheme)),
    );
  const chosen = alternatives.find(fits);
  if (chosen !== undefined) return found;
  const needsNone = alternatives.length === 0 || alternatives.some((alternative) => alternative.length === 0);
  return needsNone ? {} : undefined;
}

// --- internal ---

function bearerOf(headers: Headers): string | undefined {
  const read = readCredential({ kind: 'credentials' }, (name) => headers.get(name) ?? undefined);
  return read.kind === 'bearer' ? read.value : undefined;
}

function valueOf(api: ServedApi, scheme: ServedScheme, headers: Headers, query: string): string | undefined {
  const { keyPrefix } = api;
  const header = (name: string): string | undefined => headers.get(name) ?? undefined;
  switch (scheme.kind) {
    case 'bearer': {
      const value = bearerOf(headers);
      return keyPrefix !== undefined && value?.startsWith(keyPrefix.prefix) === true ? undefined : value;
    }
    case 'header': {
      const parameter = scheme.parameter ?? 'authorization';
      if (keyPrefix?.scheme === scheme.name) {
        const policy = { kind: 'credentials', keyHeader: parameter, keyPrefix: keyPrefix.prefix } as const;
        const read = readCredential(policy, header);
        return read.kind === 'api-key' ? read.value : undefined;
      }
      return header(parameter)?.trim() || undefined;
    }
    case 'basic':
      return /^basic +(\S+) *$/i.exec(header('authorization') ?? '')?.[1];
    case 'query':
      return new URLSearchParams(query).get(scheme.parameter ?? '') || undefined;
    case 'cookie': {
      const cookies = (header('cookie') ?? '').split(/;\s*/).map((pair) => pair.split('='));
      const found = cookies.find(([name]) => name === scheme.parameter);
      return found?.slice(1).join('=') || undefined;
    }
  }
}
