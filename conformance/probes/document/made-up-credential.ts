import { findPolicy, placeOfScheme } from '../../../contract/index.ts';
import type { Operation, SecurityScheme } from '../../../contract/model.ts';
import { credentialIn } from '../../credential.ts';
import type { Credential } from '../../credential.ts';
import type { RequestPlan } from '../../scenario.ts';
import type { OwnApi } from '../own-api.ts';
import { isSecured } from '../own-api.ts';
import { openingOf } from './opening.ts';

/** A read that needs only one credential, and one of the right form that no server has given out. */
export interface MadeUpCredential {
  readonly operation: Operation;
  readonly plan: RequestPlan;
  readonly credential: (fresh: string) => Credential;
}

/** `undefined` if no read of the document can show whether a credential is examined. */
export function madeUpCredential(api: OwnApi): MadeUpCredential | undefined {
  const first = openingOf(api)?.requests['first'];
  const operation = api.operation(first?.operation ?? '');
  if (first === undefined || operation === undefined || !isSecured(operation)) return undefined;
  const alone = operation.security.filter(({ schemes }) => schemes.length === 1);
  const scheme = alone.flatMap(({ schemes }) => schemes).find((one) => placeOfScheme(one) !== undefined);
  const place = scheme && placeOfScheme(scheme);
  if (scheme === undefined || place === undefined || alone.length < operation.security.length)
    return undefined;
  const { keyPrefix = '' } = findPolicy(api.contract, 'credentials') ?? {};
  return {
    operation,
    plan: { ...first, as: 'unusable', times: 1, isInvalid: true },
    credential: (fresh) => credentialIn(place, valueOf(scheme, `${NEVER_GIVEN}-${fresh}`, keyPrefix)),
  };
}

// --- internal ---

/** The mock of a user's own contract refuses what contains it. */
const NEVER_GIVEN = 'tallystick-refused';

function valueOf({ type, scheme = '' }: SecurityScheme, secret: string, prefix: string): string {
  if (type === 'apiKey') return `${prefix}${secret}`;
  if (/^basic$/i.test(scheme)) return `Basic ${btoa(`${secret}:${secret}`)}`;
  return `Bearer ${secret}`;
}
