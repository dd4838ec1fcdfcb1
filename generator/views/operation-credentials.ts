import type { SecurityRequirement, SecurityScheme } from '../../contract/index.ts';
import { type Expression, jsString } from '../printing.ts';
import { list, object, recorder, type RuntimeUse, type Use } from './runtime-use.ts';

/** The alternatives of credentials as data; `undefined` if a request cannot carry any of them. */
export function securityList(
  requirements: readonly SecurityRequirement[],
  uses: RuntimeUse[],
): Expression | undefined {
  const use = recorder(uses);
  const alternatives = requirements
    .filter(({ schemes }) => schemes.every(isCarried))
    // The first alternative with available credentials is used. An empty one is always available, so it comes
    // last.
    .sort((left, right) => Number(left.schemes.length === 0) - Number(right.schemes.length === 0))
    .map(({ schemes }) => list(schemes.map((scheme) => object(schemeMembers(scheme, use)))) ?? '[]');
  return alternatives.every((alternative) => alternative === '[]') ? undefined : list(alternatives);
}

// --- internal ---

/**
 * Whether a request can carry the credential of a scheme; a client certificate is part of the connection, not
 * of a request.
 */
function isCarried(scheme: SecurityScheme): boolean {
  return (
    scheme.type !== 'mutualTLS' &&
    (scheme.type !== 'apiKey' || (scheme.in !== undefined && scheme.parameterName !== undefined))
  );
}

const KEY_WRITERS = { header: 'keyInHeader', query: 'keyInQuery', cookie: 'keyInCookie' } as const;

function schemeMembers(scheme: SecurityScheme, use: Use): [string, string | undefined][] {
  const { name, type } = scheme;
  const member = (writer: string, parameter?: string): [string, string | undefined][] => [
    ['name', jsString(name)],
    ['write', use('secrets', writer)],
    ['parameter', parameter === undefined ? undefined : jsString(parameter)],
  ];
  if (type === 'apiKey') return member(KEY_WRITERS[scheme.in ?? 'header'], scheme.parameterName ?? '');
  const kind = scheme.scheme?.toLowerCase();
  if (type !== 'http' || kind === 'bearer') return member('bearer');
  // For an unusual scheme, the user provides the whole value of the header.
  return kind === 'basic' ? member('basic') : member('keyInHeader', 'Authorization');
}
