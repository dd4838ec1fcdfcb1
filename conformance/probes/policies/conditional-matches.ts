import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check, SendOptions, Session } from '../../scenarios/scenario.ts';
import { asCondition, matchesOf } from './entity-tags.ts';
import type { OperationFacts } from './facts.ts';

export type ConditionalFacts = OperationFacts<PolicyOf<'conditional-get'>>;
type Facts = ConditionalFacts;

/**
 * Conditions that match the answer with this tag.
 *
 * @param held.exact the answer to the tag itself
 * @returns the answers without a body
 */
export async function* judgeMatches(
  facts: Facts,
  ask: (...tags: readonly string[]) => Promise<Exchange>,
  { tag, exact }: { readonly tag: string; readonly exact: Exchange },
): AsyncGenerator<Check, readonly Exchange[]> {
  const { policy } = facts;
  const bare: Exchange[] = [];
  for (const [name, ...tags] of matchesOf(tag, opaqueOf(tag))) {
    const seen = tags.length === 1 && tags[0] === tag ? exact : await ask(...tags);
    yield* facts.status(name, seen, policy.status, `to If-None-Match: ${tags.join(', and ')}`);
    if (seen.status !== policy.status) continue;
    bare.push(seen);
    const got = `${policy.status} with ${seen.bytes.length} bytes`;
    yield* facts.judge('no-body', seen, seen.bytes.length === 0, 'no byte of a body', got);
  }
  return bare;
}

/**
 * What an answer without a body keeps of the whole one. A header with another value in each answer, such as a request id,
 * is about the answer and not about what it shows; so is a time.
 */
export function* keptHeaders(facts: Facts, whole: Exchange, bare: readonly Exchange[]): Generator<Check> {
  const { keptHeaders: names } = facts.policy;
  const [seen, ...others] = bare;
  if (seen === undefined) return;
  const isOfAnswer = (name: string): boolean => {
    if (name.toLowerCase() === 'etag') return false;
    const values = new Set([whole, ...bare].map((one) => one.header(name)));
    return TIMES.has(name.toLowerCase()) || (others.length > 0 && values.size === bare.length + 1);
  };
  const lost = names.filter((name) => {
    const [before, now] = [whole.header(name), seen.header(name)];
    return before !== undefined && now !== before && (now === undefined || !isOfAnswer(name));
  });
  yield* facts.judge(
    'kept-headers',
    [whole, seen],
    lost.length === 0,
    `the headers ${names.join(', ')} of the whole answer`,
    `other or no ${lost.join(', ')}`,
  );
}

/**
 * The read with a condition of these tags, each in a line of its own. Its connection ends with the answer, so that everything
 * behind the head of an answer without a body is seen.
 */
export function asking(
  session: Session,
  name: string,
  input: SendOptions,
): (...tags: readonly string[]) => Promise<Exchange> {
  return (...tags) => {
    const headers = [...(input.headers ?? []), ...tags.map(asCondition), ['Connection', 'close'] as const];
    return session.send(name, { ...input, headers });
  };
}

/** The strong tag of an answer: of the same strong tag, all answers are the same (RFC 9110, section 8.8.1). */
export function strongTagOf(seen: Exchange): string | undefined {
  const tag = tagOf(seen);
  return tag?.startsWith('W/') === true ? undefined : tag;
}

/** The tag of an answer; `undefined` if it has none in the form of one. */
export function tagOf(seen: Exchange): string | undefined {
  return /^(?:W\/)?"[^"]*"$/.exec(seen.header('etag') ?? '')?.[0];
}

/** The tag without the mark of a weak one. */
export function opaqueOf(tag: string): string {
  return tag.replace(/^W\//, '');
}

/** Whether an answer shows another tag than the one that was asked for: what it shows is another state. */
export function hasChanged(seen: Exchange, tag: string): boolean {
  return isSuccess(seen) && tagOf(seen) !== undefined && seen.header('etag') !== tag;
}

// --- internal ---

/** Headers with the time of an answer, or counted from it. */
const TIMES = new Set(['date', 'age', 'expires']);
