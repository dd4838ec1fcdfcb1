import type { Answer } from '../call/answer.ts';
import type { Call } from '../call/call.ts';
import { worksOn, type Replacements } from './replacements.ts';
import { isRecord } from '../../contract/index.ts';

/**
 * One rule broken on purpose, to show that the suite detects it. Tables of deviations are in
 * `mock/apis/<api>/deviations/`, made by `breaks`. Each row changes the answer of the mock (`onReply`), or
 * replaces a conforming part (`replaces`).
 */
export interface Deviation {
  /** `<rule id>~<variant>`. */
  readonly id: string;
  readonly rule: string;
  /**
   * Rules that break as a consequence, each with its reason. With `bySearch`, only some courses show
   * it, such as those of `conform --explore`.
   */
  readonly alsoFails: readonly {
    readonly rule: string;
    readonly why: string;
    readonly bySearch?: true;
  }[];
  /**
   * The ids of the operations that it applies to; if left out, every request of the API. With named
   * operations, `onReply` does not see requests that match no operation.
   */
  readonly operations?: readonly string[];
  /**
   * Options of the mock that make it observable, such as a surface; the kill matrix starts the mock with
   * them.
   */
  readonly needs?: Readonly<Record<string, unknown>>;
  /**
   * Changes an outgoing answer: after the behaviours and all headers, before Prism validates it. Pure; also
   * applied to recorded answers when they are replayed.
   */
  readonly onReply?: (answer: Answer, seen: DeviationView) => Answer | Promise<Answer>;
  /** Replacements of conforming parts. */
  readonly replaces?: Replacements;
}

/** The context of a deviation: the call with the facts that the behaviours determined. */
export type DeviationView = Pick<Call, 'id' | 'request' | 'operation' | 'match' | 'facts' | 'startedAt'>;

/** Applies the deviations of an operation to an answer. */
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
 * The same answer with another JSON body, if its status matches and its body is an object. `status` may be a
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
