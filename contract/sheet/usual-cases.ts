import type { Operation } from '../model.ts';
import type { PagesPolicy } from '../policies/pagination.ts';
import type { Policy } from '../policies/policy.ts';
import { resourceCases } from './resource-cases.ts';
import { severities } from './severities.ts';
import type { UsualCase, UsualCases } from './usual-case.ts';

/** The cases of a policy that have a usual rule, by operation. */
export function usualCases(policy: Policy, operations: readonly Operation[]): readonly UsualCases[] {
  const eachBy = (
    ids: readonly string[],
    casesOf: (operation: Operation) => readonly UsualCase[],
  ): readonly UsualCases[] =>
    operations
      .filter(({ id }) => ids.includes(id))
      .map((operation) => ({ about: operation.id, operation, cases: casesOf(operation) }));
  const each = (ids: readonly string[], ...cases: readonly UsualCase[]): readonly UsualCases[] =>
    eachBy(ids, () => cases);
  const ofThings = (...cases: readonly string[]): readonly UsualCases[] => [
    { about: thingsOf(policy), cases },
  ];
  switch (policy.kind) {
    case 'idempotency':
      return eachBy(policy.operations, (operation) => [
        ...(policy.mode === 'replay' ? ['first-use', 'replayed', 'mismatch', 'in-flight'] : ['used']),
        ...(policy.mode === 'replay' && policy.consumed !== undefined ? ['consumed'] : []),
        ...((policy.release ?? []).length > 0 ? ['released'] : []),
        'window',
        ...(takesNoKey(operation, policy.requestHeader) ? ['no-key'] : []),
      ]);
    case 'pagination':
    case 'numbered-pages':
      return each(policy.operations, ...pageCases(policy));
    case 'conditional-get':
      return each(policy.operations, 'current', 'weak', 'list', 'any', 'changed', 'kept-headers');
    case 'conditional-write':
      return eachBy(policy.operations, ({ method }) => [
        ...['current', 'mismatch', 'weak', 'list', 'any'],
        ...(policy.required === undefined ? [] : ['required']),
        ...(policy.exists === undefined ? [] : ['exists']),
        // Nothing is there after a deletion.
        ...(method === 'delete' ? [] : ['changed']),
      ]);
    case 'resource':
      return resourceCases(policy, operations);
    case 'event-stream':
      return each(
        policy.operations,
        ...(policy.stateFirst === true ? ['first'] : []),
        ...['frames', 'states', 'end', 'live'],
        ...(policy.thing === undefined ? [] : ['thing']),
        ...(policy.terminalLast === true ? ['last'] : []),
        ...(policy.liveOnly === true ? ['live-only'] : []),
      );
    case 'capacity':
      return each(
        policy.operations,
        ...(policy.calls === undefined && policy.things !== undefined ? [] : ['calls']),
        ...(policy.things === undefined ? [] : ['things']),
      );
    case 'deadline':
      return each(policy.operations, 'expired');
    case 'diagnostics':
      return each(Object.keys(policy.accepts ?? {}), 'accepted');
    case 'uniqueness':
      return each(policy.operations, 'taken');
    case 'reserved-fields':
      return each(policy.operations, 'refused');
    case 'upload':
      return each(policy.operations, 'address');
    case 'plain-segments':
      // No other call is tried: a server that finds something by such a value would act on it.
      return each(policy.operations, 'literal').filter(({ operation }) => operation?.method === 'get');
    case 'lifecycle':
      return ofThings(
        ...['states', 'initial', 'transitions'],
        ...(policy.members === undefined ? [] : ['members']),
        ...(policy.times === undefined ? [] : ['times']),
        ...(policy.frozen === undefined ? [] : ['frozen']),
        ...(policy.refusal === undefined ? [] : ['refused']),
      );
    case 'presence':
      return ofThings('absent');
    case 'links':
      return ofThings('address', ...(policy.members === undefined ? [] : ['leads']));
    case 'credentials':
      return operations.some(({ security }) => security.length > 0)
        ? [{ cases: credentialCases(policy, operations) }]
        : [];
    case 'error-codes':
      return [
        {
          cases: [
            'shape',
            'status',
            ...(OBSERVED_ROLES.some((role) => role in policy.roles) ? ['roles'] : []),
          ],
        },
      ];
    case 'error-buckets':
      return [{ cases: ['header', 'status', 'body', 'roles'] }];
    case 'headers':
      return policy.requestId === undefined ? [] : [{ cases: ['request-id'] }];
    default:
      // Policies whose rules are for clients, for generators, or for APIs of one kind.
      return [];
  }
}

/** The things that a policy without operations is about. */
export function thingsOf(policy: Policy): string | undefined {
  if (policy.kind === 'lifecycle') return policy.schema;
  return policy.kind === 'presence' || policy.kind === 'links'
    ? `${policy.schema}-${policy.property}`
    : undefined;
}

// --- internal ---

/** Whether the document declares the header of the key, and does not require it. */
function takesNoKey({ parameters }: Operation, header: string): boolean {
  return parameters.some(
    ({ in: place, name, required }) =>
      place === 'header' && name.toLowerCase() === header.toLowerCase() && !required,
  );
}

/** The rules for pages depend on the declared members of a page. */
function pageCases(policy: PagesPolicy): readonly UsualCase[] {
  const isCursor = policy.kind === 'pagination';
  const showsEnd = isCursor && policy.page.more !== undefined && policy.page.next !== undefined;
  const hasPlaces = isCursor || policy.pageParameter !== undefined || policy.offsetParameter !== undefined;
  return [
    ...['limit-default', 'limit', 'limit-clamped'],
    ...(policy.zeroIsDefault === true ? ['limit-low'] : []),
    ...(showsEnd ? ['more'] : []),
    'walk',
    ...(hasPlaces ? [noSuchPage(policy)] : []),
  ];
}

function noSuchPage({ kind, noSuchPage: stated }: PagesPolicy): UsualCase {
  const breach = kind === 'pagination' ? 'no-such-cursor' : 'no-such-place';
  const level = stated === undefined ? severities[breach].level : 'must';
  return { name: 'no-such-page', level };
}

/** The rules for callers, as far as the document and the sheet tell them apart. */
function credentialCases(
  { keyHeader, keyPrefix }: Extract<Policy, { kind: 'credentials' }>,
  operations: readonly Operation[],
): readonly UsualCase[] {
  const isSeveral = operations.some(
    ({ security }) => security.filter(({ schemes }) => schemes.length === 1).length > 1,
  );
  // A caller without access is one with a key, or with a token where no operation takes a key.
  const takes = (isWanted: (type: string) => boolean, { security }: Operation): boolean =>
    security.some(
      ({ schemes: [scheme, ...others] }) =>
        scheme !== undefined && others.length === 0 && isWanted(scheme.type),
    );
  const isKey = (type: string): boolean => type === 'apiKey';
  const hasKeys = operations.some((one) => takes(isKey, one));
  const isForbidding = operations.some(
    (one) =>
      takes(hasKeys ? isKey : (type) => type !== 'mutualTLS', one) &&
      one.responses.some(({ status }) => status === '403'),
  );
  return [
    ...['none', 'refused'],
    ...(isSeveral ? ['accepted'] : []),
    ...(isSeveral && keyHeader !== undefined && keyPrefix !== undefined ? ['key-as-bearer'] : []),
    ...(isForbidding ? ['forbidden'] : []),
  ];
}

/** The roles of refusals that a caller can recognise without knowing the server. */
const OBSERVED_ROLES = ['malformed', 'mediaType', 'noCredential'];
