import type { Answer } from './call/answer.ts';
import type { Answered, Behaviour, Call } from './call/call.ts';
import type { Deviation, DeviationView } from './deviations/deviation.ts';

/** A user's own code for the mock of a contract, for behaviour that document and sheet cannot express. */
export interface OwnMockModule {
  /**
   * By operationId: changes an answer, so that it follows rules of the sheet that no policy states. It also
   * receives recorded answers when they are replayed.
   */
  readonly answers?: Readonly<Record<string, AnswerOf>>;
  /**
   * Rules that the mock can break on purpose, in addition to those of the policies: `conform --self-test`
   * tries the probes on them.
   */
  readonly deviations?: readonly Deviation[];
}

/** By the names of contracts. */
export type OwnMockModules = Readonly<Record<string, OwnMockModule>>;

/** The behaviours that a module adds to those of its contract. */
export function moduleBehaviours(name: string, { answers = {} }: OwnMockModule = {}): readonly Behaviour[] {
  if (Object.keys(answers).length === 0) return [];
  return [
    (call, next) => {
      const id = call.operation?.id ?? '';
      const change = Object.hasOwn(answers, id) ? answers[id] : undefined;
      return change === undefined ? next() : changed(change, call, next(), name);
    },
  ];
}

// --- internal ---

type AnswerOf = (answer: Answer, seen: DeviationView) => Answer | Promise<Answer>;

async function changed(change: AnswerOf, call: Call, answered: Answered, name: string): Promise<Answer> {
  const answer = await answered;
  if (answer.cut === true) return answer;
  const made = await change(answer, call);
  if (made === answer) return answer;
  call.note('module', `changes the answer of ${call.operation?.id ?? name}`);
  return { licence: `the module of ${name}`, ...made };
}
