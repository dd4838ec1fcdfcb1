import type { Operation, SecurityScheme } from '../../contract/model.ts';
import type { HeaderLine } from './answer.ts';

/** The challenge of a 401 for the credentials that an operation accepts (RFC 9110, section 11.6.1). */
export function challengesOf({ security }: Pick<Operation, 'security'>): readonly HeaderLine[] {
  const challenges = new Set(security.flatMap(({ schemes }) => schemes).map(challengeOf));
  return challenges.size === 0 ? [] : [['WWW-Authenticate', [...challenges].join(', ')]];
}

// --- internal ---

function challengeOf({
  type,
  scheme = '',
  parameterName = '',
  in: place = 'header',
}: SecurityScheme): string {
  switch (type) {
    case 'oauth2':
    case 'openIdConnect':
      return 'Bearer';
    case 'apiKey':
      return `ApiKey in="${place}", name="${parameterName.replace(/[^\x20-\x7e]|["\\]/g, '')}"`;
    case 'mutualTLS':
      return 'Mutual';
    case 'http':
      if (/^bearer$/i.test(scheme)) return 'Bearer';
      if (/^digest$/i.test(scheme)) return 'Digest realm="*", nonce="abc123"';
      return `${/^basic$/i.test(scheme) ? 'Basic' : scheme.replace(/[^\w-]/g, '')} realm="*"`;
  }
}
