import type { Answer } from '../call/answer.ts';
import type { Call } from '../call/call.ts';
import { worksOn, type Replacements } from './replacements.ts';
import { isRecord } from '../../contract/index.ts';

/**
 * One rule broken on purpose, so that the suite can show that it notices. Tables of deviations are in
 * `mock/apis/<api>/deviations/`, made by `breaks`. Each row changes the answer of the mock (`onReply`), or replaces a
 * conforming part (`replaces`).
 */
export interface Deviation {
  /** `<rule id>~<variant>`. */
  readonly id: string;
  readonly rule: string;
  /** Rules that break along with it, each with its reason. */
  readonly alsoFails: readonly { readonly rule: string; readonly why: string }[];
  /**
   * Operation ids on which it works; every request of the API where left out. `onReply` with operations named does not
   * see requests that match no operation.
   */
  readonly operations?: readonly string[];
  /** Options of the mock without which it cannot show, such as a surface; the kill matrix starts the mock with them. */
  readonly needs?: Readonly<Record<string, unknown>>;
  /**
   * Changes the answer on its way out: after the behaviours and after all headers are on it, before Prism judges it.
   * Pure; sees recorded answers again when they are replayed.
   */
  readonly onReply?: (answer: Answer, seen: DeviationView) => Answer | Promise<Answer>;
  /** Replacements of conforming parts. */
  readonly replaces?: Replacements;
}

/** What a deviation may look at: the call with what the behaviours found out about it. */
export type DeviationView = Pick<Call, 'id' | 'request' | 'operation' | 'match' | 'facts' | 'startedAt'>;

/** Sends an answer through the deviations that work on an operation. */
export async function deviate(
  deviations: readonly Deviation[],
  answer: Answer,
  seen: DeviationView,
): Promise<Answer> {
  let current = answer;
  for (const deviation of deviations) {
    if (deviation.onReply === undefined || !worksOn(deviation, seen.operation?.id)) continue;
    const changed = await deviation.onReply(current, seen);
    // A deviation needs no other licence to break a rule.
    current = changed === current ? current : { ...changed, licence: deviation.id };
  }
  return current;
}

type JsonRecord = Record<string, unknown>;

/**
 * The same answer with another JSON body, when its status is the given one and its body is an object. `status` may be a
 * number, several, or `any`.
 */
export function onJson(
  answer: Answer,
  status: number | readonly number[] | 'any',
  change: (body: JsonRecord) => unknown,
): Answer {
  const wanted = status === 'any' || [status].flat().includes(answer.status);
  if (!wanted || answer.body.kind !== 'json' || !isRecord(answer.body.value)) return answer;
  return { ...answer, body: { kind: 'json', value: change(answer.body.value) } };
}
