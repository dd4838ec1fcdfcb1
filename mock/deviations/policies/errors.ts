import { isJson } from '../../../contract/judge/body-format.ts';
import { mainSchemeOf, placeOfScheme, type PolicyOf } from '../../../contract/index.ts';
import type { Contract, Json } from '../../../contract/model.ts';
import { joinPointer, valueAt } from '../../../contract/pointer.ts';
import { mayLack } from '../../../contract/schemas/schema-parts.ts';
import { asStatus, onBody, put, withHeader, withoutHeader, type AnswerChange } from '../changes.ts';
import { isError, not, status, when, type Condition } from '../conditions.ts';
import { alongCases, anotherStatus, alongPolicy, documented, firstAgain, type Ways } from './broken.ts';

/** Ways to accept unauthorised callers, or to refuse them differently. */
export function callerWays(contract: Contract): Ways {
  const scheme = mainSchemeOf(contract);
  const place = scheme && placeOfScheme(scheme);
  const shows: Condition = (_, { request: { header, query } }) =>
    header('authorization') !== undefined ||
    (place?.in === 'header' && header(place.name.toLowerCase()) !== undefined) ||
    (place?.in === 'query' && query.some(({ name }) => name === place.name)) ||
    (place?.in === 'cookie' && header('cookie')?.includes(`${place.name}=`) === true);
  // The first read makes it observable: a stranger gets its earlier answer.
  const opening = contract.operations.find(
    ({ method, parameters }) => method === 'get' && !parameters.some(({ required }) => required),
  );
  if (opening === undefined) return {};
  const operations = [opening.id];
  return {
    'none~let-in': [
      { operations, onReply: firstAgain([status(401), not(shows)]) },
      documented('the document asks for a credential as well', 'security'),
      alongCases('a malformed credential in another place counts as absent', 'refused'),
    ],
    'none~403': [
      { operations, onReply: when(status(401), asStatus(403)) },
      alongCases('every refusal of a caller has the status', 'refused'),
      anotherStatus,
    ],
    'refused~let-in': [
      { operations, onReply: firstAgain([status(401), shows]) },
      documented('a credential of another scheme is let in as well', 'security'),
    ],
  };
}

/** Ways to leave an error without its code. */
export function codeWays(contract: Contract, policy: PolicyOf<'error-codes'>): Ways {
  const errors = (path: string, value: unknown): AnswerChange =>
    when(
      isError,
      onBody('any', (body) => put(body, path.split('.'), value)),
    );
  const mislead = policy.codes.find((code) => code.status !== undefined);
  const described = documented('the document may describe the error as well', 'answer');
  const roles = Object.entries(policy.roles).filter(([role]) => OBSERVED_ROLES.includes(role));
  const own = roles.map(([, name]) => name);
  const stated = new Set((contract.sheet?.policies ?? []).flatMap((one) => bucketsIn(one)));
  const other = policy.codes.find(({ name }) => !own.includes(name) && !stated.has(name))?.name;
  return {
    'shape~no-code': [
      errors(policy.code, undefined),
      alongCases('without a code nothing is said of its status', 'status', 'roles'),
      ...knownByCode,
      described,
    ],
    ...(isMessageOptional(contract, policy)
      ? {}
      : { 'shape~no-message': [errors(policy.message, undefined), described] as const }),
    ...(other === undefined || roles.length === 0
      ? {}
      : {
          'roles~another-code': [
            when(
              isError,
              onBody('any', (body) =>
                own.includes(String(valueAt(body as Json, joinPointer('', ...policy.code.split('.')))))
                  ? put(body, policy.code.split('.'), other)
                  : body,
              ),
            ),
            alongCases('the code belongs to another status', 'status'),
            ...knownByCode,
            described,
          ] as const,
        }),
    ...(mislead?.status === undefined
      ? {}
      : {
          'status~another-code': [
            when(not(status(mislead.status)), errors(policy.code, mislead.name)),
            alongCases('the code is not that of the role', 'roles'),
            ...knownByCode,
            described,
          ],
        }),
  };
}

/** Ways to name no bucket, or a wrong one. */
export function bucketWays({ header, buckets }: PolicyOf<'error-buckets'>): Ways {
  const stated = buckets.find((bucket) => bucket.status !== undefined);
  return {
    'header~none': when(isError, withoutHeader(header)),
    'header~unknown': when(isError, withHeader(header, 'tallystick-unknown')),
    ...(stated?.status === undefined
      ? {}
      : { 'status~another': when([isError, not(status(stated.status))], withHeader(header, stated.name)) }),
  };
}

/** Ways to leave a header out. */
export function headerWays({ requestId = '' }: PolicyOf<'headers'>): Ways {
  return {
    'request-id~none': [
      withoutHeader(requestId),
      documented('the document may ask for the header as well', 'answer'),
    ],
  };
}

// --- internal ---

/** The roles of refusals that a caller can recognise. */
const OBSERVED_ROLES = ['malformed', 'mediaType', 'noCredential'];

/** The names of the refusals that a policy states: these may be checked before others. */
function bucketsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'bucket' ? [inner as unknown] : bucketsIn(inner),
  );
}

/** Whether every error that the document describes may leave the message out. */
function isMessageOptional(
  { operations, document: { root } }: Contract,
  { message }: PolicyOf<'error-codes'>,
): boolean {
  const bodies = operations
    .flatMap(({ responses }) => responses.filter(({ status }) => /^[45]/.test(status)))
    .flatMap(({ content }) => content.filter(({ mediaType }) => isJson(mediaType)));
  return bodies.length > 0 && bodies.every(({ schema }) => mayLack(schema, message, root));
}

/** Refusals that other policies name by their codes. */
const knownByCode = (
  [
    ['resource', 'missing', 'deleted', 'taken', 'owned'],
    ['conditional-write', 'mismatch', 'weak', 'required', 'exists'],
    ['idempotency', 'used', 'mismatch', 'in-flight'],
    ['uniqueness', 'taken'],
    ['lifecycle', 'refused'],
    ['capacity', 'calls', 'things'],
    ['deadline', 'expired'],
  ] as const
).map(([kind, ...cases]) => alongPolicy(kind, 'the refusal is known by its code', ...cases));
