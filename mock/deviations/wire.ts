import { policyFor } from '../../contract/index.ts';
import type { CredentialsPolicy } from '../../contract/policies/credentials.ts';
import type { BucketRole, ErrorBucketsPolicy } from '../../contract/policies/error-buckets.ts';
import type { HeadersPolicy } from '../../contract/policies/policy.ts';
import { headerOf, withHeaders, type Answer } from '../call/answer.ts';
import { onJson, type Deviation, type DeviationView } from './deviation.ts';

type Reply = NonNullable<Deviation['onReply']>;
type JsonRecord = Record<string, unknown>;

/** Names of the wire as the behaviour sheet states them; nothing for requests that match no operation. */
export function bucketsOf({ operation }: DeviationView): ErrorBucketsPolicy | undefined {
  return operation === undefined ? undefined : policyFor(operation, 'error-buckets');
}

export function headersOf({ operation }: DeviationView): HeadersPolicy | undefined {
  return operation === undefined ? undefined : policyFor(operation, 'headers');
}

export function credentialsOf({ operation }: DeviationView): CredentialsPolicy | undefined {
  return operation === undefined ? undefined : policyFor(operation, 'credentials');
}

/** Whether a request bears anything that could be a credential. */
export function bearsCredential(seen: DeviationView): boolean {
  const keyHeader = credentialsOf(seen)?.keyHeader;
  const { header } = seen.request;
  return (
    header('authorization') !== undefined ||
    (keyHeader !== undefined && header(keyHeader.toLowerCase()) !== undefined)
  );
}

/** The bucket on the header of an answer. */
export function bucketOf(answer: Answer, seen: DeviationView): string | undefined {
  const header = bucketsOf(seen)?.header;
  return header === undefined ? undefined : headerOf(answer, header);
}

export function hasRole(answer: Answer, seen: DeviationView, role: BucketRole): boolean {
  const bucket = bucketOf(answer, seen);
  return bucket !== undefined && bucket === bucketsOf(seen)?.roles[role];
}

/** The same error in another bucket. `in`: on the header, in the body, or in both. */
export function inBucket(
  answer: Answer,
  seen: DeviationView,
  name: string,
  where: 'header' | 'body' | 'both' = 'both',
): Answer {
  const policy = bucketsOf(seen);
  if (policy === undefined) return answer;
  const renamed =
    where === 'header' ? answer : onJson(answer, 'any', (body) => ({ ...body, [policy.bodyMember]: name }));
  return where === 'body' ? renamed : withHeaders(renamed, [[policy.header, name]]);
}

/** A request-level error in the bucket of a role, with the headers that the answer had. */
export function refused(answer: Answer, seen: DeviationView, status: number, role: BucketRole): Answer {
  const policy = bucketsOf(seen);
  if (policy === undefined) return answer;
  const value = { [policy.bodyMember]: policy.roles[role], [policy.detailMember]: 'Deviant on purpose.' };
  return withJson(withHeaders(answer, [[policy.header, policy.roles[role]]]), status, value);
}

/** The same answer with this status and body. */
export function withJson(answer: Answer, status: number, value: unknown): Answer {
  return { ...answer, status, body: { kind: 'json', value } };
}

export function withText(answer: Answer, status: number, type: string, text: string): Answer {
  return {
    ...withHeaders(answer, [['Content-Type', type]]),
    status,
    body: { kind: 'bytes', bytes: Buffer.from(text) },
  };
}

/** A deviation that works on answers which the condition picks. */
export function when(holds: (answer: Answer, seen: DeviationView) => boolean, change: Reply): Reply {
  return (answer, seen) => (holds(answer, seen) ? change(answer, seen) : answer);
}

/** The last segments of the path as sent, which name the model where the path does. */
export function pathId({ request }: DeviationView): string {
  const [, , provider, model] = request.segments;
  return provider === undefined || model === undefined ? '' : `${provider}/${model}`;
}

/** Models whose names promise nothing: what breaks on them leaves the others as witnesses. */
export function isOrdinary(seen: DeviationView): boolean {
  return !pathId(seen).startsWith('mock/') && isWellFormed(seen);
}

/** Whether both segments of the path fit their pattern. */
export function isWellFormed(seen: DeviationView): boolean {
  return (
    /^[a-z0-9]+([._-][a-z0-9]+)*\/[a-z0-9]+([._-][a-z0-9]+)*$/.test(pathId(seen)) && pathId(seen).length < 60
  );
}

/** A value of the query. */
export function parameter({ request }: DeviationView, name: string): string | undefined {
  return request.query.find((pair) => pair.name === name)?.value;
}

/** The body of the request, where it is an object. */
export function sentBody({ request }: DeviationView): JsonRecord {
  const body = request.body();
  return body.kind === 'json' && typeof body.value === 'object' && body.value !== null
    ? (body.value as JsonRecord)
    : {};
}

/** The same reason for several rules. */
export function along(why: string, ...rules: readonly string[]): Deviation['alsoFails'] {
  return rules.map((rule) => ({ rule, why }));
}

/** A deviation of a rule; the id is made of both. */
export function breaks(
  rule: string,
  variant: string,
  parts: Omit<Deviation, 'id' | 'rule' | 'alsoFails'> & Partial<Pick<Deviation, 'alsoFails'>>,
): Deviation {
  return { alsoFails: [], ...parts, id: `${rule}~${variant}`, rule };
}
