import { policyFor } from '../../contract/index.ts';
import type { CredentialsPolicy } from '../../contract/policies/credentials.ts';
import type { BucketRole } from '../../contract/policies/error-buckets.ts';
import { headerOf, type Answer } from '../call/answer.ts';
import { bucketsOf, type AnswerChange } from './changes.ts';
import type { DeviationView } from './deviation.ts';

/** Conditions for the answers that a deviation changes. */
export type Condition = (answer: Answer, seen: DeviationView) => boolean;

/** Applies a change if a condition is met, or all of several. */
export function when(condition: Condition | readonly Condition[], change: AnswerChange): AnswerChange {
  const conditions = [condition].flat();
  return (answer, seen) => (conditions.every((holds) => holds(answer, seen)) ? change(answer, seen) : answer);
}

export function not(condition: Condition): Condition {
  return (answer, seen) => !condition(answer, seen);
}

export function status(...wanted: readonly number[]): Condition {
  return (answer) => wanted.includes(answer.status);
}

export function isError({ status: code }: Answer): boolean {
  return code >= 400;
}

export function isSuccess({ status: code }: Answer): boolean {
  return code >= 200 && code < 300;
}

/** Errors whose bucket, in the header, has this role. */
export function role(wanted: BucketRole): Condition {
  return (answer, seen) => {
    const policy = bucketsOf(seen);
    return policy !== undefined && headerOf(answer, policy.header) === policy.roles[wanted];
  };
}

/** Requests with a header, optionally with a value that has this prefix. */
export function sends(name: string, beginning = ''): Condition {
  return (_, { request }) => request.header(name)?.startsWith(beginning) === true;
}

/** Requests with a value in the query. */
export function sendsParameter(name: string): Condition {
  return (_, seen) => parameter(seen, name) !== undefined;
}

/** Requests with a key in the key header. */
export function keyInHeader(_: Answer, seen: DeviationView): boolean {
  const name = credentialsOf(seen)?.keyHeader;
  return name !== undefined && seen.request.header(name.toLowerCase()) !== undefined;
}

/** Requests with a key as a bearer token. */
export function keyAsBearer(answer: Answer, seen: DeviationView): boolean {
  const prefix = credentialsOf(seen)?.keyPrefix;
  return prefix !== undefined && sends('authorization', `Bearer ${prefix}`)(answer, seen);
}

/** Requests with a JWT about an unknown user: its header names the key `tallystick`. */
export function bearsMadeUpToken(answer: Answer, seen: DeviationView): boolean {
  const head = Buffer.from('{"alg":"HS256","kid":"tallystick"}').toString('base64url');
  return sends('authorization', `Bearer ${head}`)(answer, seen);
}

/** Requests with any kind of credential. */
export function bearsCredential(answer: Answer, seen: DeviationView): boolean {
  return sends('authorization')(answer, seen) || keyInHeader(answer, seen);
}

/** Requests whose path matches. */
export function path(pattern: RegExp): Condition {
  return (_, { request }) => pattern.test(request.path);
}

/** Requests without a body, or with one that is not JSON. */
export function bodyIs(kind: 'none' | 'malformed'): Condition {
  return (_, { request }) => request.body().kind === kind;
}

/** Requests whose body begins with these characters. */
export function bodyBegins(start: string): Condition {
  return (_, { request }) => Buffer.from(request.raw.body).toString().startsWith(start);
}

/** Requests whose body ends with these characters. */
export function bodyEnds(end: string): Condition {
  return (_, { request }) => Buffer.from(request.raw.body).toString().endsWith(end);
}

/** Requests whose body is an object that matches. */
export function bodyFits(holds: (body: Readonly<Record<string, unknown>>) => boolean): Condition {
  return (_, seen) => holds(sentBody(seen));
}

/** A value in the query. */
export function parameter({ request }: DeviationView, name: string): string | undefined {
  return request.query.find((pair) => pair.name === name)?.value;
}

/** The body of the request; an empty object if it has no members. */
export function sentBody({ request }: DeviationView): Readonly<Record<string, unknown>> {
  const sent = request.body();
  return sent.kind === 'json' && typeof sent.value === 'object' && sent.value !== null
    ? (sent.value as Readonly<Record<string, unknown>>)
    : {};
}

// --- internal ---

function credentialsOf({ operation }: DeviationView): CredentialsPolicy | undefined {
  return operation === undefined ? undefined : policyFor(operation, 'credentials');
}
