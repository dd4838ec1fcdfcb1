import { policyFor } from '../../contract/index.ts';
import type { BucketRole, ErrorBucketsPolicy } from '../../contract/policies/error-buckets.ts';
import type { HeadersPolicy } from '../../contract/policies/policy.ts';
import { withHeaders, withoutHeaders, type Answer } from '../call/answer.ts';
import { onJson, type DeviationView } from './deviation.ts';

export { put } from '../samples/put.ts';

/** Changes of an answer. */
export type AnswerChange = (answer: Answer, seen: DeviationView) => Answer;

/** Several changes, one after the other. */
export function both(first: AnswerChange, second: AnswerChange): AnswerChange {
  return (answer, seen) => second(first(answer, seen), seen);
}

export function asStatus(status: number): AnswerChange {
  return (answer) => ({ ...answer, status });
}

/** Replaces the answer; its headers stay. */
export function asJson(status: number, value: unknown): AnswerChange {
  return (answer) => ({ ...answer, status, body: { kind: 'json', value } });
}

/** A text of another media type. Without a status, that of the answer stays. */
export function asText(type: string, text: string, status?: number): AnswerChange {
  return both(withHeader('Content-Type', type), (answer) => ({
    ...answer,
    status: status ?? answer.status,
    body: { kind: 'bytes', bytes: Buffer.from(text) },
  }));
}

/** Removes body and media type. */
export function asNothing(status: number): AnswerChange {
  return (answer) => ({ ...answer, status, body: { kind: 'none' } });
}

/** Changes the body if it is an object and the answer has the given status. */
export function onBody(
  status: number | readonly number[] | 'any',
  change: (body: Record<string, unknown>, seen: DeviationView) => unknown,
): AnswerChange {
  return (answer, seen) => onJson(answer, status, (body) => change(body, seen));
}

export function withHeader(name: string, value: string): AnswerChange {
  return (answer) => withHeaders(answer, [[name, value]]);
}

export function withoutHeader(name: string): AnswerChange {
  return (answer) => withoutHeaders(answer, name);
}

/** A request-level error in the bucket of a role, with the headers of the original answer. */
export function refusal(status: number, role: BucketRole): AnswerChange {
  return (answer, seen) => {
    const policy = bucketsOf(seen);
    if (policy === undefined) return answer;
    const value = { [policy.bodyMember]: policy.roles[role], [policy.detailMember]: 'Deviant on purpose.' };
    return both(withHeader(policy.header, policy.roles[role]), asJson(status, value))(answer, seen);
  };
}

/** The same error in another bucket. `where`: in the header, in the body, or in both. */
export function inBucket(
  bucket: (policy: ErrorBucketsPolicy) => string | undefined,
  where: 'header' | 'body' | 'both' = 'both',
): AnswerChange {
  return (answer, seen) => {
    const policy = bucketsOf(seen);
    const name = policy && bucket(policy);
    if (policy === undefined || name === undefined) return answer;
    const renamed =
      where === 'header' ? answer : onJson(answer, 'any', (body) => ({ ...body, [policy.bodyMember]: name }));
    return where === 'body' ? renamed : withHeaders(renamed, [[policy.header, name]]);
  };
}

export function withoutBucket(answer: Answer, seen: DeviationView): Answer {
  return withoutHeaders(answer, bucketsOf(seen)?.header ?? '');
}

export function withoutRequestId(answer: Answer, seen: DeviationView): Answer {
  return withoutHeaders(answer, headersOf(seen)?.requestId ?? '');
}

export function withCredits(answer: Answer, seen: DeviationView): Answer {
  return withHeaders(answer, [[headersOf(seen)?.credits ?? '', '3']]);
}

/** An error with another detail. */
export function withDetail(status: number, detail: unknown): AnswerChange {
  return onBody(status, (body, seen) => ({ ...body, [bucketsOf(seen)?.detailMember ?? '']: detail }));
}

/** The wire names from the behaviour sheet; `undefined` for requests that match no operation. */
export function bucketsOf({ operation }: DeviationView): ErrorBucketsPolicy | undefined {
  return operation === undefined ? undefined : policyFor(operation, 'error-buckets');
}

export function headersOf({ operation }: DeviationView): HeadersPolicy | undefined {
  return operation === undefined ? undefined : policyFor(operation, 'headers');
}
