import { placeOfScheme } from '../../contract/index.ts';
import type { Operation, SecurityScheme } from '../../contract/model.ts';
import type { Identity, RequestPlan } from '../scenarios/scenario.ts';
import { credentialPlace, isSamePlace } from './credential.ts';
import type { Credential, CredentialForm } from './credential.ts';
import type { CredentialsByIdentity } from './credentials.ts';

/** The forms of the credentials each of which opens an operation alone. */
export function formsOf({ security }: Pick<Operation, 'security'>): readonly CredentialForm[] {
  return security.flatMap(({ schemes: [scheme, ...others] }) =>
    scheme === undefined || others.length > 0 ? [] : (formOf(scheme) ?? []),
  );
}

/**
 * The same request with the credential that its operation takes, of those that are known of the same account. What no
 * form of the document fits is sent as it is, because a server may take more than its document says; but a credential of another
 * operation's form opens only that one.
 */
export function withFittingCaller(credentials: CredentialsByIdentity, plan: RequestPlan): RequestPlan {
  const { as, takes } = plan;
  if (takes === undefined || !(isFirst(as) || as === 'secondAccount')) return plan;
  const { forms, others, instead } = takes;
  const own = isFirst(as) ? as : 'valid';
  const fitting = [own, ...FIRST].find((one) => fits(credentials[one], forms));
  const chosen = fitting ?? (fits(credentials[own], others) ? instead : own);
  return { ...plan, as: isFirst(as) ? chosen : SECOND[chosen] };
}

/** Whether a credential may open an operation: it does not have the form of another one. */
export function mayOpen(credential: Credential, { takes }: Pick<RequestPlan, 'takes'>): boolean {
  return takes === undefined || fits(credential, takes.forms) || !fits(credential, takes.others);
}

// --- internal ---

const FIRST = ['valid', 'apiKey', 'jwt'] as const;
type First = (typeof FIRST)[number];

/** The same kind of credential, of another account. */
const SECOND: Readonly<Record<First, Identity>> = {
  valid: 'secondValid',
  apiKey: 'secondKey',
  jwt: 'secondToken',
};

function isFirst(as: Identity): as is First {
  return FIRST.some((one) => one === as);
}

function formOf(scheme: SecurityScheme): CredentialForm | undefined {
  const place = placeOfScheme(scheme);
  if (place === undefined) return undefined;
  return scheme.type === 'apiKey' ? { place } : { place, word: (scheme.scheme ?? 'bearer').toLowerCase() };
}

function fits(credential: Credential | undefined, forms: readonly CredentialForm[]): boolean {
  if (credential === undefined) return false;
  const value = credential.value.toLowerCase();
  return forms.some(
    ({ place, word }) =>
      isSamePlace(credentialPlace(credential), place) && (word === undefined || value.startsWith(`${word} `)),
  );
}
